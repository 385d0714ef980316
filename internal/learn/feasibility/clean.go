package feasibility

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// clean makes text of strangers fit for a terminal: one line, no control or
// direction characters, at most width runes.
func clean(text string, width int) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case r == utf8.RuneError || unicode.IsControl(r) && !unicode.IsSpace(r):
			return -1
		case unicode.IsSpace(r):
			return ' '
		case unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Co, r):
			return -1
		}
		return r
	}, cut(text, 8*width+64))
	text = strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(text) <= width {
		return text
	}
	runes := []rune(text)
	return strings.TrimSpace(string(runes[:max(0, width-1)])) + "…"
}
