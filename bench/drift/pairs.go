package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// pairRow is a page at two times, with the records of both.
type pairRow struct {
	ID, Kind, URL string
	CommittedOld  string       `json:"committed_old"`
	CommittedNew  string       `json:"committed_new"`
	CompleteOld   bool         `json:"complete_old"`
	CompleteNew   bool         `json:"complete_new"`
	Old           []pairRecord `json:"records_old"`
	New           []pairRecord `json:"records_new"`
}

// pairRecord is a record of the page: what it is called, and what the page writes of it.
type pairRecord struct {
	Fields   struct{ Name, Docket, Reference, URL, Date string }
	Grounded map[string]any
}

// title is what the page calls a record; empty where it does not show it.
func (r pairRecord) title() string {
	if names := r.shownKeys(1); len(names) > 0 {
		return names[0]
	}
	return ""
}

// shownKeys are its name and numbers as the page writes them, of some length.
func (r pairRecord) shownKeys(least int) (all []string) {
	for _, name := range []string{"name", "reference", "docket"} {
		if text, ok := r.Grounded[name].(string); ok && len(text) >= least {
			all = append(all, text)
		}
	}
	return all
}

func (r pairRecord) id() string {
	return plain(r.Fields.Name + " " + r.Fields.Docket + " " + r.Fields.Reference)
}

// words are what the page writes of a record.
func (r pairRecord) words() (all []string) {
	for _, v := range r.Grounded {
		if text, ok := v.(string); ok && len(text) >= leastTitle {
			all = append(all, text)
		}
	}
	return all
}

// leastKey is the length from which a number says which record is meant.
const leastKey = 5

// keys are the number and the name of a record, each of which says which one is meant.
func (r pairRecord) keys() (all []string) {
	for _, k := range []string{r.Fields.Docket, r.Fields.Reference, r.Fields.Name} {
		if len(k) >= leastKey {
			all = append(all, k)
		}
	}
	return all
}

// pairVisits are the visits of a pair: the older page, twice, and the newer one.
const (
	pairVisits = 7
	pairNew    = 2
)

// pairCases are real pages at two times, both of which have a whole truth by others.
func pairCases(folder string, s sizes) (all []*Case, err error) {
	for _, set := range []string{"court-pairs", "planning-pairs"} {
		rows, err := rowsOf[pairRow](filepath.Join(folder, set, "dev", "truth.jsonl"))
		if err != nil {
			return nil, err
		}
		for n, row := range rows {
			if !row.CompleteOld || !row.CompleteNew || len(all) >= s.pairs {
				continue
			}
			c, err := row.pairCase(filepath.Join(folder, set, "dev", row.ID), fmt.Sprintf("%s-%d", set, n+1))
			if err != nil {
				return nil, err
			}
			if c != nil {
				all = append(all, c)
			}
		}
	}
	return all, nil
}

// taken are the days of the two pages. Both list what has happened, so none is older than what it lists: some were put
// down under the day of another capture.
func (r pairRow) taken() (older, newer time.Time, ok bool) {
	older, newer = latest(r.CommittedOld, r.Old), latest(r.CommittedNew, r.New)
	if older.IsZero() || newer.IsZero() {
		return older, newer, false
	}
	if newer.Before(older) {
		newer = older
	}
	return older, newer, true
}

// latest is the last of a day and of the days that records say; zero where the day is not written as one.
func latest(day string, records []pairRecord) time.Time {
	last := dayOf(day)
	for _, record := range records {
		if of := dayOf(record.Fields.Date); !last.IsZero() && of.After(last) {
			last = of
		}
	}
	return last
}

func dayOf(s string) time.Time {
	day, _ := time.Parse(time.DateOnly, s[:min(len(s), len(time.DateOnly))])
	return day
}

func (r pairRow) pairCase(folder, id string) (*Case, error) {
	host, path := pathOf(r.URL)
	c := &Case{ID: id, Group: groupPairs, Host: host, Path: path, Begin: sampleDay, Partial: true}
	days := 0
	if older, newer, ok := r.taken(); ok {
		c.Begin, days = older.Add(9*time.Hour), int(newer.Sub(older)/(24*time.Hour))
	}
	var bodies [2][]byte
	for i, name := range []string{"old.html", "new.html"} {
		body, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			return nil, err
		}
		if len(body) > 2*mostBytes {
			return nil, nil
		}
		bodies[i] = athome(body)
	}
	c.Items = itemsOf(r.Old)
	for _, record := range slices.Concat(r.Old, r.New) {
		c.Known = append(c.Known, record.words()...)
	}
	var roots [2]*html.Node
	for i, body := range bodies {
		root, err := parsed(body)
		if err != nil {
			return nil, err
		}
		roots[i] = root
	}
	for visit := range pairVisits {
		step := Step{Cause: causeNothing}
		if visit == pairNew {
			step = Step{Cause: "the page at a later time (" + strings.ReplaceAll(r.Kind, "_", " ") + ")", Redesign: r.Kind == "redesign", Days: days,
				Truth: r.truth(letters(textOf(roots[0])), letters(textOf(roots[1])))}
		}
		c.Steps = append(c.Steps, step)
	}
	sites := [2]onePage{siteOf(path, roots[0], r.Old), siteOf(path, roots[1], r.New)}
	c.serve = func() func(int) http.Handler {
		return func(visit int) http.Handler {
			at := 0
			if visit >= pairNew {
				at = 1
			}
			return sites[at].at(answer{http.StatusOK, bodies[at]})
		}
	}
	return c, nil
}

// siteOf is a site with one page, which shows some records.
func siteOf(path string, root *html.Node, records []pairRecord) onePage {
	items := itemsOf(records)
	nodes, _ := itemNodes(root, items)
	nodes = append(nodes, rowsOfTitles(root, items)...)
	return onePage{path: path, empty: rendered(emptied(root, nodes)), kind: "text/html", further: linksBeside(path, root, nodes)}
}

// itemsOf are the records that a page shows.
func itemsOf(records []pairRecord) (items []Item) {
	for _, record := range records {
		if title := record.title(); title != "" {
			items = append(items, Item{Title: title, Link: record.Fields.URL})
		}
	}
	return items
}

// onePage is a site that has one page. Its list has no further page: with another query, or where a link beside the
// items leads to another number of the same address, the page comes without items.
type onePage struct {
	path, kind string
	empty      []byte
	further    map[string]bool // keys of addresses
}

// with is the site with another page for where it has no items.
func (s onePage) with(empty []byte) onePage {
	s.empty = empty
	return s
}

// at is the site while its page is this one.
func (s onePage) at(a answer) http.Handler {
	wanted := key(s.path)
	bare, _, _ := strings.Cut(wanted, "?")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a := a // what one request gets, the next need not
		if asked := key(r.URL.RequestURI()); asked != wanted {
			if other, _, _ := strings.Cut(asked, "?"); other != bare && !s.further[asked] || s.empty == nil {
				http.NotFound(w, r)
				return
			}
			a = answer{http.StatusOK, s.empty}
		}
		w.Header().Set("Content-Type", s.kind)
		if a.status == http.StatusOK { // as most servers do
			tag := fmt.Sprintf(`"%x"`, sha256.Sum256(a.body))
			w.Header().Set("ETag", tag)
			if r.Header.Get("If-None-Match") == tag {
				a = answer{status: http.StatusNotModified}
			}
		}
		w.WriteHeader(a.status)
		_, _ = w.Write(a.body)
	})
}

// linksBeside are the keys of the addresses to which a page links outside of its items and that differ from its own by
// numbers only.
func linksBeside(path string, root *html.Node, items []*html.Node) map[string]bool {
	here, err := url.Parse(path)
	if err != nil {
		return nil
	}
	beside := map[string]bool{}
	put := func(n *html.Node, is bool) {
		for address := range linksIn(n) {
			if to, err := here.Parse(address); err == nil && numberless(to.Path) == numberless(here.Path) {
				beside[key(to.RequestURI())] = is
			}
		}
	}
	put(root, true)
	for _, n := range items {
		put(n, false)
	}
	return beside
}

// numberless is the path of an address without what says which page of a list it is.
func numberless(path string) string {
	path = strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return -1
		}
		return r
	}, strings.ToLower(path))
	return strings.Trim(strings.TrimSuffix(strings.TrimRight(path, "/"), "page"), "/")
}

// emptied is a page without its items, without what stands between them, and without what stands beside them in elements
// of their kind: entries that nobody marked are on one page of a list only, too.
func emptied(root *html.Node, items []*html.Node) *html.Node {
	copies := map[*html.Node]*html.Node{}
	empty := cloneOf(root, copies)
	for _, n := range items {
		if n.Parent == nil {
			continue
		}
		for other := n.Parent.FirstChild; other != nil; other = other.NextSibling {
			alike := other.Type == html.ElementNode && other.Data == n.Data && attribute(other, "class") == attribute(n, "class")
			if alike {
				drop(copies[other])
			}
		}
	}
	for _, n := range fromFirstToLast(root, items) {
		drop(copies[n])
	}
	return empty
}

func drop(n *html.Node) {
	if n != nil && n.Parent != nil {
		n.Parent.RemoveChild(n)
	}
}

// fromFirstToLast are the children of the smallest element that holds all items, from the first that holds one to the last.
func fromFirstToLast(root *html.Node, items []*html.Node) (all []*html.Node) {
	held := map[*html.Node]int{}
	for _, n := range items {
		for ; n != nil; n = n.Parent {
			held[n]++
		}
	}
	list, inner := root, root
	for ; inner != nil && held[root] > 1; inner = childWith(list, func(n *html.Node) bool { return held[n] == held[root] }) {
		list = inner
	}
	last := 0
	for child := childWith(list, func(n *html.Node) bool { return held[n] > 0 }); child != nil; child = child.NextSibling {
		all = append(all, child)
		if held[child] > 0 {
			last = len(all)
		}
	}
	return all[:last]
}

// childWith is the first child of an element for which something is true.
func childWith(parent *html.Node, is func(*html.Node) bool) *html.Node {
	for child := parent.FirstChild; child != nil; child = child.NextSibling {
		if is(child) {
			return child
		}
	}
	return nil
}

// rendered is a page as a server sends it.
func rendered(root *html.Node) []byte {
	var out bytes.Buffer
	_ = html.Render(&out, root) // a buffer takes everything
	return out.Bytes()
}

// rowsOfTitles are the rows in which titles of items stand, also of those whose own element is not known.
func rowsOfTitles(root *html.Node, items []Item) (rows []*html.Node) {
	names := func(written string) bool {
		return slices.ContainsFunc(items, func(i Item) bool { return strings.Contains(written, letters(i.Title)) })
	}
	each(root, func(n *html.Node) {
		if n.Type != html.TextNode || len(n.Data) < leastKey || !names(letters(n.Data)) {
			return
		}
		row := n.Parent
		for row.Parent != nil && !slices.Contains([]atom.Atom{atom.Tr, atom.Li, atom.P, atom.Dd, atom.Div}, row.DataAtom) {
			row = row.Parent
		}
		if row.Parent != nil && row.DataAtom != atom.Body && !slices.Contains(rows, row) {
			rows = append(rows, row)
		}
	})
	return rows
}

// letters are those of a text and its digits, in lower case.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

// truth is which records came and went. One that both pages name, or none, may be told or not: whether it did is a
// matter of how it was written down.
func (r pairRow) truth(older, newer string) (all []Truth) {
	urls := map[string]int{}
	old, is := map[string]bool{}, map[string]bool{}
	for _, record := range r.Old {
		old[record.id()] = true
		urls[key(record.Fields.URL)]++
	}
	for _, record := range r.New {
		is[record.id()] = true
		urls[key(record.Fields.URL)]++
	}
	tell := func(records []pairRecord, kind string, there map[string]bool, here, elsewhere string) {
		for _, record := range records {
			if there[record.id()] || record.title() == "" {
				continue
			}
			plain := slices.ContainsFunc(record.shownKeys(leastKey), func(k string) bool {
				return strings.Contains(here, letters(k)) && !strings.Contains(elsewhere, letters(k))
			})
			t := Truth{Kind: kind, Title: record.title(), Values: record.words(), Keys: append(record.keys(), record.shownKeys(leastKey)...), Shown: true, Optional: !plain}
			if urls[key(record.Fields.URL)] == 1 {
				t.URL = record.Fields.URL
			}
			all = append(all, t)
		}
	}
	tell(r.New, kindNew, old, newer, older)
	tell(r.Old, kindGone, is, older, newer)
	return all
}
