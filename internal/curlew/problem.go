package curlew

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Problem is what is wrong with one field of a command.
type Problem struct {
	Field    string `json:"field"` // as JSON names it: "stale_days"; "" for the command as a whole
	Sentence string `json:"sentence"`
}

// Problems are all that is wrong with a command. As an error they are a permanent
// fault with the code "bad_request".
type Problems []Problem

// Error names the first problem and its field.
func (p Problems) Error() string {
	if p[0].Field == "" {
		return p[0].Sentence
	}
	return p[0].Field + ": " + p[0].Sentence
}

// As makes errors.As and AsFault see the problems as a fault.
func (p Problems) As(target any) bool {
	f, ok := target.(**Fault)
	if ok {
		*f = Permanent("bad_request", "%s", p.Error())
	}
	return ok
}

// Is makes errors.Is see them so too.
func (p Problems) Is(target error) bool { return AsFault(p).Is(target) }

// Err is the problems as an error; nil where there are none.
func (p Problems) Err() error {
	if len(p) == 0 {
		return nil
	}
	return p
}

// Add adds a problem of a field; an empty sentence is none.
func (p *Problems) Add(field, sentence string) {
	if sentence != "" {
		*p = append(*p, Problem{field, sentence})
	}
}

// ProblemIn is one problem of a field.
func ProblemIn(field, sentence string) Problems { return Problems{{field, sentence}} }

// At is the sentence about a field; "" where nothing is wrong with it.
func (p Problems) At(field string) string {
	for _, one := range p {
		if one.Field == field {
			return one.Sentence
		}
	}
	return ""
}

// Except are the sentences about all but some fields.
func (p Problems) Except(fields ...string) []string {
	var rest []string
	for _, one := range p {
		if !slices.Contains(fields, one.Field) {
			rest = append(rest, one.Sentence)
		}
	}
	return rest
}

// BodyProblem says why the body of a request is no JSON, in the words of every interface.
func BodyProblem(err error) string {
	if wrong := (*json.SyntaxError)(nil); errors.As(err, &wrong) && wrong.Error() != "unexpected end of JSON input" {
		return fmt.Sprintf("the body is not JSON, at byte %d", wrong.Offset)
	}
	return "the body is not whole JSON: it ends too early"
}

// Wrong is the one problem that an error means for a field; a failure that is not
// the caller's stays what it is.
func Wrong(field string, err error) error {
	if err == nil || AsFault(err).Kind == KindTemporary {
		return err
	}
	return Problems{{field, AsFault(err).Sentence}}
}

// NameProblem says what is wrong with a name that people give: it has one line and
// something to read.
func NameProblem(name string) string {
	switch {
	case strings.TrimSpace(name) == "":
		return "it is empty"
	case Printable(name) != name || !utf8.ValidString(name):
		return "it contains control characters: write it on one line"
	}
	return ""
}

// AddressProblem says what is wrong with the address of a page that people give.
func AddressProblem(address string) string {
	if _, err := OriginOf(address); err != nil {
		return AsFault(err).Sentence
	}
	for _, r := range address {
		if r <= ' ' || unicode.IsControl(r) || unicode.IsSpace(r) || strings.ContainsRune("<>\"", r) {
			return fmt.Sprintf("an address must not contain %q: write it percent-encoded", r)
		}
	}
	return ""
}

// What is wrong with texts, in the words of every interface.
const (
	NotUTF8 = "the body is not UTF-8"
	NoNUL   = "it must not contain the character NUL"

	UnknownZone = "unknown time zone: write it as Europe/Warsaw"
)

// LongestText is how long a text may be whose length nobody bounds.
const LongestText = 4000

// TextProblem says what is wrong with a text of at most so many characters (0 means
// LongestText).
func TextProblem(text string, needed bool, longest int) string {
	longest = cmp.Or(longest, LongestText)
	switch {
	case utf8.RuneCountInString(text) > longest:
		return fmt.Sprintf("it is longer than %d characters", longest)
	case strings.ContainsRune(text, 0):
		return NoNUL
	case needed && text == "":
		return "it is empty"
	}
	return ""
}

// NumberProblem says what is wrong with a number; nil is no bound.
func NumberProblem(n float64, least, most *float64) string {
	switch {
	case (least == nil || n >= *least) && (most == nil || n <= *most):
		return ""
	case most == nil:
		return "it must be at least " + plainNumber(*least)
	case least == nil:
		return "it must be at most " + plainNumber(*most)
	}
	return "it must be from " + plainNumber(*least) + " to " + plainNumber(*most)
}

// EntriesProblem says what is wrong with a list of so many entries.
func EntriesProblem(n int, most *float64) string {
	if most == nil || float64(n) <= *most {
		return ""
	}
	return fmt.Sprintf("it has %d entries, more than %s", n, plainNumber(*most))
}

func plainNumber(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// ChoiceProblem says that a text is not one of a closed set.
func ChoiceProblem(text string, choices []string) string {
	for _, c := range choices {
		if c == text {
			return ""
		}
	}
	return fmt.Sprintf("%q is not one of %s", text, strings.Join(choices, ", "))
}
