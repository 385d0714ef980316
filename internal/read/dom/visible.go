package dom

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// VisibleText is what the page shows, told from its bytes alone: enough to verify
// a value, several times cheaper than Text, which is exact. White space is
// collapsed, blocks end lines.
func (d *Document) VisibleText() string { return d.shown() }

func visibleText(body []byte) string {
	s := scanner{src: body}
	v := viewer{scanner: &s, flow: flow{out: make([]byte, 0, len(body)/4)}}
	for s.next() {
		switch s.kind {
		case textToken:
			v.text()
		case startTag:
			v.start()
		case endTag:
			v.end()
		}
	}
	return string(v.flow.out)
}

// viewer follows which part of a page is shown.
type viewer struct {
	*scanner
	flow   flow
	hiding atom.Atom // the element that hides what follows
	nested int       // how many of its name are open
	ended  int       // where the last inline element ended
}

func (v *viewer) text() {
	if v.hiding != 0 || v.raw || v.foreign.inside() {
		return
	}
	text := string(v.src[v.from:v.to])
	v.flow.write(html.UnescapeString(text))
}

func (v *viewer) start() {
	d := displayOf(v.tag)
	if v.stillHidden() {
		return
	}
	if !v.drawn && v.rawTag == 0 && !void(v.tag) && v.tag != 0 && v.tag != atom.Html && v.tag != atom.Body &&
		(d == unseen && v.tag != atom.Head || v.hides()) {
		v.hiding, v.nested = v.tag, 1
		return
	}
	if d == inline && v.ended == v.from {
		v.neighbour()
	}
	switch v.raised() {
	case raisedNote:
		v.hiding, v.nested = v.tag, 1
		return
	case raisedCents:
		v.flow.point()
	}
	v.stand(d)
}

// raised is raisedAs for the tag at hand.
func (v *viewer) raised() raised {
	if v.tag != atom.Sup || v.closed || v.flow.wait > space {
		return raisedText
	}
	text, rest, found := strings.Cut(string(v.src[v.to:min(len(v.src), v.to+mostAhead)]), "</sup>")
	if !found {
		return raisedText
	}
	out := v.flow.out[max(0, len(v.flow.out)-mostBeside):]
	before := string(out[bytes.LastIndexAny(out, "\n\t")+1:])
	behind, _, _ := strings.Cut(rest, "<")
	return raisedBy(before, withoutTags(text), html.UnescapeString(behind))
}

// mostAhead is how many bytes of a raised text and what follows are looked at: a link with its address.
const mostAhead = 256

func withoutTags(s string) string {
	var out strings.Builder
	for piece := range strings.SplitSeq(s, "<") {
		if _, behind, tag := strings.Cut(piece, ">"); tag {
			piece = behind
		}
		out.WriteString(piece)
	}
	return html.UnescapeString(out.String())
}

// stillHidden follows the start tags in what is hidden, up to one that ends it.
func (v *viewer) stillHidden() bool {
	switch {
	case v.hiding == 0:
		return false
	case v.tag != v.hiding || v.closed:
		return true
	case impliesEnd(v.hiding, v.tag):
		v.hiding = 0
		return false
	}
	v.nested++
	return true
}

// neighbour parts an inline element from the one that ends before it.
func (v *viewer) neighbour() {
	if v.keys&classKey != 0 && setApart(string(v.src[v.classFrom:v.classTo])) {
		next, _ := utf8.DecodeRune(v.src[v.to:])
		v.flow.join(next)
	}
}

// hides says whether the tag at hand hides its content by an attribute.
func (v *viewer) hides() bool {
	if v.tag == atom.Dialog {
		if _, open := v.attr("open"); !open {
			return true
		}
	}
	if v.keys&(hiddenKey|styleKey) == 0 {
		return false
	}
	for a := v.attributes(); a.next(); {
		switch key := a.key(); {
		case alike(key, "hidden"):
			return !alike(a.value(), "until-found")
		case alike(key, "style") && hidingStyle(string(a.value())):
			return true
		}
	}
	return false
}

func (v *viewer) end() {
	if v.hiding != 0 {
		if v.tag == v.hiding {
			if v.nested--; v.nested == 0 {
				v.hiding = 0
			}
		}
		return
	}
	d := displayOf(v.tag)
	if d == inline {
		v.ended = v.to
	}
	v.stand(d)
}

func (v *viewer) stand(d display) {
	switch {
	case d == inline && v.tag == 0, d == gapped:
		v.flow.part(space)
	case d == cell:
		v.flow.part(tab)
	case d == row:
		v.flow.part(rowEnd)
	case d == block || d == lineBreak:
		v.flow.part(newline)
	}
}
