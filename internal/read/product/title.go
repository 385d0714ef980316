package product

import (
	"slices"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// findTitle finds the element that shows the name of the page's subject: the
// heading that agrees best with what the page is called elsewhere.
func (l *layout) findTitle() {
	names := l.calledElsewhere()
	best, top := (*html.Node)(nil), 0.0
	for i, n := range l.heads {
		if i >= 2_000 || l.ranges[n].length() > 400 || l.ranges[n].length() < 2 {
			continue
		}
		if worth := l.titleWorth(n, names); worth > top+0.01 {
			best, top = n, worth
		}
	}
	if top < 1 {
		if n := l.titleLine(names, top); n != nil {
			best = n
		}
	}
	if best == nil {
		if l.titleText = l.doc.Meta("og:title"); l.titleText == "" {
			l.titleText = l.doc.Title()
		}
		return
	}
	l.title, l.titleText = best, dom.Line(best)
	steps := 0
	for n := best; n != nil; n = n.Parent {
		l.above[n] = steps
		steps++
	}
}

// titleLine finds the line that shows the name where no heading does.
func (l *layout) titleLine(names [][]string, top float64) *html.Node {
	var best *html.Node
	for i, b := range l.lines() {
		if i >= 5_000 || len(b.Text) < 6 || len(b.Text) > 300 {
			continue
		}
		if b.Node == nil || l.ranges[b.Node].length() > 300 {
			continue
		}
		words := wordsOf(b.Text)
		if len(words) < 2 || within(b.Node, atom.A, atom.Nav, atom.Footer, atom.Option) {
			continue
		}
		if worth := agreement(words, names); worth > max(top, 0.75)+0.01 {
			best, top = b.Node, worth
		}
	}
	return best
}

// within says whether a node stands in one of some elements.
func within(n *html.Node, tags ...atom.Atom) bool {
	for ; n != nil; n = n.Parent {
		if n.Type == html.ElementNode && slices.Contains(tags, n.DataAtom) {
			return true
		}
	}
	return false
}

// agreement is how well words agree with a name that is known from elsewhere. Those
// that stand in it in one piece are worth most: a similar product shares many words
// of a long name, and the heading may be cut short.
func agreement(words []string, names [][]string) float64 {
	worth := 0.0
	for _, name := range names {
		agreeing := 1.1*overlap(words, name) + 0.3*float64(longestRun(words, name))
		worth = max(worth, agreeing/float64(len(words))*min(1, 0.3+float64(len(words))/float64(len(name))))
	}
	return worth
}

// longestRun is the most words that follow one another in both.
func longestRun(a, b []string) int {
	longest := 0
	ends := make([]int, len(b)+1) // of the runs that end at each word of b
	for _, word := range a {
		for j := len(b); j > 0; j-- {
			if b[j-1] != word {
				ends[j] = 0
				continue
			}
			ends[j] = ends[j-1] + 1
			longest = max(longest, ends[j])
		}
	}
	return longest
}

// calledElsewhere are the names of the subject in places that show none of its
// surroundings: in its data, in cards for sharing and in the title of the window.
func (l *layout) calledElsewhere() [][]string {
	var names []string
	if l.known != nil {
		name, _ := l.known.Fields["name"].(string)
		names = append(names, name)
	}
	names = append(names, l.doc.Meta("og:title"), l.doc.Meta("twitter:title"), l.doc.Title())
	var all [][]string
	for _, name := range names {
		if words := wordsOf(name); len(words) > 0 {
			all = append(all, words)
		}
	}
	return all
}

func (l *layout) titleWorth(n *html.Node, names [][]string) float64 {
	words := wordsOf(dom.Line(n))
	if len(words) == 0 {
		return 0
	}
	worth := agreement(words, names)
	switch n.DataAtom {
	case atom.H1:
		worth += 0.6
	case atom.H2:
		worth += 0.1
	}
	if dom.Attr(n, "itemprop") == "name" {
		worth += 0.15
	}
	if l.ranges[n].hidden || l.leadsAway(n) {
		worth -= 0.5
	}
	if n.DataAtom != atom.H1 && worth < 0.9 {
		return 0
	}
	return worth
}

// wordsOf are the words of a text, of which only the beginning counts.
func wordsOf(s string) []string { return text.Words(text.CutBytes(s, 600)) }

func overlap(a, b []string) float64 {
	count := map[string]int{}
	for _, word := range b {
		count[word]++
	}
	shared := 0.0
	for _, word := range a {
		if count[word] > 0 {
			count[word]--
			shared++
		}
	}
	return shared
}
