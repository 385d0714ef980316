package feasibility

import (
	"cmp"
	"context"
	_ "embed" // tables
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/wordlist"
	"golang.org/x/net/html"
)

//go:embed tables/endpoints.txt
var endpointsFile string

var endpointWords = wordlist.Embedded(endpointsFile)

// EndpointKind is what an endpoint answers with.
type EndpointKind string

const (
	EndpointJSON     EndpointKind = "json"
	EndpointGraphQL  EndpointKind = "graphql"
	EndpointFeed     EndpointKind = "feed" // RSS, Atom, JSON Feed
	EndpointCalendar EndpointKind = "ical"
	EndpointREST     EndpointKind = "rest" // the root of an API that describes itself
	EndpointSearch   EndpointKind = "search"
)

// Endpoint is an address that seems to answer with data.
type Endpoint struct {
	Method   string       `json:"method"`
	URL      string       `json:"url"`
	Kind     EndpointKind `json:"kind"`
	Found    string       `json:"found_in"` // link, script, attribute or traffic
	SameSite bool         `json:"same_site"`
	Score    int          `json:"score"`
	Entities int          `json:"entities,omitempty"` // objects in the largest list of a recorded answer
	Query    string       `json:"query,omitempty"`    // the GraphQL query that the page itself uses
	Note     string       `json:"note,omitempty"`
}

// maxEndpoints is how many endpoints are told of.
const maxEndpoints = 30

// Endpoints finds addresses of data in a page's source, in the scripts that were
// read with it and in recorded traffic, best first. Once the context has ended it looks no further.
func Endpoints(ctx context.Context, p Snapshot, scripts ...string) []Endpoint {
	f := &endpointFinder{doc: p.Document, at: map[string]int{}}
	f.elements(ctx)
	for _, s := range p.Document.Scripts() {
		if s.Src == "" && !strings.Contains(s.Type, "json") {
			f.script(ctx, s.Text)
		}
	}
	for _, text := range scripts {
		f.script(ctx, text)
	}
	for _, c := range p.Calls {
		if ctx.Err() != nil {
			break
		}
		f.call(c)
	}
	slices.SortStableFunc(f.found, func(a, b Endpoint) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.URL, b.URL))
	})
	return f.found[:min(len(f.found), maxEndpoints)]
}

type endpointFinder struct {
	doc   *dom.Document
	found []Endpoint
	at    map[string]int
}

// add keeps an endpoint once, with the best of what is known of it.
func (f *endpointFinder) add(e Endpoint) {
	u, err := url.Parse(e.URL)
	if err != nil || u.Host == "" || len(e.URL) > 2083 || noise(u) {
		return
	}
	e.SameSite = text.SameSite(u.Hostname(), f.doc.URL().Hostname())
	if e.SameSite {
		e.Score += 2
	}
	switch {
	case e.Kind == EndpointGraphQL:
		e.Method = "POST"
	case e.Method == "":
		e.Method = "GET"
	}
	key := e.Method + " " + e.URL
	if i, ok := f.at[key]; ok {
		old := &f.found[i]
		old.Entities = max(old.Entities, e.Entities)
		old.Query = cmp.Or(old.Query, e.Query)
		if e.Score > old.Score {
			old.Score, old.Found, old.Kind = e.Score, e.Found, e.Kind
		}
		return
	}
	if len(f.found) < 500 {
		f.at[key] = len(f.found)
		f.found = append(f.found, e)
	}
}

// elements reads links to feeds and calendars, and data attributes.
func (f *endpointFinder) elements(ctx context.Context) {
	for n := range f.doc.Tree().Descendants() {
		if ctx.Err() != nil {
			return
		}
		if n.Type != html.ElementNode {
			continue
		}
		switch n.Data {
		case "link":
			f.headLink(n)
		case "a":
			f.anchor(n)
		case "iframe":
			f.frame(n)
		}
		for _, a := range n.Attr {
			f.attribute(a)
		}
	}
}

func (f *endpointFinder) attribute(a html.Attribute) {
	if a.Key == "data-tockify-calendar" && a.Val != "" {
		f.add(Endpoint{URL: "https://tockify.com/api/feeds/ics/" + url.PathEscape(text.CutBytes(a.Val, 100)), Kind: EndpointCalendar,
			Found: "attribute", Score: 7, Note: "a calendar of Tockify"})
	}
	forScripts := strings.HasPrefix(a.Key, "data-") || strings.HasPrefix(a.Key, "hx-")
	if forScripts && len(a.Val) < 500 && looksLikeAPI(a.Val) {
		f.add(Endpoint{URL: f.doc.Resolve(withoutHoles(a.Val)), Kind: kindOf(a.Val), Found: "attribute", Score: 5 + subject(a.Val)})
	}
}

func (f *endpointFinder) headLink(n *html.Node) {
	href := f.doc.Resolve(dom.Attr(n, "href"))
	rel, kind := strings.ToLower(dom.Attr(n, "rel")), strings.ToLower(dom.Attr(n, "type"))
	if href == "" {
		return
	}
	switch {
	case rel == "https://api.w.org/":
		f.add(Endpoint{URL: href, Kind: EndpointREST, Found: "link", Score: 7, Note: "the REST API of WordPress"})
	case !strings.Contains(rel, "alternate"):
	case strings.Contains(kind, "rss"), strings.Contains(kind, "atom"), strings.Contains(kind, "feed+json"):
		f.add(Endpoint{URL: href, Kind: EndpointFeed, Found: "link", Score: feedScore(href, f.doc.URL().String())})
	case strings.Contains(kind, "calendar"):
		f.add(Endpoint{URL: href, Kind: EndpointCalendar, Found: "link", Score: 8})
	case kind == "application/json" && !strings.Contains(href, "oembed"):
		f.add(Endpoint{URL: href, Kind: EndpointJSON, Found: "link", Score: 6})
	}
}

// feedScore puts feeds of comments last, and those of the present section first.
func feedScore(href, page string) int {
	switch {
	case strings.Contains(href, "comments"):
		return 1
	case strings.HasPrefix(loose(href), loose(page)) && loose(page) != site(page):
		return 7
	}
	return 6
}

func (f *endpointFinder) anchor(n *html.Node) {
	href := strings.TrimSpace(dom.Attr(n, "href"))
	lower := strings.ToLower(href)
	if rest, ok := strings.CutPrefix(lower, "webcal://"); ok && rest != "" {
		f.add(Endpoint{URL: "https://" + href[len("webcal://"):], Kind: EndpointCalendar, Found: "link", Score: 8})
		return
	}
	file, query, _ := strings.Cut(lower, "?")
	file, _, _ = strings.Cut(file, "#")
	switch {
	case strings.HasSuffix(file, ".ics"), endpointWords().Of("calendar query").In(query):
		f.add(Endpoint{URL: f.doc.Resolve(href), Kind: EndpointCalendar, Found: "link", Score: 6})
	case endsWithAny(file, endpointWords().Of("feed ending")):
		f.add(Endpoint{URL: f.doc.Resolve(href), Kind: EndpointFeed, Found: "link", Score: 5})
	}
}

// frame finds calendars of others: a Google calendar that may be embedded can be
// read as iCalendar.
func (f *endpointFinder) frame(n *html.Node) {
	u, err := url.Parse(dom.Attr(n, "src"))
	if err != nil || u.Hostname() != "calendar.google.com" || !strings.HasPrefix(u.Path, "/calendar/embed") {
		return
	}
	for i, id := range u.Query()["src"] {
		if i < 3 && id != "" {
			f.add(Endpoint{URL: "https://calendar.google.com/calendar/ical/" + url.PathEscape(id) + "/public/basic.ics",
				Kind: EndpointCalendar, Found: "link", Score: 7, Note: "an embedded Google calendar"})
		}
	}
}

// call judges a recorded request by its answer.
func (f *endpointFinder) call(c ScriptCall) {
	if c.Status < 200 || c.Status > 299 {
		return
	}
	kind := EndpointJSON
	trimmed := strings.TrimSpace(text.CutBytes(string(c.Body[:min(len(c.Body), 1<<20)]), 200))
	switch {
	case strings.Contains(c.ContentType, "calendar") || strings.HasPrefix(trimmed, "BEGIN:VCALENDAR"):
		kind = EndpointCalendar
	case !strings.Contains(c.ContentType, "json") && !strings.HasPrefix(trimmed, "{") && !strings.HasPrefix(trimmed, "["):
		return
	}
	e := Endpoint{Method: strings.ToUpper(c.Method), URL: c.URL, Kind: kind, Found: "traffic", Score: 3}
	if query := graphQuery(string(c.RequestBody[:min(len(c.RequestBody), 64<<10)])); query != "" {
		e.Kind, e.Query = EndpointGraphQL, query
	}
	if list, ok := largestList(c.Body); ok {
		e.Entities = len(list.objects)
		e.Score += 3 + min(5, e.Entities) + subject(c.URL)
	}
	f.add(e)
}

// noise are hosts and paths of advertising, measuring and consent.
func noise(u *url.URL) bool {
	host := strings.ToLower(u.Hostname())
	words := endpointWords()
	return words.Of("noise host").In(host) || words.Of("noise ending").Has(strings.ToLower(path.Ext(u.Path))) ||
		words.Of("noise path").In(strings.ToLower(u.Path))
}

func endsWithAny(text string, ends *wordlist.List) bool {
	return slices.ContainsFunc(ends.Words, func(end string) bool { return strings.HasSuffix(text, end) })
}
