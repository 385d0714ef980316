package article

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"golang.org/x/net/html"
)

// fromElements reads time elements and those named after dates.
func (c *calendar) fromElements(ch choice) {
	near := c.nearHead(ch)
	c.fromTimes(near)
	c.fromNamed(near)
}

// fromTimes reads time elements.
func (c *calendar) fromTimes(near map[*html.Node]bool) {
	for i, n := range c.times {
		if i >= 60 {
			break
		}
		stamp := first(dom.Attr(n, "datetime"), dom.Attr(n, "title"), dom.Line(n), keptDate(n))
		if stamp == "" || c.side(n) || !near[n] && c.elsewhere(n) {
			continue
		}
		weight := 1.0
		if dom.HasAttr(n, "pubdate") || strings.Contains(strings.ToLower(marksOf(n)), "publish") {
			weight = 2
		}
		if near[n] {
			weight += 1
		}
		c.written(stamp, weight/float64(1+i/2), changed(n), curlew.Evidence{Tier: curlew.TierHTML, Rule: "time element", Node: dom.Path(n)})
	}
}

// fromNamed reads elements named after dates.
func (c *calendar) fromNamed(near map[*html.Node]bool) {
	for i, n := range c.dated {
		if i >= 40 {
			break
		}
		if n.Data == "time" || c.side(n) || !near[n] && c.elsewhere(n) {
			continue
		}
		weight := 0.8
		if near[n] {
			weight = 1.6
		}
		weight /= float64(1 + i/3)
		before := len(c.all)
		c.shown(shortText(n, 120), weight, changed(n), "element named after a date", n)
		if len(c.all) > before {
			continue
		}
		c.written(keptDate(n), weight, changed(n), curlew.Evidence{Tier: curlew.TierHTML, Rule: "attribute of an element named after a date",
			Node: dom.Path(n)})
	}
}

// nearHead are the elements between the headline and the beginning of the text,
// and those that hold them.
func (c *calendar) nearHead(ch choice) map[*html.Node]bool {
	near := map[*html.Node]bool{}
	begin, end := c.headRange(ch, "")
	for _, b := range c.blocks[begin:end] {
		n := b.Node
		for range 3 {
			if n == nil {
				break
			}
			near[n] = true
			n = n.Parent
		}
	}
	for _, n := range c.times {
		if n.Parent != nil && near[n.Parent] {
			near[n] = true
		}
	}
	return near
}

// headRange is the run of blocks around the headline: a little before it, up to
// the first paragraph of the text.
func (p *page) headRange(ch choice, title string) (begin, end int) {
	text := len(p.blocks)
	for i, b := range p.blocks {
		if b.kept && b.prose() {
			text = i
			break
		}
	}
	head := -1
	words := wordsOf(title)
	for i := min(text, len(p.blocks)) - 1; i >= 0 && i > text-30; i-- {
		if p.blocks[i].heading == 1 || len(words) > 2 && sameWords(p.blocks[i].words, words) {
			head = i
			break
		}
	}
	if head < 0 {
		head = max(0, text-6)
	}
	return max(0, head-5), min(len(p.blocks), min(text, head+20)+1)
}

// shortText is the visible text of an element if it is a line rather than a part.
func shortText(n *html.Node, most int) string {
	text := dom.Line(n)
	if utf8.RuneCountInString(text) > most {
		return ""
	}
	return text
}

// shown adds the dates in a line that people see.
func (c *calendar) shown(text string, weight float64, updated bool, rule string, n *html.Node) {
	if text == "" || !hasDigit(text) && !dense(text) {
		return
	}
	for i, f := range c.found(text) {
		if i >= 3 {
			break
		}
		before := strings.ToLower(text[max(0, f.Begin-40):f.Begin])
		w, change := weight*f.Confidence, updated
		if cue, found := lastCue(before); found {
			change = cue
			w += 0.5
		}
		if !f.Date.End.IsZero() { // a span of days is an event's
			w /= 3
		}
		c.add(moment{Date: f.Date, weight: w / float64(i+1), updated: change,
			evidence: curlew.Evidence{Tier: curlew.TierHTML, Rule: rule, Node: dom.Path(n), Text: text}})
	}
}

// hasDigit knows the digits of all scripts: dates are written in many of them.
func hasDigit(text string) bool { return strings.ContainsFunc(text, unicode.IsDigit) }

// Cues before a date, in the languages of the web's templates.
var (
	publishedCues = phrases("publish posted veröffentlicht erschienen online_seit publié publicad pubblicat gepubliceerd publicerad " +
		"publisert udgivet opublikowan dodano publikov zveřejněn megjelent julkaistu опубликован yayın diterbitkan 発行 公開 掲載 发布 發佈 입력 등록 " +
		"created erstellt released issued first_published")
	updatedCues = phrases("updat changed modified edited revised aktualisiert geändert bearbeitet stand: mis_à_jour modifié actualizad " +
		"modificad aggiornat bijgewerkt uppdaterad oppdatert opdateret zaktualizowan aktualizov frissítve päivitetty обновлен güncellen " +
		"diperbarui 更新 수정 last_change atualizad")
)

// phrases are the words of a list, with spaces for underscores.
func phrases(list string) []string {
	all := strings.Fields(list)
	for i := range all {
		all[i] = strings.ReplaceAll(all[i], "_", " ")
	}
	return all
}

// lastCue is which cue stands last before a date: true for a change.
func lastCue(before string) (change, found bool) {
	at := -1
	for _, cue := range publishedCues {
		at = max(at, strings.LastIndex(before, cue))
	}
	for _, cue := range updatedCues {
		if i := strings.LastIndex(before, cue); i > at {
			at, change = i, true
		}
	}
	return change, at >= 0
}

// changed says whether an element is named after a change.
func changed(n *html.Node) bool {
	for range 2 {
		if n == nil {
			return false
		}
		name := strings.ToLower(marksOf(n))
		if strings.Contains(name, "updated") || strings.Contains(name, "modified") || strings.Contains(name, "lastmod") {
			return !strings.Contains(name, "published")
		}
		n = n.Parent
	}
	return false
}

// fromLines reads the dates in the lines around the headline, at the beginning of
// the text (the dateline of a press release), and, with a cue, right after it.
func (c *calendar) fromLines(ch choice, title string) {
	begin, end := c.headRange(ch, title)
	for _, b := range c.blocks[begin:end] {
		if len(b.Text) <= 200 && !(b.kept && b.prose()) && !c.elsewhere(b.Node) {
			c.shown(b.Text, 1.5, false, "line at the headline", b.Node)
		}
	}
	if len(ch.blocks) == 0 {
		return
	}
	c.dateline(ch.blocks[0])
	last := ch.blocks[len(ch.blocks)-1]
	for i, b := range c.blocks {
		if b != last {
			continue
		}
		for _, after := range c.blocks[i:min(len(c.blocks), i+8)] {
			if len(after.Text) > 160 || c.elsewhere(after.Node) {
				continue
			}
			if _, cue := lastCue(strings.ToLower(after.Text)); cue {
				c.shown(after.Text, 0.8, false, "line after the text", after.Node)
			}
		}
	}
}

// dateline reads the date with which a text opens: "BERLIN, 3 March 2021 – …".
func (c *calendar) dateline(b *block) {
	opening := text.CutBytes(b.Text, 90)
	found := c.found(opening)
	if len(found) == 0 {
		return
	}
	f := found[0]
	after := strings.TrimSpace(b.Text[min(f.End, len(b.Text)):])
	sign, _ := utf8.DecodeRuneInString(after)
	if f.Begin <= 40 && strings.ContainsRune("–—-:|)/•·", sign) {
		c.shown(opening[:f.End], 1, false, "dateline", b.Node)
	}
}

// fromTitles reads a date that stands before the title: "08.11.2021 | Conference".
func (c *calendar) fromTitles() {
	var texts []string
	if m, ok := c.first("og:title"); ok {
		texts = append(texts, m.content)
	}
	if c.title != nil {
		texts = append(texts, rawText(c.title))
	}
	for _, s := range texts {
		s = text.Collapse(s)
		if rest := withoutDate(s); rest != s {
			c.shown(s[:len(s)-len(rest)], 0.7, false, "date before the title", c.body)
		}
	}
}

// fromCues reads lines anywhere that say in words what their date is: "Published:",
// "This page was last changed on". Those of other things on the page do not count,
// except for the one line of a page that opens with the word: an imprint at the foot.
func (c *calendar) fromCues() {
	var aside []*block
	for _, b := range c.blocks[:min(len(c.blocks), maxCueLines)] {
		if len(b.Text) > 160 || !hasDigit(b.Text) || b.kept && b.prose() || c.named(b.Node, commentMarks) {
			continue
		}
		low := strings.ToLower(b.Text)
		change, cue := lastCue(low)
		switch {
		case !cue:
		case change:
			c.shown(b.Text, 0.8, change, "line that names its date", b.Node)
		case !c.elsewhere(b.Node):
			c.shown(b.Text, 0.5, change, "line that names its date", b.Node)
		case opensWith(low, publishedCues):
			aside = append(aside, b)
		}
	}
	if len(aside) == 1 {
		c.shown(aside[0].Text, 0.5, false, "the one line that names its date", aside[0].Node)
	}
}

func opensWith(text string, cues []string) bool {
	return slices.ContainsFunc(cues, func(cue string) bool { return strings.HasPrefix(text, cue) })
}

const maxCueLines = 4000

var commentMarks = text.Set("comment comments commentlist commentary disqus reply replies related")
