package workers

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/testkit/demo"
	"github.com/curlew-data/curlew/internal/work/onboard"
)

// Board is a page with a list that a test writes on.
type Board struct {
	Mu     sync.Mutex
	Items  []string // "name=price"
	Status int
	Body   string // instead of the list
	Gone   map[string]bool
	Asked  map[string]int
	Tag    string
}

var BoardRules = blueprint.Blueprint{Language: 1, Schema: curlew.SchemaProduct, Page: curlew.PageList, Tier: curlew.TierHTML,
	Records: &blueprint.Selector{CSS: "#list > li.card"},
	Fields: map[string]blueprint.FieldRules{
		"name":  {Rules: []blueprint.Rule{{Selector: blueprint.Selector{CSS: "h3"}}}, Required: true},
		"price": {Rules: []blueprint.Rule{{Selector: blueprint.Selector{CSS: ".price"}}}},
		"url":   {Rules: []blueprint.Rule{{Selector: blueprint.Selector{CSS: "a"}, Attr: "href"}}},
	}, Expect: &blueprint.Expect{Records: &blueprint.Range{Min: 4, Max: 40}, Fields: map[string]blueprint.Expectation{
		"name": {Present: 1, Distinct: 1, MinLength: 1, MaxLength: 20}, "price": {Present: 1, MinLength: 3, MaxLength: 10, Looks: "price"},
	}, Ended: true}}

// Pinned opens a board and watches it; each visit sees it as it is then.
func (o *Watching) Pinned(items ...string) (*Board, curlew.Watch) {
	o.Helper()
	return o.PinnedBy(BoardRules, items...)
}

// PinnedBy reads the board by rules of the test's own.
func (o *Watching) PinnedBy(rules blueprint.Blueprint, items ...string) (*Board, curlew.Watch) {
	o.Helper()
	b := &Board{Items: items}
	server := httptest.NewServer(b)
	o.Cleanup(server.Close)
	watch := o.Add(demo.Site{Name: "board", Title: "Board", Base: server.URL},
		onboard.Proposal{URL: server.URL + "/", Schema: curlew.SchemaProduct, Tier: curlew.TierHTML, Blueprint: &rules})
	return b, watch
}

// Set changes what the board shows.
func (b *Board) Set(change func(*Board)) {
	b.Mu.Lock()
	defer b.Mu.Unlock()
	change(b)
}

// ServeHTTP answers for the list and the pages of its things.
func (b *Board) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.Mu.Lock()
	defer b.Mu.Unlock()
	if b.Asked == nil {
		b.Asked = map[string]int{}
	}
	b.Asked[r.URL.Path]++
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	switch {
	case r.URL.Path == "/robots.txt":
		http.NotFound(w, r)
	case strings.HasPrefix(r.URL.Path, "/p/"):
		name := strings.TrimPrefix(r.URL.Path, "/p/")
		if b.Gone[name] || !slices.ContainsFunc(b.Items, func(i string) bool { return strings.HasPrefix(i, name+"=") }) && !b.lists(name) {
			http.NotFound(w, r)
			return
		}
		fmt.Fprintf(w, "<html><body><h1>%s</h1><p>%s</p></body></html>", name, strings.Repeat("All about it. ", 40))
	case b.Status != 0:
		http.Error(w, b.Body, b.Status)
	case b.Body != "":
		fmt.Fprint(w, b.Body)
	default:
		if b.Tag != "" {
			w.Header().Set("ETag", b.Tag)
			if r.Header.Get("If-None-Match") == b.Tag {
				w.WriteHeader(http.StatusNotModified)
				return
			}
		}
		fmt.Fprint(w, b.Page())
	}
}

// lists says whether a thing that left the list still has its page.
func (b *Board) lists(name string) bool { return strings.HasPrefix(name, "kept-") }

// Page is the list as a page.
func (b *Board) Page() string {
	var list strings.Builder
	for _, item := range b.Items {
		name, price, _ := strings.Cut(item, "=")
		fmt.Fprintf(&list, `<li class="card"><a href="/p/%s"><h3>%s</h3></a><span class="price">€ %s</span></li>`, name, name, price)
	}
	return `<html><head><title>Board</title></head><body><h1>Things for sale</h1><ul id="list">` + list.String() + `</ul><footer>` +
		strings.Repeat("Words at the end. ", 30) + `</footer></body></html>`
}

// InTable is the board redesigned: a table instead of cards.
func (b *Board) InTable() string {
	var rows strings.Builder
	for _, item := range b.Items {
		name, price, _ := strings.Cut(item, "=")
		fmt.Fprintf(&rows, `<tr><td><a href="/p/%s">%s</a></td><td class="amount">€ %s</td></tr>`, name, name, price)
	}
	return `<html><head><title>Board</title></head><body><h1>Things for sale</h1><table><tr><th>Name</th><th>Price</th></tr>` +
		rows.String() + `</table><footer>` +
		strings.Repeat("Words at the end. ", 30) + `</footer></body></html>`
}

// Parted is the board with half of it in a table and half in a sentence.
func (b *Board) Parted() string {
	var rows, words strings.Builder
	for i, item := range b.Items {
		name, price, _ := strings.Cut(item, "=")
		if i < len(b.Items)/2 {
			fmt.Fprintf(&rows, `<tr><td><a href="/p/%s">%s</a></td><td>€ %s</td></tr>`, name, name, price)
		} else {
			tag := [][3]string{{"span", "em", "b"}, {"small", "strong", "u"}, {"mark", "i", "s"}, {"cite", "q", "var"}}[i%4]
			fmt.Fprintf(&words, `%s <%s class="also"><%s class="n">%s</%s> for %s <%s class="p">€ %s</%s></%s>, `,
				strings.Repeat("and moreover ", i), tag[0], tag[1], name, tag[1],
				strings.Repeat("hardly ", i%3), tag[2], price, tag[2], tag[0])
		}
	}
	return `<html><body><h1>Things</h1><table>` + rows.String() + `</table><p>We also have ` + words.String() + `and more.</p></body></html>`
}
