package syndicate_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/change/syndicate"
	"github.com/curlew-data/curlew/internal/curlew"
	"golang.org/x/net/html"
)

// poisoned puts one text into everything that comes from outside.
func poisoned(text string) syndicate.Feed {
	fields := curlew.Values{"starts_at": "2026-04-18T20:00:00+02:00", "other\x00" + text: text, "slots": map[string]any{text: []any{text, nil, 1.5}}}
	for _, name := range []string{"title", "name", "description", "venue_name", "city", "timezone", "status", "recurrence", "url", "image_url", "currency", "category", "performers", "summary"} {
		fields[name] = text
	}
	e := &curlew.Entity{ID: "ent_1", Schema: "event", ExternalID: text, URL: text, Status: "active", Fields: fields, FirstSeenAt: seen}
	c := changeOf(curlew.EntityChanged, curlew.ChangePayload{Reason: text, Entity: &curlew.EntityPicture{Schema: "event", ExternalID: text, URL: text, Fields: fields},
		Changes: []curlew.FieldChange{{Field: text, Old: text, New: text}, {Field: "title", Old: text, New: text}}})
	c.Entity = "ent_2"
	return syndicate.Feed{Org: "acme", ID: text, Title: text, HomeURL: text, SelfURL: text, Changes: true,
		Entries: syndicate.Of(syndicate.FeedEntry{Change: c}, syndicate.FeedEntry{Entity: e})}
}

// checkAll writes a feed in all formats and reads each with a strict reader.
func checkAll(t testing.TB, f syndicate.Feed) {
	t.Helper()
	for _, format := range []syndicate.Format{syndicate.Atom, syndicate.RSS, syndicate.JSONFeed} {
		for _, item := range readBack(t, format, f).Items {
			body := item.Content
			if format == syndicate.RSS { // elsewhere this is the summary, which is plain text
				body = item.Description
			}
			inert(t, body)
			balanced(t, item.Title)
		}
	}
	strictCalendar(t, written(t, syndicate.ICalendar, f))
	rows, err := csv.NewReader(strings.NewReader(written(t, syndicate.CSV, f))).ReadAll()
	if err != nil {
		t.Error(err)
	}
	for _, row := range rows {
		for _, cell := range row {
			if cell != "" && strings.ContainsRune("=@", rune(cell[0])) {
				t.Errorf("%q is a formula", cell)
			}
		}
	}
	for l := range strings.Lines(written(t, syndicate.JSONLines, f)) {
		if !json.Valid([]byte(l)) {
			t.Errorf("no JSON: %s", l)
		}
	}
	if _, err := syndicate.Validate(syndicate.Atom, f, syndicate.Options{}); err != nil {
		t.Error(err)
	}
}

// inert reads content as a browser would: only our own elements, and links that lead
// to websites.
func inert(t testing.TB, content string) {
	t.Helper()
	allowed := " html head body p bdi br table thead tbody tr th td dl dt dd a "
	root, err := html.Parse(strings.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	for n := range root.Descendants() {
		if n.Type == html.ElementNode && !strings.Contains(allowed, " "+n.Data+" ") {
			t.Fatalf("there is a <%s> in %.300s", n.Data, content)
		}
		for _, a := range n.Attr {
			if a.Key != "rel" && (n.Data != "a" || a.Key != "href" || !strings.HasPrefix(a.Val, "http")) {
				t.Fatalf("there is %s=%q in %.300s", a.Key, a.Val, content)
			}
		}
	}
}

// balanced asks that marks of direction stay within isolates of our own.
func balanced(t testing.TB, title string) {
	t.Helper()
	depth := 0
	for _, r := range title {
		switch {
		case r >= '\u2066' && r <= '\u2068':
			depth++
		case r == '\u2069':
			depth--
		case r >= '\u202A' && r <= '\u202E' && depth == 0:
			t.Errorf("%q turns what stands around it", title)
		}
		if depth < 0 {
			t.Errorf("%q breaks out of its isolate", title)
		}
	}
	if depth != 0 {
		t.Errorf("%q leaves %d isolates open", title, depth)
	}
}

var hostile = []string{
	"", " ", "<script>alert(1)</script>", `"><img src=x onerror=alert(1)>`, "]]>", "<!--", "&lt;b&gt;&#x0;", "javascript:alert(1)", "JaVaScRiPt:alert(1)", "data:text/html,<b>",
	"http://user:pass@host/", "http://h/\r\nX: y", "https://example.org/ä?q=ö#\"<>", "http://[::1", "a\x00b\x07c\x1b[31m", "\xff\xfe", "\xed\xa0\x80", "\uFFFE\uFFFF\uFDD0", "\u202Eevil\u202C", "\u2069\u2069\u202Eout", "\u2066\u2067open",
	"a\r\nBEGIN:VEVENT\r\nUID:x", "a;b,c\\d\nBEGIN:VALARM", "=HYPERLINK(\"http://x\")", "\u2028\u0085\v\f", strings.Repeat("\u202Ex", 100), strings.Repeat("\u2067y", 300), strings.Repeat("å", 5000), strings.Repeat("e\u0301", 3000), "a" + strings.Repeat("\u0301", 20000), "🏳️‍🌈" + strings.Repeat("🇳🇴", 40),
	"FREQ=DAILY;UNTIL=99999999", "0000-00-00", "9999-12-31", "Europe/Oslo", "cancelled", "{\"a\":1}", "\\N{}", "%00%0d%0a", "Local", "curlew.example",
}

func TestHostileTextStaysText(t *testing.T) {
	for _, text := range hostile {
		checkAll(t, poisoned(text))
	}
}

// A page may hold ten megabytes of one text.
func TestLongTextIsCutBeforeWork(t *testing.T) {
	long := "a" + strings.Repeat("\u0301", 5<<20)
	f := feedOf(syndicate.FeedEntry{Entity: concert(func(v curlew.Values) { v["title"], v["description"] = long, long })})
	for _, format := range []syndicate.Format{syndicate.Atom, syndicate.RSS, syndicate.ICalendar} {
		t.Run(string(format), func(t *testing.T) {
			if text := written(t, format, f); len(text) > 100_000 {
				t.Errorf("%s has %d bytes", format, len(text))
			}
		})
	}
}

func TestWhatJSONCannotHoldIsText(t *testing.T) {
	e := concert(func(v curlew.Values) { v["latitude"], v["longitude"] = math.NaN(), math.Inf(1) })
	broken := bicycle()
	broken.Payload = json.RawMessage(`{"entity": {`)
	none := bicycle()
	none.Payload = nil
	checkAll(t, feedOf(syndicate.FeedEntry{Entity: e}, syndicate.FeedEntry{Change: broken}, syndicate.FeedEntry{Change: none}, syndicate.FeedEntry{}))
}

func FuzzWrite(f *testing.F) {
	for _, text := range hostile {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) < 500 { // longer ones are the same, slower
			checkAll(t, poisoned(text))
		}
	})
}

// What is written must not pile up: between a tenth and the whole of up to 100,000
// entries the memory in use stays where it is.
func TestMemoryStaysFlat(t *testing.T) {
	inUse := func() int64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	for format, entries := range map[syndicate.Format]int{
		syndicate.CSV: 100_000, syndicate.JSONLines: 100_000, syndicate.ICalendar: 50_000,
		syndicate.Atom: 20_000, syndicate.RSS: 20_000, syndicate.JSONFeed: 20_000,
	} {
		t.Run(string(format), func(t *testing.T) {
			f := feedOf()
			f.Schemas = []curlew.SchemaName{curlew.SchemaEvent}
			var early, late int64
			pass := iter.Seq2[syndicate.FeedEntry, error](func(yield func(syndicate.FeedEntry, error) bool) {
				for n := range entries {
					e := &curlew.Entity{ID: curlew.EntityID(fmt.Sprint("ent_", n)), Schema: curlew.SchemaEvent, Version: 1, FirstSeenAt: seen,
						Fields: curlew.Values{"title": fmt.Sprint("Concert ", n), "starts_at": "2026-04-18T20:00:00+02:00", "timezone": "Europe/Oslo"}}
					switch n {
					case entries / 10:
						early = inUse()
					case entries - 1:
						late = inUse()
					}
					if !yield(syndicate.FeedEntry{Entity: e}, nil) {
						return
					}
				}
			})
			f.Entries, f.Updated = pass, seen
			if err := syndicate.Write(io.Discard, format, f, syndicate.Options{}); err != nil {
				t.Fatal(err)
			}
			if early == 0 || late-early > 1<<20 {
				t.Errorf("%s keeps %d KiB more after %d entries", format, (late-early)>>10, entries)
			}
		})
	}
}
