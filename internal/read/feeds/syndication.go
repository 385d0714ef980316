package feeds

import (
	"bytes"
	"fmt"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/mmcdole/gofeed"
	ext "github.com/mmcdole/gofeed/extensions"
)

// deepest bounds the nesting of elements, because the parser below recurses. Real
// feeds stay under twenty.
const deepest = 200

func readSyndication(body []byte, base *url.URL, schema curlew.SchemaName) ([]curlew.Draft, error) {
	if tooDeep(body) {
		return nil, curlew.Permanent("too_deep", "the feed nests elements more than %d deep", deepest)
	}
	body = declareUTF8(shortened(body))
	feed, err := gofeed.NewParser().Parse(bytes.NewReader(body))
	if err != nil {
		if feed, _ = gofeed.NewParser().Parse(bytes.NewReader(mended(body))); feed == nil {
			return nil, notAFeed(text.CutBytes(err.Error(), 200))
		}
	}
	if len(feed.Items) == 0 && feed.Title == "" && feed.Link == "" && feed.FeedVersion == "" {
		return nil, notAFeed("it has neither a title nor entries")
	}
	if schema == "" {
		schema = schemaOf(feed)
	}
	s := syndicated{feed: feed, schema: schema, base: base}
	return s.drafts(), nil
}

// syndicated is one feed on its way to drafts.
type syndicated struct {
	feed   *gofeed.Feed
	schema curlew.SchemaName
	base   *url.URL
}

// drafts leaves out entries that say again what an earlier one said: a feed may repeat a guid, and the first is the
// latest by custom. Another thing at another address is none of them, and known by that.
func (s syndicated) drafts() []curlew.Draft {
	var all []curlew.Draft
	seen := map[string]*gofeed.Item{}
	for i, item := range s.feed.Items {
		if item == nil || len(all) >= mostDrafts {
			continue
		}
		id := strings.TrimSpace(item.GUID)
		if id == "" {
			id = strings.TrimSpace(item.Link)
		}
		if first := seen[id]; first != nil && another(first, item) {
			id = strings.TrimSpace(item.Link)
		}
		if id != "" && seen[id] != nil {
			continue
		}
		seen[id] = item
		if d, ok := s.draft(item, id, i); ok {
			all = append(all, d)
		}
	}
	return all
}

// another says whether an entry is of another thing than one with its guid.
func another(first, item *gofeed.Item) bool {
	link := strings.TrimSpace(item.Link)
	return link != "" && link != strings.TrimSpace(first.Link) && strings.TrimSpace(item.Title) != strings.TrimSpace(first.Title)
}

func (s syndicated) draft(item *gofeed.Item, id string, index int) (curlew.Draft, bool) {
	d := newDraft(s.schema, s.base, fmt.Sprintf("item[%d]", index+1))
	d.set("url", s.rule("link"), item.Link)
	if strings.HasPrefix(item.GUID, "http") {
		d.set("url", s.rule("guid"), item.GUID)
	}
	for _, title := range []string{"title", "name"} {
		d.set(title, s.rule("title"), item.Title)
	}
	s.image(d, item)
	switch s.schema {
	case curlew.SchemaEvent:
		s.event(d, item)
	case curlew.SchemaProduct:
		s.product(d, item)
	case curlew.SchemaJob:
		s.job(d, item)
	case curlew.SchemaArticle:
		s.article(d, item)
	case curlew.SchemaOrganization:
		d.set("address", s.rule("georss:featurename"), extension(item, "georss", "featurename"))
	case curlew.SchemaItem:
		d.set("text", s.rule("description"), longer(item.Description, item.Content))
		s.date(d, "date", "pubDate", item.PublishedParsed, item.Published)
	}
	if len(d.draft.Fields) == 0 && id == "" {
		return curlew.Draft{}, false
	}
	return d.done(id), true
}

// rule names the element as its kind of feed does.
func (s syndicated) rule(element string) string { return s.feed.FeedType + ":" + element }

func (s syndicated) article(d *drafting, item *gofeed.Item) {
	d.set("canonical_url", s.rule("link"), item.Link)
	if item.Content != "" {
		d.set("text", s.rule("content"), item.Content)
		d.set("summary", s.rule("description"), item.Description)
	} else {
		d.set("summary", s.rule("description"), item.Description)
	}
	d.set("author", s.rule("author"), people(item))
	s.date(d, "published_at", "pubDate", item.PublishedParsed, item.Published)
	s.date(d, "updated_at", "updated", item.UpdatedParsed, item.Updated)
	if _, known := d.draft.Fields["published_at"]; !known {
		s.date(d, "published_at", "updated", item.UpdatedParsed, item.Updated)
	}
	d.set("language", s.rule("language"), s.feed.Language)
	if len(item.Categories) > 0 {
		d.set("section", s.rule("category"), item.Categories[0])
	}
}

// date prefers the moment that was understood and keeps the text otherwise.
func (s syndicated) date(d *drafting, field, element string, at *time.Time, text string) {
	if at == nil {
		d.set(field, s.rule(element), text)
		return
	}
	d.set(field, s.rule(element), written(*at, text).Format(time.RFC3339))
	if e, ok := d.draft.Provenance[field]; ok && text != "" {
		e.Text = text
		d.draft.Provenance[field] = e
	}
}

// written is a moment on the clock of its author: the parser turns all into UTC.
func written(at time.Time, text string) time.Time {
	for _, layout := range []string{time.RFC1123Z, "Mon, 2 Jan 2006 15:04:05 -0700", time.RFC3339} {
		if own, err := time.Parse(layout, strings.TrimSpace(text)); err == nil && own.Equal(at) {
			return own
		}
	}
	return at
}

var imageSource = text.Pattern(`(?i)<img\b[^>]*?\bsrc\s*=\s*["']([^"'>]{1,1000})["']`)

func (s syndicated) image(d *drafting, item *gofeed.Item) {
	for _, name := range []string{"image_link", "link_image"} {
		d.set("image_url", "g:"+name, extension(item, "g", name))
	}
	for _, name := range []string{"content", "thumbnail"} {
		for _, media := range mediaOf(item, name) {
			if kind := media.Attrs["type"] + media.Attrs["medium"]; name == "thumbnail" || kind == "" || strings.HasPrefix(kind, "image") {
				d.set("image_url", "media:"+name, media.Attrs["url"])
			}
		}
	}
	for _, e := range item.Enclosures {
		if e != nil && strings.HasPrefix(e.Type, "image/") {
			d.set("image_url", s.rule("enclosure"), e.URL)
		}
	}
	if item.Image != nil {
		d.set("image_url", s.rule("image"), item.Image.URL)
	}
	for _, markup := range []string{item.Content, item.Description} {
		if m := imageSource().FindStringSubmatch(text.CutBytes(markup, 100_000)); m != nil {
			d.set("image_url", s.rule("content img"), m[1])
		}
	}
}

func mediaOf(item *gofeed.Item, name string) []ext.Extension {
	media := item.Extensions["media"]
	found := media[name]
	for _, group := range media["group"] {
		found = append(found[:len(found):len(found)], group.Children[name]...)
	}
	return found
}

func people(item *gofeed.Item) string {
	var names []string
	for _, p := range item.Authors {
		if p != nil && p.Name != "" {
			names = append(names, p.Name)
		}
	}
	return strings.Join(names, ", ")
}

func longer(a, b string) string {
	if len(b) > len(a) {
		return b
	}
	return a
}

// extension is the text of an element of another namespace; modules are known by
// their usual prefix.
func extension(item *gofeed.Item, prefix, name string) string {
	for _, e := range item.Extensions[prefix][name] {
		if text := strings.TrimSpace(e.Value); text != "" {
			return text
		}
		if text := e.Attrs["resource"]; text != "" {
			return text
		}
	}
	return ""
}

// entryMarks are how the entries of a feed begin and how the feed ends.
func entryMarks(body []byte) (entry []byte, end string) {
	switch head := body[:min(len(body), 4096)]; {
	case bytes.Contains(head, []byte("<feed")):
		return []byte("<entry"), "</feed>"
	case bytes.Contains(head, []byte("<rdf:RDF")):
		return []byte("<item"), "</rdf:RDF>"
	}
	return []byte("<item"), "</channel></rss>"
}

// shortened cuts a feed with more entries than anybody offers: 10 MiB of empty ones
// take seconds to parse.
func shortened(body []byte) []byte {
	mark, end := entryMarks(body)
	at := 0
	for range mostDrafts {
		next := bytes.Index(body[at:], mark)
		if next < 0 {
			return body
		}
		at += next + len(mark)
	}
	return append(append([]byte{}, body[:at-len(mark)]...), end...)
}

var declaration = text.Pattern(`^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._:-]{1,40})["']`)

// declareUTF8 makes the declaration agree with a body that was turned into UTF-8
// on its way here, so that it is not turned twice. Encodings of seven bits are
// left alone, because their bytes are valid UTF-8 as well.
func declareUTF8(body []byte) []byte {
	m := declaration().FindSubmatchIndex(body[:min(len(body), 300)])
	if m == nil || !utf8.Valid(body) || isASCII(body) {
		return body
	}
	return bytes.Join([][]byte{body[:m[2]], []byte("utf-8"), body[m[3]:]}, nil)
}

func isASCII(body []byte) bool {
	for _, c := range body {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
