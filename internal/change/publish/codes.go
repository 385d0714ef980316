package publish

import (
	"slices"
	"strings"
	"unicode"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/dates"
	"github.com/curlew-data/curlew/internal/text/money"
)

// leastCoded is how many records and entities must have a code of their own for its column to
// name them.
const leastCoded = 3

// codes are the columns of a list that name its things: docket numbers, references. Nearly all records
// and entities have one of their own there, and most of it is the same as before.
func (m *matcher) codes(entities []int) []string {
	var records, known []curlew.Values
	for _, made := range m.matches {
		records = append(records, made.seen.Record.Fields.Flat())
	}
	for _, e := range entities {
		known = append(known, m.prior.Entities[e].Fields.Flat())
	}
	if min(len(records), len(known)) < leastCoded {
		return nil
	}
	var names []string
	for name := range columns(records) {
		if m.shape.types[name].Dated() || m.shape.types[name].Numeric() || m.shape.types[name].Address() {
			continue
		}
		seen, before := codesIn(records, name), codesIn(known, name)
		shared := 0
		for code := range seen {
			if before[code] {
				shared++
			}
		}
		if len(seen) > 0 && shared*2 > min(len(seen), len(before)) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// columns are the names of all that records say.
func columns(records []curlew.Values) map[string]bool {
	names := map[string]bool{}
	for _, fields := range records {
		for name := range fields {
			names[name] = true
		}
	}
	return names
}

// mostUncoded is how many of ten may have no code of their own: a row of headings, an advert, two rulings in one case.
const mostUncoded = 1

// codesIn are the codes that things have in a column; nil where too many have none of their own.
func codesIn(all []curlew.Values, name string) map[string]bool {
	found := make(map[string]bool, len(all))
	without := 0
	for _, fields := range all {
		value, _ := fields[name].(string)
		code := text.Fold(value)
		if !isCode(value) || found[code] {
			without++
			continue
		}
		found[code] = true
	}
	if 10*without > mostUncoded*len(all) {
		return nil
	}
	return found
}

// isCode says whether a text is one that names a thing among others: "26/01877/FUL". A day, an
// hour, an amount and the number of a row are none.
func isCode(s string) bool {
	digits := text.Digits(s)
	if digits == "" || len(s) < 4 || len(s) > 40 || len(strings.Fields(s)) > 4 {
		return false
	}
	if bare := strings.TrimFunc(s, unicode.IsPunct); bare == digits && len(digits) < 5 {
		return false
	}
	if _, dated := dates.Parse(s, dates.Options{}); dated {
		return false
	}
	_, clock := dates.TimeOnly(s, dates.Options{})
	return !clock && len(money.Find(s)) == 0
}
