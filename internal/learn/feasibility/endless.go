package feasibility

import (
	"net/url"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"golang.org/x/net/html"
)

// months finds a month in an address: 2026-03, 2026/03, month=3&year=2026.
var (
	monthPath  = text.Pattern(`((?:19|20)[0-9]{2})([-/_]?)(0[1-9]|1[0-2])(?:[^0-9]|$)`)
	monthField = text.Pattern(`(?i)\b(?:month|mon|m|monat|mois|mes|mese|miesiac|maand)=(0?[1-9]|1[0-2])\b`)
	yearField  = text.Pattern(`(?i)\b(?:year|y|yr|jahr|annee|ano|anno|rok|jaar)=((?:19|20)[0-9]{2})\b`)
)

// monthOf is the month that an address names, counted from year zero.
func monthOf(address string) (int, string, bool) {
	if m := monthPath().FindStringSubmatchIndex(address); m != nil {
		return number(address[m[2]:m[3]])*12 + number(address[m[6]:m[7]]), address[:m[2]] + "{month}" + address[m[7]:], true
	}
	month, year := monthField().FindStringSubmatchIndex(address), yearField().FindStringSubmatchIndex(address)
	if month == nil || year == nil {
		return 0, "", false
	}
	n := number(address[year[2]:year[3]])*12 + number(address[month[2]:month[3]])
	return n, address[:strings.IndexByte(address, '?')+1] + "{month}", true
}

func number(digits string) int {
	n := 0
	for _, r := range digits {
		n = n*10 + int(r-'0')
	}
	return n
}

// calendar finds the links of a calendar to the months before and after: addresses
// that name a month, of which two lie around the month of this page. Archives list
// many months and are none.
func (s *stream) calendar() (DetectedPagination, bool) {
	now, _, known := monthOf(s.here)
	months := s.months(known)
	if len(months) > 6 {
		return DetectedPagination{}, false
	}
	if !known {
		now, known = between(months)
	}
	after, ok := months[now+1]
	if _, back := months[now-1]; !known || !ok || !back && after.way() != forward {
		return DetectedPagination{}, false
	}
	p := DetectedPagination{Kind: PagesCalendar, Next: after.link.String(), Pattern: after.pattern}
	p.Why = []string{"links to the months before and after"}
	return p, true
}

// monthLink is a link to a month, and its address with a hole for the month.
type monthLink struct {
	token
	pattern string
}

// months are the links to months, the first to each; where the page's own month is not
// known, those alone that extend its address.
func (s *stream) months(known bool) map[int]monthLink {
	months := map[int]monthLink{}
	for _, t := range s.tokens {
		if t.link == nil || !s.sameHost(t.link) || t.number != 0 || len(t.href) > 2083 {
			continue
		}
		m, p, ok := monthOf(t.href)
		if !ok || dayAfter(p) || !known && !s.extends(p) {
			continue
		}
		if _, ok := months[m]; !ok {
			months[m] = monthLink{t, p}
		}
	}
	return months
}

// between is the one month that has links to both its neighbours.
func between(months map[int]monthLink) (int, bool) {
	found, n := 0, 0
	for m := range months {
		if _, ok := months[m+2]; ok {
			found = m + 1
			n++
		}
	}
	return found, n == 1
}

// extends says whether a month is added to the address of the present page. A
// calendar beside a blog leads to its archive, which is not how the page goes on.
func (s *stream) extends(pattern string) bool {
	path := strings.Trim(s.page.Path, "/")
	stem, _, _ := strings.Cut(loose(pattern), "{month}")
	here, _, _ := strings.Cut(loose(s.here), "?")
	return strings.HasPrefix(stem, here) && (path != "" || strings.Contains(pattern, "?"))
}

// dayAfter says whether a day or a title follows the month: then it is a single
// entry, not a month.
func dayAfter(pattern string) bool {
	_, rest, _ := strings.Cut(pattern, "{month}")
	path, _, _ := strings.Cut(rest, "?")
	path = strings.Trim(path, "/-_")
	return path != "" && !strings.HasPrefix(path, ".") && !strings.HasPrefix(path, "&")
}

// more finds buttons and links that load more in place, and lists that grow while
// one scrolls.
func (s *stream) more() (DetectedPagination, bool) {
	for _, t := range s.tokens {
		if t.said != toMore && t.said != forward {
			continue
		}
		lifeless := t.button || t.dead
		if !lifeless && !loads(t.node) {
			continue
		}
		if inMenu(t.node) || !moreBox(t.node) && !loads(t.node) {
			continue
		}
		p := DetectedPagination{Kind: PagesMore, Why: []string{"a button loads more: " + t.text}}
		if address := s.dataAddress(t.node); address != "" {
			p.Next = address
		}
		return p, true
	}
	for n := range s.doc.Tree().Descendants() {
		if n.Type == html.ElementNode && endless(n) {
			return DetectedPagination{Kind: PagesInfinite, Next: s.dataAddress(n), Why: []string{"more is loaded while scrolling"}}, true
		}
	}
	return DetectedPagination{}, false
}

// loads says whether an element carries where its content comes from.
func loads(n *html.Node) bool {
	words := endpointWords()
	loads, pages := words.Of("load attribute"), words.Of("paging attribute")
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return loads.Has(a.Key) || pages.Has(a.Key) })
}

// moreBox says whether an element or one around it is named for what loads more.
func moreBox(n *html.Node) bool { return called(n, "class load more", 3) }

// inMenu says whether an element belongs to the frame of the page.
func inMenu(n *html.Node) bool {
	for i := 0; n != nil && i < 8; i, n = i+1, n.Parent {
		if n.Data == "nav" || n.Data == "header" || n.Data == "footer" || dom.Attr(n, "role") == "menu" {
			return true
		}
	}
	return false
}

func endless(n *html.Node) bool {
	if dom.HasAttr(n, "data-infinite-scroll") || dom.HasAttr(n, "infinite-scroll") || dom.Attr(n, "hx-trigger") == "revealed" {
		return true
	}
	for _, name := range dom.Classes(n) {
		if strings.HasPrefix(strings.ToLower(name), "infinite-scroll") || name == "jscroll" || name == "infinite-loader" {
			return true
		}
	}
	return false
}

// dataAddress is the address that an element's data attributes name.
func (s *stream) dataAddress(n *html.Node) string {
	for _, key := range endpointWords().Of("load attribute").Words {
		value := strings.TrimSpace(dom.Attr(n, key))
		if value == "" || !strings.ContainsAny(value, "/?") {
			continue
		}
		if u, err := url.Parse(s.doc.Resolve(value)); err == nil && u.Host != "" && s.sameHost(u) {
			return u.String()
		}
	}
	return ""
}
