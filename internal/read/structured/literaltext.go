package structured

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// text reads a quoted string. Raw control characters are not allowed in JSON but
// can only mean themselves.
func (r *literalReader) text() (string, error) {
	quote := r.src[r.pos]
	r.pos++
	start := r.pos
	for r.pos < len(r.src) { // most strings hold nothing to decode
		switch c := r.src[r.pos]; {
		case c == quote:
			r.pos++
			return r.src[start : r.pos-1], nil
		case c == '\\', c < ' ', c == '$' && quote == '`':
			return r.decoded(quote, start)
		}
		r.pos++
	}
	return "", errShort
}

func (r *literalReader) decoded(quote byte, start int) (string, error) {
	var out strings.Builder
	out.WriteString(r.src[start:r.pos])
	for r.pos < len(r.src) {
		c := r.src[r.pos]
		switch {
		case c == quote:
			r.pos++
			return out.String(), nil
		case c == '\\':
			if err := r.escape(&out); err != nil {
				return "", err
			}
			continue
		case c == '$' && quote == '`' && strings.HasPrefix(r.src[r.pos:], "${"):
			return "", errSyntax // an expression
		case c == '\n' && r.script && quote != '`':
			return "", errSyntax // JavaScript forbids it: this was never a string
		case c < ' ' && !r.script:
			r.repair("control characters stood raw in a text")
		}
		out.WriteByte(c)
		r.pos++
	}
	return "", errShort
}

// escape decodes one escape sequence.
func (r *literalReader) escape(out *strings.Builder) error {
	r.pos++
	if r.pos >= len(r.src) {
		return errShort
	}
	c := r.src[r.pos]
	r.pos++
	switch c {
	case 'n':
		out.WriteByte('\n')
	case 't':
		out.WriteByte('\t')
	case 'r':
		out.WriteByte('\r')
	case 'b':
		out.WriteByte('\b')
	case 'f':
		out.WriteByte('\f')
	case '"', '\\', '/':
		out.WriteByte(c)
	case 'u':
		return r.unicode(out)
	case 'x':
		return r.hexadecimal(out)
	case 'v':
		out.WriteByte('\v')
	case '0':
		out.WriteByte(0)
	case '\n': // a continued line
	default:
		if !r.script {
			r.repair("a backslash escaped nothing")
		}
		out.WriteByte(c)
	}
	return nil
}

// unicode decodes \uXXXX, a pair of surrogates, and \u{X…}.
func (r *literalReader) unicode(out *strings.Builder) error {
	if r.pos < len(r.src) && r.src[r.pos] == '{' {
		end := strings.IndexByte(r.src[r.pos:], '}')
		if end < 0 || end > 10 {
			return errSyntax
		}
		code, err := strconv.ParseUint(r.src[r.pos+1:r.pos+end], 16, 32)
		if err != nil {
			return errSyntax
		}
		r.pos += end + 1
		out.WriteRune(rune(code))
		return nil
	}
	first, ok := r.unit()
	if !ok {
		return errSyntax
	}
	if utf16.IsSurrogate(first) && strings.HasPrefix(r.src[r.pos:], `\u`) {
		before := r.pos
		r.pos += 2
		if second, ok := r.unit(); ok {
			if pair := utf16.DecodeRune(first, second); pair != utf8.RuneError {
				out.WriteRune(pair)
				return nil
			}
		}
		r.pos = before
	}
	out.WriteRune(first) // a lone surrogate becomes U+FFFD
	return nil
}

func (r *literalReader) unit() (rune, bool) {
	if r.pos+4 > len(r.src) {
		return 0, false
	}
	code, err := strconv.ParseUint(r.src[r.pos:r.pos+4], 16, 16)
	if err != nil {
		return 0, false
	}
	r.pos += 4
	return rune(code), true
}

func (r *literalReader) hexadecimal(out *strings.Builder) error {
	if r.pos+2 > len(r.src) {
		return errShort
	}
	code, err := strconv.ParseUint(r.src[r.pos:r.pos+2], 16, 8)
	if err != nil {
		return errSyntax
	}
	r.pos += 2
	out.WriteRune(rune(code))
	return nil
}
