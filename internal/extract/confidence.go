package extract

import (
	_ "embed"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
)

//go:embed confidence.json
var confidenceFile []byte

// valueWeights say how much each sign counts for the values of each family. They are
// fitted to real pages (scripts/fit-confidence), so that of the values with a confidence
// of .9 nine of ten are right. Their order is fixed, since sums of fractions depend on it.
var valueWeights = func() map[string][]signWeight {
	var families map[string]map[string]float64
	if err := json.Unmarshal(confidenceFile, &families); err != nil {
		panic("confidence.json: " + err.Error())
	}
	all := map[string][]signWeight{}
	for family, weights := range families {
		for _, sign := range slices.Sorted(maps.Keys(weights)) {
			all[family] = append(all[family], signWeight{sign, weights[sign]})
		}
	}
	return all
}()

type signWeight struct {
	sign   string
	weight float64
}

// Estimate is how likely a value is right, and by what signs.
type Estimate struct {
	Family string   `json:"family"`
	Signs  Features `json:"signs"`
}

// estimating gives the values of one page their confidence.
type estimating struct {
	doc     *dom.Document
	now     time.Time
	learned bool // the rules of a blueprint gave them
	keep    bool // the signs are kept
	records int
	columns map[string]*valueColumn
	head    string
	held    map[string]string // the values of a record, letters alone
}

// valueColumn is what the records of a page have in one field.
type valueColumn struct {
	filled, pairs, up, down int // values; neighbours, and those of them in the order of time
	values, rules           map[string]int
	last                    string
}

// estimate gives every value and every record the likelihood that it is right.
func (e *estimating) estimate(readings []ReadRecord) {
	e.records, e.columns = len(readings), map[string]*valueColumn{}
	head := e.doc.Title()
	for _, h := range e.doc.Headings() {
		if h.Level == 1 {
			head += " " + h.Text
		}
	}
	e.head = text.Letters(head)
	for _, r := range readings {
		for name, evidence := range r.Record.Provenance {
			e.add(name, curlew.ValueText(r.Record.Fields.At(name)), evidence)
		}
	}
	for i := range readings {
		e.record(&readings[i])
	}
}

func (e *estimating) record(r *ReadRecord) {
	kind, values := r.Record.Kind(), map[string]Estimate{}
	e.held = map[string]string{}
	for name, value := range r.Record.Fields {
		if written, ok := value.(string); ok && len(written) < mostCompared {
			e.held[name] = shorter(text.Letters(written), text.Letters(text.CutBytes(r.Record.Provenance[name].Text, mostCompared)))
		}
	}
	for name, evidence := range r.Record.Provenance {
		from, follows := strings.CutPrefix(evidence.Rule, followsFrom)
		if _, known := r.Record.Provenance[from]; !follows || !known {
			values[name] = Estimate{familyOf(kind, name), e.signs(*r, name, evidence)}
		}
	}
	whole := Estimate{wholeRecord, values[mainField(kind, values)].Signs}
	for name, evidence := range r.Record.Provenance {
		estimate, own := values[name]
		if !own {
			estimate = values[strings.TrimPrefix(evidence.Rule, followsFrom)]
		}
		evidence.Confidence = estimate.confidence()
		r.Record.Provenance[name] = evidence
	}
	r.Confidence = whole.confidence()
	if e.keep {
		values[wholeRecord] = whole
		r.Estimates = values
	}
}

const (
	followsFrom = "from "  // how the rule of a value begins that follows from another
	wholeRecord = "record" // the family of records themselves
)

// confidence is rounded down: nothing is stated surer than it is.
func (e Estimate) confidence() float64 {
	sum := 0.0
	for _, w := range valueWeights[e.Family] {
		sum += w.weight * e.Signs[w.sign]
	}
	return math.Max(0.01, math.Floor(100/(1+math.Exp(-sum)))/100)
}

func (e *estimating) add(name, value string, evidence curlew.Evidence) {
	c := e.columns[name]
	if c == nil {
		c = &valueColumn{values: map[string]int{}, rules: map[string]int{}}
		e.columns[name] = c
	}
	c.filled++
	c.values[value]++
	c.rules[evidence.Rule]++
	if c.last != "" {
		c.pairs++
		if value >= c.last {
			c.up++
		}
		if value <= c.last {
			c.down++
		}
	}
	c.last = value
}

// mainField is the field that makes a record one of its kind: the day of what has to have
// one, else its name, else the first that it has.
func mainField(kind curlew.Schema, values map[string]Estimate) string {
	for _, f := range kind.Fields {
		if values[f.Name].Family == "start" {
			return f.Name
		}
	}
	for _, name := range append([]string{kind.Title, "title", "name"}, slices.Sorted(maps.Keys(values))...) {
		if _, has := values[name]; has {
			return name
		}
	}
	return ""
}

// familyOf is the family of values of a field: those that are read, and missed, alike.
func familyOf(kind curlew.Schema, name string) string {
	field, _ := kind.Field(name)
	switch {
	case name == kind.Title || name == "title" || name == "name":
		return "name"
	case field.Type.Dated() && field.Required:
		return "start"
	case field.Type.Dated():
		return "day"
	case field.Type == curlew.TypeMoney || name == "currency":
		return "price"
	case field.Type == curlew.TypeChoice || field.Type == curlew.TypeBool:
		return "choice"
	case field.Type.Address():
		return "link"
	case field.Type == curlew.TypePlace || strings.HasPrefix(name, "venue_"):
		return "place"
	}
	return "text"
}

var (
	clockPattern   = text.Pattern(`(?i)\d[:.h]\d\d|\d ?[ap]\.?m|noon|midnight`)
	datePattern    = text.Pattern(`\b\d{1,2}[./-]\d{1,2}[./-](?:\d\d)?\d\d\b|\b\d{4}-\d\d-\d\d\b|\b\d{1,2},? (?:19|20)\d\d\b`)
	weekdayPattern = text.Pattern(`(?i)\b(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\b`)
)

// signs are what speaks for and against one value.
func (e *estimating) signs(r ReadRecord, name string, evidence curlew.Evidence) Features {
	value, column := curlew.ValueText(r.Record.Fields.At(name)), e.columns[name]
	s := Features{"one": 1, "sure": 1, "tier_" + string(evidence.Tier): 1, "seen_" + string(evidence.Seen): 1}
	flag := func(sign string, holds bool) {
		if holds {
			s[sign] = 1
		}
	}
	if evidence.Confidence > 0 {
		s["sure"] = evidence.Confidence
	}
	n := float64(e.records)
	flag("learned", e.learned)
	flag("alone", e.records == 1)
	flag("few", e.records == 2 || e.records == 3)
	flag("rivals", len(evidence.Rivals) > 0)
	flag("seconded", evidence.Agreed > 0)
	flag("own", r.Node != "" && strings.HasPrefix(evidence.Node, r.Node))
	s["filled"] = float64(column.filled) / n
	s["distinct"] = float64(len(column.values)) / float64(column.filled)
	flag("repeated", column.values[value] > 1)
	s["same_rule"] = float64(column.rules[evidence.Rule]) / float64(column.filled)
	letters, written := text.Letters(text.CutBytes(value, mostCompared)), text.Letters(text.CutBytes(evidence.Text, mostCompared))
	flag("holds_other", len(value) < mostCompared && e.holdsOther(r.Record, name, letters))
	flag("in_head", letters != "" && strings.Contains(e.head, letters))
	s["length"] = math.Log(1+float64(utf8.RuneCountInString(value))) / 5
	s["digits"] = share(value, unicode.IsDigit)
	s["verbatim"] = float64(min(len(letters), len(written))+1) / float64(max(len(letters), len(written))+1)
	if len(value) >= len(time.DateOnly) {
		if day, err := time.Parse(time.DateOnly, value[:len(time.DateOnly)]); err == nil {
			e.dated(s, day, value, evidence.Text, column)
			flag("dates", len(datePattern().FindAllString(r.Text, 2)) > 1)
		}
	}
	return s
}

// mostCompared is how much of a value is compared with others: long texts repeat them.
const mostCompared = 300

// leastHeld is how long a value must be for another that holds it to be more than its own.
const leastHeld = 4

// holdsOther says whether a value holds that of another field: it was cut too wide.
func (e *estimating) holdsOther(r curlew.Record, name, letters string) bool {
	if field, _ := r.Kind().Field(name); field.Type == curlew.TypeLong || strings.HasPrefix(name, "slots.") {
		return false
	}
	for other, held := range e.held {
		if other != name && len(held) >= leastHeld && len(held) < len(letters) && strings.Contains(letters, held) {
			return true
		}
	}
	return false
}

// shorter is the shorter of two texts, of which one may not be known.
func shorter(a, b string) string {
	if b != "" && len(b) < len(a) {
		return b
	}
	return a
}

// dated adds the signs of days.
func (e *estimating) dated(s Features, day time.Time, value, written string, c *valueColumn) {
	if c.pairs > 0 {
		s["ordered"] = float64(max(c.up, c.down)) / float64(c.pairs)
	}
	for sign, holds := range map[string]bool{
		"near":        !e.now.IsZero() && math.Abs(day.Sub(e.now).Hours()/24) < 400,
		"clock_shown": len(value) > len(time.DateOnly) && clockPattern().MatchString(written),
		"weekday":     weekdayPattern().MatchString(written),
	} {
		if holds {
			s[sign] = 1
		}
	}
}

// share is the part of the characters of a text that are of some kind.
func share(s string, of func(rune) bool) float64 {
	n := 0
	for _, r := range s {
		if of(r) {
			n++
		}
	}
	return float64(n) / float64(max(1, utf8.RuneCountInString(s)))
}
