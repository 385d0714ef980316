package induce

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"golang.org/x/net/html"
)

// entry is a record of a list of which the place is known.
type entry struct {
	index  *pageIndex
	node   *html.Node   // its element, or the first of its siblings
	roots  []*html.Node // all that belong to it
	text   string       // its whole text, "" when unknown
	line   bool         // it is one of several lines of its element
	fields map[string][]value
	past   int // of healing: the number of the known record
}

// listing is how the records of a list are found.
type listing struct {
	selector blueprint.Selector
	hits     int // known entries that it finds
	extras   int // other records that it finds
	unlike   int // of those, elements that no known entry looks like
	odds     float64
	found    []*html.Node // the nodes of all records, each ended by nil
}

// listings are selectors for entries, tried on their pages, the best first. Total is how
// many records there are, so that further ones are wrong; 0 is unknown. They are tried
// by their odds: when some find exactly the entries, the rest has no chance.
func listings(all []entry, total int) []listing {
	names := callings(all)
	var tried []listing
	exact := 0
	for _, c := range suggestions(all) {
		if ended(all) != nil {
			return nil
		}
		if !c.try(all, names) {
			continue
		}
		c.extras = max(0, c.extras-max(0, total-len(all)))
		tried = append(tried, c)
		if c.worth(len(all), total > 0) >= 1 {
			exact++
		}
		if exact == mostListings {
			break
		}
	}
	slices.SortStableFunc(tried, func(a, b listing) int {
		return cmp.Or(cmp.Compare(b.worth(len(all), total > 0), a.worth(len(all), total > 0)), byOdds(a, b))
	})
	return tried[:min(len(tried), mostListings)]
}

// suggestions are the different selectors for entries, the likeliest to survive first.
func suggestions(all []entry) []listing {
	var out []listing
	seen := map[string]bool{}
	for _, c := range selectorsFor(all) {
		name := string(c.selector.Shape) + " " + c.selector.CSS
		if !seen[name] && len(out) < maxListings {
			seen[name] = true
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, byOdds)
	return out
}

func byOdds(a, b listing) int {
	return cmp.Or(cmp.Compare(b.odds, a.odds), cmp.Compare(len(a.selector.CSS), len(b.selector.CSS)),
		cmp.Compare(a.selector.CSS, b.selector.CSS))
}

// Bounds of the selectors that are suggested, and of those that fields are learned for.
const (
	maxListings  = 120
	mostListings = 2
)

// worth weighs what a selector finds. Further records are right as long as they are
// not many times those that are known, or wrong when all are known.
func (l listing) worth(known int, whole bool) float64 {
	found := float64(l.hits) / float64(known)
	if whole {
		precision := float64(l.hits) / float64(l.hits+l.extras)
		return roundTo(2*found*precision/max(0.001, found+precision), 0.02)
	}
	penalty := 0.5 * float64(l.unlike) / float64(l.hits+l.extras)
	if l.extras > 4*known+10 {
		penalty += 0.2
	}
	return roundTo(found-penalty, 0.02)
}

func roundTo(x, step float64) float64 { return float64(int(x/step+0.5)) * step }

// try applies the selector alone.
func (l *listing) try(all []entry, names map[string]bool) bool {
	for _, s := range sheetsOf(all) {
		found, err := blueprint.NewRuleTester(&l.selector, s.page())
		if err != nil {
			return false
		}
		is := l.finds(found)
		hits := 0
		for _, e := range all {
			if e.index == s && is(e) {
				hits++
			}
		}
		l.hits += hits
		l.extras += max(0, found.Records()-hits)
		for i := range found.Records() {
			l.found = append(append(l.found, found.Roots(i)...), nil)
			if n := found.Element(i); n != nil && !names[s.calling(n)] {
				l.unlike++
			}
		}
	}
	return l.hits > 0
}

// finds tells which entries are among the records of a page, by their element, or of
// lines by their text.
func (l *listing) finds(found *blueprint.RuleTester) func(entry) bool {
	if shape := l.selector.Shape; shape == blueprint.ShapeLines || shape == blueprint.ShapeParagraphs {
		texts := map[string]bool{}
		for i := range found.Records() {
			texts[key(found.Text(i))] = true
		}
		return func(e entry) bool { return texts[key(e.text)] }
	}
	nodes := map[*html.Node]bool{}
	for i := range found.Records() {
		nodes[found.Element(i)] = true
	}
	return func(e entry) bool { return nodes[e.node] }
}

// callings are what the elements of entries are called.
func callings(all []entry) map[string]bool {
	names := map[string]bool{}
	for _, e := range all {
		names[e.index.calling(e.node)] = true
	}
	return names
}

// calling is what an element and its parent are called, found out once.
func (s *pageIndex) calling(n *html.Node) string {
	name, ok := s.called[n]
	if !ok {
		name = calling(n)
		s.called[n] = name
	}
	return name
}

// calling is what an element and its parent are called.
func calling(n *html.Node) string {
	own := dom.Classes(n)
	slices.Sort(own)
	name := n.Data + "." + strings.Join(own, ".")
	if p := n.Parent; p != nil {
		around := dom.Classes(p)
		slices.Sort(around)
		name = p.Data + "." + strings.Join(around, ".") + ">" + name
	}
	return name
}

// shape is how an entry lies in the tree.
func (e entry) shape() blueprint.Shape {
	switch {
	case e.line:
		return blueprint.ShapeLines
	case len(e.roots) > 1:
		return blueprint.ShapeGroup
	}
	return blueprint.ShapeNode
}

func sheetsOf(all []entry) []*pageIndex {
	var indexes []*pageIndex
	for _, e := range all {
		if !slices.Contains(indexes, e.index) {
			indexes = append(indexes, e.index)
		}
	}
	return indexes
}

// selectorsFor suggests selectors: what the entries' elements are called, alone and
// below what is around them.
func selectorsFor(all []entry) []listing {
	var out []listing
	for _, e := range spread(all, 4) {
		own := append(marksOf(e.node), mark{tag: e.node.Data})
		for _, m := range own {
			if m.id != "" || m.attr == "aria-label" || m.attr == "name" {
				continue
			}
			add := func(css string, odds float64) {
				if e.node.Data == "tr" {
					css += ":has(td)"
				}
				out = append(out, listing{selector: blueprint.Selector{CSS: css, Shape: e.shape()}, odds: odds})
			}
			add(m.css(), m.odds())
			above := 0
			for a := e.node.Parent; a != nil && a.Type == html.ElementNode && above < maxAbove; a = a.Parent {
				above++
				for _, outer := range append(marksOf(a), mark{tag: a.Data}) {
					join := " "
					odds := outer.odds() * (1 + m.odds()) / 2
					if above == 1 {
						join, odds = " > ", odds*oddsChild
					}
					if outer.id == "" && outer.class == "" && outer.attr == "" {
						odds *= oddsTag
					}
					add(outer.css()+join+m.css(), odds*pow(0.995, above))
				}
			}
		}
	}
	return append(out, unions(all)...)
}

// spread picks up to n from all over a list: the first and the last may be
// special.
func spread[T any](all []T, n int) []T {
	if len(all) <= n {
		return all
	}
	var out []T
	for i := range n {
		out = append(out, all[i*(len(all)-1)/(n-1)])
	}
	return out
}

// unions suggests lists of the different kinds of elements that entries are, where those are
// siblings of one name: rows of alternating classes.
func unions(all []entry) []listing {
	kinds := map[string]bool{}
	shape := blueprint.ShapeNode
	for _, e := range all {
		if first := all[0].node; len(e.roots) > 1 || e.node.Data != first.Data || e.node.Parent != first.Parent && e.index == all[0].index {
			return nil
		}
		css := e.node.Data
		for _, m := range marksOf(e.node) {
			if m.class != "" && !generated(m.class) {
				css = m.css()
				break
			}
		}
		kinds[css] = true
		shape = e.shape()
	}
	if len(kinds) < 2 || len(kinds) > 4 {
		return nil
	}
	names := slices.Sorted(maps.Keys(kinds))
	odds := math.Pow(oddsClass, float64(len(names)))
	return []listing{{selector: blueprint.Selector{CSS: strings.Join(names, ", "), Shape: shape}, odds: odds}}
}

// gather gives every entry the siblings that belong to it, where several entries have
// a common parent in which other siblings stand between them.
func gather(all []entry) {
	first := map[*html.Node]int{}
	for _, e := range all {
		first[e.node]++
	}
	shared := 0
	for _, n := range first {
		if n > 1 {
			shared += n
		}
	}
	for i := range all {
		e := &all[i]
		e.line = shared*2 > len(all)
		e.roots = []*html.Node{e.node}
		if e.line || !headLike(e.node) {
			continue
		}
		e.roots = append(e.roots, followers(e.node, first)...)
	}
}

// mostFollowers is how many siblings may belong to the head of an entry.
const mostFollowers = 39

// followers are what stands after the head of an entry, up to the next entry or head.
func followers(head *html.Node, entries map[*html.Node]int) []*html.Node {
	var all []*html.Node
	for n := head.NextSibling; n != nil && entries[n] == 0 && len(all) < mostFollowers; n = n.NextSibling {
		if n.Type == html.ElementNode && n.Data == head.Data {
			break
		}
		if n.Type == html.ElementNode && !dom.Hidden(n) || n.Type == html.TextNode && text.Collapse(n.Data) != "" {
			all = append(all, n)
		}
	}
	return all
}

// headLike says whether an element is the head of what follows rather than the whole.
func headLike(n *html.Node) bool {
	switch n.Data {
	case "h1", "h2", "h3", "h4", "h5", "h6", "dt", "summary":
		return true
	}
	return false
}
