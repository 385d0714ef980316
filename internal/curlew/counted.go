package curlew

import (
	"fmt"
	"strings"
)

// Counted is a number of things in words: 1 page, 2 pages, 3 entities, 4 days.
func Counted[N int | int64](n N, thing string) string {
	return fmt.Sprintf("%d %s", n, Noun(n, thing))
}

// Likelihood is how likely something is, from 0 to 1, for people; "" for what nothing speaks for.
func Likelihood(share float64) string {
	if share < 0.005 {
		return ""
	}
	return fmt.Sprintf("%.0f %%", 100*share)
}

// Noun is the word for so many things, without their number.
func Noun[N int | int64](n N, thing string) string {
	if n == 1 {
		return thing
	}
	if stem, ok := strings.CutSuffix(thing, "y"); ok && !strings.ContainsAny(stem[max(0, len(stem)-1):], "aeo") {
		return stem + "ies"
	}
	if strings.HasSuffix(thing, "s") || strings.HasSuffix(thing, "x") || strings.HasSuffix(thing, "ch") || strings.HasSuffix(thing, "sh") {
		return thing + "es"
	}
	return thing + "s"
}
