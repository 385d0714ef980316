package events

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text/dates"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// line is a run of text that stands for itself: a paragraph, a cell, what stands
// between two br.
type line struct {
	text   string
	holder *html.Node // the element whose own text it is
	pieces []piece
	level  int  // of a heading: 1 … 6, 7 for what only looks like one, 0 for none
	zone   zone // the part of the page

	stripped *string // see bare; nil until it is asked for
}

// piece is one text node of a line.
type piece struct {
	begin, end int
	node       *html.Node
}

// span is a run of lines, the last one not included.
type span struct{ first, last int }

// page is a document as lines, with the lines of every element that holds some.
type page struct {
	doc   *dom.Document
	lines []line
	spans map[*html.Node]span
	zones []zoned
	title string // of the whole page, without the site's name
}

// Limits on hostile pages: what lies behind is not read.
const (
	maxLines = 40_000
	maxText  = 3 << 20
	maxDepth = 600
)

// bytesPerLine is what a line takes on pages with few words to an element.
const bytesPerLine = 128

// walker writes a tree as lines.
type walker struct {
	page   *page
	buffer []byte
	pieces []piece
	holder *html.Node
	space  bool
	depth  int
	size   int
}

func readPage(d *dom.Document) *page {
	p := &page{doc: d, spans: map[*html.Node]span{}, lines: make([]line, 0, min(len(d.Body())/bytesPerLine, maxLines))}
	w := &walker{page: p}
	w.children(d.Tree())
	w.end()
	p.assignZones()
	return p
}

func (w *walker) full() bool {
	return len(w.page.lines) >= maxLines || w.size >= maxText || w.depth > maxDepth
}

func (w *walker) children(n *html.Node) {
	if w.full() {
		return
	}
	w.depth++
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch c.Type {
		case html.TextNode:
			w.write(c)
		case html.ElementNode:
			w.element(c)
		}
	}
	w.depth--
}

// Collapsed panels and tabs count: what a reader can open belongs to the page.
func unread(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Head, atom.Script, atom.Style, atom.Template, atom.Noscript, atom.Svg, atom.Math, atom.Iframe, atom.Object,
		atom.Audio, atom.Video, atom.Canvas, atom.Textarea, atom.Select, atom.Datalist, atom.Title, atom.Input:
		return true
	}
	return n.Namespace != ""
}

// inline elements do not break a line.
func inline(n *html.Node) bool {
	switch n.DataAtom {
	case atom.A, atom.Abbr, atom.B, atom.Bdi, atom.Bdo, atom.Big, atom.Cite, atom.Code, atom.Del, atom.Dfn, atom.Em, atom.Font,
		atom.I, atom.Ins, atom.Kbd, atom.Label, atom.Mark, atom.Nobr, atom.Q, atom.S, atom.Samp, atom.Small, atom.Span, atom.Strike,
		atom.Strong, atom.Sub, atom.Sup, atom.Time, atom.Tt, atom.U, atom.Var, atom.Wbr, atom.Img, atom.Button, atom.Data, atom.Output:
		return true
	}
	return n.DataAtom == 0 && !strings.Contains(n.Data, "-")
}

func (w *walker) element(n *html.Node) {
	if unread(n) && !w.choosesMeeting(n) {
		return
	}
	first := len(w.page.lines)
	switch {
	case n.DataAtom == atom.Br:
		w.end()
		return
	case inline(n):
		w.inlineElement(n)
		if len(w.page.lines) > first+1 { // a link or a span around blocks
			w.page.spans[n] = span{first, len(w.page.lines)}
		}
		return
	}
	w.end()
	first = len(w.page.lines)
	outer := w.holder
	w.holder = n
	if inCells(n) {
		w.cells(n)
	} else {
		w.children(n)
	}
	w.end()
	w.holder = outer
	if last := len(w.page.lines); last > first {
		w.page.spans[n] = span{first, last}
		w.page.noteZone(n, span{first, last})
	}
}

// choosesMeeting says whether a list of options are the days of meetings: most of them are
// days, and what stands before it speaks of what is held.
func (w *walker) choosesMeeting(n *html.Node) bool {
	if n.DataAtom != atom.Select {
		return false
	}
	label := string(w.buffer)
	if label == "" && len(w.page.lines) > 0 {
		label = w.page.lines[len(w.page.lines)-1].text
	}
	if !eventWords().in(label + " " + dom.Attr(n, "aria-label") + " " + strings.Join(words(dom.Attr(n, "name")), " ")) {
		return false
	}
	days, all := 0, 0
	for c := range n.Descendants() {
		if c.DataAtom != atom.Option || all >= maxOptions {
			continue
		}
		all++
		if found := dates.Find(dom.Line(c), dates.Options{}); len(found) > 0 {
			days++
		}
	}
	return days >= leastOptions && days*4 >= all*3
}

// leastOptions are the days that make a list of meetings of a list of options, and
// maxOptions those that are looked at.
const leastOptions, maxOptions = 3, 200

func (w *walker) inlineElement(n *html.Node) {
	if p := n.PrevSibling; p != nil && p.Type == html.ElementNode && styled(p) && styled(n) {
		w.space = true // a style sheet sets such pairs apart: "Mar" "12"
	}
	if n.DataAtom == atom.Button {
		w.space = true
	}
	if n.DataAtom == atom.Time && dom.Line(n) == "" {
		return
	}
	w.children(n)
}

// styled elements carry classes of their own, which word processors do not give to
// the pieces of a word.
func styled(n *html.Node) bool {
	class := dom.Attr(n, "class")
	return class != "" && !strings.Contains(class, "TextRun") && !strings.HasPrefix(class, "Mso") && !strings.HasPrefix(class, "font_")
}

// write adds the text of a node, its white space collapsed.
func (w *walker) write(n *html.Node) {
	begin := -1
	for i, r := range n.Data {
		if unicode.IsSpace(r) {
			w.space = true
			continue
		}
		if r == '\u00ad' || r == '\u200b' || r == '\u2060' || r == '\ufeff' {
			continue
		}
		if w.space && len(w.buffer) > 0 {
			w.buffer = append(w.buffer, ' ')
		}
		w.space = false
		if begin < 0 {
			begin = len(w.buffer)
		}
		w.buffer = utf8.AppendRune(w.buffer, r)
		if i > maxText {
			break
		}
	}
	if begin >= 0 {
		w.pieces = append(w.pieces, piece{begin, len(w.buffer), n})
	}
}

// end finishes a line.
func (w *walker) end() {
	w.space = false
	if len(w.buffer) == 0 {
		return
	}
	holder := w.holder
	if holder == nil {
		holder = w.pieces[0].node.Parent
	}
	l := line{text: string(w.buffer), holder: holder, pieces: w.pieces}
	l.level = levelOf(&l)
	w.size += len(l.text)
	w.page.lines = append(w.page.lines, l)
	w.buffer, w.pieces = w.buffer[:0], nil
}

// levelOf tells how high a line stands as a heading. Short lines that are bold as a
// whole, captions, summaries and heading cells look like one.
func levelOf(l *line) int {
	for n, steps := l.holder, 0; n != nil && steps < 4; n, steps = n.Parent, steps+1 {
		switch n.DataAtom {
		case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
			return int(n.Data[1] - '0')
		case atom.Caption, atom.Summary, atom.Legend, atom.Th, atom.Dt:
			return 7
		case atom.Td, atom.Li, atom.Table, atom.Ul, atom.Section, atom.Article:
			steps = 4
		}
	}
	if len(l.text) <= 80 && allBold(l) {
		return 7
	}
	return 0
}

// allBold says whether all text of a line stands in bold or underlined markup.
func allBold(l *line) bool {
	for _, p := range l.pieces {
		bold := false
		for n := p.node.Parent; n != nil && n != l.holder && !bold; n = n.Parent {
			switch n.DataAtom {
			case atom.B, atom.Strong, atom.U, atom.Button:
				bold = true
			}
		}
		if !bold && hasLetters(l.text[p.begin:p.end]) {
			return false
		}
	}
	return true
}

func hasLetters(s string) bool { return strings.IndexFunc(s, unicode.IsLetter) >= 0 }

func hasDigits(s string) bool {
	for i := range len(s) {
		if s[i] >= '0' && s[i] <= '9' {
			return true
		}
	}
	return false
}

// mayHoldLabel says whether a colon follows a letter somewhere, as it does not in times.
func mayHoldLabel(s string) bool {
	for i := 1; i < len(s); i++ {
		if s[i] != ':' {
			continue
		}
		before := strings.TrimRight(s[:i], " \t\n\f\r")
		if before != "" && (before[len(before)-1] >= utf8.RuneSelf || before[len(before)-1]|0x20 >= 'a' && before[len(before)-1]|0x20 <= 'z') {
			return true
		}
	}
	return false
}

// text is the text of a run of lines.
func (p *page) text(s span) string {
	var out strings.Builder
	for i := s.first; i < s.last && out.Len() < 20_000; i++ {
		if i > s.first {
			out.WriteByte('\n')
		}
		out.WriteString(p.lines[i].text)
	}
	return out.String()
}
