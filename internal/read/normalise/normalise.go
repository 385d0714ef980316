package normalise

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text/dates"
	"github.com/curlew-data/curlew/internal/text/wordlist"
)

// Context is what the draft does not say itself: from settings and from its page.
type Context struct {
	Now           time.Time      // for dates without a year; zero leaves those out
	Zone          *time.Location // of times without an offset; nil means unknown
	Lang          string         // "pl" or "pl-PL"
	Country       string         // "PL"
	Market        string         // the country that the page is made for, which decides what a shared sign of currency means
	Currency      string         // of amounts that name none
	Order         dates.Order
	Base          string // the address of the page
	AllowPersonal bool   // the source may keep contacts of people

	Words    curlew.FieldWords // what words mean, as the org said
	Decimal  string            // the sign before decimals, as the page says; "" when it does not
	Decimals map[string]string // the sign before decimals in a field, as DecimalSigns tells

	Unhashed bool // nobody will compare the record, so that its hash is spared

	Shown func(text string) bool // whether the page shows a text just so; nil when there is no page
}

// FieldNote is something that happened to a value on its way into the record. It never
// holds a personal value.
type FieldNote struct {
	Field    string `json:"field"`
	Code     string `json:"code"`
	Sentence string `json:"sentence"`
	Count    int    `json:"count,omitempty"` // of what was cut out
}

// The codes of notes that runs tell of.
const (
	MissingField  = "missing"        // the kind requires the field
	UnknownChoice = "unknown_choice" // a word of a closed set that nobody knows
	PersonalData  = "personal_data"  // contacts of people were taken out
)

// work is one draft on its way to a record.
type work struct {
	Context
	schema curlew.Schema
	open   bool // nothing is known of the kind: every field is kept by its kind of value
	own    bool // a kind of an org's own: its fields mean what their types say, whatever they are called
	in     curlew.Values
	out    curlew.Values
	proof  map[string]curlew.Evidence
	notes  []FieldNote
	checks int // phone numbers that were looked up
}

// Record turns a draft into a record with its hash, and tells what it changed
// materially, dropped or doubts.
func Record(d curlew.Draft, c Context) (curlew.Record, []FieldNote) {
	w := &work{Context: c, in: maps.Clone(d.Fields), out: curlew.Values{}, proof: map[string]curlew.Evidence{}}
	w.schema = d.Kind()
	w.open, w.own = len(w.schema.Fields) == 0, !d.Schema.BuiltIn()
	if w.in == nil {
		w.in = curlew.Values{}
	}
	for name, evidence := range d.Provenance {
		w.proof[name] = evidence
	}
	w.dropPersonalFields()
	w.spreadPlaces()
	w.eachField()
	w.announcement()
	w.cityOfAddress()
	w.money()
	w.moments()
	w.dropUnknown()
	w.require()
	record := curlew.Record{
		Schema: d.Schema, Own: d.Own, ExternalID: w.externalID(d), URL: w.recordURL(d), Fields: w.out, Provenance: w.provenance(),
	}
	if !c.Unhashed {
		record.Hash = Hash(record.Fields)
	}
	slices.SortStableFunc(w.notes, func(a, b FieldNote) int {
		return cmp.Or(cmp.Compare(a.Field, b.Field), cmp.Compare(a.Code, b.Code))
	})
	return record, w.notes
}

// note tells of a field.
func (w *work) note(field, code, sentence string) {
	w.notes = append(w.notes, FieldNote{Field: field, Code: code, Sentence: sentence})
}

// fields lists what a draft may hold: those of the kind in its order, or of one that is
// not known whatever is there.
func (w *work) fields() []curlew.Field {
	if !w.open {
		return w.schema.Fields
	}
	var fields []curlew.Field
	for _, name := range slices.Sorted(maps.Keys(w.in)) {
		fields = append(fields, curlew.Field{Name: name, Type: kindOf(w.in[name])})
	}
	return fields
}

// kindOf guesses the type of a field that no schema knows, by its value alone.
func kindOf(value any) curlew.FieldType {
	switch v := value.(type) {
	case bool:
		return curlew.TypeBool
	case int, int64:
		return curlew.TypeInteger
	case float64:
		return curlew.TypeNumber
	case []string, []any:
		return curlew.TypeList
	case map[string]any, map[string]string:
		return curlew.TypeMap
	case string:
		if len(v) > maxLine {
			return curlew.TypeLong
		}
	}
	return curlew.TypeText
}

// eachField reads all fields whose value stands for itself. Times and money are
// read together, because one tells the other.
func (w *work) eachField() {
	for _, f := range w.fields() {
		empty := func(value any) bool { return value == nil || f.Name != w.schema.Title && saysNothing(value) }
		value := w.in[f.Name]
		if empty(value) {
			continue
		}
		if kept := w.valueOf(f, value); !empty(kept) {
			w.out[f.Name] = kept
		}
	}
	w.checkCoordinates()
}

// valueOf reads a value by the type of its field.
func (w *work) valueOf(f curlew.Field, value any) any {
	switch f.Type {
	case curlew.TypeText, curlew.TypePlace:
		return w.text(f.Name, value)
	case curlew.TypeLong:
		return w.long(f.Name, value)
	case curlew.TypeURL, curlew.TypePicture:
		return w.link(f.Name, value)
	case curlew.TypeNumber:
		return w.number(f.Name, value)
	case curlew.TypeInteger:
		return w.integer(f.Name, value)
	case curlew.TypeDuration:
		return w.duration(f.Name, value)
	case curlew.TypeBool:
		return w.truth(f.Name, value)
	case curlew.TypeChoice:
		return w.choice(f, value)
	case curlew.TypeList:
		return w.listOf(f, value)
	case curlew.TypeMap:
		return w.mapping(f.Name, value)
	}
	return nil
}

// helping are fields that no schema has, but that help to read those that it has.
var helping = wordlist.Named(words, "helping")

// dropUnknown tells of fields that the schema does not have.
func (w *work) dropUnknown() {
	if w.open {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(w.in)) {
		if _, known := w.schema.Field(name); !known && !helping().Has(name) && !personalName(name) {
			w.note(name, "unknown_field", "the schema has no such field, so it was left out")
		}
	}
}

// require tells of required fields without a value.
func (w *work) require() {
	for _, f := range w.schema.Fields {
		if _, ok := w.out[f.Name]; f.Required && !ok {
			w.note(f.Name, MissingField, "the record has no "+f.Name)
		}
	}
}

// externalID is the id of the record. An address is one in its clean spelling: what
// only tells where a reader came from makes no other thing.
func (w *work) externalID(d curlew.Draft) string {
	id := line(d.ExternalID, maxLine)
	if strings.HasPrefix(id, "http://") || strings.HasPrefix(id, "https://") {
		if clean, _ := cleanURL(id, w.Base); clean != "" {
			return clean
		}
	}
	return id
}

// recordURL is the address of the record itself.
func (w *work) recordURL(d curlew.Draft) string {
	if u, _ := cleanURL(d.URL, w.Base); u != "" {
		return u
	}
	u, _ := w.out["url"].(string)
	return u
}

// derived keeps that a value follows from others and did not stand by itself.
func (w *work) derived(field, from string) {
	if _, ok := w.proof[field]; !ok && from != "" {
		source := w.proof[from]
		w.proof[field] = curlew.Evidence{
			Tier: source.Tier, Rule: "from " + from, Node: source.Node, Text: source.Text,
			Confidence: source.Confidence, Seen: curlew.SeenDerived,
		}
	}
}

// provenance keeps the evidence of the fields that were kept. The original texts
// lose their contacts of people as the values do.
func (w *work) provenance() map[string]curlew.Evidence {
	kept := map[string]curlew.Evidence{}
	for name, e := range w.proof {
		if _, ok := w.out[baseName(name)]; !ok {
			continue
		}
		e.Text, e.Rule, e.Node = w.plainEvidence(name, e.Text), storable(e.Rule), storable(e.Node)
		rivals := make([]curlew.Rival, 0, len(e.Rivals))
		for _, r := range e.Rivals {
			r.Value, r.Rule = w.plainEvidence(name, r.Value), storable(r.Rule)
			rivals = append(rivals, r)
		}
		if e.Rivals = rivals; len(rivals) == 0 {
			e.Rivals = nil
		}
		kept[name] = e
	}
	return kept
}
