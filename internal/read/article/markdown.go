package article

import (
	"strconv"
	"strings"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	"github.com/curlew-data/curlew/internal/ops/guard"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/read/structured"
	"github.com/curlew-data/curlew/internal/text"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxMarkdown bounds the letters that are turned into Markdown: the converter takes
// more than linear time, and no article is longer than a book.
const maxMarkdown = 1 << 20

// markdown writes the chosen blocks as Markdown. The converter sees a copy that
// holds nothing but text, known tags, and absolute http addresses, so that nothing
// of the page can run wherever the Markdown is shown.
func (p *page) markdown(c choice) string {
	letters := len(c.text)
	for _, b := range c.blocks {
		letters += len(b.Text)
	}
	if letters == 0 || letters > maxMarkdown {
		return ""
	}
	root, nodes := c.copied(p)
	if nodes > maxNodes {
		return ""
	}
	return converted(root, p.doc)
}

// PageMarkdown is any page as Markdown, and what it is called: an article's text, or the main part of another page with its lists,
// tables and links.
func PageMarkdown(d *dom.Document, g *structured.Graph, o Options) (title, text string) {
	if d.IsJSON() {
		return "", ""
	}
	a, is := Read(d, g, o)
	if is && a.Markdown != "" {
		return a.Title, a.Markdown
	}
	blocks := PlainBlocks(d, PlainOptions{Now: o.Now})
	if len(blocks) == 0 {
		return plainTitle(d), ""
	}
	k := copier{doc: d, holders: map[*html.Node]bool{}}
	for _, b := range d.Blocks() {
		k.holders[b.Node] = false
	}
	top, letters := blocks[0].Node, 0
	for _, b := range blocks {
		k.holders[b.Node] = true
		letters += len(b.Text)
		for !dom.Within(b.Node, top) && top.Parent != nil {
			top = top.Parent
		}
	}
	root := &html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div}
	if k.children(root, top, k.holders[top]); letters > maxMarkdown || k.nodes > maxNodes {
		return plainTitle(d), ""
	}
	return plainTitle(d), converted(root, d)
}

// converted turns a copy of a part of a page into Markdown.
func converted(root *html.Node, d *dom.Document) (text string) {
	conv := converter.NewConverter(converter.WithPlugins(base.NewBasePlugin(), commonmark.NewCommonmarkPlugin(), table.NewTablePlugin()))
	// A page that the converter cannot bear still has its plain text.
	_ = guard.Read(guard.Markdown, d.Reference(), func() error {
		out, err := conv.ConvertNode(root)
		if err == nil {
			text = strings.TrimSpace(string(out))
		}
		return nil
	})
	return text
}

// copied is the chosen part of the page as a tree of its own.
func (c choice) copied(p *page) (*html.Node, int) {
	root := &html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div}
	if c.text != "" {
		for line := range strings.SplitSeq(c.text, "\n") {
			if line = strings.TrimSpace(line); line != "" {
				paragraph := &html.Node{Type: html.ElementNode, Data: "p", DataAtom: atom.P}
				paragraph.AppendChild(&html.Node{Type: html.TextNode, Data: line})
				root.AppendChild(paragraph)
			}
		}
		return root, 0
	}
	k := copier{doc: p.doc, holders: map[*html.Node]bool{}}
	for _, b := range p.blocks {
		k.holders[b.Node] = k.holders[b.Node] || b.kept
	}
	k.children(root, c.common(), k.holders[c.top])
	return root, k.nodes
}

// common is the smallest part of the page that holds all kept blocks.
func (c choice) common() *html.Node {
	top := c.top
	for _, b := range c.blocks {
		for !dom.Within(b.Node, top) && top.Parent != nil {
			top = top.Parent
		}
	}
	return top
}

// copier copies kept text with its markup.
type copier struct {
	doc     *dom.Document
	holders map[*html.Node]bool // all holders of text, and whether theirs is kept
	begun   bool                // some text was copied
	nodes   int
}

func (k *copier) children(into, from *html.Node, kept bool) {
	for n := from.FirstChild; n != nil && k.nodes <= maxNodes; n = n.NextSibling {
		k.nodes++
		switch {
		case n.Type == html.TextNode && kept:
			if k.begun = k.begun || strings.TrimSpace(n.Data) != ""; k.begun {
				into.AppendChild(&html.Node{Type: html.TextNode, Data: n.Data})
			}
		case n.Type == html.ElementNode:
			k.element(into, n, kept)
		}
	}
}

// markdownTags are the elements that Markdown has a way of writing.
var markdownTags = text.Set("p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code em i strong b table thead tbody tfoot tr td th br hr dl " +
	"dt dd del s sub sup div")

func (k *copier) element(into, n *html.Node, kept bool) {
	if dom.Hidden(n) || n.Namespace != "" {
		return
	}
	if own, holder := k.holders[n]; holder {
		kept = own
	}
	switch n.DataAtom {
	case atom.Img:
		k.picture(into, n, kept)
		return
	case atom.Br, atom.Hr:
		if kept {
			into.AppendChild(&html.Node{Type: html.ElementNode, Data: n.Data, DataAtom: n.DataAtom})
		}
		return
	case atom.Button, atom.Select, atom.Textarea, atom.Input, atom.Iframe, atom.Object, atom.Nav, atom.Noscript:
		return
	}
	copied := k.copyOf(n)
	k.children(copied, n, kept)
	if copied.FirstChild == nil && copied.DataAtom != atom.Td && copied.DataAtom != atom.Th {
		return
	}
	if copied.DataAtom == atom.Span || copied.DataAtom == atom.Div && !kept {
		for copied.FirstChild != nil {
			c := copied.FirstChild
			copied.RemoveChild(c)
			into.AppendChild(c)
		}
		return
	}
	into.AppendChild(copied)
}

// copyOf is an element as Markdown has it, without its children; what it has no way of
// writing becomes a div or a span.
func (k *copier) copyOf(n *html.Node) *html.Node {
	copied := &html.Node{Type: html.ElementNode, Data: n.Data, DataAtom: n.DataAtom}
	switch {
	case n.DataAtom == atom.A:
		if address := k.doc.Resolve(dom.Attr(n, "href")); address != "" && dom.HasAttr(n, "href") {
			copied.Attr = []html.Attribute{{Key: "href", Val: address}}
		} else {
			copied.Data, copied.DataAtom = "span", atom.Span
		}
	case markdownTags[n.Data]:
	case k.isHolder(n):
		copied.Data, copied.DataAtom = "div", atom.Div
	default:
		copied.Data, copied.DataAtom = "span", atom.Span
	}
	return copied
}

func (k *copier) isHolder(n *html.Node) bool {
	_, ok := k.holders[n]
	return ok
}

// picture copies an image of the text: not an icon, not one of a side part.
func (k *copier) picture(into, n *html.Node, kept bool) {
	if !kept && !inFigure(n) {
		return
	}
	for _, side := range []string{"width", "height"} {
		if size, err := strconv.Atoi(strings.TrimSuffix(dom.Attr(n, side), "px")); err == nil && size < 64 {
			return
		}
	}
	for _, name := range []string{"src", "data-src", "data-original", "data-lazy-src"} {
		source := dom.Attr(n, name)
		if source == "" || strings.HasPrefix(source, "data:") {
			continue
		}
		if address := k.doc.Resolve(source); address != "" {
			into.AppendChild(&html.Node{Type: html.ElementNode, Data: "img", DataAtom: atom.Img, Attr: []html.Attribute{
				{Key: "src", Val: address}, {Key: "alt", Val: text.Collapse(dom.Attr(n, "alt"))},
			}})
			return
		}
	}
}

func inFigure(n *html.Node) bool {
	for range 4 {
		if n = n.Parent; n == nil {
			return false
		}
		if n.DataAtom == atom.Figure || n.DataAtom == atom.Picture {
			return ownMark(n) != noise && !inSide(n)
		}
	}
	return false
}
