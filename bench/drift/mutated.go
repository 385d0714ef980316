package main

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// mutatedCases are real pages to which things happen by program.
func mutatedCases(folder string, s sizes, seed uint64) (all []*Case, err error) {
	pages, err := realPages(folder)
	if err != nil {
		return nil, err
	}
	if len(pages) > s.pages { // some of each set
		dice := rand.New(rand.NewPCG(seed, 1))
		dice.Shuffle(len(pages), func(i, j int) { pages[i], pages[j] = pages[j], pages[i] })
		pages = pages[:s.pages]
	}
	for n, p := range pages {
		all = append(all, mutatedCase(p, seed+uint64(n), s.visits))
	}
	return all, nil
}

// mutatedCase tells the story of a page once for its truth, and again whenever it is watched: the
// pages of all visits together would need gigabytes.
func mutatedCase(p *realPage, seed uint64, visits int) *Case {
	host, path := pathOf(p.address)
	c := &Case{ID: p.id, Group: groupMutated, Path: path, Host: host, Begin: p.now}
	for _, i := range p.items {
		c.Items = append(c.Items, Item{Title: i.title, Link: i.link})
	}
	m := newMutation(p, seed)
	m.untold = true
	for visit := range visits {
		step, _ := m.next(visit)
		c.Steps = append(c.Steps, step)
	}
	var nodes []*html.Node
	for _, i := range p.items {
		nodes = append(nodes, i.node)
	}
	site := onePage{path: path, kind: "text/html; charset=utf-8", further: linksBeside(path, p.root, nodes)}
	without := emptied(p.root, nodes)
	c.serve = func() func(int) http.Handler {
		m := newMutation(p, seed)
		return func(visit int) http.Handler {
			_, shown := m.next(visit)
			return m.withDetails(site.with(m.designed(without)).at(shown))
		}
	}
	return c
}

// withDetails is a site in which the items that are there have detail pages, which were not captured: all that they show
// is what the item is called.
func (m *mutation) withDetails(site http.Handler) http.Handler {
	details := map[string]string{}
	for _, i := range m.items {
		if i.link != "" {
			details[key(i.link)] = i.title
		}
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		title, is := details[key(r.URL.RequestURI())]
		if !is {
			site.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		title = html.EscapeString(title)
		fmt.Fprintf(w, "<!doctype html><html><head><title>%s</title></head><body><main><h1>%[1]s</h1></main></body></html>", title)
	})
}

// mutation is a real page to which things happen.
type mutation struct {
	dice   *rand.Rand
	root   *html.Node
	items  []*listed
	gone   int // how many were taken away
	born   int
	design func(*html.Node) // how the page is marked up now
	last   answer
	due    []string    // what must come next
	always func(*page) // noise of every visit
	visit  int
	seed   uint64
	untold bool // nobody sees the pages: what happens is all that is asked for
}

func newMutation(p *realPage, seed uint64) *mutation {
	m := &mutation{dice: rand.New(rand.NewPCG(seed, 7)), always: constant[seed%uint64(len(constant))], seed: seed}
	copies := map[*html.Node]*html.Node{}
	m.root = cloneOf(p.root, copies)
	for _, i := range p.items {
		m.items = append(m.items, &listed{node: copies[i.node], title: i.title, link: i.link})
	}
	return m
}

// cloneOf copies a tree, and says which copy is whose.
func cloneOf(n *html.Node, copies map[*html.Node]*html.Node) *html.Node {
	c := &html.Node{Type: n.Type, DataAtom: n.DataAtom, Data: n.Data, Namespace: n.Namespace, Attr: slices.Clone(n.Attr)}
	copies[n] = c
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		c.AppendChild(cloneOf(child, copies))
	}
	return c
}

// causeChange is a visit at which something happened.
const causeChange = "a real change"

// next is the next visit. Of ten visits, some three find the same bytes, five find noise, one an answer
// that is no page or half of one, one a change; a redesign comes once in fifty.
func (m *mutation) next(visit int) (Step, answer) {
	m.visit = visit
	switch {
	case visit == 0:
		return m.show(Step{Cause: causeNothing}, nil)
	case visit == 1:
		return m.noisy()
	case len(m.due) > 0:
		what := m.due[0]
		m.due = m.due[1:]
		if what == causeChange {
			return m.change()
		}
		return m.noisy()
	}
	switch n := m.dice.IntN(1000); {
	case n < 400:
		return Step{Cause: causeNothing}, m.last
	case n < 760:
		return m.noisy()
	case n < 860:
		return m.fail()
	case n < 975:
		m.due = []string{"noise"}
		return m.change()
	}
	m.due = []string{"noise", "noise", causeChange, "noise"}
	return m.redesign()
}

// noisy is a visit at which nothing happened that matters.
func (m *mutation) noisy() (Step, answer) {
	n := noises[m.dice.IntN(len(noises))]
	return m.show(Step{Cause: n.name}, n.change)
}

// show draws the page as it is, in its present design, with something added for this visit alone.
func (m *mutation) show(step Step, once func(*page)) (Step, answer) {
	if m.untold {
		return step, m.last
	}
	copies := map[*html.Node]*html.Node{}
	p := &page{dice: rand.New(rand.NewPCG(m.seed, 1000+uint64(m.visit))), root: cloneOf(m.root, copies), visit: m.visit}
	for _, i := range m.items {
		p.items = append(p.items, copies[i.node])
	}
	m.always(p)
	if once != nil {
		once(p)
	}
	if m.design != nil {
		m.design(p.root)
	}
	m.last = answer{http.StatusOK, rendered(p.root)}
	return step, m.last
}

// designed is another page of the site, in the present design of all of its pages.
func (m *mutation) designed(root *html.Node) []byte {
	if m.design != nil {
		root = cloneOf(root, map[*html.Node]*html.Node{})
		m.design(root)
	}
	return rendered(root)
}

// change lets one thing happen to one item.
func (m *mutation) change() (Step, answer) {
	var truth *Truth
	for tries := 0; truth == nil && tries < 20; tries++ {
		switch m.dice.IntN(7) {
		case 0:
			truth = m.add()
		case 1:
			truth = m.remove()
		case 2:
			truth = m.rename()
		case 3:
			truth = m.rewrite(prices, dearer)
		case 4:
			truth = m.swap(dates)
		case 5:
			truth = m.swap(prices)
		default:
			truth = m.rewrite(dates, later)
		}
	}
	if truth == nil {
		return m.noisy()
	}
	truth.Shown, truth.Keys = true, []string{cmp.Or(truth.Was, truth.Title), truth.Title}
	return m.show(Step{Cause: causeChange, Truth: []Truth{*truth}}, nil)
}

func (m *mutation) any() *listed { return m.items[m.dice.IntN(len(m.items))] }

// add puts a new item beside the others, made after one of them.
func (m *mutation) add() *Truth {
	after := m.any()
	node := cloneOf(after.node, map[*html.Node]*html.Node{})
	m.born++
	item := &listed{node: node, title: m.another(after.title), link: after.link}
	if !replaceText(node, after.title, item.title) {
		return nil
	}
	for address := range linksIn(node) { // what is new has pages of its own
		to := strings.TrimSuffix(address, "/") + fmt.Sprintf("-n%d", m.born)
		if strings.Contains(address, "?") {
			to = address + fmt.Sprintf("&n=%d", m.born)
		}
		if address == after.link {
			item.link = to
		}
		replaceLink(node, address, to)
	}
	if after.link == "" {
		item.link = ""
	}
	place := after.node
	if m.dice.IntN(2) == 0 {
		place = m.items[0].node // most lists begin with the newest
	}
	place.Parent.InsertBefore(node, place)
	at := slices.IndexFunc(m.items, func(i *listed) bool { return i.node == place })
	m.items = slices.Insert(m.items, at, item)
	return &Truth{Kind: kindNew, Title: item.title, URL: item.link, Values: []string{item.title}}
}

// remove takes an item away, as long as most of the first ones are left.
func (m *mutation) remove() *Truth {
	if len(m.items) < leastItems || m.gone > m.born {
		return nil
	}
	at := m.dice.IntN(len(m.items))
	item := m.items[at]
	item.node.Parent.RemoveChild(item.node)
	m.items = slices.Delete(m.items, at, at+1)
	m.gone++
	return &Truth{Kind: kindGone, Title: item.title, URL: item.link, Values: []string{item.title}}
}

// rename gives an item with a page of its own another title.
func (m *mutation) rename() *Truth {
	item := m.any()
	if item.link == "" {
		return nil
	}
	m.born++
	was := item.title
	item.title = m.another(was)
	if !replaceText(item.node, was, item.title) {
		item.title = was
		return nil
	}
	return &Truth{Kind: kindChanged, Title: item.title, Was: was, URL: item.link, Values: []string{item.title}}
}

// words are put into titles that were never there before.
var words = []string{"Harbour", "Meadow", "Lantern", "Orchard", "Granite", "Willow", "Copper", "Saddle", "Thimble", "Juniper"}

// another is a title like one, that no item ever had.
func (m *mutation) another(title string) string {
	fields := strings.Fields(title)
	word := fmt.Sprintf("%s %s", words[m.dice.IntN(len(words))], words[m.born%len(words)])
	at := m.dice.IntN(len(fields))
	return strings.Join(slices.Insert(slices.Clone(fields), at+1, word+fmt.Sprint(" ", 100+m.born)), " ")
}
