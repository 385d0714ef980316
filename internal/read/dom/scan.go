package dom

import (
	"bytes"

	"golang.org/x/net/html/atom"
)

// tokenKind is what the scanner found.
type tokenKind uint8

const (
	endOfPage tokenKind = iota
	textToken           // from..to, entities undecoded unless raw
	startTag
	endTag
	comment // also declarations, and all else that is not shown
)

// scanner cuts a page into tokens without building anything. It follows the
// states of the HTML tokenizer as golang.org/x/net/html does, so that both find
// the same scripts: a test and a fuzz target hold them together.
type scanner struct {
	src []byte
	pos int

	kind               tokenKind
	from, to           int       // the token
	name               []byte    // of a tag, as written
	tag                atom.Atom // of a tag, 0 if HTML does not know it
	attrs              int       // where the attributes of a tag begin
	raw                bool      // the text is the content of a script or the like
	closed             bool      // the tag ends in a slash
	count              int       // how many attributes the tag has
	keys               attributeKeys
	classFrom, classTo int  // the value of its class, where it has one
	drawn              bool // the tag is not HTML, but SVG or MathML

	rawTag  atom.Atom // the next token is the content of this element
	foreign foreign
}

// next moves to the next token and says whether there is one.
func (s *scanner) next() bool {
	s.from, s.raw = s.pos, false
	if s.rawTag != 0 {
		s.pos = s.rawEnd()
		s.rawTag = 0
		if s.pos > s.from {
			s.kind, s.to, s.raw = textToken, s.pos, true
			return true
		}
	}
	for at := s.pos; ; at++ {
		i := bytes.IndexByte(s.src[at:], '<')
		if i < 0 || at+i+1 >= len(s.src) {
			return s.rest()
		}
		at += i
		c := s.src[at+1]
		if !letter(c) && c != '/' && c != '!' && c != '?' {
			continue
		}
		if at > s.from {
			s.kind, s.to, s.pos = textToken, at, at
			return true
		}
		return s.markup(c)
	}
}

// rest is the text at the end of the page.
func (s *scanner) rest() bool {
	s.kind, s.to, s.pos = textToken, len(s.src), len(s.src)
	if s.from == s.to {
		s.kind = endOfPage
	}
	return s.from < s.to
}

// markup reads the token that begins with < and c.
func (s *scanner) markup(c byte) bool {
	switch {
	case c == '/' && s.from+2 >= len(s.src):
		return s.rest()
	case c == '!':
		s.declaration()
	case c == '/' && s.src[s.from+2] == '>':
		s.kind, s.to = comment, s.from+3
	case c == '/' && letter(s.src[s.from+2]):
		return s.readTag(endTag, s.from+2)
	case c == '/' || c == '?':
		s.kind, s.to = comment, s.after(s.from+2-btoi(c == '?'), ">")
	default:
		return s.readTag(startTag, s.from+1)
	}
	s.pos = s.to
	return true
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// after is the position behind the next mark, or the end of the page.
func (s *scanner) after(at int, mark string) int {
	if i := bytes.Index(s.src[at:], []byte(mark)); i >= 0 {
		return at + i + len(mark)
	}
	return len(s.src)
}

// declaration reads a comment, a doctype, a CDATA section or what looks like one.
func (s *scanner) declaration() {
	at := s.from + 2
	s.kind = comment
	switch {
	case bytes.HasPrefix(s.src[at:], []byte("--")):
		s.to = s.commentEnd(at + 2)
	case s.foreign.inside() && bytes.HasPrefix(s.src[at:], []byte("[CDATA[")):
		s.kind, s.raw = textToken, true
		s.to = s.after(at+len("[CDATA["), "]]>")
	default:
		s.to = s.after(at, ">")
	}
}

// commentEnd is the position behind a comment whose content begins at start. One
// of nothing but dashes ends at its first angle, others at --> or --!>.
func (s *scanner) commentEnd(start int) int {
	at := start
	for at < len(s.src) && s.src[at] == '-' {
		at++
	}
	if at < len(s.src) && s.src[at] == '>' {
		return at + 1
	}
	for {
		i := bytes.IndexByte(s.src[at:], '>')
		if i < 0 {
			return len(s.src)
		}
		at += i + 1
		body := s.src[start : at-1]
		if bytes.HasSuffix(body, []byte("--")) || bytes.HasSuffix(body, []byte("--!")) {
			return at
		}
	}
}

// readTag reads a tag whose name begins at start. A tag that the page ends in is
// no tag, and no text either.
func (s *scanner) readTag(kind tokenKind, start int) bool {
	at := start
	for at < len(s.src) && !ends(s.src[at]) {
		at++
	}
	s.kind, s.name, s.attrs = kind, s.src[start:at], at
	s.tag = lookup(s.name)
	s.count, s.keys = 0, 0
	value := -1
	for a := s.attributes(); ; {
		more := a.next()
		if a.broken {
			s.kind, s.to, s.pos = endOfPage, len(s.src), len(s.src)
			return false
		}
		if !more {
			s.to, s.pos = a.pos, a.pos
			break
		}
		s.count++
		value = a.valueTo
		if key := keyOf(a.key()); key != 0 {
			if key == classKey && s.keys&classKey == 0 { // of two, the first counts
				s.classFrom, s.classTo = a.valueFrom, a.valueTo
			}
			s.keys |= key
		}
	}
	s.closed = s.src[s.to-2] == '/' && value != s.to-1
	s.drawn = s.foreign.see(s)
	if kind == startTag && !s.drawn && holdsRaw(s.tag) {
		s.rawTag = s.tag
	}
	return true
}

func (s *scanner) attributes() attributes { return attributes{src: s.src, pos: s.attrs} }

// attr is the value of an attribute of the tag at hand, undecoded.
func (s *scanner) attr(name string) ([]byte, bool) {
	for a := s.attributes(); a.next(); {
		if alike(a.key(), name) {
			return a.value(), true
		}
	}
	return nil, false
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func blank(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f' }

// ends says whether a character ends a name.
func ends(c byte) bool { return c == '>' || c == '/' || blank(c) }

// lookup finds the atom of a name in any case.
func lookup(name []byte) atom.Atom {
	if len(name) > len("annotation-xml") {
		return 0
	}
	var lower [len("annotation-xml")]byte
	for i, c := range name {
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		lower[i] = c
	}
	return atom.Lookup(lower[:len(name)])
}

func holdsRaw(tag atom.Atom) bool {
	switch tag {
	case atom.Script, atom.Style, atom.Textarea, atom.Title, atom.Xmp, atom.Iframe, atom.Noframes,
		atom.Noembed, atom.Noscript, atom.Plaintext:
		return true
	}
	return false
}
