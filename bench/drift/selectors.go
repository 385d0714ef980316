package main

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// selectors are what somebody writes who looks at a page: which elements are the items, and which
// parts of an item matter. They are learned from the items that the first page is known to have, and
// keep the parts that the second visit shows unchanged, as somebody would leave counters out.
type selectors struct {
	tag     string
	classes []string // that all items have
	parent  string   // the step above, where the classes say nothing
	title   string   // the path of the title, within an item
	columns []string // the paths of all texts
	byLink  bool     // each item has a link of its own
}

// extracted is an item as the selectors read it.
type extracted struct {
	title, link, id string
	values          map[string]string
}

func parse(body []byte) *html.Node {
	root, err := html.Parse(bytes.NewReader(body))
	if err != nil { // of reading bytes there is none
		return &html.Node{Type: html.DocumentNode}
	}
	return root
}

// learnSelectors finds the elements of the known items: those that show their titles in one way, and
// around each all that is nearer to it than to another.
func learnSelectors(root *html.Node, items []Item) (s selectors, ok bool) {
	nodes, titles := itemNodes(root, items)
	if len(nodes) == 0 {
		return s, false
	}
	first := nodes[0]
	s.tag, s.classes, s.parent = first.Data, classesOf(first), stepOf(first.Parent, false)
	counts, named := map[string]int{}, map[string]int{}
	for i, n := range nodes {
		s.classes = slices.DeleteFunc(s.classes, func(c string) bool { return !slices.Contains(classesOf(n), c) })
		for path, text := range texts(n) {
			counts[path]++
			if plain(text) == plain(titles[i]) {
				named[path]++
			}
		}
	}
	for _, path := range slices.Sorted(maps.Keys(counts)) {
		s.columns = append(s.columns, path)
		if named[path] > named[s.title] {
			s.title = path
		}
	}
	read := s.read(root)
	s.byLink = unique(read, func(e extracted) string { return key(e.link) })
	return s, len(named) > 0 && len(read) > 0
}

// unique says whether all items differ in something.
func unique(all []extracted, of func(extracted) string) bool {
	seen := map[string]bool{}
	for _, e := range all {
		if v := of(e); v == "" || seen[v] {
			return false
		}
		seen[of(e)] = true
	}
	return true
}

// itemNodes are the elements of items, and the titles that they show.
func itemNodes(root *html.Node, items []Item) (nodes []*html.Node, titles []string) {
	known := map[string]bool{}
	for _, item := range items {
		known[plain(item.Title)] = true
	}
	groups := map[string][]*html.Node{} // elements that show a title, by how they are marked up
	best := ""
	each(root, func(n *html.Node) {
		if n.Type != html.ElementNode || slices.Contains(unseen, n.DataAtom) || !known[plain(textOf(n))] {
			return
		}
		way := ""
		for p := n; p != nil; p = p.Parent {
			way += "/" + stepOf(p, false)
		}
		groups[way] = append(groups[way], n)
		if more := len(groups[way]) - len(groups[best]); more > 0 || more == 0 && len(way) > len(best) {
			best = way
		}
	})
	holders := map[*html.Node]int{} // how many titles an element shows
	for _, n := range groups[best] {
		for ; n != nil; n = n.Parent {
			holders[n]++
		}
	}
	for _, leaf := range groups[best] {
		node := leaf
		for node.Parent != nil && holders[node.Parent] == 1 {
			node = node.Parent
		}
		nodes, titles = append(nodes, node), append(titles, textOf(leaf))
	}
	return nodes, titles
}

// each visits every node, parents before their children.
func each(n *html.Node, visit func(*html.Node)) {
	visit(n)
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		each(child, visit)
	}
}

func textOf(n *html.Node) string {
	var out strings.Builder
	each(n, func(n *html.Node) {
		if n.Type == html.TextNode {
			out.WriteString(n.Data)
			out.WriteByte(' ')
		}
	})
	return strings.Join(strings.Fields(out.String()), " ")
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func classesOf(n *html.Node) []string { return strings.Fields(attribute(n, "class")) }

// stepOf is a step of a path: the first class of an element, else its number among its kind.
func stepOf(n *html.Node, numbered bool) string {
	if n == nil || n.Type != html.ElementNode {
		return ""
	}
	if c := classesOf(n); len(c) > 0 {
		return n.Data + "." + c[0]
	}
	number := 1
	for s := n.PrevSibling; s != nil && numbered; s = s.PrevSibling {
		if s.Type == html.ElementNode && s.Data == n.Data {
			number++
		}
	}
	return fmt.Sprintf("%s[%d]", n.Data, number)
}

// texts are the texts of an item by the paths of their elements.
func texts(item *html.Node) map[string]string {
	all := map[string]string{}
	var walk func(n *html.Node, path string)
	walk = func(n *html.Node, path string) {
		for child := n.FirstChild; child != nil; child = child.NextSibling {
			switch {
			case child.Type == html.TextNode && strings.TrimSpace(child.Data) != "":
				all[path] = strings.TrimSpace(all[path] + " " + strings.Join(strings.Fields(child.Data), " "))
			case child.Type == html.ElementNode && !slices.Contains(unseen, child.DataAtom):
				walk(child, path+"/"+stepOf(child, true))
			}
		}
	}
	walk(item, "")
	return all
}

// read extracts the items of a page.
func (s selectors) read(root *html.Node) (all []extracted) {
	times := map[string]int{}
	each(root, func(n *html.Node) {
		if n.Type != html.ElementNode || n.Data != s.tag || len(s.classes) == 0 && stepOf(n.Parent, false) != s.parent {
			return
		}
		for _, c := range s.classes {
			if !slices.Contains(classesOf(n), c) {
				return
			}
		}
		found := texts(n)
		if found[s.title] == "" {
			return
		}
		e := extracted{title: found[s.title], link: linkOf(n), values: map[string]string{}}
		for _, path := range s.columns {
			e.values[path] = found[path]
		}
		if e.id = key(e.link); !s.byLink || e.id == "" {
			e.id = plain(e.title)
		}
		if times[e.id]++; times[e.id] > 1 {
			e.id += fmt.Sprint(" #", times[e.id])
		}
		all = append(all, e)
	})
	return all
}

// linkOf is the first link of an item.
func linkOf(item *html.Node) (link string) {
	if item.Data == "a" {
		return attribute(item, "href")
	}
	each(item, func(n *html.Node) {
		if n.Type != html.ElementNode || n.Data != "a" {
			return
		}
		if to := attribute(n, "href"); to != "" && !strings.HasPrefix(to, "#") && link == "" {
			link = to
		}
	})
	return link
}

// scraper is a project with fixed selectors. It compares nothing where an answer is no page or has
// no items, as one that is watched over would not.
type scraper struct {
	items  []Item
	rules  selectors
	ready  bool
	visits int
	last   []extracted
	body   []byte
}

// check are the items of the visit before and of this one; none where there is nothing to compare.
func (s *scraper) check(visit int, a answer) (before, after []extracted) {
	if a.status != http.StatusOK {
		return nil, nil
	}
	if visit > 0 && bytes.Equal(a.body, s.body) {
		s.visits++
		return nil, nil
	}
	s.body = a.body
	root := parse(a.body)
	if visit == 0 {
		s.rules, s.ready = learnSelectors(root, s.items)
		s.last = s.rules.read(root)
		return nil, nil
	}
	if !s.ready {
		return nil, nil
	}
	items := s.rules.read(root)
	if len(items) == 0 {
		return nil, nil
	}
	before, s.last = s.last, items
	if s.visits++; s.visits == 1 {
		s.leaveNoiseOut(before, items)
		return nil, nil
	}
	return before, items
}

// leaveNoiseOut forgets the parts that changed between two visits at which nothing happened.
func (s *scraper) leaveNoiseOut(before, after []extracted) {
	was := byKey(before)
	s.rules.columns = slices.DeleteFunc(s.rules.columns, func(path string) bool {
		return slices.ContainsFunc(after, func(e extracted) bool {
			old, known := was[e.id]
			return known && old.values[path] != e.values[path]
		})
	})
	for _, e := range after {
		for path := range e.values {
			if !slices.Contains(s.rules.columns, path) {
				delete(e.values, path)
			}
		}
	}
}

func byKey(all []extracted) map[string]extracted {
	found := make(map[string]extracted, len(all))
	for _, e := range all {
		found[e.id] = e
	}
	return found
}

// keyedDiff compares items by their links, else their titles.
func keyedDiff(visit int, before, after []extracted) (events []Event) {
	was, is := byKey(before), byKey(after)
	for _, e := range after {
		old, known := was[e.id]
		switch {
		case !known:
			events = append(events, Event{Visit: visit, Kind: kindNew, URL: e.link, Title: e.title})
		case differ(old, e):
			events = append(events, Event{Visit: visit, Kind: kindChanged, URL: e.link, Title: e.title, Was: old.title})
		}
	}
	for _, e := range before {
		if _, there := is[e.id]; !there {
			events = append(events, Event{Visit: visit, Kind: kindGone, URL: e.link, Title: e.title})
		}
	}
	return events
}

// indexDiff compares the first with the first, the second with the second, and so on, as a diff of
// two JSON arrays does. It cannot say what happened to what it finds at a place: it is enough that
// something happened to the item that is there or was.
func indexDiff(visit int, before, after []extracted) (events []Event) {
	for i, e := range after {
		switch {
		case i >= len(before):
			events = append(events, Event{Visit: visit, Kind: kindNew, URL: e.link, Title: e.title})
		case before[i].id != e.id || differ(before[i], e):
			events = append(events, Event{Visit: visit, Kind: kindText, Title: e.title, Text: before[i].title + "\n" + e.title})
		}
	}
	for _, e := range before[min(len(before), len(after)):] {
		events = append(events, Event{Visit: visit, Kind: kindGone, URL: e.link, Title: e.title})
	}
	return events
}

func differ(a, b extracted) bool {
	for path, value := range b.values {
		if plain(a.values[path]) != plain(value) {
			return true
		}
	}
	return false
}
