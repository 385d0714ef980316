package deliver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/web/egress"
	"github.com/curlew-data/curlew/internal/work/deliver"
	"github.com/curlew-data/curlew/internal/work/deliver/sinktest"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func secrets(t testing.TB) []deliver.Secret {
	t.Helper()
	s, err := deliver.NewSecret(bytes.NewReader(bytes.Repeat([]byte("k"), 32)))
	if err != nil {
		t.Fatal(err)
	}
	return []deliver.Secret{s}
}

// client may reach loopback on the port of one server.
func client(t testing.TB, address string) *egress.Client {
	t.Helper()
	port := netip.MustParseAddrPort(address).Port()
	c := egress.New(egress.Policy{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, Ports: []uint16{port}})
	t.Cleanup(c.Close)
	return c
}

// receiver is a sink on loopback and a webhook channel to it.
func receiver(t *testing.T) (*sinktest.Sink, deliver.Webhook, json.RawMessage) {
	t.Helper()
	sink := sinktest.New(1)
	sink.Secrets = secrets(t)
	server := httptest.NewServer(sink)
	t.Cleanup(server.Close)
	channel := deliver.Webhook{Client: client(t, server.Listener.Addr().String()), UserAgent: "Curlew test", Now: time.Now, Time: 2 * time.Second}
	return sink, channel, target(t, server.URL+"/hook", nil)
}

func target(t testing.TB, url string, headers map[string]string) json.RawMessage {
	t.Helper()
	raw, err := json.Marshal(deliver.WebhookTarget{URL: url, Secrets: secrets(t), Headers: headers})
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func one(n int) deliver.Message {
	item := deliver.SampleItem(n, curlew.EntityChanged, "Shop", `{"entity":{"schema":"product","external_id":"x","status":"active","fields":{"name":"Reed"}},"changes":[{"field":"name","old":"Rede","new":"Reed"}]}`)
	return deliver.Single(deliver.SampleSubscription, item, deliver.Links{})
}

func TestAWebhookIsSignedAndAccepted(t *testing.T) {
	sink, channel, to := receiver(t)
	answer, err := channel.Send(t.Context(), to, one(3))
	if err != nil || answer.Status != http.StatusNoContent || deliver.Classify(answer, err).Class != deliver.Delivered {
		t.Fatalf("%+v, %v", answer, err)
	}
	if _, err := channel.Send(t.Context(), to, deliver.SampleDigest()); err != nil {
		t.Fatal(err)
	}
	if _, err := channel.Send(t.Context(), to, deliver.Test(deliver.SampleSubscription, "test_1", time.Now(), "")); err != nil {
		t.Fatal(err)
	}
	l := sink.Ledger()
	if l.Accepted != 3 || l.BadSignatures != 0 || l.Unreadable != 0 || l.IDs["del_0003"].Accepted != 2 || l.IDs["del_0001"].Accepted != 1 || l.IDs["test_1"].Seen != 1 {
		t.Errorf("ledger %+v", l)
	}
}

func TestTheBodyIsThatOfTheStandard(t *testing.T) {
	var got struct {
		Type      string
		Timestamp time.Time
		Data      struct {
			ID         string
			DeliveryID string `json:"delivery_id"`
			Sequence   int64
			SourceName string `json:"source_name"`
			Payload    curlew.ChangePayload
		}
	}
	body, err := one(3).Body()
	if err != nil || json.Unmarshal(body, &got) != nil {
		t.Fatal(err)
	}
	if got.Type != "entity_changed" || got.Timestamp.IsZero() || got.Data.ID != "chg_0003" || got.Data.DeliveryID != "del_0003" || got.Data.Sequence != 3 ||
		got.Data.SourceName != "Shop" || got.Data.Payload.Changes[0].New != "Reed" {
		t.Errorf("%s", body)
	}
}

func TestWhatEndpointsAnswerAndWhatItMeans(t *testing.T) {
	for _, c := range []struct {
		behaviour sinktest.Behaviour
		class     deliver.Class
		code      curlew.Code
		silent    bool
	}{
		{sinktest.Behaviour{FailRate: 1}, deliver.Later, "bad_answer", false},
		{sinktest.Behaviour{FailRate: 1, FailStatus: 429, RetryAfter: "120"}, deliver.Later, "bad_answer", false},
		{sinktest.Behaviour{FailRate: 1, FailStatus: 400}, deliver.Stubborn, "refused_there", false},
		{sinktest.Behaviour{FailRate: 1, FailStatus: 304}, deliver.Stubborn, "redirected", false},
		{sinktest.Behaviour{Mode: sinktest.Vanish}, deliver.Gone, "gone", false},
		{sinktest.Behaviour{Mode: sinktest.Redirect}, deliver.Stubborn, "redirected", false},
		{sinktest.Behaviour{Mode: sinktest.Cut}, deliver.Later, "connection_lost", true},
		{sinktest.Behaviour{Mode: sinktest.Hang}, deliver.Later, "timeout", true},
	} {
		t.Run(string(c.code), func(t *testing.T) {
			sink, channel, to := receiver(t)
			channel.Time = time.Minute
			if c.behaviour.Mode == sinktest.Hang {
				channel.Time = 300 * time.Millisecond
			}
			sink.Behave(c.behaviour)
			answer, err := channel.Send(t.Context(), to, one(1))
			o := deliver.Classify(answer, err)
			if !errors.Is(err, c.code) || o.Class != c.class || o.Silent != c.silent {
				t.Errorf("%+v: %v → %+v", c.behaviour, err, o)
			}
			if c.behaviour.RetryAfter != "" && o.RetryAfter != 2*time.Minute {
				t.Errorf("retry after %v", o.RetryAfter)
			}
			if l := sink.Ledger(); l.Redirected != 0 || l.Accepted != 0 {
				t.Errorf("%+v: %+v", c.behaviour, l)
			}
		})
	}
}

func TestAnEndlessAnswerCostsSixteenKiB(t *testing.T) {
	sink, channel, to := receiver(t)
	for _, mode := range []sinktest.Mode{sinktest.Endless, sinktest.Drip} {
		sink.Behave(sinktest.Behaviour{Mode: mode})
		channel.Time = time.Second
		answer, err := channel.Send(t.Context(), to, one(1))
		if err != nil || answer.Status != 200 || len(answer.Text) == 0 || len(answer.Text) > 16<<10 || answer.Took > 5*time.Second {
			t.Errorf("%s: %d bytes in %v, %v", mode, len(answer.Text), answer.Took, err)
		}
	}
}

func TestAnAnswerIsKeptAsText(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(500)
		_, _ = io.WriteString(w, "bad\x00\xff\x1b[31m line\n\u202e"+strings.Repeat("é", 20_000))
	}))
	defer server.Close()
	channel := deliver.Webhook{Client: client(t, server.Listener.Addr().String()), Now: time.Now}
	answer, _ := channel.Send(t.Context(), target(t, server.URL, nil), one(1))
	if !utf8.ValidString(answer.Text) || strings.ContainsAny(answer.Text, "\x00\x1b\u202e") || len(answer.Text) > 16<<10 || !strings.HasPrefix(answer.Text, "bad\uFFFD[31m line\n") {
		t.Errorf("kept %d bytes: %.40q", len(answer.Text), answer.Text)
	}
}

func TestNoHeaderCanBeSmuggled(t *testing.T) {
	sink, channel, to := receiver(t)
	var broken deliver.WebhookTarget
	if err := json.Unmarshal(to, &broken); err != nil {
		t.Fatal(err)
	}
	for i, headers := range []map[string]string{{"X-A": "a\r\nX-Evil: 1"}, {"X-A\r\nX-Evil": "1"}, {"Webhook-Signature": "v1,forged"}, {"Content-Length": "3"}} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if _, err := channel.Send(t.Context(), target(t, broken.URL, headers), one(1)); !errors.Is(err, curlew.Code("bad_target")) {
				t.Errorf("%q: %v", headers, err)
			}
		})
	}
	m := one(1)
	m.ID = "del_1\r\nX-Evil: 1"
	if _, err := channel.Send(t.Context(), to, m); err == nil {
		t.Error("an id with a line end was sent")
	}
	if l := sink.Ledger(); l.Received != 0 {
		t.Errorf("%d requests arrived", l.Received)
	}
}

func TestAWebhookGoesOutUnderTheRulesOfEgress(t *testing.T) {
	sink := sinktest.New(1)
	server := httptest.NewServer(sink)
	defer server.Close()
	closed := egress.New(egress.Policy{})
	defer closed.Close()
	channel := deliver.Webhook{Client: closed, Now: time.Now}
	answer, err := channel.Send(t.Context(), target(t, server.URL, nil), one(1))
	if o := deliver.Classify(answer, err); o.Class != deliver.Stubborn || curlew.AsFault(err).Kind != curlew.KindRefused || sink.Ledger().Received != 0 {
		t.Errorf("%v, %+v", err, o)
	}
	chat := deliver.Slack{Client: closed, Now: time.Now}
	_, err = chat.Send(t.Context(), json.RawMessage(`{"url":"`+server.URL+`/services/hunter2"}`), one(1))
	if err == nil || strings.Contains(err.Error(), "hunter2") || sink.Ledger().Received != 0 {
		t.Errorf("a chat: %v", err)
	}
}

func TestACallerWhoGivesUpIsNoFailureOfTheEndpoint(t *testing.T) {
	sink, channel, to := receiver(t)
	sink.Behave(sinktest.Behaviour{Mode: sinktest.Hang})
	stop := errors.New("shutting down")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(stop)
	if _, err := channel.Send(ctx, to, one(1)); !errors.Is(err, stop) {
		t.Errorf("%v", err)
	}
}

func TestAChatReceivesBlocks(t *testing.T) {
	var body []byte
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ = io.ReadAll(r.Body)
		_, _ = io.WriteString(w, "ok")
	}))
	defer server.Close()
	channel := deliver.Slack{Client: client(t, server.Listener.Addr().String()), Now: time.Now}
	for i, m := range []deliver.Message{one(1), deliver.SampleDigest(), deliver.SampleHostile(), deliver.Test(deliver.SampleSubscription, "t", time.Now(), "")} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			answer, err := channel.Send(t.Context(), json.RawMessage(`{"url":"`+server.URL+`"}`), m)
			var got struct {
				Text   string
				Blocks []struct{ Type string }
			}
			if err != nil || answer.Text != "ok" || json.Unmarshal(body, &got) != nil || got.Text == "" || len(got.Blocks) < 2 {
				t.Errorf("%v %+v %s", err, answer, body)
			}
		})
	}
}

func TestTextOfASiteFormatsNothingInAChat(t *testing.T) {
	var body []byte
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ = io.ReadAll(r.Body)
		fmt.Fprint(w, "ok")
	}))
	defer server.Close()
	channel := deliver.Slack{Client: client(t, server.Listener.Addr().String()), Now: time.Now}
	item := deliver.SampleItem(1, curlew.EntityAppeared, "Shop",
		`{"entity":{"schema":"product","external_id":"x","status":"active","fields":{"name":"_Pay now_ :rotating_light: *b* lot_7 at 20:00"}}}`)
	if _, err := channel.Send(t.Context(), json.RawMessage(`{"url":"`+server.URL+`"}`), deliver.Single(deliver.SampleSubscription, item, deliver.Links{})); err != nil {
		t.Fatal(err)
	}
	for _, forbidden := range []string{"_Pay", "now_", ":rotating_light:", "*b*"} {
		t.Run(forbidden, func(t *testing.T) {
			if strings.Contains(string(body), forbidden) {
				t.Errorf("%s is sent as it is: %s", forbidden, body)
			}
		})
	}
	if !strings.Contains(string(body), "lot_7 at 20:00") {
		t.Errorf("what formats nothing is sent otherwise: %s", body)
	}
}

// An endpoint that fails now and then still gets everything, in order, by trying
// each delivery until it is accepted.
func TestASinkThatFailsNowAndThenGetsEverything(t *testing.T) {
	sink, channel, to := receiver(t)
	sink.Behave(sinktest.Behaviour{Mode: sinktest.Accept, FailRate: 0.3, FailStatus: 503})
	for n := range 60 {
		for tries := 0; ; tries++ {
			if _, err := channel.Send(t.Context(), to, one(n)); err == nil {
				break
			} else if tries > 50 {
				t.Fatal(err)
			}
		}
	}
	l := sink.Ledger()
	if len(l.IDs) != 60 || l.Accepted != 60 || l.OutOfOrder != 0 || l.Received <= 60 {
		t.Errorf("%d ids, %d accepted, %d received, %d out of order", len(l.IDs), l.Accepted, l.Received, l.OutOfOrder)
	}
	for n := range 60 {
		if e := l.IDs[fmt.Sprintf("del_%04d", n)]; e.Accepted != 1 || e.Seen < 1 {
			t.Errorf("delivery %d: %+v", n, e)
		}
	}
}

func TestNothingListens(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close()
	channel := deliver.Webhook{Client: client(t, address), Now: time.Now}
	answer, err := channel.Send(t.Context(), target(t, "http://"+address, nil), one(1))
	if o := deliver.Classify(answer, err); o.Class != deliver.Later || !o.Silent {
		t.Errorf("%v %+v", err, o)
	}
}
