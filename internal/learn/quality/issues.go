package quality

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/money"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// mismatches are values that stand somewhere on the page, while the part that
// shows the record says something else of the same kind; and values that only
// structured data have, while readers see another.
func (x *judgedRecord) mismatches(found []Grounding) []Issue {
	var issues []Issue
	for _, f := range found {
		if rival, ok := x.shownRival(f); ok {
			issues = append(issues, mismatch(f, rival, "readers of the page see %s instead"))
			continue
		}
		if other := x.saidInstead(f); other != "" {
			issues = append(issues, mismatch(f, other, "next to the record the page shows %s"))
		}
	}
	return issues
}

// saidInstead is what the part of the page that shows the record says in place of a day, an amount or
// a currency; "" where it says the same or nothing of the kind.
func (x *judgedRecord) saidInstead(f Grounding) string {
	shown := x.blocks()
	if f.Seen == curlew.SeenNowhere || len(shown) == 0 || x.views[0].shows(shown, x.field(f.Field), f.Value) != nil {
		return ""
	}
	if f.Field == "currency" && f.Seen == curlew.SeenEmbedded {
		if code := x.shownCurrency(); code != said(f.Value) {
			return code
		}
		return ""
	}
	switch x.field(f.Field).Type {
	case curlew.TypeTime, curlew.TypeDate:
		day := said(f.Value)[:min(10, len(said(f.Value)))]
		others := x.daysInScope(day)
		tells := isStart(f.Field) && (len(x.scope) > 0 || f.Field == "starts_at") // a card may show another day than that of posting
		if tells && len(others) <= 2 && !slices.ContainsFunc(others, sameDay(day, said(f.Value))) {
			return strings.Join(others, ", ")
		}
	case curlew.TypeMoney:
		if !x.scopeHasAmount(f.Value) {
			return strings.Join(x.pricesInScope(), ", ")
		}
	}
	return ""
}

func mismatch(f Grounding, other, how string) Issue {
	return Issue{Kind: IssueMismatch, Field: f.Field, Got: text.OneLine(said(f.Value), 120), Expected: text.OneLine(other, 120),
		Sentence: fmt.Sprintf("%s is %s, but ", f.Field, quote(f.Value)) + fmt.Sprintf(how, quote(other))}
}

// shownRival is what readers see in place of a value that only machines see.
func (x *judgedRecord) shownRival(f Grounding) (string, bool) {
	if f.Seen != curlew.SeenEmbedded {
		return "", false
	}
	for _, rival := range x.record.Provenance[f.Field].Rivals {
		if rival.Value != said(f.Value) && x.views[0].pageText.Seen(x.field(f.Field), rival.Value, "") == curlew.SeenVisible {
			return rival.Value, true
		}
	}
	return "", false
}

// sameDay says whether another day may be that of a moment: it is, or with day and month exchanged, or
// is the one before or after where the moment is told in another zone.
func sameDay(day, moment string) func(string) bool {
	at, _ := time.Parse(time.DateOnly, day)
	return func(other string) bool {
		is, err := time.Parse(time.DateOnly, other)
		near := err == nil && zoned(moment) && is.Sub(at).Abs() == 24*time.Hour
		return other == day || other == turned(day) || near
	}
}

// turned is a day with day and month exchanged: which comes first, the whole list tells.
func turned(day string) string {
	if len(day) < len(time.DateOnly) {
		return day
	}
	return day[:5] + day[8:10] + "-" + day[5:7]
}

func isStart(field string) bool {
	return field == "starts_at" || field == "date" || field == "posted_date" || field == "published_at"
}

// daysInScope are the days that the page writes where the record stands; of those without
// a year, the year of the given day is believed.
func (x *judgedRecord) daysInScope(like string) []string {
	var days []string
	shown := x.blocks()
	for i := range shown {
		for _, f := range shown[i].datesOf(like[:min(4, len(like))], x.views[0].options) {
			day := f.Start.Format(time.DateOnly)
			if writesDay(shown[i].text[f.Begin:f.End], f.Start.Day()) && !slices.Contains(days, day) {
				days = append(days, day)
			}
		}
	}
	return days
}

func (x *judgedRecord) pricesInScope() []string {
	var all []string
	shown := x.blocks()
	for i := range shown {
		b := &shown[i]
		for _, p := range b.prices(x.views[0].options) {
			if text := strings.TrimSpace(b.text[p.Begin:p.End]); !slices.Contains(all, text) {
				all = append(all, text)
			}
		}
	}
	return all
}

// scopeHasAmount looks for a bare number, as in tables of prices; what costs
// nothing is said in words.
func (x *judgedRecord) scopeHasAmount(value any) bool {
	units, ok := asInt(value)
	if !ok || units == 0 {
		return true
	}
	major := money.Major(units, textOf(x.record, "currency"))
	needles := foldedAll([]string{major, strings.TrimSuffix(major, ".00")})
	return slices.ContainsFunc(x.blocks(), func(b block) bool { return anyIn(b.words, needles) })
}

// calls says whether a word is one that pages use for a field, in labels and class
// names.
func calls(field, word string) bool { return words().Of("field " + field).Has(word) }

// swappable are the fields whose values could stand for one another.
var swappable = []string{"title", "venue_name", "organizer", "performers", "company", "brand", "seller", "category"}

// swaps are values that stand under the label, or in an element with the name, of
// another field.
func (x *judgedRecord) swaps() []Issue {
	var issues []Issue
	blocks := x.scope
	if len(blocks) == 0 && len(x.views) > 0 {
		blocks = x.views[0].blocks
	}
	for _, name := range swappable {
		value := x.record.Fields[name]
		if value == nil {
			continue
		}
		called := x.called(blocks, name, value)
		if called == "" || called == name || !x.knows(called) {
			continue
		}
		if other := x.record.Fields[called]; other != nil && padded(said(other)) == padded(said(value)) {
			continue // the page says the same of both
		}
		issues = append(issues, Issue{Kind: IssueSwap, Field: name, Got: text.OneLine(said(value), 120), Expected: called,
			Sentence: fmt.Sprintf("%s is %s, which the page calls its %s", name, quote(value), called)})
	}
	return issues
}

func (x *judgedRecord) knows(field string) bool {
	_, ok := x.schema.Field(field)
	return ok
}

// called is the field that the page names where it shows a value, when all places
// that name any agree.
func (x *judgedRecord) called(blocks []block, name string, value any) string {
	needles := foldedAll(variants(value))
	if len(needles) == 0 {
		return ""
	}
	only := ""
	for i := range blocks {
		if len(blocks[i].words) > len(needles[0])+40 || !anyIn(blocks[i].words, needles) || ofSite(blocks[i].node) {
			continue
		}
		field := x.calledAt(blocks, i, needles[0])
		if field == name || field != "" && only != "" && field != only {
			return name // the page calls it so somewhere, or cannot decide
		}
		if field != "" {
			only = field
		}
	}
	return only
}

// ofSite says whether an element stands in the head, the menu or the foot of a page: what it calls the
// site, as a venue may be called, it does not call a record.
func ofSite(n *html.Node) bool {
	for ; n != nil; n = n.Parent {
		switch n.DataAtom {
		case atom.Main, atom.Article:
			return false
		case atom.Header, atom.Nav, atom.Footer:
			return true
		}
	}
	return false
}

// calledAt is the field that a label in the block, the block before or the markup names.
func (x *judgedRecord) calledAt(blocks []block, i int, needle string) string {
	b := &blocks[i]
	field := labelled(b.words, needle)
	if field != "" || b.words != needle {
		return field
	}
	if i > 0 && len(blocks[i-1].words) < 30 {
		field = fieldCalled(blocks[i-1].words)
	}
	return cmp.Or(field, x.markedAs(b.node))
}

// labelled reads "Venue: Blue Note".
func labelled(words, needle string) string {
	before, after, _ := strings.Cut(words, needle)
	if strings.TrimSpace(after) != "" {
		return ""
	}
	return fieldCalled(before)
}

// fieldCalled is the field that a label names: at most three words, and none but
// those of the label and small ones.
func fieldCalled(label string) string {
	words := strings.Fields(label)
	if len(words) == 0 || len(words) > 3 {
		return ""
	}
	only := ""
	for _, word := range words {
		i := slices.IndexFunc(swappable, func(field string) bool { return calls(field, word) })
		switch {
		case i < 0 && len(word) > 3, i >= 0 && only != "" && only != swappable[i]:
			return ""
		case i >= 0:
			only = swappable[i]
		}
	}
	return only
}

// markedAs is the field that class names or properties of an element name.
func (x *judgedRecord) markedAs(n *html.Node) string {
	for depth := 0; n != nil && depth < 2; depth, n = depth+1, n.Parent {
		for _, property := range markup(n) {
			words := strings.Fields(property)
			only := ""
			for _, field := range swappable {
				if slices.ContainsFunc(words, func(w string) bool { return calls(field, w) }) {
					if only != "" {
						only = "?"
						break
					}
					only = field
				}
			}
			if only == "?" {
				return ""
			}
			if only != "" {
				return only
			}
		}
	}
	return ""
}

// markup are the property and the class names of an element, folded.
func markup(n *html.Node) []string {
	return []string{padded(strings.ReplaceAll(dom.Attr(n, "itemprop"), "_", " ")), padded(strings.ReplaceAll(dom.Attr(n, "class"), "_", " "))}
}
