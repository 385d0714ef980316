package induce

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// candidate is a rule that may lead to the values of a field.
type candidate struct {
	rule blueprint.Rule
	odds float64 // of surviving
	text string  // the rule as JSON: its identity, and the last tie-break

	right, wrong, extra int // what the trial said; see trial.go
	like                float64
	covers              []bool // by sample: a right value
	says                []bool // by sample without known values: it finds something
	silent              bool   // it does not on most of those
}

// largePage is how many texts a page has on which rules that look at every text are
// not tried.
const largePage = 10_000

// family makes the rules that lead to one place.
type family struct {
	words vocabulary
	index *pageIndex
	root  *html.Node // of the record, or around its nodes; nil is the page
	roots []*html.Node
	all   []candidate
	seen  map[string]bool
	limit int // of all
}

// Bounds of the rules that are tried for one field: of all its values together, and
// of each at least.
const (
	maxCandidates   = 600
	leastCandidates = 80
	maxTeachers     = 6 // records of a list that suggest rules; all take part in the trial
)

func (f *family) add(r blueprint.Rule, odds float64, p place) {
	r.Do = append(slices.Clone(r.Do), p.do...)
	odds *= f.words.stepsOdds(p.do)
	for _, text := range []string{r.Label, r.After, r.Before} {
		if text != "" && r.Label != p.ownLabel {
			odds *= f.words.wordOdds(text)
		}
	}
	if p.text != nil && p.text.hidden {
		odds *= oddsHidden
	}
	text, err := json.Marshal(r)
	if err != nil || f.seen[string(text)] || len(text) > 900 || len(f.all) >= f.limit {
		return
	}
	f.seen[string(text)] = true
	f.all = append(f.all, candidate{rule: r, odds: odds, text: string(text)})
}

// lead makes all rules for a place.
func (f *family) lead(p place) {
	if p.text != nil && !p.text.hidden {
		f.labels(p)
		f.neighbours(p)
	}
	if p.text != nil {
		f.beginning(p)
	}
	target, text := f.target(p)
	for _, n := range target {
		for _, r := range routes(n, f.root) {
			f.along(r, p, text)
		}
	}
	if len(target) > 0 && text == 0 && f.root != nil {
		f.anyHeading(p, target)
	}
	if p.node() == f.root && f.root != nil {
		f.add(blueprint.Rule{Attr: p.attr}, oddsText, p)
	}
}

// headingOfAnyRank finds the heading of a record where the first of a page has a larger one.
const headingOfAnyRank = "h1, h2, h3, h4, h5, h6"

func (f *family) anyHeading(p place, target []*html.Node) {
	for _, n := range target {
		switch n.DataAtom {
		case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
			f.add(blueprint.Rule{Selector: blueprint.Selector{CSS: headingOfAnyRank}, Attr: p.attr}, oddsTag*oddsCount, p)
		}
	}
}

// target are the elements that hold a place and nothing else, innermost first; where
// the place is one of several texts of an element, its number among them.
func (f *family) target(p place) (elements []*html.Node, text int) {
	n := p.node()
	if p.text == nil {
		return []*html.Node{n}, 0
	}
	if p.text.hidden {
		return []*html.Node{n}, 0
	}
	if span := f.index.span(n); span[1]-span[0] > 1 {
		return []*html.Node{n}, textNumber(p.text.node)
	}
	for ; n != nil && n != f.root && n.Type == html.ElementNode && len(elements) < 4; n = n.Parent {
		if span := f.index.span(n); span[1]-span[0] > 1 {
			break
		}
		elements = append(elements, n)
	}
	return elements, 0
}

// textNumber counts a text among those of its element.
func textNumber(n *html.Node) int {
	number := 0
	for c := n.Parent.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.TextNode && text.Collapse(c.Data) != "" {
			number++
		}
		if c == n {
			break
		}
	}
	return number
}

// along writes a route as rules.
func (f *family) along(r route, p place, text int) {
	odds := r.odds()
	if text > 0 {
		path := r.xpath() + "/text()[normalize-space()][" + strconv.Itoa(text) + "]"
		for range text {
			odds *= oddsFar
		}
		f.add(blueprint.Rule{Selector: blueprint.Selector{XPath: path}}, odds*oddsCount, p)
		if r.loose || len(r.steps) == 0 {
			f.add(blueprint.Rule{Selector: blueprint.Selector{XPath: path}, Last: true}, odds*oddsCount*oddsLast, p)
		}
		return
	}
	rule := blueprint.Rule{Selector: blueprint.Selector{CSS: r.css()}, Attr: p.attr}
	f.add(rule, odds, p)
	if !r.rooted {
		rule.Last = true
		f.add(rule, odds*oddsLast, p)
	}
}

// labels makes rules from the words before a value that look like its label.
func (f *family) labels(p place) {
	for back, worth := range []float64{1, 0.97, 0.93} {
		text := f.index.beside(*p.text, -1-back)
		if text == "" || utf8.RuneCountInString(text) > 60 || !f.inside(p, -1-back) {
			continue
		}
		f.add(blueprint.Rule{Label: text}, oddsLabel*worth, p)
	}
	if label, _, ok := strings.Cut(p.text.text, ":"); ok && utf8.RuneCountInString(label) < 40 {
		p.ownLabel = label
		whole := p
		whole.do = nil
		f.add(blueprint.Rule{Label: label}, oddsLabel, p)
		f.add(blueprint.Rule{Label: label}, oddsLabel, whole)
	}
	if number := f.column(p); number > 0 {
		f.add(blueprint.Rule{Column: strconv.Itoa(number)}, oddsText*oddsFar, p)
		if heading := columnHeading(f.root, number); heading != "" {
			f.add(blueprint.Rule{Column: heading}, oddsLabel, p)
		}
	}
}

// inside says whether a neighbouring text belongs to the same record.
func (f *family) inside(p place, steps int) bool {
	if f.root == nil {
		return true
	}
	at := p.text.shown + steps
	if at < 0 || at >= len(f.index.shown) {
		return false
	}
	return scope(f.roots).holds(f.index.texts[f.index.shown[at]].node)
}

// column is the number of the cell that a place stands in, when the record is a row of
// a table; 0 otherwise.
func (f *family) column(p place) int {
	if f.root == nil || f.root.DataAtom != atom.Tr {
		return 0
	}
	cell := p.node()
	for cell != nil && cell.Parent != f.root {
		cell = cell.Parent
	}
	number := 0
	for c := cell; c != nil; c = c.PrevSibling {
		if c.Type == html.ElementNode {
			number++
		}
	}
	return number
}

// columnHeading is what stands over a column of a row's table, when that has a row of
// headings.
func columnHeading(row *html.Node, number int) string {
	table := row.Parent
	for table != nil && table.DataAtom != atom.Table {
		table = table.Parent
	}
	if table == nil {
		return ""
	}
	for n := range table.Descendants() {
		if n.DataAtom != atom.Tr {
			continue
		}
		at := 0
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			if c.Type == html.ElementNode {
				at++
			}
			if at == number && c.DataAtom == atom.Th && utf8.RuneCountInString(dom.Line(c)) <= 40 {
				return dom.Line(c)
			}
		}
		break
	}
	return ""
}

// neighbours makes rules from the texts right before and after a value.
func (f *family) neighbours(p place) {
	before, after := f.index.beside(*p.text, -1), f.index.beside(*p.text, 1)
	if !f.inside(p, -1) {
		before = ""
	}
	if !f.inside(p, 1) {
		after = ""
	}
	short := func(s string) bool { return s != "" && utf8.RuneCountInString(s) <= 80 }
	tag := p.node().Data
	if short(before) {
		odds := oddsText * tagOdds(tag)
		if tag == "a" { // a thing of its own: the rest of the line is not part of it
			odds = oddsLabel * 1.005
		}
		f.add(blueprint.Rule{Selector: blueprint.Selector{CSS: tag}, After: before}, odds, p)
		f.add(blueprint.Rule{After: before}, oddsText*0.98, p)
		f.add(blueprint.Rule{After: before, Last: true}, oddsText*0.98*oddsLast, p)
	}
	if short(after) {
		f.add(blueprint.Rule{Selector: blueprint.Selector{CSS: tag}, Before: after}, oddsText*tagOdds(tag)*0.98, p)
		f.add(blueprint.Rule{Before: after}, oddsText*0.96, p)
		f.add(blueprint.Rule{Before: after, Last: true}, oddsText*0.96*oddsLast, p)
	}
	if short(before) && short(after) {
		f.add(blueprint.Rule{After: before, Before: after}, oddsText*oddsText, p)
	}
	if f.root == nil && len(f.index.texts) > largePage {
		return // every one of these rules would walk all of it
	}
	for back := 2; back <= 4; back++ {
		text := f.index.beside(*p.text, -back)
		if !short(text) || !f.inside(p, -back) || strings.ContainsAny(text, "\u00a0") {
			continue
		}
		path := ".//" + textAnchor + quoteXPath(text) + "]/following::text()[normalize-space()][" + strconv.Itoa(back) + "]"
		f.add(blueprint.Rule{Selector: blueprint.Selector{XPath: path}}, oddsText*oddsCount*pow(oddsFar, back)*f.words.wordOdds(text), p)
	}
}

// textAnchor begins a way from a text that stands by itself.
const textAnchor = "text()[normalize-space()="

// beginning makes rules for texts that begin with their own label: "Engine: …".
func (f *family) beginning(p place) {
	for _, mark := range []string{":", " - ", " – ", "#"} {
		start, _, ok := strings.Cut(p.text.text, mark)
		if !ok || start == "" || utf8.RuneCountInString(start) > 40 || strings.ContainsAny(start, "\u00a00123456789") {
			continue
		}
		path := ".//text()[starts-with(normalize-space(.)," + quoteXPath(strings.TrimRight(start+mark, " ")) + ")]"
		f.add(blueprint.Rule{Selector: blueprint.Selector{XPath: path}}, oddsLabel*0.99, p)
		break
	}
}

func pow(base float64, n int) float64 {
	out := 1.0
	for range n {
		out *= base
	}
	return out
}

// better orders candidates: those that were never wrong (of many records: hardly ever),
// then what the trial said, then the odds of surviving, then the text, so that equal
// runs give equal blueprints.
func better(a, b candidate) int {
	return cmp.Or(
		boolOrder(!a.clean(), !b.clean()),
		cmp.Compare(b.score(), a.score()),
		boolOrder(a.silent, b.silent),
		cmp.Compare(roundTo(b.like, 0.001), roundTo(a.like, 0.001)),
		cmp.Compare(b.odds, a.odds),
		cmp.Compare(len(a.text), len(b.text)),
		cmp.Compare(a.text, b.text))
}

// score is how often the rule was right, less twice how often it was wrong or fired
// where the field is absent.
func (c candidate) score() int { return c.right - 2*c.extra - 2*c.wrong }

// clean says whether a rule was never wrong, or so seldom among many records that the
// record may be the odd one.
func (c candidate) clean() bool { return c.wrong == 0 || c.wrong*8 <= c.right }
