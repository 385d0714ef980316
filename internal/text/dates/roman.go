package dates

import "regexp"

// romanMonths are the months as Roman numerals.
var romanMonths = func() map[string]*entry {
	all := map[string]*entry{}
	for i, numeral := range [...]string{"I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"} {
		all[numeral] = &entry{}
		all[numeral].add(sense{isMonth, i + 1, ^langs(0)})
	}
	return all
}()

var yearNext = regexp.MustCompile(`^\.?\s?(?:19|20)\d\d\b`)

// romanMonth is the month that a Roman numeral means: between a day and a year, in Polish
// also behind a day alone unless it is a single letter, as of "12 V".
func (z *tokeniser) romanMonth(begin, end int) *entry {
	month := romanMonths[z.text[begin:end]]
	if month == nil || len(z.out) == 0 {
		return nil
	}
	last := len(z.out) - 1
	if z.out[last].mark == '.' && last > 0 {
		last--
	}
	if before := z.out[last]; before.kind != tokenNumber || before.digits > 2 {
		return nil
	}
	if end-begin > 1 && z.lang&z.words.codes["pl"] != 0 || yearNext.MatchString(z.text[end:min(len(z.text), end+8)]) {
		return month
	}
	return nil
}
