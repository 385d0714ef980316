// Package dom is one page, ready for reading: its tree, its visible text in
// blocks, its links, tables and scripts, and the fingerprint of its structure.
//
// A page is parsed at most once, and only when somebody asks for the tree: what
// can be told from the bytes alone (scripts, the base address) is told without it.
// It knows nothing of what the page is about.
package dom

import (
	"bytes"
	"net/url"
	"strings"
	"sync"

	"golang.org/x/net/html"
)

// Document is one page. It is safe for concurrent reading.
type Document struct {
	body    []byte
	address *url.URL

	parse sync.Once
	tree  *html.Node
}

// New takes the body of a page in UTF-8 and its address. Nothing is parsed yet.
func New(body []byte, address string) *Document {
	parsed, err := url.Parse(address)
	if err != nil {
		parsed = &url.URL{}
	}
	return &Document{body: body, address: parsed}
}

// Body is the page as it came, in UTF-8.
func (d *Document) Body() []byte { return d.body }

// URL is the address of the page itself.
func (d *Document) URL() *url.URL { return d.address }

// IsJSON says whether the body is an answer of an API rather than a page.
func (d *Document) IsJSON() bool {
	body := bytes.TrimLeft(bytes.TrimPrefix(d.body, []byte("\xef\xbb\xbf")), " \t\r\n")
	return len(body) > 0 && (body[0] == '{' || body[0] == '[')
}

// Tree is the document node; it is never nil, however broken the page.
func (d *Document) Tree() *html.Node {
	d.parse.Do(func() {
		tree, err := html.Parse(bytes.NewReader(d.body))
		if err != nil {
			tree = &html.Node{Type: html.DocumentNode}
		}
		d.tree = tree
	})
	return d.tree
}

// Base is the address against which links are resolved: that of the page, or of
// its first <base href> if that is an http address.
func (d *Document) Base() *url.URL { return d.address }

// Resolve makes an address of the page absolute. It returns "" for what is not an
// http address.
func (d *Document) Resolve(reference string) string {
	u, err := d.Base().Parse(strings.TrimSpace(reference))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return ""
	}
	return u.String()
}

// Attr is the value of an attribute, or "".
func Attr(n *html.Node, name string) string {
	for i := range n.Attr {
		if n.Attr[i].Key == name && n.Attr[i].Namespace == "" {
			return n.Attr[i].Val
		}
	}
	return ""
}

// HasAttr says whether an element has an attribute, however empty.
func HasAttr(n *html.Node, name string) bool {
	for i := range n.Attr {
		if n.Attr[i].Key == name && n.Attr[i].Namespace == "" {
			return true
		}
	}
	return false
}

// Classes are the class names of an element.
func Classes(n *html.Node) []string { return strings.Fields(Attr(n, "class")) }
