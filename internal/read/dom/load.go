package dom

import "golang.org/x/net/html/atom"

// load estimates what a page will cost the parser, whose work per tag grows with
// the number of open elements, and which copies unclosed formatting into every
// following paragraph. Pages by people stay far below the limits; others are
// pruned before they are parsed.
type load struct {
	tokens   int
	open     []atom.Atom // as the parser will see them, about
	climbing int         // sum of the depths of all tags
	format   [16]int
	formats  int // how many formatting elements are open
	weight   int // how many attributes they have, about
	copying  int // how many copies of them the parser may make
	roots    int // html and body tags, each of which merges attributes
	widest   int // the most attributes on one tag
}

// Measured on a slow core: the parser makes about a million nodes a second, and
// passes 25 million open elements a second.
const (
	maxTokens   = 300_000
	maxClimbing = 20_000_000
	maxCopying  = 400_000
	maxRoots    = 64
)

// heavy says whether the page must be pruned before it is parsed.
func (l *load) heavy() bool {
	return l.tokens > maxTokens || l.climbing > maxClimbing || l.copying > maxCopying ||
		l.roots > maxRoots || l.widest > maxAttributes
}

func (l *load) see(s *scanner) {
	if s.kind == textToken {
		if l.formats > 0 {
			l.copying += l.formats / 4
		}
		return
	}
	l.tokens++
	if s.kind == comment {
		return
	}
	l.climbing += len(l.open)
	l.widest = max(l.widest, s.count)
	which := formatting(s.tag)
	if s.kind == endTag {
		l.close(s.tag)
		if which >= 0 && l.format[which] > 0 {
			l.format[which]--
			l.weight -= l.weight / l.formats
			l.formats--
		}
		return
	}
	l.start(s, which)
}

// start counts what a start tag costs; which is its place among the formatting elements.
func (l *load) start(s *scanner, which int) {
	if s.tag == atom.Html || s.tag == atom.Body {
		l.roots++
	}
	if !void(s.tag) && s.rawTag == 0 && !(s.closed && s.drawn) {
		l.push(s.tag)
	}
	if which >= 0 {
		l.format[which]++
		l.formats++
		l.weight += s.count
	}
	// A few unclosed elements are everyday; each is copied into each block.
	if l.formats > 8 {
		l.copying += l.formats
	}
	if l.weight > 32 {
		l.copying += l.weight / 4
	}
}

// push opens an element. Deeper than the parser goes, depth no longer matters.
func (l *load) push(tag atom.Atom) {
	for len(l.open) > 0 && impliesEnd(l.open[len(l.open)-1], tag) {
		l.open = l.open[:len(l.open)-1]
	}
	if len(l.open) < 512 {
		l.open = append(l.open, tag)
	}
}

// close ends the nearest element of a name. End tags without one, which make the
// parser climb in vain, change nothing.
func (l *load) close(tag atom.Atom) {
	for i := len(l.open) - 1; i >= max(0, len(l.open)-64); i-- {
		if l.open[i] == tag {
			l.open = l.open[:i]
			return
		}
	}
}

// formatting numbers the elements that reopen themselves.
func formatting(tag atom.Atom) int {
	switch tag {
	case atom.A:
		return 0
	case atom.B:
		return 1
	case atom.Big:
		return 2
	case atom.Code:
		return 3
	case atom.Em:
		return 4
	case atom.Font:
		return 5
	case atom.I:
		return 6
	case atom.Nobr:
		return 7
	case atom.S:
		return 8
	case atom.Small:
		return 9
	case atom.Strike:
		return 10
	case atom.Strong:
		return 11
	case atom.Tt:
		return 12
	case atom.U:
		return 13
	}
	return -1
}

// void elements have no content.
func void(tag atom.Atom) bool {
	switch tag {
	case atom.Area, atom.Base, atom.Basefont, atom.Bgsound, atom.Br, atom.Col, atom.Embed, atom.Frame,
		atom.Hr, atom.Image, atom.Img, atom.Input, atom.Keygen, atom.Link, atom.Meta, atom.Param,
		atom.Source, atom.Track, atom.Wbr:
		return true
	}
	return false
}
