package blueprint

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/dates"
)

// ExpectationsOf describes what the records of one or more pages look like. It
// gives nil when there are none.
func ExpectationsOf(pages ...[]curlew.Draft) *Expect {
	var all []curlew.Draft
	records := Range{Min: math.MaxInt}
	for _, drafts := range pages {
		records.Min, records.Max = min(records.Min, len(drafts)), max(records.Max, len(drafts))
		all = append(all, drafts...)
	}
	if len(all) == 0 {
		return nil
	}
	e := &Expect{Records: &records, Fields: map[string]Expectation{}}
	for _, name := range fieldsOf(all) {
		e.Fields[name] = expectation(all, name)
	}
	return e
}

// fieldsOf are the names of all fields that any draft has.
func fieldsOf(drafts []curlew.Draft) []string {
	seen := map[string]bool{}
	for _, d := range drafts {
		for name := range d.Provenance {
			seen[name] = true
		}
		for name := range d.Fields {
			if name != "slots" {
				seen[name] = true
			}
		}
	}
	return sortedKeys(seen)
}

// expectation describes the values of one field.
func expectation(drafts []curlew.Draft, name string) Expectation {
	values := valuesOf(drafts, name)
	if len(values) == 0 {
		return Expectation{}
	}
	e := Expectation{Present: share(len(values), len(drafts)), Distinct: share(distinct(values), len(values)), MinLength: math.MaxInt}
	for _, v := range values {
		n := utf8.RuneCountInString(v)
		e.MinLength, e.MaxLength = min(e.MinLength, n), max(e.MaxLength, n)
	}
	f, _ := drafts[0].Kind().Field(name)
	e.Looks = looks(values, f.Type.Dated())
	return e
}

func valuesOf(drafts []curlew.Draft, name string) []string {
	var values []string
	for _, d := range drafts {
		if text := plain(d, name); text != "" {
			values = append(values, text)
		}
	}
	return values
}

// share is a part of a whole, with two digits.
func share(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return math.Round(float64(part)/float64(whole)*100) / 100
}

func distinct(values []string) int {
	seen := map[string]bool{}
	for _, v := range values {
		seen[v] = true
	}
	return len(seen)
}

var (
	addressLook = text.Pattern(`^(?:https?:)?/\S*$|^https?:\S+$`)
	numberLook  = text.Pattern(`^[-+−]?\d[\d.,' \x{00a0}\x{202f}]*%?$|^\d{1,2}\.\d{1,2} (?:\pL{2,}|\([\d.,]+k?\))$`)
	priceLook   = text.Pattern(`(?i)(?:[\p{Sc}]|\b(?:eur|usd|gbp|chf|pln|czk|sek|nok|dkk|jpy|kč|zł|kr|ft|lei|rs)\b\.?)\s*[-+]?\d|\d\s*(?:[\p{Sc}]|(?:eur|usd|gbp|chf|pln|czk|sek|nok|dkk|jpy|kč|zł|kr|ft|lei|rs)\b)`)
	dateLook    = text.Pattern(`\b\d{4}-\d{2}(?:-\d{2})?\b|\b\d{1,2}[./]\s?\d{1,2}(?:[./]\s?\d{2,4})?\b|(?:^|[^\w/-])(?:19|20)\d{2}(?:$|[^\w/-])|\b\d{1,2}:\d{2}\b`)
	wholeDate   = text.Pattern(`^\d{1,2}[./]\s?\d{1,2}[./]\s?\d{2,4}$|^\d{4}-\d{2}-\d{2}`)
)

// look says what one value looks like. A field that holds times is taken for a date
// when it has any digit: months have names in many languages.
func look(value string, isTime bool) string {
	switch {
	case value != "" && strings.IndexByte("/h", value[0]) >= 0 && addressLook().MatchString(value):
		return "url"
	case !strings.ContainsAny(value, "0123456789"): // all others have one
		return "text"
	}
	return lookOfNumber(value, isTime)
}

// lookOfNumber says what a value with a digit looks like.
func lookOfNumber(value string, isTime bool) string {
	switch {
	case digit(value[0]) && wholeDate().MatchString(value):
		return "date"
	case len(value) < 60 && mayBePrice(value) && priceLook().MatchString(value):
		return "price"
	case isTime && len(value) < 120:
		return "date"
	case (value[0] < 'A' || value[0] >= utf8.RuneSelf) && numberLook().MatchString(value):
		return "number"
	case dates.IsDuration(value):
		return "duration"
	case len(value) < 60 && mayBeDate(value) && dateLook().MatchString(value):
		return "date"
	}
	return "text"
}

// mayBePrice spares most texts the pattern of prices, which is slow: one in plain
// letters needs the sign or the code of a currency.
func mayBePrice(value string) bool {
	for i := range len(value) {
		if value[i] >= utf8.RuneSelf || value[i] == '$' {
			return true
		}
	}
	lower := strings.ToLower(value)
	return holdsAny(lower, "eur", "usd", "gbp", "chf", "pln", "czk", "sek", "nok", "dkk", "jpy", "kr", "ft", "lei", "rs")
}

// mayBeDate does the same for dates, which have four digits or a digit before a mark.
func mayBeDate(value string) bool {
	run := 0
	for i := range len(value) {
		switch {
		case digit(value[i]):
			if run++; run == 4 {
				return true
			}
		case run > 0 && strings.IndexByte("./:", value[i]) >= 0:
			return true
		default:
			run = 0
		}
	}
	return false
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// mostLook is the share of values that must look alike for the look to be expected.
const mostLook = 0.8

// looks says what most values look like; "" when they differ.
func looks(values []string, isTime bool) string {
	counts := map[string]int{}
	for _, v := range values {
		counts[look(v, isTime)]++
	}
	for _, name := range sortedKeys(counts) {
		if float64(counts[name]) >= mostLook*float64(len(values)) {
			return name
		}
	}
	return ""
}

// Fit is how well a page still fits its blueprint.
type Fit string

const (
	FitWhole  Fit = "fits"
	FitPartly Fit = "partly" // some fields are lost or look different
	FitNot    Fit = "does_not_fit"
	FitEmpty  Fit = "empty" // no records: nothing there today, or all of it moved
)

// FitReport is a judgement on one result.
type FitReport struct {
	Fit     Fit      `json:"fit"`
	Fields  []string `json:"fields,omitempty"`  // that are lost or look different
	Reasons []string `json:"reasons,omitempty"` // in words
}

// Fits compares a result with what the sample looked like. Without expectations
// everything with records fits.
func Fits(result Output, expect *Expect) FitReport {
	n := len(result.Drafts)
	switch {
	case n == 0 && len(result.Dropped) > 0:
		return FitReport{Fit: FitNot, Reasons: []string{fmt.Sprintf("none of %d records is whole: the first %s", len(result.Dropped),
			strings.TrimPrefix(result.Dropped[0].Why, "it "))}}
	case n == 0:
		return FitReport{Fit: FitEmpty, Reasons: []string{"the page has no records"}}
	case expect == nil:
		return FitReport{Fit: FitWhole}
	}
	v := FitReport{Fit: FitWhole}
	for _, name := range sortedKeys(expect.Fields) {
		if dom.FormerName(name) { // sales begin and end
			continue
		}
		if why := differs(expect.Fields[name], expectation(result.Drafts, name), n); why != "" {
			v.Fields = append(v.Fields, name)
			v.Reasons = append(v.Reasons, name+" "+why)
		}
	}
	few := expect.Records != nil && n*4 < expect.Records.Min
	if few {
		v.Reasons = append(v.Reasons, fmt.Sprintf("%d records, where there were at least %d", n, expect.Records.Min))
	}
	own := func(names []string) int { // the slots of a list come and go with its design
		return len(slices.DeleteFunc(slices.Clone(names), func(name string) bool { return strings.HasPrefix(name, "slots.") }))
	}
	switch lost := lostKey(result.Drafts[0].Kind(), v.Fields); {
	case lost || own(v.Fields)*2 > own(sortedKeys(expect.Fields)):
		v.Fit = FitNot
	case len(v.Fields) > 0 || few:
		v.Fit = FitPartly
	}
	return v
}

// differs says in what the values of a field differ from before; "" when they do
// not. It is made for breaks, not for a page that has changed its mood: half of
// the values must be gone, or look different by far.
func differs(was, is Expectation, records int) string {
	switch {
	case was.Present >= 0.3 && is.Present == 0 && math.Pow(1-was.Present, float64(records)) < 0.05: // no accident of a short page
		return "is gone"
	case records >= 4 && is.Present < was.Present/2 && was.Present >= 0.5:
		return fmt.Sprintf("is in %.0f%% of the records, was in %.0f%%", is.Present*100, was.Present*100)
	case is.Present == 0 || was.Present == 0:
		return ""
	}
	return valuesDiffer(was, is, records)
}

// valuesDiffer says in what values differ that are there before and after.
func valuesDiffer(was, is Expectation, records int) string {
	otherLook := was.Looks != "" && was.Looks != "text" && is.Looks != "" && is.Looks != was.Looks
	switch {
	case records >= 5 && was.Distinct >= 0.8 && is.Distinct < 0.3:
		return "is the same almost everywhere"
	case otherLook && !alike(was.Looks, is.Looks):
		return fmt.Sprintf("looks like a %s, was a %s", is.Looks, was.Looks)
	case was.MaxLength > 0 && is.MinLength > 3*was.MaxLength+20:
		return "is much longer than it was"
	case was.MinLength > 0 && is.MaxLength*3+2 < was.MinLength:
		return "is much shorter than it was"
	}
	return ""
}

// alike says whether two looks are easily taken for each other.
func alike(a, b string) bool {
	if a == "duration" || b == "duration" { // "45 min", "soon"; "30 min", "30"
		return true
	}
	near := []string{"number", "price", "date"}
	return slices.Contains(near, a) && slices.Contains(near, b) && (a == "number" || b == "number")
}

// lostKey says whether a field is lost without which a record of the schema is none.
func lostKey(s curlew.Schema, lost []string) bool {
	return slices.ContainsFunc(lost, func(name string) bool {
		f, ok := s.Field(name)
		return ok && f.Required
	})
}
