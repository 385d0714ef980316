package agenda

import (
	"regexp"
	"strings"

	"curlew/internal/dom"
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

// headingTitle makes a title of a heading: without years and words for lists; ""
// when nothing is left that names anything.
func headingTitle(text string) string {
	text = strings.Trim(strings.Join(strings.Fields(yearText.ReplaceAllString(text, " ")), " "), " ,.;:|-–—*")
	whole := text
	for {
		cut := listFirst.ReplaceAllString(listWords.ReplaceAllString(text, ""), "")
		if cut == text {
			break
		}
		text = strings.Trim(cut, " ,.;:|-–—")
	}
	if text == "" || onlyWords(text, genericWords) {
		text = whole
	}
	text = meetingOf.ReplaceAllString(text, "$1")
	text = onlyOne.ReplaceAllString(text, "$1") // an entry is one of them
	if len(text) < 3 || len(text) > 160 || strings.HasSuffix(text, "?") || onlyWords(text, genericWords) || !hasLetters(text) {
		return ""
	}
	return text
}

var titleParts = regexp.MustCompile(`\s+(?:[|–—»·:-]|::)\s+|\s*\|\s*|\s*[»·]\s*`)

// pageTitle is what a page is about: the great heading that the title repeats, else
// its first, else its title without the name of the site.
func pageTitle(d *dom.Document, p *page) string {
	generic, first := "", ""
	whole := fold(d.Title())
	for _, z := range [...]zone{content, margin} {
		for i := range p.lines {
			l := &p.lines[i]
			if l.level != 1 || l.zone != z {
				continue
			}
			text := headingTitle(l.text)
			switch {
			case text != "" && strings.Contains(whole, fold(text)):
				return text
			case first == "":
				first = text
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
