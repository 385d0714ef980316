package feasibility

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"

	"curlew/internal/read/dom"
)

// advance is by how many pages an address is further than the present one: they
// differ in one number, or the address adds one to what has none.
func (s *stream) advance(href string) (int, counting, bool) {
	text := loose(href)
	runs := digitRuns.FindAllStringIndex(text, 40)
	for i := len(runs) - 1; i >= 0; i-- {
		value, err := strconv.Atoi(text[runs[i][0]:runs[i][1]])
		if err != nil || value > 1_000_000 {
			continue
		}
		c := counting{before: text[:runs[i][0]], after: text[runs[i][1]:], sample: href, seen: text[runs[i][0]:runs[i][1]], step: 1, name: nameBefore(text[:runs[i][0]])}
		if now, ok := c.value(s.here); ok && now != value {
			step := value - now
			if countingNames[c.name] && step > 1 && now%step == 0 {
				return 1, c, true // an offset
			}
			return step, c, true
		}
		if c.stem(s.here) && (countingNames[c.name] || value == 2) {
			switch {
			case value == 1 || value == 2: // counted from zero or from one
				return 1, c, true
			case strings.HasPrefix(c.name, "start") || c.name == "offset" || c.name == "limitstart" || c.name == "skip" || c.name == "from":
				return 1, c, true
			}
			return value, c, true
		}
	}
	return 0, counting{}, false
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
	if !ok || !counts || step <= 0 || n != 1 && here%step != 0 || utf8.RuneCountInString(t.text) > longestLabel {
		return false
	}
	back := false
	for i := max(0, t.at-5); i < min(len(s.tokens), t.at+6); i++ {
		o := s.tokens[i]
		if o.link == nil || o.href == t.href || same(o.href, s.here) {
			continue
		}
		value, alike := c.value(o.href)
		switch {
		case alike && value == here-step || !alike && (step == 1 && here == 2 || here == step) && c.stem(o.href):
			back = back || utf8.RuneCountInString(o.text) <= longestLabel
		case alike:
			return false
		}
	}
	return back
}

// second says whether a link with a short label leads to the second page of a page
// whose own address does not count: its address adds what names a page, and a 2.
func (s *stream) second(t token) bool {
	n, c, ok := s.advance(t.href)
	_, counts := c.value(s.here)
	return ok && n == 1 && !counts && c.seen == "2" && countingNames[c.name] && c.stem(s.here) &&
		t.text != "" && utf8.RuneCountInString(t.text) <= longestLabel
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
