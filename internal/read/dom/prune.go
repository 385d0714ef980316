package dom

import "golang.org/x/net/html/atom"

// maxDepth is how deep a pruned page may be. The parser stops at 512, and opens
// elements of its own: html, body, tbody, unclosed formatting.
const maxDepth = 400

// maxCopied is how many attributes are left of elements that the parser copies.
const maxCopied = 8

// pruning says how much of a page is left.
type pruning struct {
	depth   int // elements inside each other
	formats int // formatting elements open at once
	tags    int // in all
}

// prune takes tags out of a page, never text: those too deep, too many formatting
// elements inside each other, surplus attributes, and everything after so many
// tags that nobody will look at them one by one.
func prune(body []byte, limits pruning) []byte {
	p := pruner{pruning: limits, src: body, out: make([]byte, 0, len(body))}
	s := scanner{src: body}
	for s.next() {
		switch s.kind {
		case textToken:
			p.out = append(p.out, body[s.from:s.to]...)
		case startTag:
			p.start(&s)
		case endTag:
			p.end(&s)
		case comment:
			if !p.declared && s.to > s.from+3 && body[s.from+2]|0x20 == 'd' {
				p.declared = true
				p.out = append(p.out, body[s.from:s.to]...)
			}
		}
	}
	return p.out
}

type pruner struct {
	pruning
	src, out []byte
	declared bool // the doctype has been kept, which decides on quirks
	open     []atom.Atom
	formats  int
	roots    int
	kept     int
	dropped  map[atom.Atom]int
}

func (p *pruner) start(s *scanner) {
	if s.tag == atom.Html || s.tag == atom.Body {
		if p.roots++; p.roots > maxRoots {
			return
		}
	}
	for len(p.open) > 0 && impliesEnd(p.open[len(p.open)-1], s.tag) {
		p.pop(len(p.open) - 1)
	}
	if s.rawTag != 0 || void(s.tag) {
		p.childless(s)
		return
	}
	isFormat := formatting(s.tag) >= 0
	if len(p.open) >= p.depth || p.kept >= p.tags || isFormat && p.formats >= p.pruning.formats {
		p.drop(s.tag)
		return
	}
	p.kept++
	if !s.closed || !s.drawn {
		p.open = append(p.open, s.tag)
		if isFormat {
			p.formats++
		}
	}
	p.tag(s)
}

// childless keeps an element that has no others in it. Raw content must keep its element,
// or it would become text.
func (p *pruner) childless(s *scanner) {
	if p.kept++; p.kept <= p.tags+p.tags/4 || s.rawTag != 0 {
		p.tag(s)
	}
}

// drop leaves out a start tag, and its end tag later.
func (p *pruner) drop(tag atom.Atom) {
	if p.dropped == nil {
		p.dropped = map[atom.Atom]int{}
	}
	p.dropped[tag]++
	p.part(tag)
}

// end keeps an end tag whose start was kept.
func (p *pruner) end(s *scanner) {
	if p.dropped[s.tag] > 0 {
		p.dropped[s.tag]--
		p.part(s.tag)
		return
	}
	if holdsRaw(s.tag) {
		p.out = append(p.out, p.src[s.from:s.to]...)
		return
	}
	for i := len(p.open) - 1; i >= 0; i-- {
		if p.open[i] == s.tag {
			p.pop(i)
			p.out = append(append(append(p.out, "</"...), s.name...), '>')
			return
		}
	}
}

// part leaves a space where a dropped tag parted two words.
func (p *pruner) part(tag atom.Atom) {
	if displayOf(tag) != inline {
		p.out = append(p.out, ' ')
	}
}

func (p *pruner) pop(to int) {
	for _, tag := range p.open[to:] {
		if formatting(tag) >= 0 {
			p.formats--
		}
	}
	p.open = p.open[:to]
}

// tag writes a start tag, without what attributes are too many.
func (p *pruner) tag(s *scanner) {
	limit := maxAttributes
	if formatting(s.tag) >= 0 {
		limit = maxCopied
	}
	if s.count <= limit {
		p.out = append(p.out, p.src[s.from:s.to]...)
		return
	}
	a := s.attributes()
	for range limit {
		a.next()
	}
	p.out = append(append(p.out, p.src[s.from:a.pos]...), '>')
}

// impliesEnd says whether an open element ends where another one begins.
func impliesEnd(open, next atom.Atom) bool {
	switch open {
	case atom.P:
		return displayOf(next) == block && next != atom.Option && next != atom.Html && next != atom.Body
	case atom.Li, atom.Option, atom.Tr, atom.Tbody:
		return next == open
	case atom.Dd, atom.Dt:
		return next == atom.Dd || next == atom.Dt
	case atom.Td, atom.Th:
		return next == atom.Td || next == atom.Th || next == atom.Tr
	}
	return false
}
