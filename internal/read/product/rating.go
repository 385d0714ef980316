package product

import (
	"regexp"
	"strings"
)

// ratingText is a rating out of five as people write it, with the number of reviews behind
// it where that stands there: "4,5 von 5 (12)", "4.8/5", "4 out of 5 stars".
var ratingText = regexp.MustCompile(`(?i)^\D{0,24}\b([0-5](?:[.,]\d{1,2})?)\s?(?:/|von|out of|of|sur|de|di|su|van|z|av|af|из)\s?5(?:[.,]0)?\b` +
	`(?:\D{0,16}\b(\d{1,6})\b\D{0,16})?\D{0,16}$`)

// Rating reads a short text that is a rating out of five; both are empty where it is none.
func Rating(text string) (rating, reviews string) {
	if len(text) > 60 {
		return "", ""
	}
	m := ratingText.FindStringSubmatch(text)
	if m == nil || strings.HasPrefix(m[1], "5.") && strings.Trim(m[1][2:], "0") != "" {
		return "", ""
	}
	return strings.Replace(m[1], ",", ".", 1), m[2]
}
