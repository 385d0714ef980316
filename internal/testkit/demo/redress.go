package demo

import (
	"bytes"
	"strings"
)

// redress changes the order of attributes and the white space between tags,
// and adds the attributes that build tools add. Text stays as it is, and white
// space only moves where there was some.
func redress(markup []byte, d *dice) []byte {
	r := redresser{in: markup, dice: d, scope: " data-v-" + d.hex(8)}
	r.out.Grow(len(markup) + len(markup)/4)
	for r.at < len(r.in) {
		r.step()
	}
	return r.out.Bytes()
}

type redresser struct {
	in    []byte
	at    int
	out   bytes.Buffer
	dice  *dice
	scope string
}

// step copies one tag, one raw element or one run of text.
func (r *redresser) step() {
	rest := r.in[r.at:]
	if rest[0] != '<' || len(rest) < 2 || !isLetter(rest[1]) {
		end := bytes.IndexByte(rest[1:], '<') + 1
		if end == 0 {
			end = len(rest)
		}
		r.text(rest[:end])
		r.at += end
		return
	}
	end := tagEnd(rest)
	r.tag(rest[:end])
	r.at += end
	if name := tagName(rest[:end]); name == "script" || name == "style" || name == "pre" || name == "textarea" {
		r.raw("</" + name)
	}
}

// raw copies everything up to a closing tag.
func (r *redresser) raw(closing string) {
	rest := r.in[r.at:]
	for i := 0; i+len(closing) <= len(rest); i++ {
		if rest[i] == '<' && strings.EqualFold(string(rest[i:i+len(closing)]), closing) {
			rest = rest[:i]
			break
		}
	}
	r.out.Write(rest)
	r.at += len(rest)
}

// text copies text; a run of white space with a line break gets another shape.
func (r *redresser) text(text []byte) {
	gaps := []string{"\n", "\n  ", "\n\n", " \n\t"}
	closed := bytes.HasPrefix(text, []byte("<")) // a closing tag or a comment
	if closed {
		end := bytes.IndexByte(text, '>') + 1
		if bytes.HasPrefix(text, []byte("<!--")) || end == 0 {
			end = len(text)
		}
		r.out.Write(text[:end])
		text = text[end:]
	}
	if len(bytes.TrimSpace(text)) == 0 && bytes.IndexByte(text, '\n') >= 0 {
		r.out.WriteString(pick(r.dice, gaps))
		return
	}
	r.out.Write(text)
}

func (r *redresser) tag(tag []byte) {
	attributes, head, tail := attributesOf(tag)
	r.out.Write(head)
	for _, i := range r.dice.Perm(len(attributes)) {
		r.out.WriteByte(' ')
		r.out.Write(attributes[i])
	}
	if len(attributes) > 0 && tagName(tag) == "div" {
		r.out.WriteString(r.scope)
	}
	r.out.Write(tail)
}

// attributesOf takes a start tag apart: its name, its attributes, its end.
func attributesOf(tag []byte) (attributes [][]byte, head, tail []byte) {
	at := 1 + len(tagName(tag))
	head = tag[:at]
	for {
		from := at
		for from < len(tag) && isBlank(tag[from]) {
			from++
		}
		if from >= len(tag) || tag[from] == '>' || tag[from] == '/' && from+1 < len(tag) && tag[from+1] == '>' {
			return attributes, head, tag[at:]
		}
		at = attributeEnd(tag, from)
		attributes = append(attributes, bytes.TrimSuffix(tag[from:at], []byte("/")))
	}
}

// attributeEnd is where the attribute ends that begins here; a quoted value may hold blanks and ">".
func attributeEnd(tag []byte, from int) int {
	quote := byte(0)
	for i, c := range tag[from:] {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case isBlank(c) || c == '>':
			return from + i
		}
	}
	return len(tag)
}

// tagEnd finds the end of the tag that begins here; quoted values may hold ">".
func tagEnd[T string | []byte](text T) int {
	quote := byte(0)
	for i := range len(text) {
		switch c := text[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '>':
			return i + 1
		}
	}
	return len(text)
}

func tagName(tag []byte) string {
	end := 1
	for end < len(tag) && (isLetter(tag[end]) || tag[end] >= '0' && tag[end] <= '9') {
		end++
	}
	return strings.ToLower(string(tag[1:end]))
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
func isBlank(c byte) bool  { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }
