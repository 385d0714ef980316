package main

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/bench/markup"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// page is a page at one visit, which noise may change.
type page struct {
	dice  *rand.Rand
	root  *html.Node
	items []*html.Node
	visit int
}

// noise is a change of a page that changes nothing it says of its items.
type noise struct {
	name   string
	change func(*page)
}

var noises = []noise{
	{"timestamps", timestamps}, {"nonces and tokens", nonces}, {"A/B classes", variants}, {"items in another order", reorder},
	{"adverts beside the list", advert}, {"an advert in the list", advertInList}, {"related items", related}, {"cookie bar", cookieBar},
	{"language of the navigation", otherLanguage}, {"counters", counters}, {"minutes ago", minutesAgo}, {"tracking links", tracking},
}

// constant is the noise that a page has at every visit: none, a counter in each item, or how long ago
// each was posted.
var constant = []func(*page){
	func(p *page) { timestamps(p); nonces(p) },
	func(p *page) {
		nonces(p)
		p.inItems("views", func(int) string { return fmt.Sprintf("%d views", 40+p.dice.IntN(900)) })
	},
	func(p *page) {
		nonces(p)
		p.inItems("posted", func(i int) string { return fmt.Sprintf("posted %d minutes ago", 4+7*(i%5)+20*p.visit) })
	},
}

func (p *page) body() *html.Node {
	var body *html.Node
	each(p.root, func(n *html.Node) {
		if body == nil && n.DataAtom == atom.Body {
			body = n
		}
	})
	return body
}

// fragment parses a piece of markup.
func fragment(text string) *html.Node {
	nodes, err := html.ParseFragment(strings.NewReader(text), &html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div})
	if err != nil || len(nodes) == 0 { // of text of ours there is none
		return &html.Node{Type: html.CommentNode}
	}
	return nodes[0]
}

func (p *page) top(text string)    { p.body().InsertBefore(fragment(text), p.body().FirstChild) }
func (p *page) bottom(text string) { p.body().AppendChild(fragment(text)) }

func timestamps(p *page) {
	p.bottom(fmt.Sprintf(`<div class="generated">Page generated at %02d:%02d:%02d in %d ms</div>`, p.dice.IntN(24), p.dice.IntN(60), p.dice.IntN(60), p.dice.IntN(900)))
}

func nonces(p *page) {
	p.bottom(fmt.Sprintf(`<form><input type="hidden" name="csrf_token" value="%x"></form>`, p.dice.Uint64()))
	each(p.root, func(n *html.Node) {
		if n.DataAtom == atom.Link || n.DataAtom == atom.Body {
			set(n, "data-nonce", fmt.Sprintf("%x", p.dice.Uint32()))
		}
	})
}

func set(n *html.Node, name, value string) {
	for i := range n.Attr {
		if n.Attr[i].Key == name {
			n.Attr[i].Val = value
			return
		}
	}
	n.Attr = append(n.Attr, html.Attribute{Key: name, Val: value})
}

func variants(p *page) {
	v := fmt.Sprintf("exp-%d-%c", 100+p.dice.IntN(900), 'a'+rune(p.dice.IntN(3)))
	for _, n := range append(slices.Clone(p.items), p.body()) {
		set(n, "class", strings.TrimSpace(attribute(n, "class")+" "+v))
	}
}

// reorder puts the items into other places of the list. Only those may change places between which
// nothing else stands: a heading says something of the items below it.
func reorder(p *page) {
	for from := 0; from < len(p.items); {
		to := from + 1
		for to < len(p.items) && nextElement(p.items[to-1]) == p.items[to] {
			to++
		}
		shuffled(p.items[from:to], p.dice.Perm(to-from))
		from = to
	}
}

func nextElement(n *html.Node) *html.Node {
	for n = n.NextSibling; n != nil && n.Type != html.ElementNode; {
		n = n.NextSibling
	}
	return n
}

// shuffled puts elements into each other's places.
func shuffled(items []*html.Node, order []int) {
	marks := make([]*html.Node, len(items))
	for i, n := range items {
		marks[i] = &html.Node{Type: html.CommentNode}
		n.Parent.InsertBefore(marks[i], n)
		n.Parent.RemoveChild(n)
	}
	for i, mark := range marks {
		mark.Parent.InsertBefore(items[order[i]], mark)
		mark.Parent.RemoveChild(mark)
	}
}

var offers = []string{"Save up to 40% on winter tyres", "Learn Italian in 15 minutes a day", "Compare energy prices now", "Your next holiday starts here"}

func (p *page) offer() string { return offers[p.dice.IntN(len(offers))] }

func advert(p *page) {
	text := fmt.Sprintf(`<div class="ad-slot" id="ad-%d"><span>Advertisement</span><a href="https://ads.example/c?id=%d" rel="sponsored">%s</a></div>`,
		p.dice.IntN(9999), p.dice.IntN(99999), p.offer())
	if p.dice.IntN(2) == 0 {
		p.top(text)
		return
	}
	list := p.items[0].Parent
	for outside[list.DataAtom] && list.Parent != nil && list.Parent.Type == html.ElementNode {
		list = list.Parent
	}
	list.Parent.InsertBefore(fragment(text), list)
}

// outside are elements beside whose children nothing may be put.
var outside = map[atom.Atom]bool{atom.Tbody: true, atom.Thead: true, atom.Tr: true}

// advertInList puts an advert between two items, in an element of their kind.
func advertInList(p *page) {
	at := p.items[p.dice.IntN(len(p.items))]
	inner := fmt.Sprintf(`<a href="https://ads.example/c?id=%d" rel="sponsored">%s</a>`, p.dice.IntN(99999), p.offer())
	ad := &html.Node{Type: html.ElementNode, Data: at.Data, DataAtom: at.DataAtom, Attr: []html.Attribute{{Key: "class", Val: "ad sponsored"}}}
	cell := ad
	if at.DataAtom == atom.Tr {
		cell = fragmentCell()
		ad.AppendChild(cell)
	}
	cell.AppendChild(fragment(`<span class="ad-label">Advertisement</span>`))
	cell.AppendChild(fragment(inner))
	at.Parent.InsertBefore(ad, at)
}

func fragmentCell() *html.Node {
	return &html.Node{Type: html.ElementNode, Data: "td", DataAtom: atom.Td, Attr: []html.Attribute{{Key: "colspan", Val: "9"}}}
}

func related(p *page) {
	var out strings.Builder
	for range 4 {
		n := p.items[p.dice.IntN(len(p.items))]
		fmt.Fprintf(&out, `<li><a href="%s">%s</a></li>`, html.EscapeString(linkOf(n)), html.EscapeString(headingOf(n)))
	}
	p.bottom(`<aside class="related"><h2>You may also like</h2><ul>` + out.String() + `</ul></aside>`)
}

func cookieBar(p *page) {
	p.top(`<div class="cookie-consent" role="dialog" aria-label="Cookies"><p>We use cookies to improve your experience. Read our ` +
		`<a href="/privacy">privacy policy</a>.</p><button>Accept all</button><button>Only necessary ones</button></div>`)
}

var foreign = []string{"Startseite", "Über uns", "Kontakt", "Anmelden", "Suche", "Hilfe", "Impressum", "Datenschutz", "Neuigkeiten", "Warenkorb"}

// otherLanguage shows what is around the list in another language.
func otherLanguage(p *page) {
	inList := map[*html.Node]bool{}
	for _, n := range p.items {
		for ; n != nil; n = n.Parent {
			inList[n] = true
		}
	}
	p.top(`<div class="lang-hint">Diese Seite auf Deutsch · <a href="?lang=en">English</a></div>`)
	var walk func(n *html.Node, chrome bool)
	words := 0
	walk = func(n *html.Node, chrome bool) {
		chrome = chrome || n.DataAtom == atom.Nav || n.DataAtom == atom.Footer || n.DataAtom == atom.Header && !inList[n]
		for child := n.FirstChild; child != nil; child = child.NextSibling {
			if child.Type == html.TextNode && chrome && n.DataAtom == atom.A && strings.TrimSpace(child.Data) != "" {
				child.Data = foreign[words%len(foreign)]
				words++
			}
			walk(child, chrome)
		}
	}
	walk(p.root, false)
}

func counters(p *page) {
	p.top(fmt.Sprintf(`<div class="counter">%d people are looking at this page · %d visits today</div>`, 2+p.dice.IntN(90), 1000+p.dice.IntN(9000)))
}

func minutesAgo(p *page) {
	p.top(fmt.Sprintf(`<p class="updated">Updated %d minutes ago</p>`, 2+p.dice.IntN(57)))
}

// tracking says in every link to an item where the visitor came from.
func tracking(p *page) {
	tail := fmt.Sprintf("utm_source=list&utm_campaign=%x", p.dice.Uint32())
	for _, item := range p.items {
		each(item, func(n *html.Node) {
			if to := attribute(n, "href"); n.DataAtom == atom.A && to != "" && !strings.Contains(to, "#") && !strings.Contains(to, ":") {
				sign := "?"
				if strings.Contains(to, "?") {
					sign = "&"
				}
				set(n, "href", to+sign+tail)
			}
		})
	}
}

// inItems adds a line to every item, in a table a cell.
func (p *page) inItems(class string, text func(i int) string) {
	for i, item := range p.items {
		line := fragment(`<span class="` + class + `">` + text(i) + `</span>`)
		if item.DataAtom == atom.Tr {
			line = &html.Node{Type: html.ElementNode, Data: "td", DataAtom: atom.Td, Attr: []html.Attribute{{Key: "class", Val: class}}}
			line.AppendChild(&html.Node{Type: html.TextNode, Data: text(i)})
		}
		item.AppendChild(line)
	}
}

// failures are answers that are no page, or not the whole one.
var failures = []struct {
	name   string
	answer func(m *mutation) answer
}{
	{"blocked (403)", func(*mutation) answer {
		return answer{http.StatusForbidden, []byte(`<html><title>403 Forbidden</title><h1>Access denied</h1></html>`)}
	}},
	{"unavailable (503)", func(*mutation) answer {
		return answer{http.StatusServiceUnavailable, []byte(`<html><title>503</title><h1>Service Unavailable</h1></html>`)}
	}},
	{"challenge page (200)", func(*mutation) answer {
		return answer{http.StatusOK, []byte(`<html><head><title>Just a moment...</title></head><body><h1>Checking your browser</h1>` +
			`<p>Please complete the security check to access this site.</p><div class="g-recaptcha"></div></body></html>`)}
	}},
	{"maintenance page (200)", func(*mutation) answer {
		return answer{http.StatusOK, []byte(`<html><head><title>Maintenance</title></head><body><h1>We will be back soon</h1>` +
			`<p>The site is being maintained. Please try again in a few minutes.</p></body></html>`)}
	}},
	{"empty page", func(*mutation) answer { return answer{http.StatusOK, nil} }},
	{"half load", func(m *mutation) answer {
		return answer{http.StatusOK, m.last.body[:len(m.last.body)*(30+m.dice.IntN(60))/100]}
	}},
	{"half of the items", func(m *mutation) answer {
		least := 1 + m.dice.IntN(len(m.items)-1)
		kept := m.last
		_, half := m.show(Step{}, func(p *page) {
			for _, n := range p.items[least:] {
				n.Parent.RemoveChild(n)
			}
		})
		m.last = kept
		return half
	}},
}

// fail is a visit that gets no page, or half of one.
func (m *mutation) fail() (Step, answer) {
	f := failures[m.dice.IntN(len(failures))]
	return Step{Cause: f.name}, f.answer(m)
}

// redesign marks the page up in another way, for good.
func (m *mutation) redesign() (Step, answer) {
	ways := []string{"renamed", "bare", "wrapped", "generic", "unwrapped"}
	chosen := ways[m.dice.IntN(len(ways))]
	at := slices.IndexFunc(markup.Disguises, func(d markup.Disguise) bool { return d.Name == chosen })
	change, retagged := markup.Disguises[at].Change, m.dice.IntN(3) == 0
	m.design = func(root *html.Node) {
		change(root)
		if retagged {
			each(root, retag)
		}
	}
	return m.show(Step{Cause: "redesign", Redesign: true}, nil)
}

// retag makes a list of boxes out of a table or a list.
func retag(n *html.Node) {
	switch n.DataAtom {
	case atom.Ul, atom.Ol, atom.Li, atom.Table, atom.Tbody, atom.Tr, atom.Thead:
		n.Data, n.DataAtom = "div", atom.Div
	case atom.Td, atom.Th:
		n.Data, n.DataAtom = "div", atom.Div
	case atom.H3, atom.H4:
		n.Data, n.DataAtom = "h2", atom.H2
	}
}

// linksIn are the addresses that an element links to.
func linksIn(n *html.Node) map[string]bool {
	all := map[string]bool{}
	each(n, func(n *html.Node) {
		if to := attribute(n, "href"); n.DataAtom == atom.A && to != "" && !strings.HasPrefix(to, "#") && !strings.HasPrefix(to, "javascript") {
			all[to] = true
		}
	})
	return all
}

func replaceLink(n *html.Node, from, to string) {
	each(n, func(n *html.Node) {
		if n.DataAtom == atom.A && attribute(n, "href") == from {
			set(n, "href", to)
		}
	})
}

// replaceText replaces a text in an element, also in its attributes; false where no text has it whole.
func replaceText(n *html.Node, from, to string) (replaced bool) {
	each(n, func(n *html.Node) {
		if n.Type == html.TextNode {
			if text := strings.Join(strings.Fields(n.Data), " "); strings.Contains(text, from) {
				n.Data, replaced = " "+strings.ReplaceAll(text, from, to)+" ", true
			}
		}
		for i, a := range n.Attr {
			if a.Key == "alt" || a.Key == "title" || a.Key == "aria-label" {
				n.Attr[i].Val = strings.ReplaceAll(a.Val, from, to)
			}
		}
	})
	return replaced
}
