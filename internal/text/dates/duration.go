package dates

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/text"
)

// isoDuration is ISO 8601 without years and months, which have no fixed length.
var isoDuration = regexp.MustCompile(`^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)S)?)?$`)

// clockDuration is hours and minutes, and perhaps seconds: "1:30".
var clockDuration = regexp.MustCompile(`^(\d{1,3}):([0-5]\d)(?::([0-5]\d))?$`)

// measured is a number with its unit, or the minutes after hours: "1.5 hours", "20 min", "1 h 20".
var measured = regexp.MustCompile(`(\d+(?:[.,]\d+)?|½)\s*([\p{L}]+)\.?(?:\s*([0-5]?\d)$)?`)

// durationUnits are the lengths of units in seconds, longest first, and their words; a word of
// four letters and more may have any ending.
var durationUnits = []struct {
	seconds float64
	words   map[string]bool
}{
	{604_800, text.Set(`w wk wks week woche semaine semana settiman tydzień tygodni tyg týden týdn nedel недел uge vecka viikko`)},
	{86_400, text.Set(`d day days tag tage jour día dia dias días giorn dzień dni den dnů nap день дня дней dag dage dagar päivä 日`)},
	{3_600, text.Set(`h hr hrs hour std stunde heure hora ora ore godz hodin óra час uur timme time timer tim t tunti 時間 小时`)},
	{60, text.Set(`m min mins minut dakika perc мин хв 分 分钟`)},
	{1, text.Set(`s sec secs second sek sekund seg segund seconde сек 秒`)},
}

// Duration reads how many seconds something takes: "1 h 20 min", "PT45M", "1:30". A number alone
// is seconds.
func Duration(text string) (float64, bool) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil { // as it is kept
		return float64(n), true
	}
	if m := isoDuration.FindStringSubmatch(strings.ToUpper(text)); m != nil && len(text) > 2 {
		sum := 0.0
		for i, u := range durationUnits {
			n, _ := strconv.ParseFloat(m[i+1], 64)
			sum += n * u.seconds
		}
		return sum, true
	}
	if m := clockDuration.FindStringSubmatch(text); m != nil {
		h, _ := strconv.Atoi(m[1])
		minute, _ := strconv.Atoi(m[2])
		s, _ := strconv.Atoi(m[3])
		return float64(h*3600 + minute*60 + s), true
	}
	sum, found := 0.0, false
	for _, m := range measured.FindAllStringSubmatch(strings.ToLower(text), 6) {
		length, known := secondsOf(m[2])
		if !known || m[3] != "" && length != 3600 {
			return 0, false
		}
		n, err := strconv.ParseFloat(strings.Replace(m[1], ",", ".", 1), 64)
		if err != nil { // ½
			n = 0.5
		}
		minutes, _ := strconv.ParseFloat(m[3], 64)
		sum, found = sum+n*length+minutes*60, true
	}
	return sum, found
}

// namesUnits says whether the numbers of a text have units of time that are nothing else: "20h"
// and "14 h – 15 h" may be times, "20 m" a length.
func namesUnits(text string) bool {
	first, sure := "", false
	for i, m := range measured.FindAllStringSubmatch(text, -1) {
		switch unit := m[2]; {
		case len(unit) > 1 && kindsOf(unit)&(1<<isUnit) == 0:
			return false
		case len(unit) > 1, i > 0 && unit != first: // "1h 20m"
			sure = true
		default:
			first = unit
		}
	}
	return sure
}

// kindsOf are the bits of what a word can mean in a date.
func kindsOf(word string) uint64 {
	if e := dictionary().words[foldText(word)]; e != nil {
		return e.kinds
	}
	return 0
}

// tellsOften says whether a word beside a duration tells how often something is, or is a number.
func tellsOften(word string) bool {
	return strings.ContainsFunc(word, unicode.IsDigit) || kindsOf(word)&(1<<isEvery|1<<isEach|1<<isNext|1<<isLast) != 0
}

// IsWord says whether a word belongs to dates or times: a month, a weekday, "Uhr".
func IsWord(word string) bool { return kindsOf(strings.Trim(word, ".,:")) != 0 }

// secondsOf is how many seconds a word stands for.
func secondsOf(word string) (float64, bool) {
	for _, u := range durationUnits {
		if u.words[word] {
			return u.seconds, true
		}
		for known := range u.words {
			if utf8.RuneCountInString(known) >= 4 && strings.HasPrefix(word, known) {
				return u.seconds, true
			}
		}
	}
	return 0, false
}

// The bounds of what may stand beside a duration.
const (
	longestDuration = 60 // bytes
	mostOtherWords  = 3  // "Ready in 45 min"
)

// IsDuration says whether a text tells by itself how long something takes, and little else. An
// age ("3 hours ago") and a time ("20h") do not.
func IsDuration(text string) bool {
	if len(text) > longestDuration || !strings.ContainsFunc(text, unicode.IsDigit) {
		return false
	}
	if len(text) > 2 && isoDuration.MatchString(text) {
		return true
	}
	lower := strings.ToLower(text)
	rest := strings.Fields(measured.ReplaceAllString(lower, " "))
	if _, read := Duration(lower); !read || !namesUnits(lower) || len(rest) > mostOtherWords || slices.ContainsFunc(rest, tellsOften) {
		return false
	}
	now := time.Unix(0, 0).UTC()
	for _, d := range Find(text, Options{Now: now}) {
		if d.Relative != RelativeMoment || d.Start.Before(now) {
			return false
		}
	}
	return true
}
