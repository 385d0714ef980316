package feasibility

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/read/dom"
	"golang.org/x/net/html"
)

// advance is by how many pages an address is further than the present one: they
// differ in one number, or the address adds one to what has none.
func (s *stream) advance(href string) (int, counting, bool) {
	text := loose(href)
	for _, at := range slices.Backward(digitRuns().FindAllStringIndex(text, 40)) {
		value, err := strconv.Atoi(text[at[0]:at[1]])
		if err != nil || value > 1_000_000 {
			continue
		}
		c := countingAt(href, text, at)
		if pages, ok := s.pagesTo(c, value); ok {
			return pages, c, true
		}
	}
	return 0, counting{}, false
}

// pagesTo is by how many pages a value is further than the present page.
func (s *stream) pagesTo(c counting, value int) (int, bool) {
	if now, ok := c.value(s.here); ok && now != value {
		step := value - now
		if c.named() && step > 1 && now%step == 0 {
			return 1, true // an offset
		}
		return step, true
	}
	if !c.stem(s.here) || !c.named() && value != 2 {
		return 0, false
	}
	second := value == 1 || value == 2 // counted from zero or from one
	if second || c.byOffset() {
		return 1, true
	}
	return value, true
}

// longestLabel is how much a link to another page says of itself; what says more is
// a headline.
const longestLabel = 30

// flanked says whether a link and one beside it are one page further and one page
// back, by the same counting: in any language that is the way through a list. Where
// more addresses around it count alike, it is a list of things with numbers.
func (s *stream) flanked(t token) bool {
	n, c, ok := s.advance(t.href)
	here, counts := c.value(s.here)
	further, _ := c.value(t.href)
	step := further - here
	if !ok || !counts || step <= 0 || !t.brief() {
		return false
	}
	if n != 1 && here%step != 0 {
		return false
	}
	back := false
	for _, o := range s.near(t.at, t.at, 5) {
		if o.link == nil || o.href == t.href || same(o.href, s.here) {
			continue
		}
		switch before, alike := c.precedes(o.href, here, step); {
		case before:
			back = back || o.brief()
		case alike:
			return false
		}
	}
	return back
}

// precedes says whether an address is one step before the present page, and whether it
// counts at all: the first page often does not.
func (c counting) precedes(href string, here, step int) (before, counts bool) {
	if value, ok := c.value(href); ok {
		return value == here-step, true
	}
	second := here == step || here == 2 && step == 1
	return second && c.stem(href), false
}

// brief says whether a label is short enough for a link to another page.
func (t token) brief() bool { return utf8.RuneCountInString(t.text) <= longestLabel }

// second says whether a link with a short label leads to the second page of a page
// whose own address does not count: its address adds what names a page, and a 2.
func (s *stream) second(t token) bool {
	n, c, ok := s.advance(t.href)
	if _, counts := c.value(s.here); !ok || n != 1 || counts || c.seen != "2" {
		return false
	}
	return c.named() && c.stem(s.here) && t.text != "" && t.brief() && !s.amongThings(t, c)
}

// amongThings says whether several addresses around a link count as its own does and say neither
// their number nor a way: things with numbers, not pages.
func (s *stream) amongThings(t token, c counting) bool {
	things := map[int]bool{}
	for _, o := range s.near(t.at, t.at, 20) {
		value, counts := c.value(o.href)
		if counts && o.href != t.href && o.way() == nowhere && !slices.Contains(strings.Fields(o.text), strconv.Itoa(value)) {
			things[value] = true
		}
	}
	return len(things) > 1
}

// findAhead is the address that the head of the page calls the next one. It is no
// proof by itself: many systems write it on pages that stand alone.
func (s *stream) findAhead() string {
	for n := range s.doc.Tree().Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		if n.Data == "body" {
			break
		}
		if n.Data == "link" && relation(dom.Attr(n, "rel")) == forward {
			href := s.doc.Resolve(strings.TrimSpace(dom.Attr(n, "href")))
			href, _, _ = strings.Cut(href, "#")
			return href
		}
	}
	return ""
}
