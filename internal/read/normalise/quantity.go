package normalise

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/money"
)

// scalarText writes numbers and truths as text, without losing digits.
func scalarText(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case bool:
		return strconv.FormatBool(v)
	case int:
		return strconv.Itoa(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return ""
		}
		return strconv.FormatFloat(v, 'f', -1, 64)
	case json.Number:
		return string(v)
	case map[string]any, []any, []string:
		return plainText(value)
	}
	return ""
}

// decimal reads one number of a text as a plain decimal: "1,234" is 1234 and "4,5"
// is 4.5.
func decimal(text string) (string, bool) {
	text = strings.TrimSpace(text)
	if _, err := strconv.ParseFloat(text, 64); err == nil && !strings.ContainsAny(text, "xXpP_iInN") {
		return text, true
	}
	p, ok := money.Parse(text, "")
	if !ok || p.Free {
		return "", false
	}
	return p.Amount, true
}

// number reads a field that holds a number.
func (w *work) number(name string, value any) any {
	if name == "rating" && !w.own {
		return w.rating(value)
	}
	text := strings.TrimSpace(scalarText(value))
	if text == "" {
		return nil
	}
	f, err := strconv.ParseFloat(strings.Replace(text, ",", ".", 1), 64)
	if _, written := value.(string); w.own && written {
		if f, err = w.ownNumber(name, text); err != nil {
			w.note(name, "not_a_number", "the text holds no number")
			return nil
		}
	} else if err != nil {
		amount, ok := decimal(text)
		if f, err = strconv.ParseFloat(amount, 64); !ok || err != nil {
			w.note(name, "not_a_number", "the text holds no number")
			return nil
		}
	}
	if math.IsNaN(f) || math.IsInf(f, 0) {
		w.note(name, "not_a_number", "the number is not finite")
		return nil
	}
	return f + 0 // minus zero is zero
}

// checkCoordinates drops places that are not on Earth, and the point zero, which
// stands for unknown.
func (w *work) checkCoordinates() {
	lat, hasLat := w.out["latitude"].(float64)
	long, hasLong := w.out["longitude"].(float64)
	if w.own || !hasLat && !hasLong {
		return
	}
	onEarth := math.Abs(lat) <= 90 && math.Abs(long) <= 180 && (lat != 0 || long != 0)
	if !hasLat || !hasLong || !onEarth {
		delete(w.out, "latitude")
		delete(w.out, "longitude")
		w.note("latitude", "no_place", "latitude and longitude do not name a place on Earth")
	}
}

var outOf = text.Pattern(`(?i)^\D{0,40}?(\d+(?:[.,]\d+)?)\s*(?:/|von|of|out of|sur|su|de|z|из|van|av)\s*(\d+)`)

// rating reads a rating and puts it on the scale from 0 to 5.
func (w *work) rating(value any) any {
	text := strings.TrimSpace(scalarText(value))
	if text == "" {
		return nil
	}
	best := w.scale("rating_best", "best_rating")
	if m := outOf().FindStringSubmatch(text); m != nil {
		text = m[1]
		best, _ = strconv.ParseFloat(m[2], 64)
	} else if strings.HasSuffix(text, "%") {
		text, best = strings.TrimSuffix(text, "%"), 100
	}
	amount, ok := decimal(strings.Replace(strings.TrimSpace(text), ",", ".", 1))
	rating, err := strconv.ParseFloat(amount, 64)
	switch {
	case !ok || err != nil || rating < 0:
		w.note("rating", "not_a_number", "the text holds no rating")
		return nil
	case best > 0 && best != 5 && rating <= best:
		rating = rating * 5 / best
		w.note("rating", "scaled", "the rating was brought to the scale from 0 to 5")
	case rating > 5:
		w.note("rating", "unknown_scale", "the rating is above 5 and its scale is not known")
		return nil
	}
	return math.Round(rating*100) / 100
}

func (w *work) scale(names ...string) float64 {
	for _, name := range names {
		if amount, ok := decimal(scalarText(w.in[name])); ok {
			best, _ := strconv.ParseFloat(amount, 64)
			return best
		}
	}
	return 0
}

var thousands = map[string]int{"k": 3, "K": 3, "tis": 3, "tys": 3, "тыс": 3, "mil": 3, "m": 6, "M": 6, "万": 4, "만": 4}

// integer reads a count: "1,234 reviews", "1.2k".
func (w *work) integer(name string, value any) any {
	text := strings.TrimSpace(scalarText(value))
	if text == "" {
		return nil
	}
	number, power := text, 0
	if p, ok := money.Parse(text, ""); ok && !p.Free {
		number = p.Amount
		rest := strings.TrimLeft(text[p.End:], " \u00a0")
		for word, zeros := range thousands {
			if after, found := strings.CutPrefix(rest, word); found && (after == "" || !isLetterAt(after)) {
				power = zeros
			}
		}
		if power > 0 && !strings.Contains(p.Amount, ".") && strings.ContainsAny(text[p.Begin:p.End], ".,") {
			power = 0
		}
	}
	count, ok := shifted(number, power)
	if !ok {
		w.note(name, "not_a_count", "the text holds no whole number that can be kept")
		return nil
	}
	return count
}

func isLetterAt(s string) bool {
	return s[0] >= 'a' && s[0] <= 'z' || s[0] >= 'A' && s[0] <= 'Z' || s[0] >= 0x80
}

// shifted multiplies a decimal by a power of ten and gives the integer, when it is
// one that JSON can carry.
func shifted(amount string, power int) (int64, bool) {
	whole, fraction, _ := strings.Cut(amount, ".")
	fraction = strings.TrimRight(fraction, "0")
	if len(fraction) > power {
		return 0, false
	}
	n, err := strconv.ParseInt(whole+fraction+strings.Repeat("0", power-len(fraction)), 10, 64)
	return n, err == nil && n <= maxInteger && n >= -maxInteger
}
