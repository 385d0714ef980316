package quality

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
	"golang.org/x/text/unicode/norm"
)

// same says whether two values of a field are equal: texts by their characters
// with white space collapsed, times as moments, lists as sets.
func same(t curlew.FieldType, want, got any) bool {
	if want == nil || got == nil {
		return want == nil && got == nil
	}
	switch t {
	case curlew.TypeTime, curlew.TypeDate:
		return sameMoment(said(want), said(got))
	case curlew.TypeMoney, curlew.TypeNumber, curlew.TypeInteger:
		a, ok1 := asFloat(want)
		b, ok2 := asFloat(got)
		return ok1 && ok2 && a == b
	case curlew.TypeURL:
		return text.SameURL(said(want), said(got))
	case curlew.TypeList:
		return slices.Equal(sortedTexts(want, spaced), sortedTexts(got, spaced))
	case curlew.TypeMap:
		a, err1 := json.Marshal(want)
		b, err2 := json.Marshal(got)
		return err1 == nil && err2 == nil && string(a) == string(b)
	case curlew.TypeBool:
		return want == got
	}
	return spaced(said(want)) == spaced(said(got))
}

// spaced is a text in one Unicode form with single spaces.
func spaced(s string) string { return text.Collapse(norm.NFC.String(s)) }

func sortedTexts(value any, form func(string) string) []string {
	all := make([]string, 0, 8)
	for _, one := range texts(value) {
		all = append(all, form(one))
	}
	slices.Sort(all)
	return all
}

// sameMoment compares as instants where both have an offset, otherwise as written.
// A day alone is not a moment of that day.
func sameMoment(want, got string) bool {
	a, aClock, ok1 := moment(want)
	b, bClock, ok2 := moment(got)
	if !ok1 || !ok2 || (aClock == "") != (bClock == "") {
		return false
	}
	if zoned(want) != zoned(got) {
		return a.Format("2006-01-02T15:04") == b.Format("2006-01-02T15:04")
	}
	return a.Equal(b)
}

func zoned(value string) bool { return len(value) > len("2006-01-02T15:04:05") }

func asFloat(value any) (float64, bool) {
	switch n := value.(type) {
	case float64:
		return n, true
	case json.Number:
		f, err := n.Float64()
		return f, err == nil
	}
	n, ok := asInt(value)
	return float64(n), ok
}

func sameTail(a, b *url.URL) bool {
	return strings.TrimSuffix(a.EscapedPath(), "/") == strings.TrimSuffix(b.EscapedPath(), "/") && a.RawQuery == b.RawQuery
}

// siblings says whether two addresses are the same page on two hosts of one
// domain: www, a language, a mobile site.
func siblings(want, got string) bool {
	a, err1 := url.Parse(want)
	b, err2 := url.Parse(got)
	if err1 != nil || err2 != nil || strings.EqualFold(a.Host, b.Host) {
		return false
	}
	return text.SameSite(a.Hostname(), b.Hostname()) && sameTail(a, b)
}

// alike says how two unequal values differ by form only, or "".
func alike(t curlew.FieldType, want, got any) string {
	switch t {
	case curlew.TypeTime, curlew.TypeDate:
		return alikeMoments(said(want), said(got))
	case curlew.TypeMoney:
		return alikeAmounts(want, got)
	case curlew.TypeNumber:
		a, ok1 := asFloat(want)
		b, ok2 := asFloat(got)
		if ok1 && ok2 && a-b < 0.1 && b-a < 0.1 {
			return "it was rounded"
		}
		return ""
	case curlew.TypeList:
		return alikeLists(want, got)
	case curlew.TypeURL, curlew.TypeBool, curlew.TypeChoice, curlew.TypeMap, curlew.TypeInteger:
		return ""
	}
	if folded := padded(said(want)); folded != " " && folded == padded(said(got)) {
		return "letter case or punctuation differ"
	}
	return ""
}

func alikeAmounts(want, got any) string {
	a, ok1 := asFloat(want)
	b, ok2 := asFloat(got)
	if !ok1 || !ok2 || a == 0 || b == 0 {
		return ""
	}
	for _, factor := range []float64{10, 100, 1000} {
		if a == b*factor || b == a*factor {
			return "the decimal places differ"
		}
	}
	return ""
}

func alikeLists(want, got any) string {
	switch {
	case len(texts(got)) == 0:
		return ""
	case slices.Equal(sortedTexts(want, padded), sortedTexts(got, padded)):
		return "letter case or punctuation differ"
	case compact(padded(said(want))) == compact(padded(said(got))):
		return "it was split at other places"
	}
	return ""
}

func alikeMoments(want, got string) string {
	a, aClock, ok1 := moment(want)
	b, bClock, ok2 := moment(got)
	if !ok1 || !ok2 {
		return ""
	}
	sameDay := a.Format(time.DateOnly) == b.Format(time.DateOnly)
	switch {
	case sameDay && aClock != "" && aClock == bClock:
		return "the time zone differs"
	case a.Year() == b.Year() && int(a.Month()) == b.Day() && a.Day() == int(b.Month()):
		return "day and month are exchanged"
	case a.Month() == b.Month() && a.Day() == b.Day() && aClock == bClock:
		return "the year differs"
	case sameDay:
		return alikeClocks(aClock, bClock)
	}
	return ""
}

// alikeClocks compares two different times of one day, which may be unknown.
func alikeClocks(want, got string) string {
	if want == "" && (got == "00:00" || got == "12:00") {
		return "a time of day was made up"
	}
	a, err1 := time.Parse("15:04", want)
	b, err2 := time.Parse("15:04", got)
	if err1 == nil && err2 == nil && a.Sub(b).Abs() == 12*time.Hour {
		return "morning and evening are exchanged"
	}
	return ""
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Hostname())
}
