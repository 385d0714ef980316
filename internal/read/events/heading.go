package events

import (
	"strings"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

var (
	yearText  = text.Pattern(`\b(?:FY\s*)?(?:19|20)\d\d(?:\s*[-–—/]\s*(?:20)?\d\d)?\b`)
	listWords = text.Pattern(`(?i)[\s,:;&–—-]*\b(?:schedules?|calendars?|dates|archives?|agendas?|minutes|documents|notices|` +
		`materials|and|&|upcoming|past|previous)\b[\s:]*$`)
	onlyOne   = text.Pattern(`(?i)(meeting|hearing|session|concert|workshop|screening)s$`)
	meetingOf = text.Pattern(`(?i)^(?:public |regular )?meetings? of (?:the )?(\pL.{3,})$`)
	listFirst = text.Pattern(`(?i)^(?:upcoming|past|previous|current|scheduled|schedule of|schedule for|calendar of|dates of|` +
		`dates for|list of)\s+`)
)

// inherit names an entry after the nearest heading above that speaks of what is
// held, else after the nearest that says anything, else after the page.
func (r *reader) inherit(e *entry) named {
	if label, ok := r.panelLabel(e); ok {
		return label
	}
	page := named{text: r.title, line: -1, rule: "the title of the page", inherited: true}
	best, spare := 8, page
	for i, steps := e.span.first-1, 0; i >= 0 && steps < 400 && best > 1; i, steps = i-1, steps+1 {
		if !r.outranks(i, best, steps) {
			continue
		}
		l := &r.lines[i]
		if l.level < 7 {
			best = l.level
		}
		text := headingTitle(l.text)
		if text == "" || l.level == 7 && !boldTitle(l.text, text) {
			continue
		}
		found := named{text: text, line: i, rule: "the heading above", inherited: true}
		if eventWords().in(text) {
			return found
		}
		if spare.line < 0 {
			spare = found
		}
	}
	if r.title != "" && eventWords().in(r.title) {
		return page
	}
	return spare
}

// outranks tells a heading above all of a rank; a bold line is one only close by, outside
// of tables and where no other heading stands between.
func (r *reader) outranks(i, rank, steps int) bool {
	l := &r.lines[i]
	if l.level == 0 || l.level >= rank || l.zone == frame || r.at[i] < r.at[i+1] {
		return false
	}
	return l.level < 7 || rank == 8 && steps <= 60 && cellOf(l.holder) == nil
}

// boldTitle tells a bold line that names what stands below it: no sentence, and no
// label of one word.
func boldTitle(line, title string) bool {
	count := wordCount(title)
	return count <= 10 && (count >= 2 || !strings.HasSuffix(line, ":"))
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
		if !ok || s.first >= e.span.first || !isPart(n) {
			continue
		}
		text, ok := r.labelOf(s)
		if ok && r.otherPanels(n, text) {
			return named{text: text, line: s.first, rule: "the heading above, of its panel", inherited: true, panel: true}, true
		}
	}
	return named{}, false
}

// isPart tells the elements that parts of a page are made of.
func isPart(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Div, atom.Section, atom.Article, atom.Li:
		return true
	}
	return false
}

// labelOf is the first line of a part of the page when it reads like a label.
func (r *reader) labelOf(s span) (string, bool) {
	l := &r.lines[s.first]
	if s.last-s.first < 2 || len(l.text) > 80 || strings.HasSuffix(l.text, ".") {
		return "", false
	}
	if r.at[s.first] < r.at[s.first+1] || l.zone == frame {
		return "", false
	}
	text := headingTitle(l.text)
	return text, text != "" && eventWords().in(text)
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
	s = strings.Trim(text.Collapse(yearText().ReplaceAllString(s, " ")), " ,.;:|-–—*")
	whole := s
	for {
		cut := listFirst().ReplaceAllString(listWords().ReplaceAllString(s, ""), "")
		if cut == s {
			break
		}
		s = strings.Trim(cut, " ,.;:|-–—")
	}
	if s == "" || onlyWords(s, genericWords()) {
		s = whole
	}
	s = meetingOf().ReplaceAllString(s, "$1")
	s = onlyOne().ReplaceAllString(s, "$1") // an entry is one of them
	if len(s) < 3 || len(s) > 160 || strings.HasSuffix(s, "?") {
		return ""
	}
	if onlyWords(s, genericWords()) || !hasLetters(s) {
		return ""
	}
	return s
}

var titleParts = text.Pattern(`\s+(?:[|–—»·:-]|::)\s+|\s*\|\s*|\s*[»·]\s*`)

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
	for _, part := range titleParts().Split(d.Title(), -1) {
		if text := headingTitle(part); text != "" {
			return text
		}
	}
	if generic != "" {
		return text.CutWords(generic, 160)
	}
	return text.CutWords(strings.TrimSpace(d.Title()), 160)
}
