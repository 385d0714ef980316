package events

import (
	"strings"
	"unicode"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text/dates"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// leastCells is how many inline elements make a row, and likeRows how many siblings must be
// made like it, among the nearest nearRows.
const leastCells, likeRows, nearRows = 3, 2, 6

// inCells says whether all text of an element stands in inline elements of their own, and in
// those of its siblings alike: a row whose columns a style sheet sets apart, such as
// <li><b>21 May, 7 pm</b> <a>On Lichens</a> <em>Library</em></li>.
func inCells(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Li, atom.P, atom.Div, atom.Dd:
	default:
		return false
	}
	cells := cellsOf(n)
	if strings.Count(cells, " ") < leastCells {
		return false
	}
	alike := 0
	for _, step := range []func(*html.Node) *html.Node{previous, next} {
		for s, looked := step(n), 0; s != nil && looked < nearRows; s = step(s) {
			if s.Type == html.ElementNode {
				if looked++; cellsOf(s) == cells {
					alike++
				}
			}
		}
	}
	return alike >= likeRows
}

func previous(n *html.Node) *html.Node { return n.PrevSibling }
func next(n *html.Node) *html.Node     { return n.NextSibling }

// cellsOf are the names and classes of the inline elements of a row; "" where other text
// or another element stands among them.
func cellsOf(n *html.Node) string {
	var b strings.Builder
	b.WriteString(n.Data)
	for c := linked(n).FirstChild; c != nil; c = c.NextSibling {
		switch {
		case c.Type == html.TextNode && !spoken(c.Data):
		case c.Type == html.ElementNode && inline(c) && c.DataAtom != atom.Img && c.DataAtom != atom.Wbr && c.FirstChild != nil:
			b.WriteString(" " + c.Data + "." + dom.Attr(c, "class"))
		case c.Type == html.CommentNode:
		default:
			return ""
		}
	}
	return b.String()
}

// linked is the link that holds all of a row, else the row itself.
func linked(row *html.Node) *html.Node {
	var only *html.Node
	for c := row.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode && only == nil && c.DataAtom == atom.A {
			only = c
		} else if c.Type == html.ElementNode || c.Type == html.TextNode && spoken(c.Data) {
			return row
		}
	}
	if only == nil {
		return row
	}
	return only
}

// spoken says whether a text has letters or digits.
func spoken(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// cells writes the inline elements of a row. What is no part of a day or an hour is a line
// of its own.
func (w *walker) cells(n *html.Node) {
	w.depth++
	for c := linked(n).FirstChild; c != nil; c = c.NextSibling {
		switch {
		case c.Type == html.TextNode:
			w.space = true // marks between cells say nothing
		case c.Type == html.ElementNode && tellsWhen(dom.Line(c)):
			w.element(c)
		case c.Type == html.ElementNode:
			w.end()
			w.element(c)
			w.end()
		}
	}
	w.depth--
}

// fewLetters is how many letters a text has at most that says nothing but an hour: "pm".
const fewLetters = 2

// tellsWhen says whether a text is a day, an hour, or a part of one.
func tellsWhen(s string) bool {
	letters := 0
	for _, r := range s {
		if unicode.IsLetter(r) {
			letters++
		}
	}
	if letters <= fewLetters || onlyMonth(s) || !strings.Contains(s, " ") && weekdayIn(s, dates.Options{}) >= 0 {
		return true
	}
	told := 0
	for _, d := range dates.Find(s, dates.Options{}) {
		told += d.End - d.Begin
	}
	return told*2 > len(s)
}
