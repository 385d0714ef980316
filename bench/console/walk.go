package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// page is an answer of the server.
type page struct {
	links   []string
	filters []string // addresses that the forms of the page lead to
	loads   []string // styles, scripts and images
	rows    int
	server  float64 // milliseconds
	whole   float64 // until its last byte has come
	sent    int     // bytes, as they came
}

var told = regexp.MustCompile(`dur=([0-9.]+)`)

// get asks for an address as a browser does.
func (v *server) get(ctx context.Context, at string) (*page, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, v.base+at, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept-Encoding", "gzip")
	began := time.Now()
	answer, err := v.client.Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		return nil, err
	}
	p := &page{whole: float64(time.Since(began).Microseconds()) / 1000, sent: len(body)}
	if answer.StatusCode != http.StatusOK || answer.Request.URL.Path == "/sign-in" {
		return nil, fmt.Errorf("%s answers %s", at, answer.Status)
	}
	found := told.FindStringSubmatch(answer.Header.Get("Server-Timing"))
	if found == nil {
		return nil, fmt.Errorf("%s does not say how long it took", at)
	}
	p.server, _ = strconv.ParseFloat(found[1], 64) // it matched above
	if answer.Header.Get("Content-Encoding") == "gzip" {
		unzip, err := gzip.NewReader(bytes.NewReader(body))
		if err != nil {
			return nil, err
		}
		if body, err = io.ReadAll(unzip); err != nil {
			return nil, err
		}
	}
	switch kind := answer.Header.Get("Content-Type"); {
	case strings.HasPrefix(kind, "text/html"):
		p.read(body, answer.Request.URL)
	case strings.HasPrefix(kind, "application/json"):
		p.rows = bytes.Count(body, []byte(`{"id":"`)) + bytes.Count(body, []byte(`{"source_id":"`))
	default:
		p.rows = bytes.Count(body, []byte("\n"))
	}
	return p, nil
}

// read takes links, forms, what the page loads, and its rows.
func (p *page) read(body []byte, at *url.URL) {
	root, err := html.Parse(bytes.NewReader(body))
	if err != nil {
		return // a parser of HTML refuses nothing
	}
	for n := range root.Descendants() {
		switch n.DataAtom {
		case atom.A:
			p.links = append(p.links, attribute(n, "href"))
		case atom.Link:
			p.loads = append(p.loads, attribute(n, "href"))
		case atom.Script, atom.Img:
			p.loads = append(p.loads, attribute(n, "src"))
		case atom.Tr, atom.Li, atom.Article:
			p.rows++
		case atom.Form:
			if !strings.EqualFold(attribute(n, "method"), "post") {
				p.filters = append(p.filters, filters(n, at)...)
			}
		}
	}
	p.loads = slices.DeleteFunc(slices.Compact(slices.Sorted(slices.Values(p.loads))),
		func(s string) bool { return !strings.HasPrefix(s, "/") })
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// optionsTried is how many values of a filter are asked for: all of the short ones, the
// first and last of long ones.
const optionsTried = 12

// searches are words that all things of the year have, most, some, no two together, few
// and none; they go together with other filters as well.
var searches = []string{"evening", "the lan", "ada example", "number 111", "item-000777", "ada lantern", "zebra", "lantern bremen"}

// filters are the addresses that a form leads to when one of its choices is made, and
// when the last of each are made together.
func filters(form *html.Node, at *url.URL) (all []string) {
	action := attribute(form, "action")
	if action == "" {
		action = at.Path
	}
	both := url.Values{}
	for n := range form.Descendants() {
		if attribute(n, "type") == "search" {
			for _, words := range searches {
				all = append(all, action+"?"+url.Values{attribute(n, "name"): {words}}.Encode())
				both.Set(attribute(n, "name"), words)
			}
		}
		if n.DataAtom != atom.Select {
			continue
		}
		var values []string
		for o := range n.Descendants() {
			if v := optionValue(o); o.DataAtom == atom.Option && v != "" {
				values = append(values, v)
			}
		}
		if len(values) > optionsTried {
			values = append(values[:3:3], values[len(values)-3:]...)
		}
		for _, v := range values {
			all = append(all, action+"?"+url.Values{attribute(n, "name"): {v}}.Encode())
			both.Set(attribute(n, "name"), v)
		}
	}
	if len(both) > 1 {
		all = append(all, action+"?"+both.Encode())
	}
	return all
}

// optionValue is what a form sends for an option: its value, or else its text.
func optionValue(n *html.Node) string {
	for _, a := range n.Attr {
		if a.Key == "value" {
			return a.Val
		}
	}
	if n.FirstChild == nil {
		return ""
	}
	return strings.TrimSpace(n.FirstChild.Data)
}

// target is an address that is measured, and of which screen.
type target struct {
	Screen string `json:"screen"`
	At     string `json:"address"`
}

// idsPerScreen is how many different things are looked at on a page about one.
const idsPerScreen = 5

// walk finds the addresses of all screens, beginning with those that need no id, and
// says which screens no page links to.
func (v *server) walk(ctx context.Context, screens []string) (all []target, unseen []string, err error) {
	w := &walker{server: v, seen: map[string]bool{}}
	for _, s := range screens {
		if strings.Contains(s, "{id}") {
			unseen = append(unseen, s)
		} else {
			w.add(s, strings.ReplaceAll(s, "{$}", ""))
		}
	}
	if err := w.read(ctx, true); err != nil {
		return nil, nil, err
	}
	for before := -1; len(unseen) > 0 && before != len(unseen); { // pages about one thing lead to others
		before = len(unseen)
		unseen = slices.DeleteFunc(unseen, w.find)
		if err := w.read(ctx, false); err != nil {
			return nil, nil, err
		}
	}
	return w.all, unseen, nil
}

// walker gathers the addresses of screens.
type walker struct {
	server *server
	seen   map[string]bool
	all    []target
	done   int      // how many of them were read
	links  []string // of the pages that were read
}

// add takes an address once.
func (w *walker) add(screen, at string) bool {
	fresh := !w.seen[at]
	if w.seen[at] = true; fresh {
		w.all = append(w.all, target{screen, at})
	}
	return fresh
}

// read reads the pages that were not read yet, and the parts of their listings if wanted.
func (w *walker) read(ctx context.Context, parts bool) error {
	for ; w.done < len(w.all); w.done++ {
		t := w.all[w.done]
		p, err := w.server.get(ctx, t.At)
		if err != nil {
			return err
		}
		w.links = append(w.links, p.links...)
		for _, at := range slices.Concat(p.filters, narrowing(p.links), deep(p.links)) {
			if parts && t.hasPart(at) {
				w.add(t.Screen, at)
			}
		}
	}
	return nil
}

// hasPart says whether an address narrows a listing, or leads on in one.
func (t target) hasPart(at string) bool {
	path, _, _ := strings.Cut(at, "?")
	if path != strings.ReplaceAll(t.Screen, "{$}", "") || strings.Contains(t.At, "after=") {
		return false
	}
	return !strings.Contains(t.At, "?") || strings.Contains(at, "after=")
}

// find adds addresses of a screen about one thing, and says whether there are any.
func (w *walker) find(screen string) bool {
	matching := regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(screen), `\{id\}`, `[^/?#]+`) + "$")
	n := 0
	for _, at := range w.links {
		if n < idsPerScreen && matching.MatchString(at) && w.add(screen, at) {
			n++
		}
	}
	return n > 0
}

// narrowing are the links with a query that lead to no other part of a listing.
func narrowing(links []string) (all []string) {
	for _, at := range links {
		if strings.Contains(at, "?") && !strings.Contains(at, "after=") && !strings.Contains(at, "done=") {
			all = append(all, at)
		}
	}
	return all
}

// deep makes addresses far back in listings of those that lead to their next part. A
// cursor is an id, which begins with a time, or a sequence.
func deep(links []string) (all []string) {
	for _, at := range links {
		u, err := url.Parse(at)
		if err != nil || !u.Query().Has("after") {
			continue
		}
		q := u.Query()
		switch prefix, _, isID := strings.Cut(q.Get("after"), "_"); {
		case isID:
			q.Set("after", prefix+"_"+early)
		default:
			q.Set("after", "2000")
		}
		all = append(all, at, u.Path+"?"+q.Encode())
	}
	return all
}

// early is the end of an id from the first days of the year.
var early = func() string {
	id := curlew.Mint[curlew.RunID](curlew.NewMinter(func() time.Time { return since.AddDate(0, 0, 3) }, bytes.NewReader(make([]byte, 16))))
	_, end, _ := strings.Cut(string(id), "_")
	return end
}()
