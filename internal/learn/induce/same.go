package induce

import (
	"html"
	"strings"
	"time"
	"unicode"

	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/dates"
	"github.com/curlew-data/curlew/internal/text/money"
)

// key is a text as values are compared: what people take for the same is the same,
// whatever its case, its spaces, its entities and the width of its letters.
func key(s string) string {
	s = text.CutBytes(s, maxValue)
	if plainKey(s) {
		return s
	}
	if strings.IndexByte(s, '&') >= 0 {
		s = html.UnescapeString(s)
	}
	if s = text.Fold(s); !text.IsASCII(s) {
		s = strings.Map(plainRune, s)
	}
	return text.Collapse(s)
}

// plainKey says whether a text is its own key, as texts in plain small letters are.
func plainKey(s string) bool {
	for i := range len(s) {
		if c := s[i]; c == '&' || c >= 'A' && c <= 'Z' {
			return false
		}
	}
	return text.IsCollapsed(s)
}

// plainRune maps the quotes and dashes that people type for each other to one of
// them, and drops what is not seen.
func plainRune(r rune) rune {
	switch r {
	case '‘', '’', '‚', '′':
		return '\''
	case '“', '”', '„', '″':
		return '"'
	case '‐', '‑', '‒', '–', '—', '−':
		return '-'
	case 0x200b, 0x00ad, 0xfeff, 0x2060:
		return -1
	}
	return r
}

// value is a known value, ready for comparing.
type value struct {
	text   string
	key    string
	day    time.Time // when it is a date; zero otherwise
	clock  bool      // the time of day is known too
	amount string    // when it is a price or a number: the decimal
	source string    // the text that it was made from, as compared; "" when it stands as it is
	at     string    // where it stands, under a name of the page's own; "" when that is not known
	was    string    // of healing: as it was known, where the page says it in other words; "" otherwise
	how    Match     // of healing: how it was found on the page
}

// typed says whether a value is a date or an amount, which pages spell in many ways.
func (v value) typed() bool { return !v.day.IsZero() || v.amount != "" }

func newValue(text string) value {
	v := value{text: text, key: key(text)}
	if v.key == "" || len(v.key) > 80 {
		return v
	}
	if d, ok := knownDate(v.key); ok {
		v.day, v.clock = d.Start, d.TimeKnown
	} else if mostlyNumber(v.key) {
		if p, ok := money.Parse(v.key, ""); ok {
			v.amount = p.Amount
		}
	}
	return v
}

// knownDate reads a known value as a date, when it has a year: others could be
// anything.
func knownDate(text string) (dates.Date, bool) {
	if !strings.ContainsAny(text, "0123456789") || strings.Contains(text, "://") {
		return dates.Date{}, false
	}
	if t, err := time.Parse("2006-01-02t15:04:05", strings.TrimSuffix(text, "z")); err == nil {
		return dates.Date{Start: t, TimeKnown: true}, true
	}
	d, ok := dates.Parse(text, dates.Options{}) // without a clock nothing is resolved that lacks a year
	if !ok || d.Confidence < 0.7 || d.Start.Year() < 1900 || d.Start.Year() > 2200 {
		return dates.Date{}, false
	}
	return d, true
}

// mostlyNumber says whether a text is a number with a currency at most.
func mostlyNumber(text string) bool {
	digits, letters := 0, 0
	for _, r := range text {
		switch {
		case unicode.IsDigit(r):
			digits++
		case unicode.IsLetter(r):
			letters++
		}
	}
	return digits > 0 && letters <= 4 && digits*2 >= letters
}

// likeness is how much a found text is a known value: 1 when it reads the same, a
// little less when it is the same date or price in another spelling.
func (s *pageIndex) likeness(v value, text string) float64 {
	if len(text) > maxValue {
		return 0
	}
	k := s.keyOf(text)
	switch {
	case k == v.key:
		return 1
	case v.source != "" && k == v.source:
		return 0.75
	case strings.HasPrefix(v.key, "http"):
		if address := s.doc.Resolve(text); address != "" && address == s.doc.Resolve(v.text) {
			return 0.95
		}
		return 0
	case !v.day.IsZero():
		return s.dayLikeness(v, text)
	case v.amount != "" && mostlyNumber(k):
		if amount := s.amountIn(k); amount != "" && sameAmount(amount, v.amount) {
			return 0.9
		}
	}
	return 0
}

// dayLikeness compares dates. A text without a year may mean the known one.
func (s *pageIndex) dayLikeness(v value, raw string) float64 {
	best := 0.0
	for _, f := range s.datesIn(text.Collapse(raw)) {
		like := 0.0
		switch {
		case !sameDay(f.Start, v.day):
			continue
		case f.TimeKnown && v.clock && f.Start.Hour() == v.day.Hour() && f.Start.Minute() == v.day.Minute():
			like = 0.95
		case f.TimeKnown && v.clock:
			like = 0.6
		case !v.clock:
			like = 0.9
		default:
			like = 0.8
		}
		// The more stands around a date, the less the text is that date.
		filled := float64(f.End-f.Begin) / float64(len(raw))
		best = max(best, like*(0.7+0.3*min(1, filled/0.7)))
	}
	return best
}

func sameDay(a, b time.Time) bool {
	return a.Year() == b.Year() && a.Month() == b.Month() && a.Day() == b.Day()
}

func sameAmount(a, b string) bool {
	return strings.TrimRight(strings.TrimRight(pad(a), "0"), ".") == strings.TrimRight(strings.TrimRight(pad(b), "0"), ".")
}

func pad(amount string) string {
	if strings.Contains(amount, ".") {
		return amount
	}
	return amount + "."
}
