package feasibility

import (
	"context"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"golang.org/x/net/html"
)

// maxTokens bounds how much of a page is looked at: a page with more links than
// this is no list that a person could use.
const maxTokens = 60_000

// token is a link, a button or a piece of text, in document order.
type token struct {
	node   *html.Node
	text   string
	link   *url.URL // nil for text
	href   string   // absolute, without fragment; "" for text
	number int      // of a page, when that is all it says; 0 otherwise
	said   direction
	shown  direction // by arrows
	marked direction // by classes
	rel    direction
	at     int
	button bool
	dead   bool // a link that leads nowhere
}

// stream is a page as its tokens.
type stream struct {
	doc    *dom.Document
	page   *url.URL
	here   string
	ahead  string // what the head of the page calls the next one, or ""
	tokens []token
}

func newStream(ctx context.Context, d *dom.Document) *stream {
	s := &stream{doc: d, page: d.URL(), here: plain(d.URL())}
	s.ahead = s.findAhead()
	s.walk(ctx, d.Tree())
	for i := range s.tokens {
		s.tokens[i].at = i
	}
	return s
}

// near are the tokens from one to another, and as many as by on either side.
func (s *stream) near(from, to, by int) []token {
	return s.tokens[max(0, from-by):min(len(s.tokens), to+by+1)]
}

// walk collects tokens without recursion: trees may be very deep.
func (s *stream) walk(ctx context.Context, root *html.Node) {
	for n := root; n != nil && len(s.tokens) < maxTokens && ctx.Err() == nil; {
		if s.take(n) && n.FirstChild != nil {
			n = n.FirstChild
			continue
		}
		for n != nil && n != root && n.NextSibling == nil {
			n = n.Parent
		}
		if n == nil || n == root {
			return
		}
		n = n.NextSibling
	}
}

// take looks at one node and says whether to go into it.
func (s *stream) take(n *html.Node) bool {
	switch n.Type {
	case html.TextNode:
		if text := text.Collapse(text.CutBytes(n.Data, 400)); text != "" {
			s.tokens = append(s.tokens, token{node: n.Parent, text: text, number: pageNumber(text)})
		}
		return false
	case html.ElementNode:
	default:
		return n.Type == html.DocumentNode
	}
	switch n.Data {
	case "script", "style", "template", "noscript", "svg", "select", "textarea", "iframe":
		return false
	case "a":
		return s.takeLink(n)
	case "button", "input":
		s.takeButton(n)
		return false
	}
	return true
}

func (s *stream) takeLink(n *html.Node) bool {
	if !dom.HasAttr(n, "href") {
		return true // most often the present page, as text
	}
	text := inner(n)
	t := token{node: n, text: text, number: pageNumber(text)}
	label := strings.Join([]string{dom.Attr(n, "aria-label"), dom.Attr(n, "title"), altText(n)}, " ")
	if t.number == 0 && text == "" {
		t.number = pageNumber(strings.TrimSpace(label))
	}
	t.said = spoken(text)
	if t.said == nowhere && utf8.RuneCountInString(text) <= 40 {
		t.said = spoken(strings.TrimSpace(label))
	}
	t.shown, t.marked, t.rel = arrow(text), marks(n), relation(dom.Attr(n, "rel"))
	href := strings.TrimSpace(dom.Attr(n, "href"))
	if u, err := url.Parse(s.doc.Resolve(href)); err == nil && u.Host != "" && href != "" && !strings.HasPrefix(href, "#") {
		t.link, t.href = u, plain(u)
	} else {
		t.dead = true
	}
	s.tokens = append(s.tokens, t)
	return false
}

func (s *stream) takeButton(n *html.Node) {
	raw := inner(n)
	if n.Data == "input" {
		if k := dom.Attr(n, "type"); k != "button" && k != "submit" {
			return
		}
		raw = dom.Attr(n, "value")
	}
	if raw == "" {
		raw = dom.Attr(n, "aria-label")
	}
	if raw != "" {
		s.tokens = append(s.tokens, token{node: n, text: text.CutBytes(raw, 400), button: true, number: pageNumber(raw), said: spoken(raw)})
	}
}

// inner is the text of an element with what only screen readers get, since that
// is where labels of arrows hide.
func inner(n *html.Node) string {
	var out strings.Builder
	for c := range n.Descendants() {
		if out.Len() > 400 {
			break
		}
		if c.Type == html.TextNode && c.Parent.Data != "script" && c.Parent.Data != "style" {
			out.WriteString(text.CutBytes(c.Data, 400))
			out.WriteByte(' ')
		}
	}
	return text.Collapse(text.CutBytes(out.String(), 400))
}

func altText(n *html.Node) string {
	for c := range n.Descendants() {
		if c.Type != html.ElementNode {
			continue
		}
		switch c.Data {
		case "img", "i", "span", "svg":
			if alt := dom.Attr(c, "alt") + dom.Attr(c, "aria-label") + dom.Attr(c, "title"); alt != "" {
				return text.CutBytes(alt, 100)
			}
		}
	}
	return ""
}

// plain is an address without fragment, and with one spelling of a trailing slash.
func plain(u *url.URL) string {
	c := *u
	c.Fragment, c.RawFragment, c.User = "", "", nil
	return c.String()
}

// same compares addresses as people do: scheme, www, a trailing slash and an
// index file do not matter.
func same(a, b string) bool { return loose(a) == loose(b) }

func loose(address string) string {
	for _, prefix := range []string{"http://", "https://", "www."} {
		address = strings.TrimPrefix(address, prefix)
	}
	address = strings.TrimSuffix(address, "?")
	path, query, ok := strings.Cut(address, "?")
	path = strings.TrimSuffix(path, "/")
	for _, index := range []string{"/index.php", "/index.html", "/index.htm", "/default.aspx"} {
		path = strings.TrimSuffix(path, index)
	}
	if ok && query != "" {
		return path + "?" + strings.Trim(query, "&")
	}
	return path
}

func (s *stream) sameHost(u *url.URL) bool {
	return strings.EqualFold(site(u.Hostname()), site(s.page.Hostname()))
}

// site is a host without the names that do not tell sites apart.
func site(host string) string {
	host = strings.ToLower(host)
	for _, prefix := range []string{"www.", "m."} {
		host = strings.TrimPrefix(host, prefix)
	}
	return host
}
