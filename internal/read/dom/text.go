package dom

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// TextBlock is a run of visible text that stands for itself: a paragraph, a heading,
// a cell, a list entry's own text. Lines parted by br are blocks of their own.
type TextBlock struct {
	Node *html.Node // the element that holds it
	Text string     // on one line, white space collapsed
}

// Text is all that is visible, one line per block.
func (d *Document) Text() string { return Text(d.Tree()) }

// Blocks are the visible blocks in document order.
func (d *Document) Blocks() []TextBlock {
	f := flow{split: true, out: make([]byte, 0, len(d.body)/8)}
	f.read(d.Tree())
	return f.blocks()
}

// Text is the visible text of a node: white space collapsed, a newline between
// blocks and at br, a tab between cells, nothing around inline markup.
func Text(n *html.Node) string {
	return textOf(n, false)
}

// Line is the visible text of a node on one line.
func Line(n *html.Node) string {
	return textOf(n, true)
}

// textOf reads a node. Texts are many and short: they are written in memory that is
// used again, and one that stands as it should be read is not written at all.
func textOf(n *html.Node, flat bool) string {
	if text, ok := onlyText(n); ok {
		return text
	}
	f := flows.Get().(*flow)
	*f = flow{flat: flat, out: f.out[:0]}
	f.read(n)
	text := string(f.out)
	if f.holder = nil; cap(f.out) <= maxKept {
		flows.Put(f)
	}
	return text
}

var flows = sync.Pool{New: func() any { return &flow{out: make([]byte, 0, 512)} }}

// maxKept is how many bytes are kept for further texts; few are longer.
const maxKept = 64 << 10

// onlyText is the text of a node that shows nothing else, if there is no white space
// in it to collapse.
func onlyText(n *html.Node) (string, bool) {
	for c := n.FirstChild; c != nil && c.NextSibling == nil; c = c.FirstChild {
		switch {
		case c.Type == html.TextNode:
			return c.Data, plain(c.Data)
		case c.Type != html.ElementNode || shown(c) == unseen || c.DataAtom == atom.Br || hiddenByAttributes(c):
			return "", false
		}
	}
	return "", false
}

// plain says whether a text is ASCII with single spaces between its words.
func plain(s string) bool {
	return s != "" && s[0] > ' ' && s[0] < utf8.RuneSelf && plainEnd(s, 0) == len(s)
}

// Blocks are the visible blocks of a node in document order.
func Blocks(n *html.Node) []TextBlock {
	f := flow{split: true}
	f.read(n)
	return f.blocks()
}

func (f *flow) blocks() []TextBlock {
	if len(f.runs) == 0 {
		return nil
	}
	all, text := make([]TextBlock, len(f.runs)), string(f.out)
	for i, r := range f.runs {
		end := len(text)
		if i+1 < len(f.runs) {
			end = f.runs[i+1].start
		}
		all[i] = TextBlock{Node: r.holder, Text: text[r.start:end]}
	}
	return all
}

// gap is what parts two pieces of text; the greatest wins. A cell's tab outranks
// the paragraphs inside cells, and the end of the row outranks the tab.
type gap uint8

const (
	none gap = iota
	space
	newline
	tab
	rowEnd
)

// flow writes the text of nodes, with the gaps between them, as a browser would
// lay it out.
type flow struct {
	out  []byte
	flat bool // write every gap as one space
	wait gap  // written before the next character, never at either end

	split  bool // begin a run at every gap greater than a space
	runs   []run
	holder *html.Node // the element whose own text comes next

	pre bool // line breaks of the source count
}

type run struct {
	holder *html.Node
	start  int
}

func (f *flow) part(g gap) { f.wait = max(f.wait, g) }

// read adds a node. What the caller asks for is read even if it is hidden.
func (f *flow) read(n *html.Node) {
	f.holder = n
	for f.holder.Parent != nil && (f.holder.Type != html.ElementNode || displayOf(f.holder.DataAtom) < block) {
		f.holder = f.holder.Parent
	}
	if n.Type == html.TextNode {
		f.write(n.Data)
		return
	}
	f.pre = n.DataAtom == atom.Pre
	f.children(n)
}

func (f *flow) children(n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch c.Type {
		case html.TextNode:
			f.write(c.Data)
		case html.ElementNode:
			f.element(c)
		}
	}
}

func (f *flow) element(n *html.Node) {
	d := shown(n)
	if d == unseen || hiddenByAttributes(n) {
		return
	}
	switch d {
	case inline:
		if boxed(n) {
			f.box(n, newline)
			return
		}
		if styledApart(n) {
			f.join(firstRune(n))
		}
		if raisedAs(n) == raisedCents {
			f.point()
		}
		f.children(n)
	case gapped:
		f.part(space)
		f.children(n)
		f.part(space)
	case lineBreak:
		f.part(newline)
	case row:
		f.wait = max(f.wait, newline)
		f.box(n, rowEnd)
	case cell:
		f.part(tab)
		f.box(n, tab)
	default:
		f.box(n, newline)
	}
}

// box reads an element that holds text of its own.
func (f *flow) box(n *html.Node, g gap) {
	outer, pre := f.holder, f.pre
	f.holder, f.pre = n, pre || n.DataAtom == atom.Pre || n.DataAtom == atom.Listing
	f.part(g)
	f.children(n)
	f.part(g)
	f.holder, f.pre = outer, pre
}

// boxed says whether an inline element is a block by its inline style.
func boxed(n *html.Node) bool {
	style := Attr(n, "style")
	if style == "" {
		return false
	}
	value := styleValue(style, "display")
	return value == "block" || value == "flex" || value == "grid" || value == "table" || value == "list-item"
}

// write adds text, its white space collapsed.
func (f *flow) write(s string) {
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if c > ' ' {
				end := plainEnd(s, i)
				f.emit(s[i:end])
				i = end
				continue
			}
			f.white(c)
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case unicode.IsSpace(r):
			f.part(space)
		case weightless(r):
		default:
			f.emit(s[i : i+size])
		}
		i += size
	}
}

// plainEnd is where a run of ASCII words with single spaces between them ends.
func plainEnd(s string, i int) int {
	for i++; i < len(s); i++ {
		c := s[i]
		if c > ' ' && c < utf8.RuneSelf {
			continue
		}
		if c != ' ' || i+1 == len(s) || s[i+1] <= ' ' || s[i+1] >= utf8.RuneSelf {
			break
		}
	}
	return i
}

func (f *flow) white(c byte) {
	if c == '\n' && f.pre {
		f.part(newline)
	} else {
		f.part(space)
	}
}

// weightless characters take no room on the page and only hinder comparison.
func weightless(r rune) bool {
	return r == '\u00ad' || r == '\u200b' || r == '\u2060' || r == '\ufeff'
}

func (f *flow) emit(s string) {
	g := f.wait
	f.wait = none
	switch {
	case f.split && (len(f.runs) == 0 || g > space):
		f.runs = append(f.runs, run{f.holder, len(f.out)})
	case len(f.out) == 0 || g == none:
	case f.flat || g == space:
		f.out = append(f.out, ' ')
	case g == tab:
		f.out = append(f.out, '\t')
	default:
		f.out = append(f.out, '\n')
	}
	f.out = append(f.out, s...)
}

// styledApart says whether an inline element directly follows another and the two
// are links to different places or both carry classes of their own: a style sheet sets such pairs apart ("Mar" "12"),
// whereas word processors number the classes with which they split words.
func styledApart(n *html.Node) bool {
	p := n.PrevSibling
	if p == nil || p.Type != html.ElementNode || len(n.Attr) == 0 || len(p.Attr) == 0 {
		return false
	}
	if n.DataAtom == atom.A && p.DataAtom == atom.A && Attr(n, "href") != Attr(p, "href") {
		return true
	}
	return setApart(Attr(p, "class")) && setApart(Attr(n, "class"))
}

func setApart(class string) bool {
	if class == "" || strings.Contains(class, "TextRun") || strings.HasPrefix(class, "Mso") || strings.HasPrefix(class, "font_") {
		return false
	}
	return len(class) > 3 || strings.TrimRight(class, "0123456789") == class
}

// join puts a space between two styled neighbours unless they make up one number
// or one sign ("12" "." "99", "$" "5").
func (f *flow) join(next rune) {
	if f.wait != none || len(f.out) == 0 {
		return
	}
	last, size := utf8.DecodeLastRune(f.out)
	before, _ := utf8.DecodeLastRune(f.out[:len(f.out)-size])
	switch {
	case !unicode.IsLetter(next) && !unicode.IsDigit(next):
	case unicode.IsLetter(last) || unicode.IsDigit(last), strings.ContainsRune(";!?)]»”", last):
		f.part(space)
	case strings.ContainsRune(".,:", last) && !(unicode.IsDigit(before) && unicode.IsDigit(next)):
		f.part(space)
	}
}

// point parts raised cents from what stands before them.
func (f *flow) point() {
	f.wait = none
	f.out = append(f.out, '.')
}

// firstRune is the first character of an element, 0 if it begins with a space.
func firstRune(n *html.Node) rune {
	for n != nil && n.Type == html.ElementNode {
		n = n.FirstChild
	}
	if n == nil || n.Type != html.TextNode {
		return 0
	}
	r, _ := utf8.DecodeRuneInString(n.Data)
	return r
}

// EntriesAt are the texts of the entries of lists in the element at a path.
func (d *Document) EntriesAt(path string) (all []string) {
	n := d.At(path)
	if n == nil {
		return nil
	}
	for e := range n.Descendants() {
		if e.DataAtom == atom.Li {
			all = append(all, Line(e))
		}
	}
	return all
}
