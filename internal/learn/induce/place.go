package induce

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/read/dom"
	"golang.org/x/net/html"
)

// place is where a known value stands: in a text, in an element of several texts, or
// in an attribute; whole, or as a part that steps cut out.
type place struct {
	text    *textPiece // of a text
	element *html.Node // of an element or an attribute
	attr    string
	do      []blueprint.Transform
	like    float64
	rank    int // the lower the likelier

	ownLabel string // the label that stands in the text itself
}

// node is the element that holds the value.
func (p place) node() *html.Node {
	if p.text != nil {
		return p.text.node.Parent
	}
	return p.element
}

// scope is the part of a page where a value is looked for: nil means all of it.
type scope []*html.Node

func (s scope) holds(n *html.Node) bool {
	if s == nil {
		return true
	}
	for ; n != nil; n = n.Parent {
		if slices.Contains(s, n) {
			return true
		}
	}
	return false
}

// holdsAll says whether the whole of a small part of the page tells a date.
func (s scope) holdsAll(in *pageIndex, v value) bool {
	return !v.day.IsZero() && len(s) == 1 && s[0].Type == html.ElementNode && in.likeness(v, dom.Line(s[0])) > 0
}

// places finds a value on a page, the likeliest places first: whole texts, whole
// elements, attributes, and parts of those. A value of which the texts show a date
// may stand in a longer text.
func (s *pageIndex) places(v value, in scope) []place {
	if v.key == "" {
		return nil
	}
	all := s.wholeTexts(v, in)
	all = append(all, s.elements(v, in)...)
	all = append(all, s.inAttributes(v, in)...)
	if len(all) == 0 {
		all = s.parts(v, in)
	}
	if in != nil && in.holdsAll(s, v) {
		all = append(all, place{element: in[0], like: 0.7, rank: 5})
	}
	slices.SortStableFunc(all, func(a, b place) int { return cmp.Or(cmp.Compare(b.like, a.like), cmp.Compare(a.rank, b.rank)) })
	return all[:min(len(all), maxPlaces)]
}

func (s *pageIndex) wholeTexts(v value, in scope) []place {
	var all []place
	for l := range s.textsIn(in) {
		spelled := l.key == v.key || v.source != "" && l.key == v.source
		if l.key == "" || !spelled && !v.typed() {
			continue
		}
		if like := s.likeness(v, l.text); like > 0 {
			rank := 0
			if l.hidden {
				rank = 3
			}
			all = append(all, place{text: l, like: like, rank: rank})
		}
	}
	return all
}

// elements finds the smallest elements that read as the value and hold several texts.
func (s *pageIndex) elements(v value, in scope) []place {
	var all []place
	for l := range s.textsIn(in) {
		i := l.shown
		if i < 0 || l.key == "" || !strings.HasPrefix(v.key, l.key) || l.key == v.key {
			continue
		}
		for n := l.node.Parent; n != nil && n.Type == html.ElementNode; n = n.Parent {
			span := s.span(n)
			if span[0] != i || s.length(span) > len(v.key)+8 {
				break
			}
			if span[1]-span[0] > 1 && line(n) == v.key {
				if in.holds(n) {
					all = append(all, place{element: n, like: 1, rank: 1})
				}
				break
			}
		}
	}
	return all
}

// length is how long the texts of some pieces are together.
func (s *pageIndex) length(span [2]int) int {
	n := 0
	for i := span[0]; i < span[1] && n <= maxValue; i++ {
		n += len(s.texts[s.shown[i]].key)
	}
	return n
}

func (s *pageIndex) inAttributes(v value, in scope) []place {
	var all []place
	address := ""
	if strings.Contains(v.text, "/") {
		address = s.doc.Resolve(v.text)
	}
	for _, a := range s.attrsIn(in) {
		like := 0.0
		switch {
		case a.key == v.key:
			like = 1
		case a.name == "href" || a.name == "src":
			if address != "" && mayBeSame(a.text, v.text) && s.doc.Resolve(a.text) == address {
				like = 0.95
			}
		case a.name == "datetime" || a.name == "content" || strings.HasPrefix(a.name, "data-"):
			like = s.likeness(v, a.text)
		}
		if like > 0 {
			all = append(all, place{element: a.node, attr: a.name, like: like * 0.99, rank: 2})
		}
	}
	return all
}

// mayBeSame says whether two addresses may lead to one place: plain ones do only when
// one ends with the other. It spares resolving almost all links of a page.
func mayBeSame(a, b string) bool {
	const odd = "%#\\ \t\n"
	if strings.ContainsAny(a, odd) || strings.ContainsAny(b, odd) || strings.Contains(a, "/.") || strings.Contains(b, "/.") {
		return true
	}
	a, b = strings.ToLower(strings.TrimLeft(a, "./")), strings.ToLower(strings.TrimLeft(b, "./"))
	a, b = strings.TrimRight(a, "/"), strings.TrimRight(b, "/")
	return strings.HasSuffix(a, b) || strings.HasSuffix(b, a)
}

// parts finds the value inside of longer texts, and the steps that cut it out.
func (s *pageIndex) parts(v value, in scope) []place {
	var all []place
	for l := range s.textsIn(in) {
		if !holdsWord(l.key, v.key) {
			continue
		}
		for j, do := range cuts(l.text, v.key) {
			all = append(all, place{text: l, do: do, like: 0.8, rank: len(l.key)*10 + j})
		}
	}
	for _, a := range s.attrsIn(in) {
		if len(all) < maxPlaces && holdsWord(a.key, v.key) {
			for j, do := range cuts(a.text, v.key) {
				all = append(all, place{element: a.node, attr: a.name, do: do, like: 0.7, rank: len(a.key)*10 + j})
			}
		}
	}
	if len(all) == 0 {
		all = s.brokenParts(v, in)
	}
	return all
}

// brokenParts finds values that run over several texts of a longer element.
func (s *pageIndex) brokenParts(v value, in scope) []place {
	first, _, _ := strings.Cut(v.key, " ")
	var best *html.Node
	for l := range s.textsIn(in) {
		if l.shown < 0 || !strings.Contains(l.key, first) {
			continue
		}
		for n, up := l.node.Parent, 0; n != nil && n.Type == html.ElementNode && up < 4; n, up = n.Parent, up+1 {
			span := s.span(n)
			if span[1]-span[0] > 40 || s.length(span) > 6*len(v.key)+200 || !in.holds(n) {
				break
			}
			if span[1]-span[0] > 1 && holdsWord(line(n), v.key) {
				best = n
				break
			}
		}
		if best != nil {
			break
		}
	}
	if best == nil {
		return nil
	}
	var all []place
	for j, do := range cuts(dom.Text(best), v.key) {
		all = append(all, place{element: best, do: do, like: 0.7, rank: j})
	}
	return all
}

// holdsWord says whether a text holds another between the borders of words.
func holdsWord(text, part string) bool {
	for at := 0; part != ""; {
		i := strings.Index(text[at:], part)
		if i < 0 {
			return false
		}
		from, to := at+i, at+i+len(part)
		before, _ := utf8.DecodeLastRuneInString(text[:from])
		after, _ := utf8.DecodeRuneInString(text[to:])
		if !joins(before, rune(part[0])) && !joins(rune(part[len(part)-1]), after) {
			return true
		}
		at = from + 1
	}
	return false
}

// joins says whether two neighbours are of one word.
func joins(a, b rune) bool {
	is := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	return is(a) && is(b)
}

// separators are what people put between the parts of a text.
var separators = []string{" | ", " – ", " — ", " - ", " · ", " • ", " / ", ", ", ": ", "; ", " (", ")", "/", "\n", "\t", " "}

// What stands before and after the date of a line, whatever the date.
const (
	beforeDate = `^(\D+?)[\s,:|–-]+(?:\p{L}{3,9}\.?,?\s+)*\d`
	afterDate  = `\d[\d.:/-]*(?:,?\s*(?:19|20)\d\d)?[\s,:|–-]+(\D+)$`
)

// cutList are ways of cutting a value out of a text.
type cutList [][]blueprint.Transform

func (l *cutList) add(do ...blueprint.Transform) {
	if len(*l) < 8 {
		*l = append(*l, do)
	}
}

// cuts are the ways of cutting a value out of a text, the most telling first.
func cuts(text, wanted string) [][]blueprint.Transform {
	var all cutList
	all.around(text, wanted)
	all.split(text, wanted)
	for _, pattern := range []string{beforeDate, afterDate} {
		if m := regexp.MustCompile(pattern).FindStringSubmatch(text); m != nil && key(m[1]) == wanted {
			all = append(cutList{{{Op: "match", Text: pattern}}}, all...)
		}
	}
	if strings.Trim(wanted, "0123456789.,-+ ") == "" {
		all.add(blueprint.Transform{Op: "number"})
		all.add(blueprint.Transform{Op: "digits"})
	}
	return all
}

// around cuts at the words before and after the value.
func (l *cutList) around(text, wanted string) {
	from, to, ok := locate(text, wanted)
	if !ok {
		return
	}
	before, after := strings.TrimSpace(text[:from]), strings.TrimSpace(text[to:])
	first, last := lastWords(before), firstWords(after)
	switch {
	case after == "" && first != "":
		l.add(blueprint.Transform{Op: "after", Text: first})
		l.add(blueprint.Transform{Op: "prefix", Text: before})
	case before == "" && last != "":
		l.add(blueprint.Transform{Op: "before", Text: last})
		l.add(blueprint.Transform{Op: "suffix", Text: after})
	case first != "" && last != "":
		l.add(blueprint.Transform{Op: "after", Text: first}, blueprint.Transform{Op: "before", Text: last})
	}
}

// split cuts at separators, counted from either end.
func (l *cutList) split(text, wanted string) {
	for _, separator := range separators {
		parts := strings.Split(text, separator)
		if len(parts) < 2 || len(parts) > 40 {
			continue
		}
		if i := slices.IndexFunc(parts, func(part string) bool { return key(part) == wanted }); i >= 0 {
			l.add(blueprint.Transform{Op: "split", Text: separator, N: i + 1})
			l.add(blueprint.Transform{Op: "split", Text: separator, N: i - len(parts)})
		}
	}
}

// locate finds where in a text the wanted key stands, in bytes.
func locate(text, wanted string) (from, to int, ok bool) {
	lower := strings.ToLower(text)
	if len(lower) == len(text) {
		if from = strings.Index(lower, wanted); from >= 0 {
			return from, from + len(wanted), true
		}
	}
	if len(text) > 600 {
		return 0, 0, false
	}
	for from = range text {
		if from > 0 && !unicode.IsSpace(rune(text[from-1])) && unicode.IsLetter(rune(text[from-1])) {
			continue
		}
		for to = from + 1; to <= len(text); to++ {
			if key(text[from:to]) == wanted {
				return from, to, true
			}
		}
	}
	return 0, 0, false
}

// lastWords is the end of a text that stands before a value: what makes it found
// again, without what differs from page to page.
func lastWords(text string) string {
	fields := strings.Fields(text)
	if len(fields) == 0 {
		return ""
	}
	return strings.Join(fields[max(0, len(fields)-2):], " ")
}

func firstWords(text string) string {
	fields := strings.Fields(text)
	if len(fields) == 0 {
		return ""
	}
	return fields[0]
}
