package normalise

import (
	"slices"
	"strings"
	"unicode"

	"github.com/curlew-data/curlew/internal/curlew"
)

// parted are the entries of a list of an own kind that the page writes in one piece: "Thriller, Sea". A
// list of days is none: they have commas of their own.
func (w *work) parted(name, whole string) []string {
	f, _ := w.schema.Field(name)
	if !w.own || f.Type != curlew.TypeList || f.Of.Dated() || strings.Contains(whole, "://") {
		return []string{whole}
	}
	for _, mark := range listMarks {
		parts := partedAt(whole, mark)
		if len(parts) < 2 {
			continue
		}
		if slices.ContainsFunc(parts, isSentence) {
			break
		}
		return parts
	}
	return []string{whole}
}

// listMarks say whether a sign between two others parts a list, the strongest first.
var listMarks = []func(before, sign, after rune) bool{
	func(_, sign, _ rune) bool { return sign == '\n' || sign == ';' || sign == '|' },
	func(before, sign, after rune) bool {
		return (sign == '·' || sign == '•') && (unicode.IsSpace(before) || unicode.IsSpace(after))
	},
	func(before, sign, after rune) bool {
		decimal := unicode.IsDigit(before) && unicode.IsDigit(after)
		return strings.ContainsRune(",，、،", sign) && !decimal
	},
	func(before, sign, after rune) bool {
		return sign == '/' && unicode.IsSpace(before) && unicode.IsSpace(after)
	},
	func(before, sign, after rune) bool {
		return sign == '/' && unicode.IsLower(before) && unicode.IsLetter(after) // not AC/DC
	},
}

func partedAt(whole string, mark func(before, sign, after rune) bool) (parts []string) {
	signs := []rune(whole)
	from := 0
	for i := 1; i+1 < len(signs); i++ {
		if mark(signs[i-1], signs[i], signs[i+1]) {
			parts = append(parts, string(signs[from:i]))
			from = i + 1
		}
	}
	return append(parts, string(signs[from:]))
}

// isSentence says whether a part of a text is running text rather than the name of a thing.
func isSentence(part string) bool {
	words := strings.Fields(part)
	return len(words) > 5 || len(words) > 1 && strings.ContainsAny(part[len(strings.TrimRight(part, ".!?…")):], ".!?…")
}
