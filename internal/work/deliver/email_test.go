package deliver_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/web/egress"
	"github.com/curlew-data/curlew/internal/work/deliver"
	"github.com/curlew-data/curlew/internal/work/deliver/sinktest"
)

// postOffice is a mail sink and a channel to it, through egress.
func postOffice(t *testing.T, b sinktest.MailBehaviour, change func(*deliver.MailServer)) (*sinktest.MailSink, deliver.Email) {
	t.Helper()
	sink, err := sinktest.NewMail(b)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(sink.Close)
	out := egress.New(egress.Policy{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, Ports: []uint16{uint16(sink.Port())}})
	t.Cleanup(out.Close)
	server := deliver.MailServer{Host: "127.0.0.1", Port: sink.Port(), Security: deliver.StartTLS, From: "Curlew Bird <curlew@example.org>", RootCAs: sink.Roots}
	if change != nil {
		change(&server)
	}
	return sink, deliver.Email{Server: server, Dial: out.DialContext, Now: time.Now, Time: 2 * time.Second}
}

var toAna = json.RawMessage(`{"to":["ana@example.org"]}`)

func TestAnEMailArrivesProtectedAndReadable(t *testing.T) {
	sink, channel := postOffice(t, sinktest.MailBehaviour{}, nil)
	answer, err := channel.Send(t.Context(), toAna, deliver.SampleDigest())
	if err != nil || answer.Status != 250 {
		t.Fatalf("%+v %v", answer, err)
	}
	got := sink.Mails()
	if len(got) != 1 || !got[0].TLS || got[0].From != "curlew@example.org" || len(got[0].To) != 1 || got[0].To[0] != "ana@example.org" {
		t.Fatalf("%+v", got)
	}
	parsed, err := mail.ReadMessage(strings.NewReader(got[0].Data))
	if err != nil {
		t.Fatal(err)
	}
	subject, err := new(mime.WordDecoder).DecodeHeader(parsed.Header.Get("Subject"))
	if err != nil || subject != "Bicycles and concerts: 2 changed, 1 new, 1 gone, 1 source broken" {
		t.Errorf("subject %q, %v", subject, err)
	}
	if id := parsed.Header.Get("Message-ID"); !strings.HasPrefix(id, "<"+deliver.SampleDigest().ID+".") || !strings.HasSuffix(id, "@example.org>") {
		t.Errorf("id %s", id)
	}
	for name, want := range map[string]string{"From": `"Curlew Bird" <curlew@example.org>`, "To": "<ana@example.org>", "List-Unsubscribe": "<https://curlew.example/unsubscribe/abc>",
		"List-Unsubscribe-Post": "List-Unsubscribe=One-Click", "Auto-Submitted": "auto-generated", "MIME-Version": "1.0"} {
		t.Run(name, func(t *testing.T) {
			if parsed.Header.Get(name) != want {
				t.Errorf("%q, want %q", parsed.Header.Get(name), want)
			}
		})
	}
	text, html := parts(t, parsed)
	if !strings.Contains(text, "Zażółć gęślą jaźń – wieczór jazzowy") || !strings.Contains(html, "<h1") || !strings.Contains(html, "Zażółć gęślą jaźń") {
		t.Errorf("text %q", text)
	}
	wellFormed(t, got[0].Data)
}

// parts reads the two alternatives.
func parts(t *testing.T, m *mail.Message) (text, html string) {
	t.Helper()
	kind, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/alternative" {
		t.Fatalf("%s: %v", kind, err)
	}
	reader := multipart.NewReader(m.Body, params["boundary"])
	var all []string
	for {
		part, err := reader.NextRawPart()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(quotedprintable.NewReader(part))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, string(body))
	}
	if len(all) != 2 {
		t.Fatalf("%d parts", len(all))
	}
	return all[0], all[1]
}

// wellFormed holds a letter to what mail servers take: ASCII, CRLF, short lines.
func wellFormed(t *testing.T, data string) {
	t.Helper()
	for line := range strings.SplitSeq(strings.TrimSuffix(data, "\r\n"), "\r\n") {
		if len(line) > 78 || strings.ContainsAny(line, "\r\n\x00") || strings.ContainsFunc(line, func(r rune) bool { return r > 0x7e }) {
			t.Errorf("a line of %d bytes: %.100q", len(line), line)
		}
	}
}

func TestNoTextCanAddAHeaderOrACommand(t *testing.T) {
	sink, channel := postOffice(t, sinktest.MailBehaviour{}, nil)
	if _, err := channel.Send(t.Context(), toAna, deliver.SampleHostile()); err != nil {
		t.Fatal(err)
	}
	data := sink.Mails()[0].Data
	parsed, err := mail.ReadMessage(strings.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if parsed.Header.Get("Bcc") != "" || parsed.Header.Get("X-Evil") != "" || len(sink.Mails()[0].To) != 1 {
		t.Errorf("headers %v", parsed.Header)
	}
	wellFormed(t, data)
	for _, to := range []string{`{"to":["ana@example.org>\r\nRCPT TO:<eve@example.org"]}`, `{"to":["<ana@example.org>"]}`} {
		t.Run(to, func(t *testing.T) {
			if _, err := channel.Send(t.Context(), json.RawMessage(to), one(1)); curlew.AsFault(err) == nil {
				t.Errorf("%s was taken", to)
			}
		})
	}
	for _, command := range sink.Commands() {
		if strings.Contains(command, "eve@") {
			t.Errorf("the server was told %q", command)
		}
	}
}

func TestSigningIn(t *testing.T) {
	for _, c := range []struct {
		offered, password string
		implicit          bool
		code              curlew.Code
	}{
		{"PLAIN LOGIN", "secret", false, ""}, {"LOGIN", "secret", false, ""}, {"PLAIN", "secret", true, ""},
		{"PLAIN", "wrong", false, "refused_there"}, {"LOGIN", "wrong", false, "refused_there"}, {"XOAUTH2", "secret", false, "mail_server_unfit"}, {"", "secret", false, "mail_server_unfit"},
	} {
		t.Run(c.offered, func(t *testing.T) {
			sink, channel := postOffice(t, sinktest.MailBehaviour{Auth: c.offered, User: "curlew", Password: "secret", Implicit: c.implicit}, func(s *deliver.MailServer) {
				s.User, s.Password = "curlew", c.password
				if c.implicit {
					s.Security = deliver.Implicit
				}
			})
			_, err := channel.Send(t.Context(), toAna, one(1))
			if c.code == "" && (err != nil || len(sink.Mails()) != 1 || sink.Mails()[0].User != "curlew" || !sink.Mails()[0].TLS) {
				t.Errorf("%+v: %v, %+v", c, err, sink.Mails())
			}
			if c.code != "" && (!errors.Is(err, c.code) || len(sink.Mails()) != 0) {
				t.Errorf("%+v: %v", c, err)
			}
			if err != nil && strings.Contains(err.Error(), c.password) && c.password == "secret" {
				t.Errorf("the password is told: %v", err)
			}
		})
	}
}

func TestEMailIsNeverSentInTheClearToAnotherMachine(t *testing.T) {
	sink, channel := postOffice(t, sinktest.MailBehaviour{NoTLS: true}, nil)
	if _, err := channel.Send(t.Context(), toAna, one(1)); !errors.Is(err, curlew.Code("mail_server_unfit")) || len(sink.Mails()) != 0 {
		t.Errorf("without STARTTLS: %v", err)
	}
	channel.Server.Security = deliver.Insecure
	if _, err := channel.Send(t.Context(), toAna, one(1)); err != nil || len(sink.Mails()) != 1 {
		t.Errorf("to loopback: %v", err)
	}
	for _, host := range []string{"mail.example.org", "localhost", "192.0.2.1"} {
		t.Run(host, func(t *testing.T) {
			channel.Server.Host = host
			if _, err := channel.Send(t.Context(), toAna, one(1)); !errors.Is(err, curlew.Code("bad_mail_server")) {
				t.Errorf("%s: %v", host, err)
			}
		})
	}
	_, stranger := postOffice(t, sinktest.MailBehaviour{}, func(s *deliver.MailServer) { s.RootCAs = nil })
	if _, err := stranger.Send(t.Context(), toAna, one(1)); !errors.Is(err, curlew.Code("tls_failed")) {
		t.Errorf("a certificate of nobody: %v", err)
	}
}

// Addresses that differ in the case of their domain are one receiver; a test carries the same as what it tests.
func TestEachReceiverHasALetterAndALinkToUnsubscribeOfTheirOwn(t *testing.T) {
	sub := curlew.Subscription{ID: "sub_1", Channel: curlew.ChannelEmail, UnsubscribeKey: "k",
		Target: json.RawMessage(`{"to":["ana@example.org","bo@example.org","ana@EXAMPLE.org"]}`)}
	digest := deliver.SampleDigest()
	digest.Links = deliver.LinksOf(sub, "https://curlew.example/base")
	for name, m := range map[string]deliver.Message{"digest": digest, "test": deliver.Test(sub, "test_1", time.Now(), "https://curlew.example/base")} {
		t.Run(name, func(t *testing.T) {
			sink, channel := postOffice(t, sinktest.MailBehaviour{}, nil)
			if answer, err := channel.Send(t.Context(), sub.Target, m); err != nil || !strings.Contains(answer.Text, "2 of 2") {
				t.Fatalf("%+v %v", answer, err)
			}
			ids, got := map[string]bool{}, sink.Mails()
			slices.SortFunc(got, func(a, b sinktest.Mail) int { return strings.Compare(a.To[0], b.To[0]) })
			for i, address := range []string{"ana@example.org", "bo@example.org"} {
				parsed, err := mail.ReadMessage(strings.NewReader(got[i].Data))
				if err != nil || len(got[i].To) != 1 || parsed.Header.Get("To") != "<"+address+">" {
					t.Fatalf("letter %d goes to %v, %v", i, got[i].To, err)
				}
				ids[parsed.Header.Get("Message-ID")] = true
				link := strings.Trim(strings.TrimSpace(parsed.Header.Get("List-Unsubscribe")), "<>")
				text, html := parts(t, parsed)
				token, ok := strings.CutPrefix(link, "https://curlew.example/base/unsubscribe/sub_1/")
				if !ok || parsed.Header.Get("List-Unsubscribe-Post") != "List-Unsubscribe=One-Click" || !strings.Contains(text, link) ||
					!strings.Contains(html, link) {
					t.Errorf("%s: %v\n%s", address, parsed.Header, text)
				}
				if of, _, err := deliver.ReceiverOf(sub, token); err != nil || of != address {
					t.Errorf("the link of %s is that of %q, %v", address, of, err)
				}
			}
			if len(got) != 2 || len(ids) != 2 {
				t.Errorf("%d letters with the ids %v", len(got), ids)
			}
		})
	}
	if err := deliver.Unsubscribe(&sub, "ana@example.org"); err != nil || strings.Contains(strings.ToLower(string(sub.Target)), "ana@") {
		t.Errorf("after unsubscribing: %s %v", sub.Target, err)
	}
}

func TestWhatMailServersAnswer(t *testing.T) {
	both := json.RawMessage(`{"to":["ana@example.org","gone@example.org"]}`)
	refuse := func(answer string) sinktest.MailBehaviour {
		return sinktest.MailBehaviour{Refuse: map[string]string{"gone@example.org": answer}}
	}
	for _, c := range []struct {
		name      string
		behaviour sinktest.MailBehaviour
		to        json.RawMessage
		class     deliver.Class
		mails     int
	}{
		{"one address is refused for good", refuse("550 no such user"), both, deliver.Delivered, 1},
		{"one address is refused for now", refuse("451 greylisted"), both, deliver.Delivered, 1}, // who took it has it: it is not sent twice
		{"the only address is refused", refuse("550 no such user"), json.RawMessage(`{"to":["gone@example.org"]}`), deliver.Stubborn, 0},
		{"busy", sinktest.MailBehaviour{Greeting: "421 busy"}, toAna, deliver.Later, 0},
		{"takes it for spam", sinktest.MailBehaviour{AfterData: "554 spam"}, toAna, deliver.Stubborn, 0},
		{"full", sinktest.MailBehaviour{AfterData: "452 full"}, toAna, deliver.Later, 0},
		{"silent at the first address", sinktest.MailBehaviour{Refuse: map[string]string{"ana@example.org": sinktest.KeepsSilent}}, both, deliver.Delivered, 1},
		{"one mailbox is full", sinktest.MailBehaviour{AfterData: "452 full", Full: "gone@example.org"}, both, deliver.Delivered, 1},
		{"no mail server", sinktest.MailBehaviour{Greeting: "HTTP/1.1 200 OK"}, toAna, deliver.Later, 0},
		{"silent", sinktest.MailBehaviour{Silent: true}, toAna, deliver.Later, 0},
		{"talks without end", sinktest.MailBehaviour{Chatter: true}, toAna, deliver.Later, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			sink, channel := postOffice(t, c.behaviour, nil)
			channel.Time = patience(c.name)
			answer, err := channel.Send(t.Context(), c.to, one(1))
			if o := deliver.Classify(answer, err); o.Class != c.class || len(sink.Mails()) != c.mails {
				t.Errorf("%v → %+v, %d mails", err, o, len(sink.Mails()))
			}
			if c.mails == 1 && !strings.Contains(answer.Text, "accepted for 1 of 2\ngone@example.org: the mail server answered ") &&
				!strings.Contains(answer.Text, "accepted for 1 of 2\nana@example.org: the mail server timed out") {
				t.Errorf("the answer does not name who was left out: %q", answer.Text)
			}
		})
	}
}

// What a server says before it has signed us in is of the server, what it says then is of the receiver.
func TestAnAnswerIsOfTheServerOrOfTheReceiver(t *testing.T) {
	refuse := func(answer string) sinktest.MailBehaviour {
		return sinktest.MailBehaviour{Refuse: map[string]string{"bo@example.org": answer}}
	}
	for _, c := range []struct {
		name      string
		behaviour sinktest.MailBehaviour
		class     deliver.Class
		receiver  bool
	}{
		{"accepted", sinktest.MailBehaviour{}, deliver.Delivered, false},
		{"refused for now", refuse("451 greylisted"), deliver.Later, true},
		{"refused for good", refuse("550 no such user"), deliver.Stubborn, true},
		{"a full mailbox", sinktest.MailBehaviour{AfterData: "452 full"}, deliver.Later, true},
		{"hangs up at the address", refuse(sinktest.HangsUp), deliver.Later, true},
		{"silent at the address", refuse(sinktest.KeepsSilent), deliver.Later, true},
		{"silent from the beginning", sinktest.MailBehaviour{Silent: true}, deliver.Later, false},
		{"busy", sinktest.MailBehaviour{Greeting: "421 busy"}, deliver.Later, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			sink, channel := postOffice(t, c.behaviour, nil)
			channel.Time = patience(c.name)
			m := one(1)
			m.To = "bo@example.org"
			answer, err := channel.Send(t.Context(), json.RawMessage(`{"to":["ana@example.org","bo@example.org"]}`), m)
			if o := deliver.Classify(answer, err); o.Class != c.class || o.OfReceiver != c.receiver {
				t.Errorf("%v → %+v", err, o)
			}
			for _, mail := range sink.Mails() {
				if mail.To[0] != "bo@example.org" {
					t.Errorf("sent to %v", mail.To)
				}
			}
		})
	}
}

func TestMailGoesOutUnderTheRulesOfEgress(t *testing.T) {
	sink, channel := postOffice(t, sinktest.MailBehaviour{}, nil)
	closed := egress.New(egress.Policy{})
	defer closed.Close()
	channel.Dial = closed.DialContext
	if _, err := channel.Send(t.Context(), toAna, one(1)); curlew.AsFault(err) == nil || curlew.AsFault(err).Kind != curlew.KindRefused || len(sink.Commands()) != 0 {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	channel.Dial = func(ctx context.Context, _, _ string) (net.Conn, error) {
		cancel()
		<-ctx.Done()
		return nil, ctx.Err()
	}
	if _, err := channel.Send(ctx, toAna, one(1)); err != context.Canceled {
		t.Errorf("given up by the caller: %v", err)
	}
}

// patience is how long a mail server is waited for that is called so.
func patience(name string) time.Duration {
	if strings.HasPrefix(name, "silent") || strings.HasPrefix(name, "talks") {
		return 2 * time.Second
	}
	return time.Minute
}
