package deliver

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/money"
)

// view is a change as people read it: every text is one tidy line, nothing is
// escaped yet for any medium.
type view struct {
	Kind   curlew.ChangeKind
	Label  string // "Changed"
	Tone   string // good, bad, plain: how it is coloured
	Title  string
	URL    string // http or https, or ""
	Source string
	Watch  string
	Reason string
	Rows   []row // what changed
	Facts  []row // what there is to know, where nothing changed
	When   string
}

// size is about how many bytes the view takes on a page.
func (v view) size() int {
	n := len(v.Title) + len(v.URL) + len(v.Reason) + 600 // the rest is markup
	for _, r := range append(v.Rows[:len(v.Rows):len(v.Rows)], v.Facts...) {
		n += len(r.Label) + len(r.Old) + len(r.New) + 600
	}
	return n
}

// row is a field: before and after, or just its value in New.
type row struct {
	Label    string
	Old, New string
}

type labelled struct{ label, plural, tone string }

var kindLabels = map[curlew.ChangeKind]labelled{
	curlew.EntityAppeared:    {"New", "new", "good"},
	curlew.EntityChanged:     {"Changed", "changed", "plain"},
	curlew.EntityDisappeared: {"Gone", "gone", "bad"},
	curlew.EntityWentStale:   {"Unconfirmed", "unconfirmed", "plain"},
	curlew.PositionChanged:   {"Moved", "moved", "plain"},
	curlew.WatchFailed:       {"Watch failing", "watches failing", "bad"},
	curlew.SourceBroken:      {"Source broken", "sources broken", "bad"},
	curlew.SourceHealed:      {"Source healed", "sources healed", "good"},
	curlew.QualityDropped:    {"Quality dropped", "drops of quality", "bad"},
	curlew.SourcePaused:      {"Source paused", "sources paused", "bad"},
	curlew.SourceResumed:     {"Source resumed", "sources resumed", "good"},
}

func labelOf(kind curlew.ChangeKind) labelled {
	if l, ok := kindLabels[kind]; ok {
		return l
	}
	name := tidy(curlew.CodeWords(kind))
	return labelled{text.Clip(name, 40), text.Clip(name, 40), "plain"}
}

const (
	maxTitle = 160
	maxValue = 240
	maxRows  = 12
)

func viewOf(item Item) view {
	label := labelOf(item.Change.Kind)
	v := view{
		Kind: item.Change.Kind, Label: label.label, Tone: label.tone, When: writeTime(item.Change.OccurredAt.UTC(), true),
		Source: line(item.Source, maxTitle), Watch: line(item.Watch, maxTitle),
	}
	var p curlew.ChangePayload
	decoder := json.NewDecoder(bytes.NewReader(item.Change.Payload))
	decoder.UseNumber()
	_ = decoder.Decode(&p) // a payload that cannot be read still tells its kind and source
	v.Reason = line(p.Reason, 400)
	if p.Probation {
		v.Reason = strings.TrimSpace(v.Reason + " " + probation)
	}
	fields := shownFields{}
	if p.Entity != nil {
		fields = shownFields{p.Entity.Fields, item.kindOf(p.Entity.Schema)}
		v.Title = fields.title()
		v.URL = webURL(p.Entity.URL)
	}
	if v.Title == "" {
		v.Title = cmp.Or(v.Watch, v.Source, v.Label)
	}
	for _, c := range p.Changes[:min(len(p.Changes), maxRows)] {
		v.Rows = append(v.Rows, fields.changed(c))
	}
	if len(v.Rows) == 0 {
		v.Facts = fields.facts()
	}
	return v
}

// webURL keeps what a browser opens as a page, and nothing that runs.
func webURL(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" || u.User != nil || len(raw) > maxURL {
		return ""
	}
	if u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	return u.String()
}

// shownFields writes the values of one entity.
type shownFields struct {
	values curlew.Values
	kind   curlew.Schema
}

func (i Item) kindOf(name curlew.SchemaName) curlew.Schema {
	if kind := i.Kinds.Kind(name); len(kind.Fields) > 0 {
		return kind
	}
	return name.Kind()
}

func (f shownFields) title() string {
	return line(f.kind.TitleOf(f.values), maxTitle)
}

func (f shownFields) typeOf(name string) curlew.FieldType {
	field, _ := f.kind.Find(name)
	return field.Type
}

func (f shownFields) changed(c curlew.FieldChange) row {
	t := f.typeOf(c.Field)
	before, after := c.Old, c.New
	if a, b, ok := bothTexts(before, after); ok {
		before, after = a, b
	}
	return row{Label: fieldLabel(c.Field), Old: f.write(before, t), New: f.write(after, t)}
}

// bothTexts cuts two long texts down to where they differ.
func bothTexts(before, after any) (string, string, bool) {
	a, ok1 := before.(string)
	b, ok2 := after.(string)
	if !ok1 || !ok2 || len(a) <= maxValue && len(b) <= maxValue {
		return "", "", false
	}
	return text.DiffSides(a, b)
}

// telling are the fields worth a line when something appears or goes, in order.
var telling = []string{"starts_at", "venue_name", "city", "price", "price_min", "price_max", "availability", "brand", "company", "location",
	"salary_min", "salary_max", "published_at", "author", "date", "address"}

const maxFacts = 4

func (f shownFields) facts() []row {
	var all []row
	names := telling
	if !f.kind.Name.BuiltIn() && len(f.kind.Fields) > 0 {
		names = f.kind.Short()
	}
	for _, name := range names {
		if len(all) < maxFacts && f.values[name] != nil {
			all = append(all, row{Label: fieldLabel(name), New: f.write(f.values[name], f.typeOf(name))})
		}
	}
	return all
}

// write makes a value readable; "" when there is none.
func (f shownFields) write(v any, t curlew.FieldType) string {
	switch v := v.(type) {
	case nil:
		return ""
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case json.Number:
		if units, err := v.Int64(); err == nil && t == curlew.TypeMoney {
			currency := f.values.Currency()
			return writeMoney(units, currency)
		} else if err == nil && t == curlew.TypeDuration {
			return curlew.SpanWords(units)
		}
		return text.Clip(v.String(), 40)
	case string:
		if t.Dated() {
			return text.Clip(readableTime(v), 60)
		}
		if t == curlew.TypeChoice {
			v = strings.ReplaceAll(v, "_", " ")
		}
		return line(v, maxValue)
	case []any:
		var parts []string
		for _, part := range v[:min(len(v), 20)] {
			parts = append(parts, f.write(part, curlew.TypeText))
		}
		return text.Clip(strings.Join(parts, ", "), maxValue)
	case map[string]any:
		return f.writeMap(v)
	}
	return ""
}

func (f shownFields) writeMap(m map[string]any) string {
	names := slices.Sorted(maps.Keys(m))
	var parts []string
	for _, name := range names[:min(len(names), 20)] {
		if s, ok := m[name].(string); ok { // what is nested deeper is not for a line
			parts = append(parts, tidy(name)+": "+line(s, 60))
		}
	}
	return text.Clip(strings.Join(parts, "; "), maxValue)
}

// writeMoney groups the thousands: 1,234.50 EUR.
func writeMoney(units int64, currency string) string {
	whole, fraction, hasFraction := strings.Cut(money.Major(units, currency), ".")
	digits, negative := strings.CutPrefix(whole, "-")
	var b strings.Builder
	if negative {
		b.WriteByte('-')
	}
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	if hasFraction {
		b.WriteString("." + fraction)
	}
	if currency = tidy(currency); currency != "" {
		b.WriteString(" " + text.Clip(currency, 8))
	}
	return b.String()
}

// readableTime writes a time as it was written on the wall, without shifting it.
func readableTime(text string) string {
	if t, err := time.Parse(time.DateOnly, text); err == nil {
		return t.Format("Mon 2 January 2006")
	}
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		return writeTime(t, t.Location() == time.UTC)
	}
	if t, err := time.Parse("2006-01-02T15:04:05", text); err == nil {
		return writeTime(t, false)
	}
	return tidy(text)
}

func writeTime(t time.Time, utc bool) string {
	s := t.Format("Mon 2 January 2006, 15:04")
	if utc {
		s += " UTC"
	}
	return s
}

var fieldLabels = map[string]string{
	"starts_at": "Starts", "ends_at": "Ends", "price_was": "Price before", "price_min": "Price from", "price_max": "Price up to",
	"venue_name": "Venue", "venue_address": "Address", "image_url": "Image", "url": "Link", "canonical_url": "Link", "review_count": "Reviews",
	"salary_min": "Salary from", "salary_max": "Salary up to", "published_at": "Published", "updated_at": "Updated", "posted_date": "Posted",
	"valid_through": "Open until", "employment_type": "Employment", "description_snippet": "Description", "sku": "SKU", "gtin": "GTIN",
	"mpn": "MPN",
}

func fieldLabel(name string) string {
	if l, ok := fieldLabels[name]; ok {
		return l
	}
	name = line(strings.ReplaceAll(curlew.FieldLabel(name), "_", " "), 60)
	if name == "" {
		return "Field"
	}
	r := []rune(name)
	return strings.ToUpper(string(r[0])) + string(r[1:])
}

// probation is what people are told of changes of a source that is on probation.
const probation = "The source is on probation: check it before you rely on it."
