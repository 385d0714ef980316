package dom

import (
	"bytes"
	"strings"

	"golang.org/x/net/html"
)

// attributes steps through the attributes of a tag, by the states of the HTML
// tokenizer.
type attributes struct {
	src                []byte
	pos                int // at the end, behind the closing angle
	keyFrom, keyTo     int
	valueFrom, valueTo int
	broken             bool // the page ended inside the tag
}

func (a *attributes) key() []byte   { return a.src[a.keyFrom:a.keyTo] }
func (a *attributes) value() []byte { return a.src[a.valueFrom:a.valueTo] }

// next moves to the next attribute that has a name.
func (a *attributes) next() bool {
	for {
		if !a.skip() {
			return false
		}
		if a.src[a.pos] == '>' {
			a.pos++
			return false
		}
		a.readKey()
		if !a.readValue() {
			return false
		}
		if a.keyTo > a.keyFrom {
			return true
		}
	}
}

// skip passes white space, and says whether anything is left.
func (a *attributes) skip() bool {
	for a.pos < len(a.src) && blank(a.src[a.pos]) {
		a.pos++
	}
	a.broken = a.pos >= len(a.src)
	return !a.broken
}

// readKey reads a name. One that begins with an equals sign keeps it.
func (a *attributes) readKey() {
	at := a.pos
	a.keyFrom = at
	for at < len(a.src) {
		c := a.src[at]
		if ends(c) || c == '=' && at > a.keyFrom {
			break
		}
		at++
	}
	a.keyTo, a.pos = at, at
}

// readValue reads what follows a name; false if the page ends.
func (a *attributes) readValue() bool {
	a.valueFrom, a.valueTo = a.pos, a.pos
	if !a.skip() {
		return false
	}
	switch a.src[a.pos] {
	case '/':
		a.pos++
		return true
	case '=':
		a.pos++
	default:
		return true
	}
	if !a.skip() {
		return false
	}
	switch quote := a.src[a.pos]; quote {
	case '>':
		return true
	case '"', '\'':
		a.pos++
		i := bytes.IndexByte(a.src[a.pos:], quote)
		if i < 0 {
			a.pos, a.broken = len(a.src), true
			return false
		}
		a.valueFrom, a.valueTo = a.pos, a.pos+i
		a.pos += i + 1
		return true
	}
	a.valueFrom = a.pos
	for a.pos < len(a.src) && a.src[a.pos] != '>' && !blank(a.src[a.pos]) {
		a.pos++
	}
	a.valueTo = a.pos
	a.broken = a.pos >= len(a.src)
	return !a.broken
}

// lowered is a name in lower case, as HTML understands it: ASCII only.
func lowered(name []byte) string {
	for i, c := range name {
		if 'A' <= c && c <= 'Z' {
			lower := bytes.Clone(name)
			for ; i < len(lower); i++ {
				if 'A' <= lower[i] && lower[i] <= 'Z' {
					lower[i] |= 0x20
				}
			}
			return string(lower)
		}
	}
	return string(name)
}

// decoded is an attribute's value with its entities resolved. Values have rules of
// their own (a=1&copy=2 is no sign of copyright), which only the tokenizer knows.
func decoded(value []byte) string {
	s := newlines(string(value))
	if strings.IndexByte(s, '&') < 0 {
		return s
	}
	z := html.NewTokenizer(strings.NewReader(`<a b="` + strings.ReplaceAll(s, `"`, "&quot;") + `">`))
	z.Next()
	z.TagName()
	_, decoded, _ := z.TagAttr()
	return string(decoded)
}
