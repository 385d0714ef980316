// Package dom is one page, ready for reading: its tree, its visible text in
// blocks, its links, tables and scripts, and the fingerprint of its structure.
//
// A page is parsed at most once, and only when somebody asks for the tree: what
// can be told from the bytes alone (scripts, the base address) is told without it.
// It knows nothing of what the page is about.
package dom

import (
	"bytes"
	"cmp"
	"net/url"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/text/language"
	"golang.org/x/net/html"
)

// Document is one page. It is safe for concurrent reading.
type Document struct {
	Archived string // the reference of its archived copy; "" where it has none

	body    []byte
	address *url.URL

	survey func() survey
	tree   func() *html.Node
	front  func() *html.Node
	shown  func() string
	spoken func() string
	base   func() *url.URL
	paths  paths
	kept   sync.Map // what was found out once: see Kept
}

// Reference says which page this is, for logs: its archived copy, or its address.
func (d *Document) Reference() string { return cmp.Or(d.Archived, d.address.String()) }

// New takes the body of a page in UTF-8 and its address. Nothing is parsed yet.
// Bytes that are no text (NUL, broken UTF-8, lone surrogates) are mended first, so
// that no reader has to. The body must not be written to afterwards.
func New(body []byte, address string) *Document {
	parsed, err := url.Parse(address)
	if err != nil {
		parsed = &url.URL{}
	}
	d := &Document{body: mend(body), address: parsed}
	d.survey = sync.OnceValue(func() survey { return look(d.body) })
	d.tree = sync.OnceValue(func() *html.Node { return nameTimes(grow(d.body, d.survey()), d.body) })
	d.front = sync.OnceValue(func() *html.Node { return growHead(d.body, d.survey()) })
	d.shown = sync.OnceValue(func() string { return visibleText(d.body) })
	d.spoken = sync.OnceValue(func() string { return language.OfPage(d.VisibleText(), d.languageClaims()) })
	d.base = sync.OnceValue(d.findBase)
	return d
}

func mend(body []byte) []byte {
	if bytes.IndexByte(body, 0) >= 0 {
		body = bytes.ReplaceAll(body, []byte{0}, nil)
	}
	if !utf8.Valid(body) {
		body = bytes.ToValidUTF8(body, []byte("\ufffd"))
	}
	return body
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
func (d *Document) Tree() *html.Node { return d.tree() }

// Kept is what somebody found out about the page and keeps with it, under a key of
// their own type. It may be found out twice when two ask at once. What is nil was not found out
// to its end, and is not kept.
func (d *Document) Kept(key any, find func() any) any {
	if known, ok := d.kept.Load(key); ok {
		return known
	}
	found := find()
	if found == nil {
		return nil
	}
	known, _ := d.kept.LoadOrStore(key, found)
	return known
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
