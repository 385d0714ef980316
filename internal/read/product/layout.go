package product

import (
	"slices"
	"strings"
	"unicode"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/read/structured"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/wordlist"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// layout is a page as its readers see it: what stands where, and what belongs to
// the subject of the page.
type layout struct {
	doc    *dom.Document
	graph  *structured.Graph
	known  *curlew.Draft // may be nil
	region string

	ranges  map[*html.Node]textRange
	numbers []*html.Node // text nodes with a digit
	clicks  []*html.Node // links, buttons and inputs
	heads   []*html.Node // headings, and what names itself a title
	chars   int          // visible characters so far

	title     *html.Node
	titleText string
	above     map[*html.Node]int // the title and its ancestors, with the steps to them
	marks     map[*html.Node]mark
	words     map[*html.Node][]string
	blocks    []dom.TextBlock
}

// textRange is where an element stands in the text that the page shows.
type textRange struct {
	from, to int // visible characters before its begin and its end
	hidden   bool
}

func (s textRange) length() int { return s.to - s.from }

// mostNodes bounds how much of a page is looked at: no page for people has more.
const mostNodes = 200_000

func lay(d *dom.Document, g *structured.Graph, known *curlew.Draft) *layout {
	l := &layout{doc: d, graph: g, known: known, ranges: map[*html.Node]textRange{}, above: map[*html.Node]int{},
		marks: map[*html.Node]mark{}, words: map[*html.Node][]string{}}
	l.visit(d.Tree(), false)
	l.region = regionOf(d)
	l.findTitle()
	return l
}

// visit measures a node and what is below it. The parser bounds the depth.
func (l *layout) visit(n *html.Node, hidden bool) {
	if len(l.ranges) >= mostNodes {
		return
	}
	switch n.Type {
	case html.TextNode:
		l.text(n, hidden)
		return
	case html.ElementNode:
		switch n.DataAtom {
		case atom.Script, atom.Style, atom.Noscript, atom.Template, atom.Head, atom.Svg, atom.Iframe:
			return
		}
		hidden = hidden || dom.Hidden(n) || concealed(n)
		l.note(n)
	case html.DocumentNode:
	default:
		return
	}
	from := l.chars
	if n.Type == html.ElementNode {
		l.ranges[n] = textRange{from: from, hidden: hidden}
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		l.visit(c, hidden)
	}
	if n.Type == html.ElementNode {
		l.ranges[n] = textRange{from: from, to: l.chars, hidden: hidden}
	}
}

func (l *layout) text(n *html.Node, hidden bool) {
	count, digits := 0, false
	for _, r := range n.Data {
		if !unicode.IsSpace(r) {
			count++
		}
		digits = digits || unicode.IsDigit(r)
	}
	if !hidden {
		l.chars += count
	}
	if digits && n.Parent != nil {
		l.numbers = append(l.numbers, n)
	}
}

func (l *layout) note(n *html.Node) {
	switch n.DataAtom {
	case atom.A, atom.Button, atom.Input:
		l.clicks = append(l.clicks, n)
	case atom.H1, atom.H2, atom.H3, atom.H4:
		l.heads = append(l.heads, n)
	default:
		if n.DataAtom == 0 && strings.HasSuffix(n.Data, "-button") || dom.Attr(n, "role") == "button" {
			l.clicks = append(l.clicks, n)
		}
		titled := l.has(n, "title") && l.has(n, "product", "item", "listing", "ad", "lot", "detail")
		if titled || dom.Attr(n, "itemprop") == "name" || dom.Attr(n, "role") == "heading" {
			l.heads = append(l.heads, n)
		}
	}
}

// concealed tells elements that style sheets of many makers hide by class.
func concealed(n *html.Node) bool {
	for class := range strings.FieldsSeq(dom.Attr(n, "class")) {
		switch class {
		case "hidden", "hide", "d-none", "is-hidden", "display-none", "ng-hide", "u-hidden", "no-display", "vh-hidden", "dn",
			"modal", "slick-cloned":
			return true
		}
	}
	return false
}

// tokens are the words of the names that an element goes by, split at signs and
// at capitals: "productPrice--old" gives product, price, old.
func (l *layout) tokens(n *html.Node) []string {
	if words, known := l.words[n]; known {
		return words
	}
	var all []string
	for i := range n.Attr {
		if a := &n.Attr[i]; namesElement(a.Key) {
			all = splitNames(all, a.Val)
		}
	}
	if strings.IndexByte(n.Data, '-') > 0 {
		all = splitNames(all, n.Data)
	}
	l.words[n] = all
	return all
}

// namesElement tells the attributes by which makers of pages call their elements,
// for styles, scripts and tests.
func namesElement(key string) bool {
	switch key {
	case "class", "id", "itemprop", "name":
		return true
	}
	rest, ok := strings.CutPrefix(key, "data-")
	if !ok {
		return false
	}
	for _, word := range []string{"test", "qa", "cy", "auto", "role", "component", "hook", "selector", "element"} {
		if strings.HasPrefix(rest, word) {
			return true
		}
	}
	return false
}

// mostWords bounds the words of one element.
const mostWords = 60

func splitNames(into []string, names string) []string {
	from, upper := 0, false
	emit := func(to int) {
		if to > from && len(into) < mostWords {
			into = append(into, parted(strings.ToLower(names[from:to]))...)
		}
	}
	for i, r := range names {
		switch {
		case !unicode.IsLetter(r):
			emit(i)
			from, upper = i+len(string(r)), false
		case unicode.IsUpper(r):
			if !upper {
				emit(i)
				from = i
			}
			upper = true
		default:
			upper = false
		}
	}
	emit(len(names))
	return into
}

// parted splits words that are written together with the word for price.
func parted(word string) []string {
	for _, price := range []string{"price", "preis", "prijs"} {
		if rest, ok := strings.CutSuffix(word, price); ok && len(rest) > 2 {
			return []string{price, rest}
		}
		if rest, ok := strings.CutPrefix(word, price); ok && len(rest) > 2 {
			return []string{price, rest}
		}
	}
	return []string{word}
}

// has says whether an element goes by one of some words.
func (l *layout) has(n *html.Node, words ...string) bool {
	for _, token := range l.tokens(n) {
		for _, word := range words {
			if token == word {
				return true
			}
		}
	}
	return false
}

func (l *layout) hasIn(n *html.Node, list *wordlist.List) bool {
	return slices.ContainsFunc(l.tokens(n), list.Has)
}

// away is how many visible characters lie between two elements; 0 when one holds
// the other.
func (l *layout) away(a, b *html.Node) int {
	x, y := l.ranges[a], l.ranges[b]
	switch {
	case y.from >= x.to:
		return y.from - x.to
	case x.from >= y.to:
		return x.from - y.to
	}
	return 0
}

// lines are the visible blocks of the page.
func (l *layout) lines() []dom.TextBlock {
	if l.blocks == nil {
		l.blocks = l.doc.Blocks()
	}
	return l.blocks
}

func (l *layout) evidence(n *html.Node, rule, s string, trust float64) curlew.Evidence {
	e := curlew.Evidence{Tier: curlew.TierHTML, Rule: rule, Text: text.Clip(s, 300), Confidence: trust}
	if n != nil {
		e.Node = l.doc.Path(n)
	}
	return e
}
