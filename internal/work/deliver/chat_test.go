package deliver_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/work/deliver"
)

// cheaper tells that something costs less.
func cheaper(name string) deliver.Message {
	payload, err := json.Marshal(curlew.ChangePayload{Entity: &curlew.EntityPicture{Schema: curlew.SchemaProduct, ExternalID: "b1", URL: "https://shop.example/b1",
		Status: curlew.EntityActive, Fields: curlew.Values{"name": name, "price": 2499, "currency": "EUR"}},
		Changes: []curlew.FieldChange{{Field: "price", Old: 2999, New: 2499}}})
	if err != nil {
		panic(err)
	}
	return deliver.Single(curlew.Subscription{ID: "sub_1", Name: "Prices"}, deliver.Item{Delivery: "del_1", Source: "Shop", Watch: "Bikes",
		Change: curlew.Change{ID: "chg_1", Kind: curlew.EntityChanged, Payload: payload, OccurredAt: time.Date(2026, 3, 2, 7, 30, 0, 0, time.UTC)}}, deliver.Links{})
}

// asked is what a service was sent.
type asked struct {
	method, path, kind, authorization, body string
}

// service takes messages of any kind.
func service(t *testing.T) (string, func() asked) {
	t.Helper()
	var last asked
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		last = asked{r.Method, r.URL.RequestURI(), r.Header.Get("Content-Type"), r.Header.Get("Authorization"), string(body)}
	}))
	t.Cleanup(server.Close)
	return server.URL, func() asked { return last }
}

func TestEachChatIsToldInItsOwnForm(t *testing.T) {
	base, last := service(t)
	for channel, c := range map[curlew.Channel]struct {
		at      string
		headers map[string]string
		path    string
		want    []string
	}{
		curlew.ChannelDiscord:    {"/api/webhooks/1/x", nil, "/api/webhooks/1/x", []string{`"allowed_mentions":{"parse":[]}`, `"content":"Changed: Omafiets`}},
		curlew.ChannelMattermost: {"/hooks/x", nil, "/hooks/x", []string{`"text":"Changed: Omafiets`}},
		curlew.ChannelTeams:      {"/workflows/x?sig=1", nil, "/workflows/x?sig=1", []string{`"type":"AdaptiveCard"`, `"text":"Price: 29.99 EUR → 24.99 EUR"`}},
		curlew.ChannelTelegram:   {"/bot1:x?chat_id=-100", nil, "/bot1:x/sendMessage", []string{`"chat_id":"-100"`, `"text":"Changed: Omafiets`}},
		curlew.ChannelNtfy:       {"/prices", map[string]string{"Authorization": "Bearer tk"}, "/", []string{`"topic":"prices"`, `"title":"Changed: Omafiets"`, `"message":"Price: 29.99 EUR → 24.99 EUR`}},
		curlew.ChannelGotify:     {"/message?token=x", nil, "/message?token=x", []string{`"title":"Changed: Omafiets"`, `"priority":5`}},
		curlew.ChannelPushover:   {"/1/messages.json?token=t&user=u", nil, "/1/messages.json", []string{`"token":"t"`, `"user":"u"`, `"title":"Changed: Omafiets"`}},
		curlew.ChannelMatrix:     {"/_matrix/client/v3/rooms/!r:example.org?access_token=tk", nil, "/_matrix/client/v3/rooms/%21r:example.org/send/m.room.message/del_1", []string{`"msgtype":"m.text"`, `"body":"Changed: Omafiets`}},
		curlew.ChannelHTTP:       {"/in", map[string]string{"Authorization": "Bearer tk"}, "/in", []string{"Changed: Omafiets\nPrice: 29.99 EUR → 24.99 EUR\nhttps://shop.example/b1"}},
	} {
		t.Run(string(channel), func(t *testing.T) {
			target, err := json.Marshal(deliver.ChatTarget{URL: base + c.at, Headers: c.headers})
			if err != nil {
				t.Fatal(err)
			}
			if err := (deliver.Rules{PlainHTTP: true}).CheckTarget(channel, target); err != nil {
				t.Errorf("%s: %v", channel, err)
			}
			chat := deliver.Chat{Channel: channel, Client: client(t, strings.TrimPrefix(base, "http://")), Now: time.Now}
			if _, err := chat.Send(context.Background(), target, cheaper("Omafiets")); err != nil {
				t.Errorf("%s: %v", channel, err)
				return
			}
			got := last()
			if strings.ReplaceAll(got.path, "/!r", "/%21r") != c.path {
				t.Errorf("%s was sent to %s, want %s", channel, got.path, c.path)
			}
			for _, want := range c.want {
				if !strings.Contains(got.body, want) {
					t.Errorf("%s was sent %s, want %s", channel, got.body, want)
				}
			}
			if token := channel == curlew.ChannelMatrix || c.headers != nil; token != (got.authorization == "Bearer tk") {
				t.Errorf("%s was sent the token %q", channel, got.authorization)
			}
			if shown := string(deliver.Redact(channel, target)); strings.Contains(shown, "tk") || strings.Contains(shown, "chat_id") || strings.Contains(shown, "webhooks") {
				t.Errorf("%s shows its secrets: %s", channel, shown)
			}
		})
	}
}

func TestTextsOfPagesMentionNobodyInChats(t *testing.T) {
	base, last := service(t)
	target, _ := json.Marshal(deliver.ChatTarget{URL: base + "/api/webhooks/1/x"})
	chat := deliver.Chat{Channel: curlew.ChannelDiscord, Client: client(t, strings.TrimPrefix(base, "http://")), Now: time.Now}
	if _, err := chat.Send(context.Background(), target, cheaper("@everyone **free** [here](https://bad.example)")); err != nil {
		t.Fatal(err)
	}
	if body := last().body; strings.Contains(body, "@everyone") || strings.Contains(body, "**") || strings.Contains(body, "](") {
		t.Errorf("it was sent %s", body)
	}
}

func TestATemplateSaysWhatAChatIsTold(t *testing.T) {
	text, err := deliver.Render(curlew.ChannelTelegram, cheaper("Omafiets"), "🚲 {title} is cheaper\n{reason}\n{changes}\nSee {url}")
	if want := "🚲 Omafiets is cheaper\nPrice: 29.99 EUR → 24.99 EUR\nSee https://shop.example/b1"; err != nil || text != want {
		t.Errorf("%q (%v), want %q", text, err, want)
	}
	if why := deliver.TemplateProblem(strings.Repeat("ł", 2000)); why != "" {
		t.Errorf("2000 characters are too many: %s", why)
	}
	if why := deliver.TemplateProblem("{titel}"); !strings.Contains(why, `the template names "{titel}", which is not there: use {changes}, {facts}`) {
		t.Error(why)
	}
}

func TestAddressesOfChatsThatLackSomethingSayWhat(t *testing.T) {
	for channel, c := range map[curlew.Channel]struct{ url, want string }{
		curlew.ChannelDiscord:  {"https://discord.com/channels/1", "write it as https://discord.com/api/webhooks/ID/TOKEN"},
		curlew.ChannelTelegram: {"https://api.telegram.org/bot1:x", "the address has no chat_id"},
		curlew.ChannelNtfy:     {"https://ntfy.sh/", "the address names no topic"},
		curlew.ChannelGotify:   {"https://gotify.example.org/message", "the address has no token"},
		curlew.ChannelPushover: {"https://api.pushover.net/1/messages.json?token=x", "the address has no user"},
		curlew.ChannelMatrix:   {"https://matrix.example.org/?access_token=x", "the address names no room"},
		curlew.ChannelTeams:    {"http://teams.example.org/", "use https://"},
	} {
		t.Run(string(channel), func(t *testing.T) {
			target, _ := json.Marshal(deliver.ChatTarget{URL: c.url})
			if err := (deliver.Rules{}).CheckTarget(channel, target); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, want %s", channel, err, c.want)
			}
		})
	}
}
