package filter

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/text"
)

// tokenKind is what a piece of the text is.
type tokenKind int

const (
	endOfText tokenKind = iota
	wordToken
	nameToken // in backquotes: never a keyword
	textToken // in quotes
	numberToken
	signToken // operators, parentheses, comma, %
)

type token struct {
	kind tokenKind
	text string // without quotes and escapes
	at   place
}

// is compares with a keyword or sign, in any case of letters.
func (t token) is(word string) bool {
	return (t.kind == wordToken || t.kind == signToken) && strings.EqualFold(t.text, word)
}

var signs = []string{"<=", ">=", "!=", "<>", "==", "<", ">", "=", "(", ")", ",", "%"}

// lex cuts a text into tokens.
func lex(source string) ([]token, error) {
	if len(source) > maxLength {
		return nil, problem(source, place{maxLength, maxLength}, "the filter is %d bytes long; %d are the most", len(source), maxLength)
	}
	if !utf8.ValidString(source) {
		at := strings.IndexRune(strings.ToValidUTF8(source, "\uFFFD"), '\uFFFD')
		return nil, problem(source, place{at, at}, "the filter is not valid UTF-8")
	}
	var all []token
	for at := 0; ; {
		at += len(source[at:]) - len(strings.TrimLeftFunc(source[at:], unicode.IsSpace))
		if at == len(source) {
			return append(all, token{at: place{at, at}}), nil
		}
		next, err := lexOne(source, at)
		if err != nil {
			return nil, err
		}
		all = append(all, next)
		at = next.at.end
	}
}

func lexOne(source string, at int) (token, error) {
	rest := source[at:]
	first, size := utf8.DecodeRuneInString(rest)
	switch {
	case strings.ContainsRune("\"'“„”", first):
		return lexText(source, at, size)
	case first == '`':
		end := strings.IndexByte(rest[1:], '`')
		if end < 1 {
			return token{}, problem(source, place{at, at + 1}, "a name in backquotes is not closed, or empty")
		}
		return token{nameToken, rest[1 : end+1], place{at, at + end + 2}}, nil
	case startsNumber(rest):
		end := 1 + len(rest[1:]) - len(strings.TrimLeftFunc(rest[1:], inNumber))
		return token{numberToken, rest[:end], place{at, at + end}}, nil
	case inWord(first) && first != '.' && first != '-':
		end := len(rest) - len(strings.TrimLeftFunc(rest, inWord))
		return token{wordToken, rest[:end], place{at, at + end}}, nil
	}
	for _, sign := range signs {
		if strings.HasPrefix(rest, sign) {
			return token{signToken, sign, place{at, at + len(sign)}}, nil
		}
	}
	return token{}, problem(source, place{at, at + size}, "%q has no meaning here; text goes in double quotes", first)
}

// startsNumber says whether a text begins with a digit, or with a sign before one.
func startsNumber(s string) bool {
	if s[0] == '-' || s[0] == '+' {
		s = s[1:]
	}
	return s != "" && s[0] >= '0' && s[0] <= '9'
}

// lexText reads a quoted text. A typographic quote, as word processors and phones
// write them, ends with any other.
func lexText(source string, at, size int) (token, error) {
	opening := source[at : at+size]
	closing := opening
	if size > 1 {
		closing = "”“\""
	}
	var b strings.Builder
	escaped := false
	for i, r := range source[at+size:] {
		switch {
		case escaped:
			b.WriteRune(r)
			escaped = false
		case r == '\\':
			escaped = true
		case strings.ContainsRune(closing, r):
			return token{textToken, b.String(), place{at, at + size + i + utf8.RuneLen(r)}}, nil
		default:
			b.WriteRune(r)
		}
	}
	return token{}, problem(source, place{at, at + size}, "the text that begins here has no closing quote")
}

// inNumber also takes dates, times and durations: 2026-04-18T20:00, 7d.
func inNumber(r rune) bool {
	return r < utf8.RuneSelf && text.InWord(r) || strings.ContainsRune(".-+:_", r)
}

// inWord takes the letters of field names, in any script, and the dot that leads
// into a map.
func inWord(r rune) bool {
	return strings.ContainsRune("_.-", r) || unicode.In(r, unicode.Letter, unicode.Digit, unicode.Mark)
}

var keywords = map[string]bool{"and": true, "or": true, "not": true, "all": true, "any": true, "true": true, "false": true}

// plainName says whether a field name can stand without backquotes.
func plainName(name string) bool {
	if name == "" || keywords[strings.ToLower(name)] {
		return false
	}
	first, _ := utf8.DecodeRuneInString(name)
	return strings.TrimLeftFunc(name, inWord) == "" && first != '.' && first != '-' && (first < '0' || first > '9')
}
