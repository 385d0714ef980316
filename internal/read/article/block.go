package article

import (
	"strings"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// block is a visible block of the page with what decides whether it is text of
// the article.
type block struct {
	dom.TextBlock
	words   []string // in lower case
	letters int
	dense   bool    // in a script without spaces
	links   float64 // share of letters in links
	heading int     // 1 … 6, or 0
	mark    mark    // what it says of itself or stands in
	cell    *html.Node
	kept    bool
}

// prose says whether a block reads like a sentence or more.
func (b *block) prose() bool {
	if b.heading > 0 || b.links >= 0.4 {
		return false
	}
	if b.dense {
		return b.letters >= 90
	}
	return len(b.words) >= 12 || b.letters >= 60 && len(b.words) >= 4
}

// dense says whether a text is in a script that writes without spaces.
func dense(s string) bool { return strings.ContainsFunc(s, text.Unspaced) }

// readBlocks measures the visible blocks of the page.
func (p *page) readBlocks() {
	plain := dom.Blocks(p.body)
	holders := map[*html.Node]*linkage{}
	for _, b := range plain {
		holders[b.Node] = nil
	}
	for _, b := range plain {
		l := holders[b.Node]
		if l == nil {
			l = &linkage{}
			l.count(b.Node, inLink(b.Node), holders)
			holders[b.Node] = l
		}
		n := &block{TextBlock: b, words: wordsOf(b.Text), letters: lettersOf(b.Text), dense: dense(b.Text), links: l.share()}
		n.heading, n.cell = placeOf(b.Node)
		p.blocks = append(p.blocks, n)
		p.letters += n.letters
	}
	prose := p.weigh((*block).prose)
	marks := marker{known: map[*html.Node]mark{}, top: p.body, most: func(n *html.Node) bool { return prose[n]*5 > prose[p.body]*2 }}
	for _, b := range p.blocks {
		b.mark = marks.of(b.Node)
	}
}

// linkage counts the letters of a holder's own text, in links and altogether.
type linkage struct{ linked, total int }

func (l *linkage) share() float64 {
	if l.total == 0 {
		return 0
	}
	return float64(l.linked) / float64(l.total)
}

func (l *linkage) count(n *html.Node, inLink bool, holders map[*html.Node]*linkage) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch c.Type {
		case html.TextNode:
			k := lettersOf(c.Data)
			l.total += k
			if inLink {
				l.linked += k
			}
		case html.ElementNode:
			if _, own := holders[c]; !own && c.DataAtom != atom.Script && c.DataAtom != atom.Style {
				l.count(c, inLink || c.DataAtom == atom.A, holders)
			}
		}
	}
}

// inLink says whether a node stands in a link: cards are often one link around
// heading, picture and teaser.
func inLink(n *html.Node) bool {
	for range 6 {
		if n == nil {
			return false
		}
		if n.DataAtom == atom.A && dom.HasAttr(n, "href") {
			return true
		}
		n = n.Parent
	}
	return false
}

// placeOf looks a few steps up: a heading's text may stand in a span or a div.
func placeOf(n *html.Node) (heading int, cell *html.Node) {
	for range 4 {
		if n == nil || n.Type != html.ElementNode {
			return heading, cell
		}
		switch n.DataAtom {
		case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
			return int(n.Data[1] - '0'), nil
		case atom.Td, atom.Th:
			if n.Parent != nil {
				cell = n.Parent
			}
			return heading, cell
		}
		n = n.Parent
	}
	return heading, cell
}

// wordsOf are the words of a text in lower case; an unspaced letter is one.
func wordsOf(s string) []string {
	var all []string
	begin := -1
	end := func(i int) {
		if begin >= 0 {
			all = append(all, strings.ToLower(s[begin:i]))
			begin = -1
		}
	}
	for i, r := range s {
		switch {
		case !text.InWord(r):
			end(i)
		case text.Unspaced(r):
			end(i)
			all = append(all, string(r))
		case begin < 0:
			begin = i
		}
	}
	end(len(s))
	return all
}

// lettersOf is the length of a text in letters; an unspaced one counts as three,
// which is what it takes to say the same in others.
func lettersOf(s string) int {
	n := 0
	for _, r := range s {
		switch {
		case text.Unspaced(r):
			n += 3
		case text.InWord(r):
			n++
		}
	}
	return n
}
