package dom

import "golang.org/x/net/html/atom"

// foreign follows where a page is inside SVG or MathML, where scripts are markup
// and CDATA is text. It keeps only the elements that matter for that.
type foreign struct {
	open []foreignElement
}

type foreignElement struct {
	tag  atom.Atom
	html bool // its content is HTML again
}

// maxForeign bounds the memory of a page of nothing but <svg>.
const maxForeign = 512

func (f *foreign) inside() bool { return len(f.open) > 0 && !f.open[len(f.open)-1].html }

// see takes a tag, and says whether it is part of a drawing.
func (f *foreign) see(s *scanner) bool {
	if len(f.open) == 0 && s.tag != atom.Svg && s.tag != atom.Math {
		return false
	}
	if s.kind == endTag {
		f.close(s.tag)
		return false
	}
	if f.inside() && breaksOut(s) {
		f.leave()
	}
	drawn := f.inside() || s.tag == atom.Svg || s.tag == atom.Math
	switch {
	case s.closed || len(f.open) >= maxForeign:
	case s.tag == atom.Svg || s.tag == atom.Math:
		f.open = append(f.open, foreignElement{tag: s.tag})
	case f.inside() && integrates(s):
		f.open = append(f.open, foreignElement{tag: s.tag, html: true})
	}
	return drawn
}

func (f *foreign) close(tag atom.Atom) {
	for i := len(f.open) - 1; i >= 0; i-- {
		if f.open[i].tag == tag && tag != 0 {
			f.open = f.open[:i]
			return
		}
		if f.open[i].html {
			break
		}
	}
	// The end of an element around the drawing ends the drawing.
	if f.inside() && breaking(tag) {
		f.leave()
	}
}

// leave goes back to the nearest HTML.
func (f *foreign) leave() {
	for f.inside() {
		f.open = f.open[:len(f.open)-1]
	}
}

// integrates says whether an element inside a drawing holds HTML.
func integrates(s *scanner) bool {
	switch s.tag {
	case atom.ForeignObject, atom.Foreignobject, atom.Desc, atom.Title, atom.Mi, atom.Mo, atom.Mn, atom.Ms, atom.Mtext:
		return true
	case atom.AnnotationXml:
		encoding, _ := s.attr("encoding")
		return alike(encoding, "text/html") || alike(encoding, "application/xhtml+xml")
	}
	return false
}

// breaksOut says whether a start tag ends the drawing it stands in.
func breaksOut(s *scanner) bool {
	if s.tag == atom.Font {
		for a := s.attributes(); a.next(); {
			if alike(a.key(), "color") || alike(a.key(), "face") || alike(a.key(), "size") {
				return true
			}
		}
		return false
	}
	return breaking(s.tag)
}

func breaking(tag atom.Atom) bool {
	switch tag {
	case atom.B, atom.Big, atom.Blockquote, atom.Body, atom.Br, atom.Center, atom.Code, atom.Dd, atom.Div,
		atom.Dl, atom.Dt, atom.Em, atom.Embed, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Head,
		atom.Hr, atom.I, atom.Img, atom.Li, atom.Listing, atom.Menu, atom.Meta, atom.Nobr, atom.Ol, atom.P,
		atom.Pre, atom.Ruby, atom.S, atom.Small, atom.Span, atom.Strong, atom.Strike, atom.Sub, atom.Sup,
		atom.Table, atom.Tt, atom.U, atom.Ul, atom.Var:
		return true
	}
	return false
}
