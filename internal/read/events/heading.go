package events

import (
	"regexp"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"curlew/internal/read/dom"
	"curlew/internal/text"
)

var (
	yearText  = regexp.MustCompile(`\b(?:FY\s*)?(?:19|20)\d\d(?:\s*[-–—/]\s*(?:20)?\d\d)?\b`)
	listWords = regexp.MustCompile(`(?i)[\s,:;&–—-]*\b(?:schedules?|calendars?|dates|archives?|agendas?|minutes|documents|notices|materials|and|&|upcoming|past|previous)\b[\s:]*$`)
	onlyOne   = regexp.MustCompile(`(?i)(meeting|hearing|session|concert|workshop|screening)s$`)
	meetingOf = regexp.MustCompile(`(?i)^(?:public |regular )?meetings? of (?:the )?(\pL.{3,})$`)
	listFirst = regexp.MustCompile(`(?i)^(?:upcoming|past|previous|current|scheduled|schedule of|schedule for|calendar of|dates of|dates for|list of)\s+`)
)

// inherit names an entry after the nearest heading above that speaks of what is
// held, else after the nearest that says anything, else after the page.
func (r *reader) inherit(e *entry) named {
	if label, ok := r.panelLabel(e); ok {
		return label
	}
	best, spare := 8, named{text: r.title, line: -1, rule: "the title of the page", inherited: true}
	for i, steps := e.span.first-1, 0; i >= 0 && steps < 400 && best > 1; i, steps = i-1, steps+1 {
		l := &r.lines[i]
		if l.level == 0 || l.level >= best || l.zone == frame || r.at[i] < r.at[i+1] {
			continue
		}
		if l.level == 7 && (best < 8 || cellOf(l.holder) != nil || steps > 60) {
			continue
		}
		if l.level < 7 {
			best = l.level
		}
		text := headingTitle(l.text)
		if text == "" || l.level == 7 && (wordCount(text) > 10 || strings.HasSuffix(l.text, ":") && wordCount(text) < 2) {
			continue
		}
		found := named{text: text, line: i, rule: "the heading above", inherited: true}
		if eventWords.in(text) {
			return found
		}
		if spare.line < 0 {
			spare = found
		}
	}
	if spare.line >= 0 && eventWords.in(r.title) && r.title != "" {
		return named{text: r.title, line: -1, rule: "the title of the page", inherited: true}
	}
	return spare
}

// panelLabel is the first line of the panel that an entry stands in: the label of an
// accordion or a tab, whatever its markup. Panels are siblings of one make that each
// begin with another short line.
func (r *reader) panelLabel(e *entry) (named, bool) {
	if e.node == nil {
		return named{}, false
	}
	for n, steps := e.node.Parent, 0; n != nil && n.DataAtom != atom.Body && steps < 12; n, steps = n.Parent, steps+1 {
		s, ok := r.spans[n]
		if !ok || s.first >= e.span.first || n.DataAtom != atom.Div && n.DataAtom != atom.Section && n.DataAtom != atom.Article && n.DataAtom != atom.Li {
			continue
		}
		text, ok := r.labelOf(s)
		if ok && r.otherPanels(n, text) {
			return named{text: text, line: s.first, rule: "the heading above, of its panel", inherited: true, panel: true}, true
		}
	}
	return named{}, false
}

// labelOf is the first line of a part of the page when it reads like a label.
func (r *reader) labelOf(s span) (string, bool) {
	l := &r.lines[s.first]
	if s.last-s.first < 2 || len(l.text) > 80 || r.at[s.first] < r.at[s.first+1] || l.zone == frame || strings.HasSuffix(l.text, ".") {
		return "", false
	}
	text := headingTitle(l.text)
	return text, text != "" && eventWords.in(text)
}

// otherPanels says whether a sibling of the same make begins with another label.
func (r *reader) otherPanels(n *html.Node, label string) bool {
	for _, next := range [...]func(*html.Node) *html.Node{
		func(n *html.Node) *html.Node { return n.NextSibling },
		func(n *html.Node) *html.Node { return n.PrevSibling },
	} {
		other := next(n)
		for left := 6; other != nil && left > 0; other, left = next(other), left-1 {
			if other.Type != html.ElementNode || makeOf(other) != makeOf(n) {
				continue
			}
			if text, ok := r.labelOf(r.spans[other]); ok && text != label {
				return true
			}
		}
	}
	return false
}

// headingTitle makes a title of a heading: without years and words for lists; ""
// when nothing is left that names anything.
func headingTitle(s string) string {
	s = strings.Trim(text.Collapse(yearText.ReplaceAllString(s, " ")), " ,.;:|-–—*")
	whole := s
	for {
		cut := listFirst.ReplaceAllString(listWords.ReplaceAllString(s, ""), "")
		if cut == s {
			break
		}
		s = strings.Trim(cut, " ,.;:|-–—")
	}
	if s == "" || onlyWords(s, genericWords) {
		s = whole
	}
	s = meetingOf.ReplaceAllString(s, "$1")
	s = onlyOne.ReplaceAllString(s, "$1") // an entry is one of them
	if len(s) < 3 || len(s) > 160 || strings.HasSuffix(s, "?") || onlyWords(s, genericWords) || !hasLetters(s) {
		return ""
	}
	return s
}

var titleParts = regexp.MustCompile(`\s+(?:[|–—»·:-]|::)\s+|\s*\|\s*|\s*[»·]\s*`)

// pageTitle is what a page is about: the great heading that the title repeats, else
// its first, else its title without the name of the site.
func pageTitle(d *dom.Document, p *page) string {
	generic, first := "", ""
	whole := text.Phrase(d.Title())
	for _, z := range [...]zone{content, margin} {
		for i := range p.lines {
			l := &p.lines[i]
			if l.level != 1 || l.zone != z {
				continue
			}
			s := headingTitle(l.text)
			switch {
			case s != "" && strings.Contains(whole, text.Phrase(s)):
				return s
			case first == "":
				first = s
			}
			if generic == "" {
				generic = l.text
			}
		}
	}
	if first != "" {
		return first
	}
	for _, part := range titleParts.Split(d.Title(), -1) {
		if text := headingTitle(part); text != "" {
			return text
		}
	}
	if generic != "" {
		return clip(generic, 160)
	}
	return clip(strings.TrimSpace(d.Title()), 160)
}

func clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	cut := strings.LastIndexByte(s[:most], ' ')
	if cut < most/2 {
		return strings.ToValidUTF8(s[:most], "")
	}
	return s[:cut]
}
