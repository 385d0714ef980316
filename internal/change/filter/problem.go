package filter

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
)

// ExpressionError is what is wrong with an expression, and where. It is a permanent fault
// with the code "bad_filter".
type ExpressionError struct {
	Sentence string `json:"sentence"`
	Position int    `json:"position"` // of the first character concerned, from 1
	Length   int    `json:"length"`   // in characters
	Excerpt  string `json:"excerpt"`  // the line concerned, and one below with carets
}

// Error gives the sentence and points at the place.
func (p *ExpressionError) Error() string { return p.Sentence + "\n" + p.Excerpt }

// Unwrap lets the problem be handled as the fault it is.
func (p *ExpressionError) Unwrap() error {
	return curlew.Permanent("bad_filter", "%s", p.Error())
}

// excerptWidth is how much of a long line is shown on either side.
const excerptWidth = 36

func problem(source string, at place, format string, args ...any) *ExpressionError {
	at.begin = min(max(at.begin, 0), len(source))
	at.end = min(max(at.end, at.begin), len(source))
	before, marked := source[:at.begin], source[at.begin:at.end]
	line := before[strings.LastIndexByte(before, '\n')+1:]
	marked, _, _ = strings.Cut(marked, "\n")
	rest, _, _ := strings.Cut(source[at.begin+len(marked):], "\n")
	left := tail(line, excerptWidth)
	middle := head(marked, 2*excerptWidth)
	width := max(1, utf8.RuneCountInString(middle))
	return &ExpressionError{
		Sentence: fmt.Sprintf(format, args...),
		Position: utf8.RuneCountInString(before) + 1,
		Length:   width,
		Excerpt: "  " + printable(left+middle) + printable(head(rest, excerptWidth)) + "\n  " +
			strings.Repeat(" ", utf8.RuneCountInString(left)) + strings.Repeat("^", width),
	}
}

// printable keeps the carets below what they point at, whatever was written.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == utf8.RuneError {
			return ' '
		}
		return r
	}, s)
}

func head(s string, most int) string {
	runes := []rune(s)
	if len(runes) <= most {
		return s
	}
	return string(runes[:most])
}

func tail(s string, most int) string {
	runes := []rune(s)
	if len(runes) <= most {
		return s
	}
	return string(runes[len(runes)-most:])
}

// suggest names the nearest known word, or a few to choose from.
func suggest(word string, known []string) string {
	best, distance := "", 3
	for _, k := range known {
		if d := text.Distance(strings.ToLower(word), k); d < distance && d < len(k) {
			best, distance = k, d
		}
	}
	switch {
	case best != "":
		return fmt.Sprintf("; did you mean %s?", best)
	case len(known) > 0 && len(known) <= 12:
		return "; there are " + strings.Join(known, ", ")
	}
	return ""
}
