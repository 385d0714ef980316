package syndicate_test

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/change/syndicate"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/mmcdole/gofeed"
)

// readBack reads a feed as gofeed does, after the stricter checks of our own.
func readBack(t testing.TB, format syndicate.Format, f syndicate.Feed) *gofeed.Feed {
	t.Helper()
	text := written(t, format, f)
	if format == syndicate.JSONFeed {
		strictJSONFeed(t, text)
	} else {
		strictXML(t, format, text)
	}
	feed, err := gofeed.NewParser().ParseString(text)
	if err != nil {
		t.Fatalf("%s cannot be read: %v\n%s", format, err, text)
	}
	return feed
}

// element counts the children of one element.
type element struct {
	name  string
	count map[string]int
	text  strings.Builder
}

// strictXML checks what RFC 4287 and RSS 2.0 demand and lenient readers forgive:
// which elements come how often, and the form of ids, dates and addresses.
func strictXML(t testing.TB, format syndicate.Format, text string) {
	t.Helper()
	in := xml.NewDecoder(strings.NewReader(text))
	in.Strict = true
	var stack []*element
	for {
		token, err := in.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("%s is no XML: %v\n%s", format, err, text)
		}
		switch token := token.(type) {
		case xml.StartElement:
			if len(stack) > 0 {
				stack[len(stack)-1].count[token.Name.Local]++
			}
			for _, a := range token.Attr {
				if a.Name.Local == "href" {
					strictAddress(t, a.Value)
				}
			}
			stack = append(stack, &element{name: token.Name.Local, count: map[string]int{}})
		case xml.CharData:
			if len(stack) > 0 {
				stack[len(stack)-1].text.Write(token)
			}
		case xml.EndElement:
			strictElement(t, format, stack[len(stack)-1])
			stack = stack[:len(stack)-1]
		}
	}
}

func strictElement(t testing.TB, format syndicate.Format, e *element) {
	t.Helper()
	once := map[syndicate.Format]map[string][]string{
		syndicate.Atom: {"feed": {"id", "title", "updated", "author"}, "entry": {"id", "title", "updated", "content"}, "author": {"name"}},
		syndicate.RSS:  {"rss": {"channel"}, "channel": {"title", "description"}, "item": {"title", "guid", "pubDate", "description"}},
	}
	for _, name := range once[format][e.name] {
		if e.count[name] != 1 {
			t.Errorf("%s: <%s> has %d <%s>", format, e.name, e.count[name], name)
		}
	}
	value := e.text.String()
	var err error
	switch e.name {
	case "updated", "published":
		_, err = time.Parse(time.RFC3339, value)
	case "pubDate", "lastBuildDate":
		_, err = time.Parse("Mon, 02 Jan 2006 15:04:05 GMT", value)
	case "link":
		if format == syndicate.RSS && value != "" {
			strictAddress(t, value)
		}
	case "id", "guid":
		if u, bad := url.Parse(value); bad != nil || u.Scheme != "tag" || strings.ContainsAny(value, " \n\"<>") {
			t.Errorf("%s: %q is no tag URI", format, value)
		}
	}
	if err != nil {
		t.Errorf("%s: <%s> is %q: %v", format, e.name, value, err)
	}
}

func strictAddress(t testing.TB, text string) {
	t.Helper()
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || strings.ContainsAny(text, " \n\"<>`") {
		t.Errorf("%q should not stand in a feed", text)
	}
	for _, c := range []byte(text) {
		if c >= 0x7F || c <= ' ' {
			t.Errorf("%q is no URI of RFC 3986", text)
		}
	}
}

// strictJSONFeed checks what jsonfeed.org/version/1.1 demands.
func strictJSONFeed(t testing.TB, text string) {
	t.Helper()
	var feed struct {
		Version, Title string
		Items          []map[string]any
	}
	if err := json.Unmarshal([]byte(text), &feed); err != nil {
		t.Fatalf("no JSON: %v\n%s", err, text)
	}
	if feed.Version != "https://jsonfeed.org/version/1.1" || feed.Title == "" || feed.Items == nil {
		t.Errorf("the head is wrong: %.200s", text)
	}
	for _, item := range feed.Items {
		id, _ := item["id"].(string)
		html, isText := item["content_html"].(string)
		if id == "" || !isText || strings.Contains(html, "<script") {
			t.Errorf("the item is wrong: %v", item)
		}
		for _, name := range []string{"date_published", "date_modified"} {
			if _, err := time.Parse(time.RFC3339, item[name].(string)); err != nil {
				t.Error(err)
			}
		}
		for _, name := range []string{"url", "image"} {
			if address, ok := item[name].(string); ok {
				strictAddress(t, address)
			}
		}
	}
}

func TestReadersFindEntitiesInEveryFeedFormat(t *testing.T) {
	f := feedOf(syndicate.FeedEntry{Entity: concert(nil), Updated: seen.AddDate(0, 0, 2)})
	for _, format := range []syndicate.Format{syndicate.Atom, syndicate.RSS, syndicate.JSONFeed} {
		t.Run(string(format), func(t *testing.T) {
			feed := readBack(t, format, f)
			if feed.Title != "Concerts <in> Oslo & around" || feed.Link != "https://example.org/concerts" || feed.FeedLink != f.SelfURL || len(feed.Items) != 1 {
				t.Fatalf("%s: %+v", format, feed)
			}
			item := feed.Items[0]
			if item.Title != "Organ & Brass" || item.Link != "https://example.org/e/1" || item.GUID != "tag:curlew.invalid,2026:acme/entities/ent_1" {
				t.Errorf("%s: %q %q %q", format, item.Title, item.Link, item.GUID)
			}
			when := item.UpdatedParsed
			if format == syndicate.RSS {
				when = item.PublishedParsed
			}
			if when == nil || !when.Equal(seen.AddDate(0, 0, 2)) {
				t.Errorf("%s: updated %v", format, when)
			}
			body := item.Content + item.Description
			for _, want := range []string{"<dt>Start</dt><dd><bdi>Sat 18 Apr 2026, 20:00 (+02:00)</bdi></dd>", "250.00 NOK", `<a href="https://example.org/e/1?a=1&amp;b=2"`, "An evening.</bdi><br><bdi>Bring"} {
				t.Run(want, func(t *testing.T) {
					if !strings.Contains(body, want) {
						t.Errorf("%s has no %s:\n%s", format, want, body)
					}
				})
			}
		})
	}
}

func TestEmptyFeedsAreWhole(t *testing.T) {
	for _, format := range []syndicate.Format{syndicate.Atom, syndicate.RSS, syndicate.JSONFeed} {
		t.Run(string(format), func(t *testing.T) {
			if feed := readBack(t, format, syndicate.Feed{}); len(feed.Items) != 0 {
				t.Errorf("%s has %d entries", format, len(feed.Items))
			}
		})
	}
}

func TestJSONLinesAreWhatTheAPIHas(t *testing.T) {
	text := written(t, syndicate.JSONLines, feedOf(syndicate.FeedEntry{Entity: concert(nil)}, syndicate.FeedEntry{Change: bicycle()}))
	lines := strings.Split(strings.TrimSpace(text), "\n")
	var e curlew.Entity
	var c curlew.Change
	if len(lines) != 2 || json.Unmarshal([]byte(lines[0]), &e) != nil || json.Unmarshal([]byte(lines[1]), &c) != nil || e.ID != "ent_1" || c.ID != "chg_1" {
		t.Errorf("%s", text)
	}
}
