package dom

import (
	"bytes"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Head is the tree of what stands before the body of the page, at a small part of
// what Tree costs: its elements have the attributes and the paths that they have
// in Tree. It is nil where that would not tell all: where a meta element, a title
// or a link to another page stands further down, or the page is too odd to say.
func (d *Document) Head() *html.Node {
	if d.survey().late {
		return nil
	}
	return d.Front()
}

// Front is the part of the page before its body, parsed by itself. Unlike Head it may
// lack metadata that the body holds. It is nil where the page has no plain head.
func (d *Document) Front() *html.Node { return d.front() }

// top is the smaller of the trees that have all of the page's metadata.
func (d *Document) top() *html.Node {
	if head := d.Head(); head != nil {
		return head
	}
	return d.Tree()
}

// SyntaxFlags are the syntaxes for machines that may occur in the tags of a page. What
// is not marked is not there.
type SyntaxFlags struct{ Microdata, RDFa, Microformats bool }

// SyntaxFlags tells which syntaxes Tree is worth being asked for, without parsing.
func (d *Document) SyntaxFlags() SyntaxFlags { return d.survey().marks }

func growHead(body []byte, v survey) *html.Node {
	if v.headEnd <= 0 || v.headOdd || v.load.heavy() {
		return nil
	}
	bulk := v.bulk
	for len(bulk) > 0 && bulk[len(bulk)-1].to > v.headEnd {
		bulk = bulk[:len(bulk)-1]
	}
	return parseLean(body[:v.headEnd], bulk)
}

// noteSyntaxes keeps what a start tag tells of syntaxes for machines.
func (v *survey) noteSyntaxes(s *scanner) {
	v.marks.Microdata = v.marks.Microdata || s.keys&itemscopeKey != 0
	v.marks.RDFa = v.marks.RDFa || s.keys&(typeofKey|vocabKey) != 0 || s.keys&subjectKeys != 0 && s.keys&predicateKeys != 0
	if s.keys&classKey != 0 && !v.marks.Microformats {
		class := s.src[s.classFrom:s.classTo]
		v.marks.Microformats = MicroformatRoot(class) || bytes.IndexByte(class, '&') >= 0
	}
}

// note keeps what a start tag tells of the head.
func (v *survey) note(s *scanner) {
	if v.headEnd == 0 {
		v.noteHead(s)
		return
	}
	switch s.tag {
	case atom.Html:
		v.headOdd = true
	case atom.Meta:
		v.late = true
	case atom.Title:
		v.late = v.late || !v.titled && !s.drawn
	case atom.Link:
		rel, _ := s.attr("rel")
		for name := range bytes.FieldsSeq(rel) {
			v.late = v.late || !LoadingRelation(lowered(name))
		}
	}
}

// noteHead follows the tags before the body. Where others than those of a head
// stand there, the parser may move them about later.
func (v *survey) noteHead(s *scanner) {
	switch s.tag {
	case atom.Body:
		v.headEnd = s.from
	case atom.Html:
		v.headOdd = v.headOdd || v.rooted
		v.rooted = true
	case atom.Title:
		v.titled = true
	case atom.Head, atom.Meta, atom.Link, atom.Script, atom.Style, atom.Base, atom.Noscript:
	default:
		v.headOdd = true
	}
}

// LoadingRelation says whether a link of a relation, in lower case, is about how
// the page is loaded and not about what it is.
func LoadingRelation(relation string) bool {
	switch relation {
	case "stylesheet", "preload", "prefetch", "preconnect", "dns-prefetch", "modulepreload":
		return true
	}
	return false
}

// The names of attributes that the scanner notices.
type attributeKeys uint16

const (
	itemscopeKey attributeKeys = 1 << iota
	typeofKey
	vocabKey
	aboutKey
	resourceKey
	propertyKey
	relKey
	revKey
	classKey
	hiddenKey
	styleKey

	subjectKeys   = aboutKey | resourceKey
	predicateKeys = propertyKey | relKey | revKey
)

func keyOf(name []byte) attributeKeys {
	switch len(name) {
	case 3:
		return ifAlike(name, "rel", relKey) | ifAlike(name, "rev", revKey)
	case 5:
		return ifAlike(name, "class", classKey) | ifAlike(name, "vocab", vocabKey) | ifAlike(name, "about", aboutKey) | ifAlike(name, "style",
			styleKey)
	case 6:
		return ifAlike(name, "typeof", typeofKey) | ifAlike(name, "hidden", hiddenKey)
	case 8:
		return ifAlike(name, "property", propertyKey) | ifAlike(name, "resource", resourceKey)
	case 9:
		return ifAlike(name, "itemscope", itemscopeKey)
	}
	return 0
}

func ifAlike(name []byte, want string, key attributeKeys) attributeKeys {
	if name[0]|0x20 == want[0] && alike(name, want) {
		return key
	}
	return 0
}

// MicroformatRoot says whether class names may be the root of a microformat: h-x,
// or one of the classic names.
func MicroformatRoot[T ~string | ~[]byte](class T) bool {
	for at := 0; at < len(class); {
		if blank(class[at]) {
			at++
			continue
		}
		end := at + 1
		for end < len(class) && !blank(class[end]) {
			end++
		}
		switch class[at] {
		case 'h', 'v', 'a', 'g': // what all of them begin with
			if microformatRoot(string(class[at:end])) {
				return true
			}
		}
		at = end
	}
	return false
}

func microformatRoot(name string) bool {
	if len(name) > 2 && name[0] == 'h' && name[1] == '-' && name[2] >= 'a' && name[2] <= 'z' {
		return true
	}
	switch name {
	case "vcard", "vevent", "hentry", "hproduct", "hreview", "hreview-aggregate", "hrecipe", "hresume", "hfeed", "hnews", "adr", "geo",
		"vcalendar":
		return true
	}
	return false
}
