package door_test

import (
	"bytes"
	"encoding/json"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/door/cli"
)

func subscriptionAttempts() []attempt {
	add := func(name, flag, field, value, body string, want outcome) attempt {
		a := attempt{name: name, cli: []string{"subscriptions", "add", "--channel", "webhook", "--to", "https://example.org/in", flag, value},
			rest: "POST /subscriptions", body: `{"channel":"webhook","to":["https://example.org/in"],"` + field + `":` + body + `}`,
			page: "/subscriptions", want: want, fields: url.Values{"do": {"save"}, "channel": {"webhook"}, "to": {"https://example.org/in"},
				"pick": {"now"}, "as": {"text"}, field: {value}}}
		if want == (outcome{}) {
			a.audit = "subscribe"
		}
		return a
	}
	text := func(value string) string { return `"` + value + `"` }
	chat := func(name, channel, to, template string, want outcome) attempt {
		a := attempt{name: name, cli: []string{"subscriptions", "add", "--channel", channel, "--to", to, "--template", template}, rest: "POST /subscriptions",
			body: `{"channel":"` + channel + `","to":["` + to + `"],"template":"` + template + `"}`, page: "/subscriptions", want: want,
			fields: url.Values{"do": {"save"}, "channel": {channel}, "to": {to}, "template": {template}, "pick": {"now"}, "as": {"text"}}}
		if want == (outcome{}) {
			a.audit = "subscribe"
		}
		return a
	}
	unknown := attempt{name: "an unknown kind of changes", cli: []string{"subscriptions", "add", "--channel", "webhook", "--to", "https://example.org/in", "--kinds", "zebra"},
		rest: "POST /subscriptions", body: `{"channel":"webhook","to":["https://example.org/in"],"kinds":["zebra"]}`, page: "/subscriptions",
		fields: url.Values{"do": {"save"}, "channel": {"webhook"}, "to": {"https://example.org/in"}, "kind": {"zebra"}, "pick": {"now"}, "as": {"text"}},
		want: bad("kinds/0", `"zebra" is not one of entity_appeared, entity_changed, entity_disappeared, entity_stale, position_changed, watch_error, `+
			"source_broken, source_healed, quality_dropped, source_paused, source_resumed")}
	return []attempt{
		unknown,
		chat("a chat with a template", "ntfy", "https://ntfy.example.org/prices", "{title} is cheaper", outcome{}),
		chat("a chat without a room", "matrix", "https://matrix.example.org/?access_token=x", "", bad("to", "the address names no room: write it as "+
			"https://matrix.example.org/_matrix/client/v3/rooms/!ROOM:example.org?access_token=TOKEN")),
		chat("a template of a webhook", "webhook", "https://example.org/in", "{title}", bad("template", "only chats, push services and http have a template")),
		add("a settle time", "--settle", "settle", "10m", text("10m"), outcome{}),
		add("a settle time of days", "--settle", "settle", "72h", text("72h"), bad("settle", "write a time of up to a day, such as 10m or 2h")),
		add("a settle time that is none", "--settle", "settle", "soon", text("soon"), bad("settle", "write a time of up to a day, such as 10m or 2h")),
		add("quiet hours", "--quiet", "quiet", "22:00-07:00 Europe/Oslo", text("22:00-07:00 Europe/Oslo"), outcome{}),
		add("quiet hours of no place", "--quiet", "quiet", "22:00-07:00 Oslo", text("22:00-07:00 Oslo"),
			bad("quiet", "unknown time zone: write it as Europe/Warsaw")),
		add("quiet hours that never end", "--quiet", "quiet", "22:00-22:00", text("22:00-22:00"),
			bad("quiet", "quiet hours must not begin and end at the same time")),
		add("five messages an hour", "--at-most", "at_most", "5", "5", outcome{}),
		add("too many messages an hour", "--at-most", "at_most", "100001", "100001", bad("at_most", "it must be from 0 to 100000")),
		add("too long quiet hours", "--quiet", "quiet", strings.Repeat("9", 101), text(strings.Repeat("9", 101)), bad("quiet", "it is longer than 100 characters")),
	}
}

// TestAPreviewIsTheSameByEveryInterface previews a source beside which the org has another, with changes of its own.
func TestAPreviewIsTheSameByEveryInterface(t *testing.T) {
	w := newAPIWorld(t)
	err := w.i.Store.Write(t.Context(), "acme", func(s store.WriteScope) error {
		another, err := s.Sources().Add(t.Context(), curlew.Source{Name: "Another", BaseURL: "https://another.example/", Trust: curlew.TrustProbation})
		if err == nil {
			_, err = s.Changes().Add(t.Context(), curlew.Change{Kind: curlew.SourceBroken, Source: another.ID, OccurredAt: time.Now()})
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var seen app.Preview
	w.post("/subscriptions/preview", "acme.editor", map[string]string{"source_id": w.acme["src"]}, &seen)
	var out, complaint bytes.Buffer
	code := cli.Main([]string{"subscriptions", "preview", "--source", w.acme["src"], "--org", "acme", "--json"}, cli.Environment{Context: t.Context(),
		In: strings.NewReader(""), Out: &out, Err: &complaint, Environ: []string{"CURLEW_DATA=" + w.i.Config.Data, "HOME=" + t.TempDir()}})
	var told struct{ Of, Matched int }
	if err := json.Unmarshal(out.Bytes(), &told); err != nil || code != 0 {
		t.Fatalf("exit %d: %v: %s", code, err, complaint.String())
	}
	if seen.Checked == 0 || told.Of != seen.Checked || told.Matched != seen.Matched {
		t.Errorf("the API checks %d changes and sends %d, the command line %+v", seen.Checked, seen.Matched, told)
	}
}
