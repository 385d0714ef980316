package events

import (
	"slices"
	"strings"
	"unicode"

	"github.com/curlew-data/curlew/internal/read/dom"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// zone is the part of a page that a line stands in.
type zone uint8

const (
	content zone = iota
	margin       // sidebars and widgets: read when the page has nothing else
	frame        // navigation, footer, comments, cookie notices: never read
)

// zoned is an element that makes a zone.
type zoned struct {
	zone zone
	span span
	sure bool // by its tag or role rather than by a class
}

// zoneWords are the words of classes, ids and roles that tell a zone.
var zoneWords = map[string]zone{
	"nav": frame, "navbar": frame, "navigation": frame, "menu": frame, "menubar": frame, "footer": frame, "contentinfo": frame,
	"breadcrumb": frame, "breadcrumbs": frame, "comment": frame, "comments": frame, "commentlist": frame, "respond": frame,
	"cookie": frame, "cookies": frame, "copyright": frame, "pagination": frame, "pager": frame, "share": frame, "sharing": frame,
	"social": frame, "banner": margin, "sidebar": margin, "aside": margin, "complementary": margin,
	"widget": margin, "related": margin, "recent": margin, "news": margin, "newsletter": margin, "advert": frame, "twitter": frame,
	"sitemap": frame, "offcanvas": frame, "skiplinks": frame, "replies": frame, "disqus": frame, "facebook": frame, "instagram": frame,
}

// zoneEnds are the ends of words that makers of templates write in one: "sidenav",
// "mainmenu", "sitefooter".
var zoneEnds = []struct {
	end string
	is  zone
}{
	{"nav", frame}, {"menu", frame}, {"footer", frame}, {"navigation", frame}, {"navbar", frame}, {"breadcrumbs", frame},
	{"comments", frame}, {"sidebar", margin}, {"widget", margin},
}

// zoneNamed is the zone that one word of a name tells.
func zoneNamed(word string) zone {
	if z, known := zoneWords[word]; known {
		return z
	}
	for _, e := range zoneEnds {
		if strings.HasSuffix(word, e.end) {
			return e.is
		}
	}
	return content
}

func zoneOf(n *html.Node) zone {
	switch n.DataAtom {
	case atom.Html, atom.Body, atom.Main, atom.Article, atom.Table, atom.Tbody, atom.Tr, atom.Td, atom.Li:
		return content
	case atom.Nav, atom.Footer, atom.Menu:
		return frame
	case atom.Aside:
		return margin
	case atom.Header:
		if ofPage(n) {
			return margin
		}
	}
	found := content
	for _, name := range [...]string{"role", "class", "id"} {
		for _, word := range words(dom.Attr(n, name)) {
			found = max(found, zoneNamed(word))
		}
	}
	return found
}

// ofPage says whether a header is that of the page, and not of a part of it.
func ofPage(header *html.Node) bool {
	for n := header.Parent; n != nil; n = n.Parent {
		switch n.DataAtom {
		case atom.Main, atom.Article, atom.Section, atom.Li:
			return false
		}
	}
	return true
}

// words cuts names of classes into lower-case words: "siteFooter main-nav".
func words(names string) []string {
	if names == "" || len(names) > 1000 {
		return nil
	}
	var all []string
	begin, lower := -1, false
	for i, r := range names {
		letter := unicode.IsLetter(r)
		if begin >= 0 && (!letter || unicode.IsUpper(r) && lower) {
			all = append(all, strings.ToLower(names[begin:i]))
			begin = -1
		}
		if letter && begin < 0 {
			begin = i
		}
		lower = unicode.IsLower(r)
	}
	if begin >= 0 {
		all = append(all, strings.ToLower(names[begin:]))
	}
	return all
}

func (p *page) noteZone(n *html.Node, s span) {
	if z := zoneOf(n); z != content {
		sure := n.DataAtom == atom.Nav || n.DataAtom == atom.Footer || dom.Attr(n, "role") == "navigation"
		p.zones = append(p.zones, zoned{z, s, sure})
	}
}

// assignZones marks the lines. What holds most of the page is no margin, whatever
// its class says ("with-sidebar"), nor is what holds the main heading.
func (p *page) assignZones() {
	main := slices.IndexFunc(p.lines, func(l line) bool { return l.level == 1 })
	for _, z := range p.zones {
		if z.zone == margin && !z.sure && main >= z.span.first && main < z.span.last {
			continue
		}
		if size := z.span.last - z.span.first; !z.sure && size > 8 && size*5 > len(p.lines)*2 && p.linkShare(z.span) < 0.8 {
			continue
		}
		for i := z.span.first; i < z.span.last; i++ {
			p.lines[i].zone = max(p.lines[i].zone, z.zone)
		}
	}
}

// linkShare is the share of lines that are links, looked up in a sample.
func (p *page) linkShare(s span) float64 {
	linked, seen := 0, 0
	step := max(1, (s.last-s.first)/100)
	for i := s.first; i < s.last; i += step {
		seen++
		if isLink(&p.lines[i]) {
			linked++
		}
	}
	return float64(linked) / float64(max(1, seen))
}
