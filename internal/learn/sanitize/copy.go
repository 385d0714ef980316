package sanitize

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"golang.org/x/net/html"
)

// Highlights say what of the page is outlined.
type Highlights struct {
	Records map[*html.Node]int      // the first node of each record, or all of them
	Fields  map[*html.Node][]string // names of the fields whose value stands there
}

// SanitizedPage is the copy of a page: what belongs into the body of a document of ours.
type SanitizedPage struct {
	HTML []byte
	Cut  bool // the page goes on
}

// Bounds of a copy: larger pages are cut, deeper ones are flattened.
const (
	mostBytes = 4 << 20
	mostDepth = 200
	mostTitle = 200
)

// Copy writes the page anew.
func (x *NodeIndex) Copy(m Highlights) SanitizedPage {
	w := &writer{NodeIndex: x, marks: m, kept: map[*html.Node]bool{}}
	for n := range m.Records {
		w.keep(n)
	}
	for n := range m.Fields {
		w.keep(n)
	}
	if body := bodyOf(x.doc.Tree()); body != nil {
		w.children(body, 0)
	}
	return SanitizedPage{HTML: w.out.Bytes(), Cut: w.full || x.cut}
}

func bodyOf(tree *html.Node) *html.Node {
	for n := range tree.Descendants() {
		if n.Type == html.ElementNode && n.Data == "body" {
			return n
		}
	}
	return nil
}

type writer struct {
	*NodeIndex
	marks Highlights
	kept  map[*html.Node]bool // around what is marked: shown even where the page hides it
	out   bytes.Buffer
	full  bool
}

func (w *writer) keep(n *html.Node) {
	for ; n != nil && !w.kept[n]; n = n.Parent {
		w.kept[n] = true
	}
}

func (w *writer) children(n *html.Node, depth int) {
	for c := n.FirstChild; c != nil && !w.full; c = c.NextSibling {
		w.node(c, depth)
	}
}

func (w *writer) node(n *html.Node, depth int) {
	number, known := w.number[n]
	if w.out.Len() > mostBytes || !known && (n.Type == html.ElementNode || n.Type == html.TextNode) {
		w.full = true
		return
	}
	switch n.Type {
	case html.TextNode:
		w.text(n, number)
	case html.ElementNode:
		if silent(n) || dom.Hidden(n) && !w.kept[n] && !media(n) {
			return
		}
		w.element(n, number, depth)
	}
}

// text writes a text; one among others gets an element of its own, to be pointed at.
func (w *writer) text(n *html.Node, number int) {
	text := plain(n.Data)
	if strings.TrimSpace(text) == "" {
		if text != "" {
			w.out.WriteByte(' ')
		}
		return
	}
	if alone(n) && len(w.marks.Fields[n]) == 0 {
		w.out.WriteString(html.EscapeString(text))
		return
	}
	w.out.WriteString("<span")
	w.attributes(n, number, "")
	w.out.WriteString(html.EscapeString(text) + "</span>")
}

// alone says whether a text is all that its element holds.
func alone(n *html.Node) bool {
	for c := n.Parent.FirstChild; c != nil; c = c.NextSibling {
		if c != n && (c.Type == html.ElementNode || c.Type == html.TextNode && strings.TrimSpace(c.Data) != "") {
			return false
		}
	}
	return true
}

func (w *writer) element(n *html.Node, number, depth int) {
	if word, is := standIn(n); is {
		w.out.WriteString("<span")
		w.attributes(n, number, word.class)
		w.out.WriteString(html.EscapeString(plain(word.text)) + "</span>")
		return
	}
	name := names[n.Data]
	switch {
	case slices.Contains(voids, n.Data):
		w.out.WriteString("<" + n.Data + ">")
		return
	case n.Data == "form" || depth > mostDepth: // a form may stand where no other element may
		w.children(n, depth)
		return
	case name == "":
		name = "span"
	}
	w.out.WriteString("<" + name)
	w.attributes(n, number, classOf(n))
	w.children(n, depth+1)
	w.out.WriteString("</" + name + ">")
}

// attributes writes all attributes that an element of the copy may have, and ends its tag.
func (w *writer) attributes(n *html.Node, number int, class string) {
	put := func(name, value string) {
		w.out.WriteString(" " + name + `="` + html.EscapeString(value) + `"`)
	}
	put("data-n", strconv.Itoa(number))
	if class != "" {
		put("class", class)
	}
	if record, is := w.marks.Records[n]; is {
		put("data-r", strconv.Itoa(record))
		put("id", "r"+strconv.Itoa(record))
	}
	if fields := w.marks.Fields[n]; len(fields) > 0 {
		put("data-f", strings.Join(fields, " "))
	}
	if n.Data == "td" || n.Data == "th" {
		for _, name := range []string{"colspan", "rowspan"} {
			if span, err := strconv.Atoi(dom.Attr(n, name)); err == nil && span > 1 && span <= 100 {
				put(name, strconv.Itoa(span))
			}
		}
	}
	if href := dom.Attr(n, "href"); n.Data == "a" && href != "" {
		put("title", text.Clip(plain(href), mostTitle))
	}
	w.out.WriteByte('>')
}
