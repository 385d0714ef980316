package normalise

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// isoDuration is ISO 8601 without years and months, which have no fixed length.
var isoDuration = regexp.MustCompile(`^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)S)?)?$`)

// clockDuration is hours and minutes, and perhaps seconds: "1:30".
var clockDuration = regexp.MustCompile(`^(\d{1,3}):([0-5]\d)(?::([0-5]\d))?$`)

// measured is a number with its unit: "1.5 hours", "20 min".
var measured = regexp.MustCompile(`(\d+(?:[.,]\d+)?|½)\s*([\p{L}]+)\.?`)

// units are the lengths of the units in seconds, longest first.
var units = []struct {
	name    string
	seconds float64
}{{"week", 604_800}, {"day", 86_400}, {"hour", 3_600}, {"minute", 60}, {"second", 1}}

// duration reads how long something takes, in seconds.
func (w *work) duration(name string, value any) any {
	text := strings.TrimSpace(line(scalarText(value), 300))
	if text == "" {
		return nil
	}
	seconds, ok := durationOf(text)
	if !ok || seconds < 0 || seconds > maxInteger {
		w.note(name, "not_a_duration", "the text does not say how long something takes")
		return nil
	}
	return int64(seconds + 0.5)
}

func durationOf(text string) (float64, bool) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil { // as it is kept
		return float64(n), true
	}
	if m := isoDuration.FindStringSubmatch(strings.ToUpper(text)); m != nil && len(text) > 2 {
		sum := 0.0
		for i, u := range units {
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
		length, known := unitOf(m[2])
		if !known {
			return 0, false
		}
		n, err := strconv.ParseFloat(strings.Replace(m[1], ",", ".", 1), 64)
		if err != nil { // ½
			n = 0.5
		}
		sum, found = sum+n*length, true
	}
	return sum, found
}

// unitOf is how many seconds a word stands for.
func unitOf(word string) (float64, bool) {
	for _, u := range units {
		for _, known := range words().Of("unit " + u.name).Words {
			if word == known || utf8.RuneCountInString(known) >= 4 && strings.HasPrefix(word, known) {
				return u.seconds, true
			}
		}
	}
	return 0, false
}
