package quality

import (
	"slices"
	"strconv"
	"strings"

	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/dates"
)

// datesOf are the dates of a block. Those that are written without a year are taken to be
// of the given one: which year it is, a heading or the order of a list tells.
func (b *block) datesOf(year string, o dates.Options) []dates.Occurrence {
	all := slices.Clone(b.dates(o))
	number, err := strconv.Atoi(year)
	if err != nil {
		return all
	}
	for i, f := range all {
		if writesYear(b.text[f.Begin:f.End]) {
			continue
		}
		shift := number - f.Start.Year()
		all[i].Start = f.Start.AddDate(shift, 0, 0)
		if !f.Date.End.IsZero() {
			all[i].Date.End = f.Date.End.AddDate(shift, 0, 0)
		}
	}
	return all
}

// yearPattern finds a year in a written date: four digits, or two after an apostrophe or
// at the end of a numeric date.
var yearPattern = text.Pattern(`\d{4}|['’]\d\d|\d[./-]\d{1,2}[./-]\d\d`)

var fourDigits = text.Pattern(`\b(?:19|20)\d\d\b`)

func writesYear(date string) bool { return yearPattern().MatchString(date) }

// showsYear says whether the page writes the year of a day anywhere; where it does not,
// nobody can say that the year is wrong.
func (w *PageText) showsYear(day string) bool {
	if len(day) < 4 {
		return false
	}
	known, ok := w.years.Load(day[:4])
	if !ok {
		known = strings.Contains(w.text(), day[:4])
		w.years.Store(day[:4], known)
	}
	return known.(bool)
}
