package dom

import (
	"bytes"
	"strings"
	"unsafe"

	"golang.org/x/net/html/atom"
)

// Script is a script element of the page.
type Script struct {
	Type  string            // in lower case, without parameters
	ID    string            //
	Src   string            // as written
	Attrs map[string]string // all of them
	Text  string            // its content, as written
}

// Scripts are all script elements in document order, found without parsing.
// Scripts inside drawings are markup and left out.
func (d *Document) Scripts() []Script { return d.survey().scripts }

// maxScripts bounds the memory of a page of nothing but script tags.
const maxScripts = 20_000

// maxAttributes bounds the attributes that are kept of one element. Pages by
// people have a few dozen at most.
const maxAttributes = 256

// survey is what one pass over the bytes of a page tells.
type survey struct {
	scripts   []Script
	base      *string   // of the first base element, decoded
	canonical string    // of the first canonical link, decoded
	lang      string    // of the root, as written
	bulk      []content // contents of scripts and styles too long to be worth parsing
	load      load
	marks     SyntaxFlags
	headlines headlineSpans

	headEnd        int  // where the body begins; 0 if there is no tag for it
	headOdd        bool // what stands before is more than a head
	late           bool // there is metadata in the body too
	rooted, titled bool // the html and the title tag were met
	templates      int  // that are open
}

// content is what a script or style holds, and where.
type content struct {
	from, to int
	text     string
}

// bulky is the length from which cutting the content of a script out of what is
// parsed, and putting it back, is cheaper than parsing it.
const bulky = 256

// look makes the survey of a page.
func look(body []byte) survey {
	v := survey{headlines: headlineSpans{open: -1}}
	s := scanner{src: body}
	for s.next() {
		v.load.see(&s)
		switch s.kind {
		case startTag:
			v.noteSyntaxes(&s)
			v.note(&s)
			v.headlines.see(&s)
			v.metadata(&s)
			v.contents(&s)
		case endTag:
			v.headlines.see(&s)
			if s.tag == atom.Template && v.templates > 0 {
				v.templates--
			}
		}
	}
	return v
}

// metadata keeps what a start tag says of the page: its base, its own address, its language.
func (v *survey) metadata(s *scanner) {
	counts := v.templates == 0 && !s.drawn
	switch {
	case s.tag == atom.Template && !s.drawn:
		v.templates++
	case s.tag == atom.Base && v.base == nil && counts:
		if href, ok := s.attr("href"); ok {
			base := decoded(href)
			v.base = &base
		}
	case s.tag == atom.Link && s.keys&relKey != 0 && v.canonical == "" && counts:
		v.canonical = canonicalOf(s)
	case s.tag == atom.Html && v.lang == "":
		if lang, ok := s.attr("lang"); ok {
			v.lang = decoded(lang)
		}
	}
}

// contents keeps a script, and where the content of scripts and styles is.
func (v *survey) contents(s *scanner) {
	switch {
	case s.rawTag == atom.Script && len(v.scripts) < maxScripts:
		v.scripts = append(v.scripts, s.script())
		v.scripts[len(v.scripts)-1].Text = v.content(s)
	case s.rawTag == atom.Style:
		v.content(s)
	}
}

// canonicalOf is the address of a link element that names the page itself.
func canonicalOf(s *scanner) string {
	rel, _ := s.attr("rel")
	for name := range bytes.FieldsSeq(rel) {
		if alike(name, "canonical") {
			href, _ := s.attr("href")
			return decoded(href)
		}
	}
	return ""
}

// content reads on into the element whose start tag has just been read.
func (v *survey) content(s *scanner) string {
	end := s.rawEnd()
	text := newlines(view(s.src[s.pos:end]))
	if end-s.pos >= bulky {
		v.bulk = append(v.bulk, content{s.pos, end, text})
	}
	return text
}

// view is a part of the page as a string without copying it: half of many pages is
// script. The body of a document is never written to.
func view(part []byte) string { return unsafe.String(unsafe.SliceData(part), len(part)) }

// newlines makes all line breaks alike, as the parser does.
func newlines(s string) string {
	if strings.IndexByte(s, '\r') < 0 {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}

// script reads the start tag of a script.
func (s *scanner) script() Script {
	found := Script{Attrs: map[string]string{}}
	for a := s.attributes(); a.next() && len(found.Attrs) < maxAttributes; {
		key := lowered(a.key())
		if _, twice := found.Attrs[key]; !twice {
			found.Attrs[key] = decoded(a.value())
		}
	}
	kind, _, _ := strings.Cut(found.Attrs["type"], ";")
	found.Type = strings.ToLower(strings.TrimSpace(kind))
	found.ID, found.Src = found.Attrs["id"], found.Attrs["src"]
	return found
}
