package grpc

import (
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// dropped are elements that people do not read, or that could run something.
var dropped = []atom.Atom{atom.Script, atom.Style, atom.Noscript, atom.Template, atom.Iframe, atom.Object, atom.Embed, atom.Applet,
	atom.Frame, atom.Frameset, atom.Noframes,
	atom.Noembed, atom.Xmp, atom.Plaintext, atom.Link, atom.Meta, atom.Base, atom.Svg, atom.Math, atom.Head, atom.Canvas, atom.Audio,
	atom.Video, atom.Source, atom.Track, atom.Param}

var void = []atom.Atom{atom.Area, atom.Br, atom.Col, atom.Hr, atom.Img, atom.Input, atom.Wbr}

// addressed are the attributes that hold an address.
var addressed = []string{"href", "src", "action", "formaction", "cite", "longdesc", "background", "poster", "data", "ping"}

// deepest bounds nesting; the parser does not go deeper (its stack ends at 512).
const deepest = 600

// mostAttribute bounds the value of an attribute; longer ones are pictures and state.
const mostAttribute = 500

// clean writes what people see of a page, with the attributes that selectors lean on,
// and nothing that could run or load. cut says that it was too long.
func clean(doc *dom.Document, most int) (cleaned string, cut bool) {
	w := &cleaner{doc: doc, most: most}
	w.children(doc.Tree(), 0)
	return strings.ToValidUTF8(w.out.String(), ""), w.full
}

type cleaner struct {
	doc  *dom.Document
	out  strings.Builder
	most int
	full bool
}

func (c *cleaner) children(n *html.Node, depth int) {
	for child := n.FirstChild; child != nil && !c.full; child = child.NextSibling {
		switch child.Type {
		case html.TextNode:
			c.write(html.EscapeString(words(child.Data)))
		case html.ElementNode:
			c.element(child, depth)
		}
	}
}

// words are a text with its white space as a page shows it.
func words(s string) string {
	joined := text.Collapse(s)
	switch {
	case joined == "" && s != "":
		return " "
	case joined == "":
		return ""
	}
	if strings.TrimLeft(s[:1], " \t\r\n") == "" {
		joined = " " + joined
	}
	if strings.TrimRight(s[len(s)-1:], " \t\r\n") == "" {
		joined += " "
	}
	return joined
}

func (c *cleaner) write(s string) {
	if c.full = c.full || c.out.Len()+len(s) > c.most; !c.full {
		c.out.WriteString(s)
	}
}

func (c *cleaner) element(n *html.Node, depth int) {
	if n.Namespace != "" || !plainName(n.Data) || slices.Contains(dropped, n.DataAtom) || dom.Hidden(n) || depth > deepest {
		return
	}
	var tag strings.Builder
	tag.WriteString("<" + n.Data)
	for _, a := range n.Attr {
		if value, keep := c.attribute(a); keep {
			tag.WriteString(" " + a.Key + `="` + html.EscapeString(value) + `"`)
		}
	}
	c.write(tag.String() + ">")
	if c.full || slices.Contains(void, n.DataAtom) {
		return
	}
	c.children(n, depth+1)
	c.out.WriteString("</" + n.Data + ">") // also of what was cut: the text stays well-formed
}

// attribute is the value of an attribute that is kept.
func (c *cleaner) attribute(a html.Attribute) (string, bool) {
	key := strings.ToLower(a.Key)
	switch {
	case a.Namespace != "" || !plainName(key) || acts(key) || len(a.Val) > mostAttribute:
		return "", false
	case slices.Contains(addressed, key):
		if strings.HasPrefix(a.Val, "mailto:") || strings.HasPrefix(a.Val, "tel:") {
			return a.Val, key == "href"
		}
		address := c.doc.Resolve(a.Val)
		return address, strings.HasPrefix(address, "http://") || strings.HasPrefix(address, "https://")
	}
	return a.Val, true
}

// acts says whether an attribute runs scripts, loads what it names or holds a page of its own.
func acts(key string) bool {
	return strings.HasPrefix(key, "on") || slices.Contains([]string{"style", "srcset", "srcdoc"}, key)
}

// plainName says whether a name can be written as it is.
func plainName(name string) bool {
	return name != "" && strings.IndexFunc(name, func(r rune) bool {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		digit := r >= '0' && r <= '9'
		return !letter && !digit && !strings.ContainsRune("-_:.", r)
	}) < 0
}
