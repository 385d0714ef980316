package money

import (
	"slices"
	"sort"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/bojanz/currency"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/labels"
)

// edges find signs by the rune at their edge, longest first.
type edges map[rune][]sign

// at gives the signs with an edge. Most runes of most texts are none, and a range
// check tells so faster than a map.
func (e edges) at(r rune) []sign {
	if r < '$' || r > 'z' && r < 0xA2 {
		return nil
	}
	return e[r]
}

// signIndex finds signs by their edges and by their text.
type signIndex struct {
	first, last edges
	text        map[string]sign
	shared      map[string]map[string]string
}

// index is built at first use; it is never changed afterwards.
var index = sync.OnceValue(func() signIndex {
	table, err := readSigns(signsFile)
	if err != nil {
		panic(err)
	}
	x := signIndex{edges{}, edges{}, map[string]sign{}, table.shared}
	for _, s := range variants(table.signs) {
		if _, known := x.text[s.text]; known {
			continue
		}
		x.text[s.text] = s
		f, _ := utf8.DecodeRuneInString(s.text)
		l, _ := utf8.DecodeLastRuneInString(s.text)
		x.first[f], x.last[l] = append(x.first[f], s), append(x.last[l], s)
	}
	for _, edge := range []edges{x.first, x.last} {
		for _, list := range edge {
			sort.SliceStable(list, func(i, j int) bool { return len(list[i].text) > len(list[j].text) })
		}
	}
	return x
})

// variants are the signs, the codes, and both as people write them.
func variants(signs []sign) []sign {
	all := slices.Clone(signs)
	codes := currency.GetCurrencyCodes()
	for code := range former {
		codes = append(codes, code)
	}
	sort.Strings(codes)
	for _, code := range codes {
		all = append(all, sign{code, code, anywhere})
		if !words().Of("code").Has(code) {
			all = append(all, sign{strings.ToLower(code), code, anywhere}, sign{code[:1] + strings.ToLower(code[1:]), code, anywhere})
		}
	}
	for _, s := range signs { // LEI, Zł, KR, ГРН
		if utf8.RuneCountInString(s.text) > 1 && s.use != alone && s.use != cents {
			all = append(all, sign{strings.ToUpper(s.text), s.codes, s.use}, sign{title(s.text), s.codes, s.use})
		}
		if utf8.RuneCountInString(s.text) > 2 && s.use != alone {
			all = append(all, sign{strings.ToLower(s.text), s.codes, s.use})
		}
	}
	return all
}

func title(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[size:]
}

// known tells whether a code is a currency, today or formerly.
func known(code string) bool {
	_, old := former[code]
	return old || currency.IsValid(code)
}

// Currency turns a sign, name or code into an ISO 4217 code, or "". The region or
// language decides between the countries that share a sign: "$" alone is "" and
// with the region "US" it is "USD". A region is "PL", a language "pl" or "pl-PL".
func Currency(text, region string) string {
	text = strings.TrimFunc(text, func(r rune) bool { return isBlank(r) || r == ':' || r == '(' || r == ')' })
	if code := strings.ToUpper(text); len(code) == 3 && known(code) {
		return code
	}
	for _, spelling := range []string{text, strings.ToLower(text), title(strings.ToLower(text)), strings.TrimRight(text, ".")} {
		if s, ok := index().text[spelling]; ok {
			return resolve(s.codes, region)
		}
	}
	return ""
}

// resolve picks the code among those that share a sign.
func resolve(codes, region string) string {
	by, isShared := index().shared[codes]
	if !isShared {
		return codes
	}
	lang, country := places(region)
	for _, place := range []string{country, lang, "*"} {
		if code := by[place]; code != "" && place != "" {
			return code
		}
	}
	return ""
}

// places splits "de-CH", "CH" and "de" into language and country.
func places(region string) (lang, country string) {
	parts := strings.FieldsFunc(region, func(r rune) bool { return r == '-' || r == '_' })
	for i, part := range parts {
		switch {
		case i == 0 && len(part) <= 3 && (len(parts) > 1 || part != strings.ToUpper(part)):
			lang = strings.ToLower(part)
		case len(part) == 2:
			country = strings.ToUpper(part)
		}
	}
	if country == "UK" {
		country = "GB"
	}
	return lang, country
}

// shares tells whether a written sign may stand for a code.
func shares(written, code string) bool {
	s, ok := index().text[written]
	if !ok {
		return false
	}
	if s.codes == code {
		return true
	}
	for _, c := range index().shared[s.codes] {
		if c == code {
			return true
		}
	}
	return false
}

// currencyIn finds a currency anywhere in a short text, such as "DKK/stk".
func currencyIn(text, region string) (code, written string) {
	if len(text) > maxPrice {
		text = text[:maxPrice]
	}
	if code = Currency(text, region); code != "" {
		return code, strings.TrimSpace(text)
	}
	for at, r := range text {
		for _, s := range index().first.at(r) {
			if !strings.HasPrefix(text[at:], s.text) || s.use == cents || s.use == alone && len(strings.TrimSpace(text)) > len(s.text) {
				continue
			}
			if open(text, at, s, true) && open(text, at, s, false) {
				return resolve(s.codes, region), s.text
			}
		}
	}
	return "", ""
}

// open tells whether the edge of a sign is no part of a longer word.
func open(text string, at int, s sign, left bool) bool {
	edge, _ := utf8.DecodeRuneInString(s.text)
	next, _ := utf8.DecodeLastRuneInString(text[:at])
	beyond := text[:at]
	if !left {
		edge, _ = utf8.DecodeLastRuneInString(s.text)
		beyond = text[at+len(s.text):]
		next, _ = utf8.DecodeRuneInString(beyond)
	}
	if beyond == "" || !unicode.IsLetter(edge) || unscripted(edge) {
		return true
	}
	return !unicode.IsLetter(next) && !unicode.IsMark(next)
}

// unscripted tells letters of scripts that write no blanks between words.
func unscripted(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Khmer, unicode.Lao)
}

// maxGap is how far a sign may stand from its amount: two blanks and a colon.
const maxGap = 8

// signEnding finds the sign that stands directly before a number; what ends before
// used belongs to an earlier price.
func (r reading) signEnding(n number, used int) (*sign, int) {
	window := r.text[used:max(n.begin, used)]
	trimmed := r.trimBefore(window, n)
	if len(window)-len(trimmed) > maxGap || trimmed == "" {
		return nil, 0
	}
	last, _ := utf8.DecodeLastRuneInString(trimmed)
	list := index().last.at(last)
	for i := range list {
		s := &list[i]
		if s.use == suffix || s.use == cents || !strings.HasSuffix(trimmed, s.text) {
			continue
		}
		from := used + len(trimmed) - len(s.text)
		if r.otherThing(*s, from, n) || !open(r.text, from, *s, true) || !r.believable(*s, n) {
			continue
		}
		return widen(r.text, from, used, s)
	}
	return nil, 0
}

// otherThing tells that a sign at an offset and the number behind it are a unit or a code.
func (r reading) otherThing(s sign, from int, n number) bool {
	before, end := r.text[:from], from+len(s.text)
	if joined(r.text[end:n.begin], s) {
		return true
	}
	if r.loose || !unicode.IsLetter(firstRune(s.text)) {
		return false
	}
	return digitBefore(before) || inCode(before) || labelledCode(before) || r.numbers(end, n) || r.isCode(n)
}

// numbers tells that letters ending at an offset and the number behind them are the number of a
// thing: DA0002/2020, RM0451.
func (r reading) numbers(end int, n number) bool {
	if end != n.begin {
		return false
	}
	rest, slashed := strings.CutPrefix(r.text[n.end:], "/")
	return slashed && digitAfter(rest) || strings.HasPrefix(r.text[n.begin:], "0") && digitAfter(r.text[n.begin+1:])
}

// isCode tells that a number belongs to the number of a thing: letters, and a zero, a year or many digits say so.
func (r reading) isCode(n number) bool {
	written := r.text[n.begin:n.end]
	if n.cents != "" || strings.Trim(written, "0123456789") != "" {
		return false
	}
	stem := strings.TrimRight(r.text[:n.begin], " \u00a0")
	joint := r.text[len(stem):n.begin]
	zero := len(written) > 1 && written[0] == '0'
	if dashed := strings.TrimRight(stem, "-–"); joint == "" && dashed != stem {
		return letterEnds(dashed) && (zero || len(written) > 4)
	}
	return letterEnds(stem) && (joint == "" && zero || yearBehind().MatchString(r.text[n.end:]))
}

// yearBehind is the year in the number of a thing: DA 450/2026. A round 2000 may be another price.
var yearBehind = text.Pattern(`^/(?:19[5-9]\d|200[1-9]|20[1-4]\d)(?:\D|$)`)

// labelledCode tells that what stands behind a text is called a number or a reference: "Ref: RM 4500".
func labelledCode(before string) bool {
	trimmed := strings.TrimRight(before, " \u00a0:.#")
	if trimmed == before || trimmed == "" {
		return false
	}
	word := trimmed[1+strings.LastIndexFunc(trimmed, func(c rune) bool { return !unicode.IsLetter(c) }):]
	return labels.NumbersThings(word)
}

// inCode tells that a dash joins what follows a text to letters: the R3 of "E2022-01642-CCA-R3-CD".
func inCode(before string) bool {
	stem, dashed := strings.CutSuffix(before, "-")
	return dashed && letterEnds(stem)
}

// joined tells that a dash joins letters and a number to a code: "R-20801".
func joined(between string, s sign) bool {
	return (between == "-" || between == "–") && letterEnds(s.text)
}

// trimBefore cuts from the text before a number what may stand between it and its
// sign: blanks, a dash, and the dots of "Rs. .75" where no letter stands before them.
func (r reading) trimBefore(window string, n number) string {
	trimmed := strings.TrimRight(strings.TrimRightFunc(window, isBlank), "-−–")
	if strings.HasPrefix(r.text[n.begin:], ".") || r.loose && strings.HasSuffix(trimmed, ".") {
		bare := strings.TrimRight(trimmed, ".")
		if bare != "" && !letterEnds(bare) {
			trimmed = bare
		}
	}
	return strings.TrimRightFunc(trimmed, isBlank)
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

func letterEnds(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return unicode.IsLetter(r)
}

// widen prefers the code in "NZD $100.70" over the sign behind it.
func widen(text string, from, used int, s *sign) (*sign, int) {
	if _, isShared := index().shared[s.codes]; !isShared {
		return s, from
	}
	outer := strings.TrimRightFunc(text[used:from], isBlank)
	if len(outer) < 3 || len(text[used:from])-len(outer) > 2 {
		return s, from
	}
	begin := used + len(outer) - 3
	code, ok := index().text[text[begin:used+len(outer)]]
	if ok && len(code.codes) == 3 && shares(s.text, code.codes) && open(text, begin, code, true) {
		return &code, begin
	}
	return s, from
}

// signStarting finds the sign that stands directly behind an offset, and its end.
func (r reading) signStarting(at int, n number) (*sign, int) {
	rest := r.text[at:]
	window := rest[:min(len(rest), maxGap+4)]
	trimmed := strings.TrimLeftFunc(window, isBlank)
	gap := len(window) - len(trimmed)
	if gap > maxGap || trimmed == "" {
		return nil, 0
	}
	rest = rest[gap:]
	first, _ := utf8.DecodeRuneInString(rest)
	list := index().first.at(first)
	for i := range list {
		s := &list[i]
		if s.use == prefix || !strings.HasPrefix(rest, s.text) || !open(r.text, at+gap, *s, false) {
			continue
		}
		if s.use == cents && (n.cents != "" || len(n.whole) > 2 || gap > 1) || !r.believable(*s, n) {
			continue
		}
		if apart := window[:gap]; apart != "" && r.parts(apart, *s, rest[len(s.text):]) {
			return nil, 0
		}
		return s, at + gap + len(s.text)
	}
	return nil, 0
}

// parts tells that what stands between a number and a sign parts them: the end of a line, or
// a blank before a sign that opens the amount behind it, as in "2026 €5.00". Two digits may
// be the cents of the number before: "35 €99".
func (r reading) parts(blank string, s sign, behind string) bool {
	if !r.loose && strings.ContainsAny(blank, "\n\r") {
		return true
	}
	digits, end := run(behind, 0)
	return s.use == anywhere && digits != "" && (len(digits) != 2 || continues(behind[end:]))
}

// believable tells whether a sign that is also a word or a unit means money here.
func (r reading) believable(s sign, n number) bool {
	switch {
	case s.use == alone:
		return r.loose && len(r.text) < 40
	case r.loose || !words().Of("code").Has(s.text):
		return true
	}
	return len(n.cents) == 2
}

// signBefore tells whether a sign of letters stands directly before an offset.
func signBefore(text string, at int) bool {
	last, _ := utf8.DecodeLastRuneInString(text[:at])
	for _, s := range index().last.at(last) {
		before := s.use == anywhere || s.use == prefix
		if before && strings.HasSuffix(text[:at], s.text) && open(text, at-len(s.text), s, true) {
			return true
		}
	}
	return false
}
