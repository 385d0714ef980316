package structured

import (
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"
)

// Bounds on what one script may make us build. Deeper or larger data is hostile
// or useless; real pages stay far below (the deepest seen is 40, the largest
// 400,000 values).
const (
	maxDepth  = 512
	maxValues = 2_000_000
)

// The ways in which a text may fail to be a literal.
var (
	errDeep   = errors.New("it is nested too deeply")
	errLarge  = errors.New("it holds too many values")
	errSyntax = errors.New("it is not well formed")
	errShort  = errors.New("it ends too early")
)

// literalReader reads one value written as JSON or, when script is set, as a
// JavaScript literal. Nothing is ever executed: an expression that is not plainly
// a value is an error.
type literalReader struct {
	src    string
	pos    int
	script bool
	names  map[string]any // what the parameters of a surrounding function stand for

	depth   int
	values  int
	repairs []string
}

// repair remembers, once, what was put right.
func (r *literalReader) repair(what string) {
	for _, known := range r.repairs {
		if known == what {
			return
		}
	}
	r.repairs = append(r.repairs, what)
}

// value reads the value at the current place. Numbers become json.Number.
func (r *literalReader) value() (any, error) {
	if r.values++; r.values > maxValues {
		return nil, errLarge
	}
	r.space()
	if r.pos >= len(r.src) {
		return nil, errShort
	}
	var value any
	var err error
	switch c := r.src[r.pos]; {
	case c == '{':
		value, err = r.nested(r.object)
	case c == '[':
		value, err = r.nested(r.array)
	case c == '"', r.script && (c == '\'' || c == '`'):
		value, err = r.text()
	case strings.IndexByte("-0123456789", c) >= 0, r.script && (c == '.' || c == '+'):
		value, err = r.number()
	case r.script:
		value, err = r.expression()
	default:
		value, err = r.word()
	}
	if err == nil && r.script {
		return r.concatenation(value)
	}
	return value, err
}

func (r *literalReader) nested(read func() (any, error)) (any, error) {
	if r.depth++; r.depth > maxDepth {
		return nil, errDeep
	}
	defer func() { r.depth-- }()
	return read()
}

func (r *literalReader) object() (any, error) {
	r.pos++
	members := map[string]any{}
	for {
		r.space()
		if done, err := r.closes('}', len(members) > 0); done || err != nil {
			return members, err
		}
		key, err := r.key()
		if err != nil {
			return nil, err
		}
		r.space()
		if r.pos >= len(r.src) {
			return nil, errShort
		}
		if r.src[r.pos] != ':' {
			return nil, errSyntax
		}
		r.pos++
		value, err := r.value()
		if err != nil {
			return nil, err
		}
		if _, twice := members[key]; twice {
			r.repair("a key occurs twice; its last value counts")
		}
		members[key] = value
		if err := r.comma('}'); err != nil {
			return nil, err
		}
	}
}

func (r *literalReader) array() (any, error) {
	r.pos++
	items := []any{}
	for {
		r.space()
		if done, err := r.closes(']', len(items) > 0); done || err != nil {
			return items, err
		}
		if r.script && r.src[r.pos] == ',' { // a hole
			items = append(items, nil)
			r.pos++
			continue
		}
		value, err := r.value()
		if err != nil {
			return nil, err
		}
		items = append(items, value)
		if err := r.comma(']'); err != nil {
			return nil, err
		}
	}
}

// closes steps over the closing bracket if it is next. At the end of the text
// a container that holds something whole is taken as closed, except within
// JavaScript, where more code may have been cut off.
func (r *literalReader) closes(bracket byte, holds bool) (bool, error) {
	if r.pos >= len(r.src) {
		if r.script || !holds {
			return false, errShort
		}
		r.repair("closing brackets were missing")
		return true, nil
	}
	if r.src[r.pos] != bracket {
		return false, nil
	}
	r.pos++
	return true, nil
}

// comma steps over the comma after a member; it need not be there before the
// closing bracket, and may be there without a member to follow.
func (r *literalReader) comma(bracket byte) error {
	r.space()
	if r.pos >= len(r.src) || r.src[r.pos] == bracket {
		return nil // closes decides
	}
	if r.src[r.pos] != ',' {
		return errSyntax
	}
	r.pos++
	if r.script {
		return nil
	}
	if r.space(); r.pos >= len(r.src) {
		return nil
	}
	switch r.src[r.pos] {
	case ',':
		return errSyntax // a member may be missing
	case bracket:
		r.repair("a comma was left after the last value")
	}
	return nil
}

func (r *literalReader) key() (string, error) {
	c := r.src[r.pos]
	if c == '"' || r.script && c == '\'' {
		return r.text()
	}
	if !r.script {
		return "", errSyntax
	}
	if c == '[' { // a computed name: ["x"]
		r.pos++
		r.space()
		if r.pos >= len(r.src) {
			return "", errShort
		}
		key, err := r.key()
		r.space()
		if err != nil || r.pos >= len(r.src) || r.src[r.pos] != ']' {
			return "", errSyntax
		}
		r.pos++
		return key, nil
	}
	if c >= '0' && c <= '9' {
		number, err := r.number()
		return string(number), err
	}
	name := r.name()
	if name == "" {
		return "", errSyntax
	}
	return name, nil
}

// name reads an identifier, or nothing.
func (r *literalReader) name() string {
	start := r.pos
	for r.pos < len(r.src) {
		c := r.src[r.pos]
		if beginsName(c) || c >= utf8.RuneSelf || r.pos > start && isDecimal(c) {
			r.pos++
			continue
		}
		break
	}
	return r.src[start:r.pos]
}

// word reads true, false and null.
func (r *literalReader) word() (any, error) {
	switch rest := r.src[r.pos:]; {
	case strings.HasPrefix(rest, "true"):
		r.pos += len("true")
		return true, nil
	case strings.HasPrefix(rest, "false"):
		r.pos += len("false")
		return false, nil
	case strings.HasPrefix(rest, "null"):
		r.pos += len("null")
		return nil, nil
	}
	return nil, errSyntax
}

// space steps over white space, byte order marks and comments.
func (r *literalReader) space() {
	for r.pos < len(r.src) {
		switch rest := r.src[r.pos:]; {
		case rest[0] == ' ' || rest[0] == '\n' || rest[0] == '\t' || rest[0] == '\r':
			r.pos++
		case strings.HasPrefix(rest, "/*"):
			r.comment(rest[2:], "*/")
		case strings.HasPrefix(rest, "//"):
			r.comment(rest[2:], "\n")
		case rest[0] == '\f' || rest[0] == '\v' || rest[0] == 0:
			r.pos++
		case strings.HasPrefix(rest, "\ufeff"), strings.HasPrefix(rest, "\u2028"), strings.HasPrefix(rest, "\u2029"):
			r.pos += 3
		case strings.HasPrefix(rest, "\u00a0"):
			r.pos += 2
		default:
			return
		}
	}
}

func (r *literalReader) comment(rest, end string) {
	if !r.script {
		r.repair("comments were left out")
	}
	if i := strings.Index(rest, end); i >= 0 {
		r.pos += 2 + i + len(end)
		return
	}
	r.pos = len(r.src)
}

// number reads a number as it is written; no precision is lost, and one too
// large for a machine stays what it says.
func (r *literalReader) number() (json.Number, error) {
	start := r.pos
	for r.pos < len(r.src) && strings.IndexByte("+-.0123456789abcdefABCDEFxXoOnN_", r.src[r.pos]) >= 0 {
		c := r.src[r.pos]
		if (c == '+' || c == '-') && r.pos > start && r.src[r.pos-1]|0x20 != 'e' {
			break
		}
		r.pos++
	}
	written := r.src[start:r.pos]
	if isNumber(written) {
		if r.pos == len(r.src) && r.depth > 0 {
			return "", errShort // more digits may have been cut off
		}
		return json.Number(written), nil
	}
	if r.script {
		return scriptNumber(written)
	}
	return "", errSyntax
}

// isNumber says whether a text is a number of JSON's grammar.
func isNumber(s string) bool {
	s = strings.TrimPrefix(s, "-")
	whole := digits(s)
	if whole == 0 || whole > 1 && s[0] == '0' {
		return false
	}
	s = s[whole:]
	if strings.HasPrefix(s, ".") {
		n := digits(s[1:])
		if n == 0 {
			return false
		}
		s = s[1+n:]
	}
	if s != "" && s[0]|0x20 == 'e' {
		s = s[1:]
		if s != "" && (s[0] == '+' || s[0] == '-') {
			s = s[1:]
		}
		n := digits(s)
		return n > 0 && n == len(s)
	}
	return s == ""
}

func digits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}
