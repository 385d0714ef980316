package regions

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/dates"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Items reads the main list of a page, with its peers, as drafts of the schema item.
// The fields are what is recognised; slots hold all that the records show, as it is
// written there. The page keeps the reading: the readers of all kinds ask for it.
func Items(ctx context.Context, d *dom.Document, o Options) ([]Region, []curlew.Draft) {
	kept, whole := d.Kept(o, func() any {
		var found mainList
		found.regions = Main(ctx, d, o)
		for _, r := range found.regions {
			found.drafts = append(found.drafts, Drafts(ctx, d, r, o)...)
		}
		if ctx.Err() != nil {
			return nil
		}
		found.tellApart()
		return found
	}).(mainList)
	if !whole {
		return nil, nil
	}
	drafts := slices.Clone(kept.drafts)
	for i := range drafts { // callers complete and rename fields
		drafts[i].Fields, drafts[i].Provenance = maps.Clone(drafts[i].Fields), maps.Clone(drafts[i].Provenance)
	}
	return slices.Clone(kept.regions), drafts
}

// mainList is what a page keeps of being read.
type mainList struct {
	regions []Region
	drafts  []curlew.Draft
}

// Drafts reads the records of one region. There are none once the context has ended.
func Drafts(ctx context.Context, d *dom.Document, r Region, o Options) []curlew.Draft {
	slots := Slots(ctx, r, o)
	roles := rolesOf(slots)
	roles.under = datedHeadings(r, roles, o.Dates)
	confidence := r.confidence()
	drafts := make([]curlew.Draft, 0, len(r.Records))
	furniture := make([]bool, len(slots))
	for i := range slots {
		furniture[i] = slots[i].furniture() || slots[i].numbersRows() || slots[i].ofVisitors()
	}
	for i, record := range r.Records {
		if ctx.Err() != nil {
			return nil
		}
		w := writer{doc: d, slots: slots, furniture: furniture, record: i, draft: curlew.Draft{
			Schema: curlew.SchemaItem, Text: record.Text, Confidence: confidence,
			Fields: curlew.Values{}, Provenance: map[string]curlew.Evidence{},
		}}
		if node := record.Nodes[0]; node.Parent != nil {
			w.draft.Node = placeIn(d, node)
		}
		w.fill(roles, record)
		drafts = append(drafts, w.draft)
	}
	return drafts
}

// confidence says how sure it is that a region is a list at all.
func (r *Region) confidence() float64 {
	f := &r.Features
	return 0.3 + 0.6*capped(0.3*f[Coherent]+0.2*f[Distinct]+0.2*f[Rich]+0.2*f[Count]+0.1*f[Uniform])
}

// roles are the slots that fill the fields of an item, by number; -1 is none.
type roles struct {
	title, link, image, text, date, clock int
	prices                                []priceColumn
	under                                 map[string]string // the days in the headings above
}

func rolesOf(slots []Column) roles {
	r := roles{-1, -1, -1, -1, -1, -1, priceColumns(slots), nil}
	first := func(at *int, i int) {
		if *at < 0 || slots[i].Present > 2*slots[*at].Present {
			*at = i
		}
	}
	for i, s := range slots {
		switch s.Type {
		case TypeTitle:
			r.title = i
		case TypeImage:
			first(&r.image, i)
		case TypeDate:
			first(&r.date, i)
		case TypeTime:
			first(&r.clock, i)
		case TypeLong:
			first(&r.text, i)
		}
	}
	r.link = linkFor(slots, r.title)
	return r
}

// linkFor is the slot with the address of the record: the link around the title or
// in it, else the first link that leads elsewhere for each record.
func linkFor(slots []Column, title int) int {
	best, most := -1, 0.0
	for i, s := range slots {
		if s.Type != TypeURL {
			continue
		}
		score := s.Present + s.Distinct - 0.01*float64(i)
		if title >= 0 && nearTitle(s, slots[title]) {
			score += 2
		}
		if score > most {
			best, most = i, score
		}
	}
	return best
}

func nearTitle(link, title Column) bool {
	near, looked := 0, 0
	for i, v := range title.Values {
		a := link.Values[i].Node
		if v.Node == nil || a == nil {
			continue
		}
		looked++
		for n := v.Node; n != nil; n = n.Parent {
			if n == a || a.Parent == n && n.Data != "div" && n.Data != "li" && n.Data != "tr" {
				near++
				break
			}
			if n.Data == "li" || n.Data == "tr" || n.Data == "article" {
				break
			}
		}
	}
	return near*2 > looked
}

// datedHeadings are the days in the headings above records that have none themselves, by the
// headings; none where few have one.
func datedHeadings(r Region, roles roles, o dates.Options) map[string]string {
	if roles.date >= 0 {
		return nil
	}
	days, dated := map[string]string{}, 0
	for _, record := range r.Records {
		day, seen := days[record.Heading]
		if !seen {
			day = dayAbove(record, o)
			days[record.Heading] = day
		}
		if day != "" {
			dated++
		}
	}
	if float64(dated) < agreement*float64(len(r.Records)) {
		return nil
	}
	return days
}

// dayAbove is the heading with the day of a record: the nearest where that says all of it, else
// all of them, the month above the day.
func dayAbove(record ListRecord, o dates.Options) string {
	if d, is := dates.Parse(record.nearest, o); is && d.Confidence > weekdayAlone {
		return record.nearest
	}
	if _, is := dates.Parse(record.Heading, o); is {
		return record.Heading
	}
	return ""
}

// weekdayAlone is how sure a date is that has no day of the month.
const weekdayAlone = 0.6

// writer fills one draft.
type writer struct {
	doc       *dom.Document
	slots     []Column
	furniture []bool // which slots tell nothing about a record
	record    int
	draft     curlew.Draft
}

func (w *writer) fill(r roles, record ListRecord) {
	w.field("title", r.title)
	w.field("text", r.text)
	w.price(r.prices)
	w.field("date", r.date)
	w.address("url", r.link)
	w.address("image_url", r.image)
	if date := r.under[record.Heading]; date != "" {
		if clock := w.value(r.clock).Text; clock != "" {
			date += " " + clock
		}
		w.draft.Fields["date"] = date
		w.draft.Provenance["date"] = curlew.Evidence{Tier: curlew.TierHTML, Rule: "heading", Text: date}
	}
	if address, ok := w.draft.Fields["url"].(string); ok {
		w.draft.URL = address
	}
	if _, ok := w.draft.Fields["title"]; !ok {
		w.firstWords()
	}
	w.rest()
}

func (w *writer) value(slot int) ColumnValue {
	if slot < 0 {
		return ColumnValue{}
	}
	return w.slots[slot].Values[w.record]
}

func (w *writer) field(name string, slot int) {
	v := w.value(slot)
	if v.Text == "" {
		return
	}
	text := v.Text
	if w.slots[slot].Attr == "" {
		whole := !w.slots[slot].part
		if line := dom.Line(v.Node); whole && line != "" {
			text = line
		}
		if name == "price" && whole {
			text = dom.ToPay(v.Node)
		}
		text = w.slots[slot].sign + w.slots[slot].unlabelled(text)
	}
	w.keep(name, text, slot, v)
}

func (w *writer) address(name string, slot int) {
	v := w.value(slot)
	if address := w.doc.Resolve(v.Text); v.Text != "" && address != "" {
		w.keep(name, address, slot, v)
	}
}

func (w *writer) keep(name, value string, slot int, v ColumnValue) {
	w.draft.Fields[name] = value
	w.draft.Provenance[name] = w.evidence(slot, v)
}

func (w *writer) evidence(slot int, v ColumnValue) curlew.Evidence {
	s := &w.slots[slot]
	rule := s.Path
	switch {
	case s.Attr != "":
		rule += " @" + s.Attr
	case s.Label != "" && s.Column > 0:
		rule = "column:" + s.Label
	case s.Label != "":
		rule = "label:" + s.Label
	}
	return curlew.Evidence{Tier: curlew.TierHTML, Rule: strings.TrimSpace(rule), Node: placeIn(w.doc, v.Node), Text: v.Text}
}

// firstWords makes a title for a record whose title slot is empty: its first slot
// with words, or the beginning of its text.
func (w *writer) firstWords() {
	for i, s := range w.slots {
		if v := s.Values[w.record]; s.Attr == "" && s.Type != TypeLabel && hasLetter(v.Text) {
			w.keep("title", text.CutWords(v.Text, 160), i, v)
			return
		}
	}
	if text := text.CutWords(w.draft.Text, 160); text != "" {
		w.draft.Fields["title"] = text
		w.draft.Provenance["title"] = curlew.Evidence{Tier: curlew.TierHTML, Rule: "first words", Node: w.draft.Node, Text: text}
	}
}

// rest puts all that a record shows into its slots.
func (w *writer) rest() {
	slots := map[string]any{}
	for i, s := range w.slots {
		v := s.Values[w.record]
		if v.Text == "" || s.Type == TypeURL || s.Type == TypeImage || w.furniture[i] {
			continue
		}
		slots[s.Name] = s.unlabelled(v.Text)
		w.draft.Provenance["slots."+s.Name] = w.evidence(i, v)
	}
	if len(slots) > 0 {
		w.draft.Fields["slots"] = slots
	}
}

// furniture says whether a text that all records share tells nothing about them: a button,
// a link, the name of another slot, a mark between two. Any other is a value that one of
// them may have alone tomorrow.
func (s *Column) furniture() bool {
	if s.names {
		return true
	}
	if s.Type != TypeLabel || s.Present <= 0.9 || len(s.Values) <= 3 {
		return false
	}
	values, node := s.sample()
	if s.piece || s.Label == "" && !hasLetter(values[0]) || strings.HasSuffix(values[0], ":") || labelMarkup(node) {
		return true
	}
	for range 4 {
		switch node.DataAtom {
		case atom.A, atom.Button, atom.Label, atom.Summary:
			return true
		}
		if node = node.Parent; node == nil || holdsMore(node) {
			return false
		}
	}
	return false
}

// numbersRows says whether a slot counts the records from one on: what is before a record changes
// that, and nothing about it.
func (s *Column) numbersRows() bool {
	for i, v := range s.Values {
		if strings.Trim(v.Text, " .)#") != strconv.Itoa(i+1) {
			return false
		}
	}
	return len(s.Values) > 3
}

// holdsMore says whether an element has more than one child, white space apart.
func holdsMore(n *html.Node) bool {
	children := 0
	for c := n.FirstChild; c != nil && children < 2; c = c.NextSibling {
		if c.Type != html.TextNode || strings.TrimSpace(c.Data) != "" {
			children++
		}
	}
	return children > 1
}
