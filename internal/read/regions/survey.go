package regions

import (
	"strings"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/read/dom"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Bounds of the survey. A page with more visible nodes is read up to there.
const (
	maxNodes = 400_000
	maxNames = 6
)

// survey is a page laid flat: its visible nodes in document order, with running
// sums of what they hold, so that what any run of siblings holds is a difference
// of two sums.
type survey struct {
	doc  *dom.Document
	flat []pageNode
	sums []tally               // sums[i] is what stands before node i
	days map[*html.Node]string // of the cells of calendars
	many map[*html.Node]bool   // definition lists, see manyToOne
}

// pageNode is one visible element or text.
type pageNode struct {
	node   *html.Node
	parent int32
	end    int32 // the node after its subtree
	depth  int32
	where  place
	path   uint64 // of the tags from the root, a polynomial so that relative paths can be told
	tag    uint32
	scope  uint32 // of the id of the nearest element around it that has one
	names  uint64 // of all its classes
	stable uint64 // of the classes that are not numbered and tell no state
}

// place is in what part of the page a node stands.
type place uint8

const (
	inNav place = 1 << iota
	inFrame
	inAside
	inMain
	inForm
	inHidden
)

// tally counts what is in a run of nodes.
type tally struct {
	text     int32 // characters, wide ones twice
	linked   int32 // characters inside links
	texts    int32 // pieces of text
	numbers  int32 // pieces with digits
	prices   int32 // pieces with a sign of currency
	dates    int32 // pieces that look like dates or times, and time elements
	images   int32
	links    int32
	headings int32
	controls int32  // buttons and fields
	said     uint64 // what the texts say, in any order
	leads    uint64 // where the links lead, in any order
}

func (t tally) minus(o tally) tally {
	return tally{
		t.text - o.text, t.linked - o.linked, t.texts - o.texts, t.numbers - o.numbers, t.prices - o.prices, t.dates - o.dates,
		t.images - o.images, t.links - o.links, t.headings - o.headings, t.controls - o.controls, t.said - o.said, t.leads - o.leads,
	}
}

// run is the part from one node up to another: a subtree, or neighbouring siblings.
type run struct{ from, to int32 }

func (s *survey) holds(r run) tally { return s.sums[r.to].minus(s.sums[r.from]) }

func (s *survey) whole(i int32) run { return run{i, s.flat[i].end} }

const prime = 0x9E3779B97F4A7C15

// look lays a page flat. It needs no stack, so depth costs nothing.
func look(d *dom.Document) *survey {
	s := &survey{doc: d, many: map[*html.Node]bool{}, flat: make([]pageNode, 0, len(d.Body())/20+16)}
	s.sums = make([]tally, 0, cap(s.flat)+1)
	var now tally
	root := d.Tree()
	parent := int32(-1)
	for n := root.FirstChild; n != nil; {
		if len(s.flat) < maxNodes && shown(n) {
			s.sums = append(s.sums, now)
			s.add(n, parent, &now)
			if n.FirstChild != nil {
				parent = int32(len(s.flat) - 1)
				n = n.FirstChild
				continue
			}
			s.flat[len(s.flat)-1].end = int32(len(s.flat))
		}
		for n.NextSibling == nil && n.Parent != root {
			s.flat[parent].end = int32(len(s.flat))
			parent = s.flat[parent].parent
			n = n.Parent
		}
		n = n.NextSibling
	}
	s.sums = append(s.sums, now)
	s.days = s.calendars()
	return s
}

func shown(n *html.Node) bool {
	switch n.Type {
	case html.TextNode:
		return strings.TrimSpace(n.Data) != ""
	case html.ElementNode:
		return !soundless(n)
	}
	return false
}

// soundless elements hold nothing to read. What a page merely hides for now, by
// style or attribute, belongs to its records: what is folded away, what shows when
// the pointer rests on it, the rest of a list behind a button.
func soundless(n *html.Node) bool {
	if n.Namespace != "" || dom.Footnote(n) {
		return true
	}
	switch n.DataAtom {
	case atom.Head, atom.Script, atom.Style, atom.Template, atom.Noscript, atom.Title, atom.Iframe, atom.Noframes, atom.Noembed,
		atom.Object, atom.Embed, atom.Applet, atom.Audio, atom.Video, atom.Canvas, atom.Textarea, atom.Datalist, atom.Rp, atom.Frameset:
		return true
	}
	return false
}

func (s *survey) add(n *html.Node, parent int32, now *tally) {
	p := pageNode{node: n, parent: parent}
	above := uint64(1)
	if parent >= 0 {
		up := &s.flat[parent]
		p.depth, p.where, p.scope, above = up.depth+1, up.where, up.scope, up.path
	}
	if n.Type == html.TextNode {
		p.path = above*prime + 3
		s.countText(n, parent, now)
	} else {
		p.tag = tagOf(n)
		p.path = above*prime + uint64(p.tag)
		p.where |= placeOf(n)
		if p.where&inHidden == 0 && dom.Hidden(n) {
			p.where |= inHidden
		}
		if id := dom.Attr(n, "id"); id != "" && steady(id) {
			p.scope = uint32(hashText(id)) | 1
		}
		p.names, p.stable = namesOf(dom.Attr(n, "class"))
		countElement(n, now)
	}
	s.flat = append(s.flat, p)
}

func (s *survey) countText(n *html.Node, parent int32, now *tally) {
	text := strings.TrimSpace(n.Data)
	length := width(text)
	now.text += length
	now.texts++
	now.said += hashText(text) | 1
	if s.linked(parent) {
		now.linked += length
	}
	number, price, date := typed(text)
	now.numbers += number
	now.prices += price
	now.dates += date
}

// linked says whether a node stands in a link.
func (s *survey) linked(i int32) bool {
	for range 6 {
		if i < 0 {
			return false
		}
		if s.flat[i].node.DataAtom == atom.A {
			return true
		}
		i = s.flat[i].parent
	}
	return false
}

func countElement(n *html.Node, now *tally) {
	switch n.DataAtom {
	case atom.Img, atom.Picture:
		if n.DataAtom == atom.Img {
			now.images++
		}
	case atom.A:
		if href := dom.Attr(n, "href"); href != "" {
			now.links++
			now.leads += hashText(href) | 1
		}
	case atom.Time:
		now.dates++
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		now.headings++
	case atom.Button, atom.Input, atom.Select, atom.Textarea:
		now.controls++
	}
}

func placeOf(n *html.Node) place {
	switch n.DataAtom {
	case atom.Nav:
		return inNav
	case atom.Footer:
		return inFrame
	case atom.Header:
		if n.Parent == nil || n.Parent.DataAtom != atom.Article && n.Parent.DataAtom != atom.Li {
			return inFrame
		}
	case atom.Aside:
		return inAside
	case atom.Main:
		return inMain
	case atom.Form:
		return inForm
	}
	switch dom.Attr(n, "role") {
	case "navigation", "menu", "menubar", "tablist":
		return inNav
	case "banner", "contentinfo", "dialog", "search":
		return inFrame
	case "complementary":
		return inAside
	case "main":
		return inMain
	}
	return 0
}

func tagOf(n *html.Node) uint32 {
	if n.DataAtom != 0 {
		return uint32(n.DataAtom)
	}
	return uint32(hashText(n.Data)) | 1
}

// hashText is FNV-1a: the same in every process, unlike maphash.
func hashText(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h ^ h>>29
}

// namesOf hashes the class names of an element in any order: all of them, and
// those that neither count nor tell a state.
func namesOf(class string) (all, stable uint64) {
	seen := 0
	for name := range strings.FieldsSeq(class) {
		if seen++; seen > maxNames {
			break
		}
		h := hashText(name) | 1
		all += h
		if steady(name) {
			stable += h
		}
	}
	return all, stable
}

// steady says whether a class name is the same for all records of a list.
func steady(name string) bool {
	switch name {
	case "active", "current", "selected", "first", "last", "odd", "even", "alt", "open", "hidden", "visible", "new", "featured", "sticky",
		"expanded", "collapsed", "instock", "in-stock", "outofstock", "out-of-stock", "onbackorder", "sale", "onsale", "on-sale", "sold",
		"soldout", "sold-out", "available", "unavailable", "cancelled", "canceled", "postponed", "past", "upcoming", "finished", "closed":
		return false
	}
	for i := range len(name) {
		if name[i] >= '0' && name[i] <= '9' {
			return false
		}
	}
	return true
}

// width counts characters; those of East Asia say about as much as two.
func width(s string) (n int32) {
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf {
			n++
			i++
			continue
		}
		_, size := utf8.DecodeRuneInString(s[i:])
		n += int32(max(1, size-1))
		i += size
	}
	return n
}

// typed tells at a glance whether a piece of text holds a number, a price, a date
// or time. Ranking needs no more; slots are read with care.
func typed(s string) (number, price, date int32) {
	digits := 0
	if len(s) > 200 {
		s = s[:200]
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c >= '0' && c <= '9':
			number = 1
			digits++
			if digits == 4 && (s[i-3:i-1] == "20" || s[i-3:i-1] == "19") {
				date = 1
			}
			continue
		case currencyAt(s[i:]):
			price = 1
		case (c == ':' || c == '/') && digits > 0 && digits < 3 && twoDigits(s[i+1:]):
			date = 1
		}
		digits = 0
	}
	return number, price & number, date
}

// currencyAt says whether a text begins with a dollar, £ or ¥, or a sign of the block of
// currency symbols.
func currencyAt(s string) bool {
	switch s[0] {
	case '$':
		return true
	case 0xC2:
		return len(s) > 1 && (s[1] == 0xA3 || s[1] == 0xA5)
	case 0xE2:
		return len(s) > 2 && s[1] == 0x82 && s[2] >= 0xA0
	}
	return false
}

// twoDigits says whether a text begins with two digits and no more.
func twoDigits(s string) bool {
	return len(s) > 1 && isDigit(s[0]) && isDigit(s[1]) && (len(s) == 2 || !isDigit(s[2]))
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
