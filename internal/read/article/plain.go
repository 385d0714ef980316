package article

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/dates"
	"golang.org/x/net/html"
)

// Bounds of what is kept of a page.
const (
	mostPlainBlocks = 2_000
	mostPlainText   = 200_000 // bytes
	mostFigures     = 50
	mostPlainDates  = 50
)

// PlainOptions say which part of a page is its text.
type PlainOptions struct {
	Now     time.Time
	Within  []*html.Node            // only what is in these; nil is the main part of the page
	Without []*html.Node            // not what is in these
	Figures map[*html.Node][]string // nor figures in the lines of these elements, by the words beside them
	Noise   map[string]bool         // nor what Unsteady named
}

// PlainBlock is a line of a page and where it stands.
type PlainBlock struct {
	Text  string
	Place string // the selector of its element, and "##2" for its second line
	Node  *html.Node
	days  []string
	dates [][]int // where dates stand in the text
}

// Plain reads any page as text: the blocks of its main part, with the figures and dates in
// them; ok is false for a page without text.
func Plain(d *dom.Document, o PlainOptions) (draft curlew.Draft, ok bool) {
	blocks := PlainBlocks(d, o)
	if len(blocks) == 0 {
		return draft, false
	}
	lines, days := make([]string, len(blocks)), []any{}
	for i, b := range blocks {
		lines[i] = b.Text
		for _, day := range b.days {
			if !slices.Contains(days, any(day)) && len(days) < mostPlainDates {
				days = append(days, day)
			}
		}
	}
	draft = curlew.Draft{Schema: curlew.SchemaPage, Confidence: 1, Text: strings.Join(lines, "\n"), Provenance: map[string]curlew.Evidence{}}
	draft.Fields = curlew.Values{"text": draft.Text}
	title := plainTitle(d)
	address := title == "" && d.URL() != nil
	if address {
		title = text.Clip(d.URL().Host+d.URL().Path, 300)
	}
	if title != "" {
		draft.Fields["title"] = title
	}
	if figures := figuresIn(d, blocks); len(figures) > 0 {
		draft.Fields["figures"] = figures
	}
	if len(days) > 0 {
		draft.Fields["dates"] = days
	}
	for name := range draft.Fields {
		draft.Provenance[name] = curlew.Evidence{Tier: curlew.TierHTML, Rule: "text of the page", Text: text.Clip(draft.Text, 500),
			Seen: curlew.SeenVisible}
	}
	if address {
		draft.Provenance["title"] = curlew.Evidence{Tier: curlew.TierHTML, Rule: curlew.RuleAddress, Text: title, Seen: curlew.SeenDerived}
	}
	return draft, true
}

// plainTitle is what a page is called, by its first headline or its title.
func plainTitle(d *dom.Document) string {
	title := d.Title()
	if headlines := d.Headlines(); len(headlines) > 0 {
		title = headlines[0]
	}
	return text.Clip(text.Collapse(title), 300)
}

// PlainBlocks are the lines of a page. The age of something, such as "5 minutes ago", is
// left out of them: it changes by itself.
func PlainBlocks(d *dom.Document, o PlainOptions) []PlainBlock {
	all := d.Blocks()
	main := mainOf(all)
	lang := d.Language()
	order, _ := d.DateOrder(o.Now)
	var kept []PlainBlock
	length := 0
	lines, noise := map[*html.Node]int{}, noisyFigures(o.Noise)
	for _, b := range all[:min(len(all), mostPlainBlocks)] {
		switch {
		case length >= mostPlainText:
			return kept
		case inAny(b.Node, o.Without), o.Within != nil && !inAny(b.Node, o.Within),
			o.Within == nil && (besideContent(b.Node) || main != nil && !inAny(b.Node, []*html.Node{main})):
			continue
		}
		lines[b.Node]++
		element := SelectorOf(b.Node)
		block := PlainBlock{Node: b.Node, Place: placeOfLine(element, lines[b.Node])}
		line := withoutFigures(b.Text, slices.Concat(o.Figures[b.Node], noise[element]))
		if block.read(line, dates.Options{Now: o.Now, Lang: lang, Order: order}); block.Text != "" && !o.Noise[block.Place] {
			kept = append(kept, block)
			length += len(block.Text) + 1
		}
	}
	return kept
}

// noisyFigures are the words beside figures that are noise, by the selector of their element.
func noisyFigures(noise map[string]bool) map[string][]string {
	found := map[string][]string{}
	for name := range noise {
		if element, words, _ := strings.Cut(name, lineMark); strings.Contains(words, figureMark) {
			found[element] = append(found[element], words)
		}
	}
	return found
}

func placeOfLine(element string, line int) string {
	if line == 1 {
		return element
	}
	return element + lineMark + strconv.Itoa(line)
}

// plainID is an id that a selector can name as it is, and that is no running number.
var plainID = text.Pattern(`^[A-Za-z][A-Za-z_-]*$`)

// mostSteps bounds a selector; what lies deeper is named by its innermost elements.
const mostSteps = 40

// SelectorOf is a CSS selector of one element: its way from the nearest one with an id.
func SelectorOf(n *html.Node) string {
	var steps []string
	for ; n != nil && n.Type == html.ElementNode && len(steps) < mostSteps; n = n.Parent {
		if id := dom.Attr(n, "id"); plainID().MatchString(id) {
			steps = append(steps, "#"+id)
			break
		}
		if n.Data == "body" || n.Data == "html" {
			steps = append(steps, n.Data)
			break
		}
		nth := 1
		for s := n.PrevSibling; s != nil; s = s.PrevSibling {
			if s.Type == html.ElementNode && s.Data == n.Data {
				nth++
			}
		}
		steps = append(steps, n.Data+":nth-of-type("+strconv.Itoa(nth)+")")
	}
	slices.Reverse(steps)
	return strings.Join(steps, " > ")
}

// ageShift is how far a second reading of a date lies from the first. What moves as far is
// the age of something; what moves otherwise, such as a weekday, is no date by itself.
const ageShift = 197 * time.Hour

// read takes the text of a block without ages, and the dates in it.
func (b *PlainBlock) read(line string, o dates.Options) {
	now, shifted := o.Now, o
	shifted.Now = now.Add(ageShift)
	found, later := dates.Find(line, o), dates.Find(line, shifted)
	kept, from := "", 0
	for i, d := range found {
		moved, until := time.Duration(0), false // until: it ends on a day that stays
		if i < len(later) && later[i].Begin == d.Begin {
			moved = later[i].Start.Sub(d.Start)
			until = d.Relative != dates.Absolute && !d.Date.End.IsZero() && later[i].Date.End.Equal(d.Date.End)
		}
		switch {
		case until: // "from yesterday to 9 December"
			b.days = append(b.days, dates.Format(d.Date.End, d.EndTime, d.ZoneKnown))
		case (moved-ageShift).Abs() < ageShift/16 && isPast(d.Date, now):
			kept += line[from:d.Begin]
			from = d.End
		case moved == 0:
			b.days = append(b.days, dates.Format(d.Start, d.TimeKnown, d.ZoneKnown))
		}
	}
	b.Text = strings.Trim(text.Collapse(kept+line[from:]), " ,;·|–-")
	if len(found) > 0 {
		for _, d := range dates.Find(b.Text, o) {
			if d.Relative == dates.Absolute { // "today: 1,204" is a figure
				b.dates = append(b.dates, []int{d.Begin, d.End})
			}
		}
	}
}

// isPast says whether a date is over: "today", "within 30 days" and "Monday to Friday" are not.
func isPast(d dates.Date, now time.Time) bool {
	return d.Recurrence == "" && d.Start.Before(now) && (d.TimeKnown || now.Sub(d.Start) >= 24*time.Hour)
}

// besideTags are the parts of a page that are around its content, by tag or role.
var besideTags = text.Set("nav footer aside dialog select button menu navigation banner contentinfo complementary search alert status " +
	"timer marquee")

// besideContent says whether a node belongs to what is around the content.
func besideContent(n *html.Node) bool {
	for ; n != nil; n = n.Parent {
		if n.Type != html.ElementNode {
			continue
		}
		pageHeader := n.Data == "header" && n.Parent != nil && n.Parent.Data == "body"
		if besideTags[n.Data] || besideTags[strings.ToLower(dom.Attr(n, "role"))] || pageHeader {
			return true
		}
	}
	return false
}

// mainOf is the element that the page calls its main part, where it holds a fair share of
// the text; nil where none does.
func mainOf(blocks []dom.TextBlock) *html.Node {
	var order []*html.Node
	letters, all := map[*html.Node]int{}, 0
	for _, b := range blocks {
		all += len(b.Text)
		for n := b.Node; n != nil; n = n.Parent {
			if n.Type == html.ElementNode && (n.Data == "main" || dom.Attr(n, "role") == "main") {
				if letters[n] == 0 {
					order = append(order, n)
				}
				letters[n] += len(b.Text)
				break
			}
		}
	}
	for _, n := range order {
		if letters[n]*5 >= all {
			return n
		}
	}
	return nil
}

func inAny(n *html.Node, roots []*html.Node) bool {
	for ; n != nil && len(roots) > 0; n = n.Parent {
		if slices.Contains(roots, n) {
			return true
		}
	}
	return false
}
