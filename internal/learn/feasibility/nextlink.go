package feasibility

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
)

// beside finds a link next to a run that says where it leads.
func (s *stream) beside(r run, way direction) (token, bool) {
	for _, t := range s.near(r.from, r.to, 5) {
		if t.link == nil || t.number != 0 || !s.sameHost(t.link) || same(t.href, s.here) {
			continue
		}
		if t.way() == way {
			return t, true
		}
	}
	return token{}, false
}

// way is where a link leads by all that it says of itself: rel before words,
// words before classes, classes before arrows.
func (t token) way() direction {
	for _, d := range []direction{t.rel, t.said, t.marked, t.shown} {
		switch d {
		case nowhere, toMore:
		case toOlder, toNewer:
			if t.shown == forward || t.shown == backward {
				return t.shown
			}
			return d
		default:
			return d
		}
	}
	return nowhere
}

// numbered writes down a run of numbers.
func (s *stream) numbered(r run) DetectedPagination {
	p := DetectedPagination{Kind: PagesNumbered, Why: r.why}
	if r.counts {
		p.Pattern = r.count.pattern()
	} else {
		p.Kind = PagesCursor
	}
	for _, t := range r.members {
		p.Count = max(p.Count, t.number)
		if t.link != nil {
			p.add(t.href)
			if r.current > 0 && t.number == r.current+1 && p.Next == "" {
				p.Next = t.link.String()
			}
		}
	}
	for _, t := range s.near(r.from, r.to, 6) {
		s.outer(&p, r, t)
	}
	if t, ok := s.beside(r, forward); ok && p.Next == "" && (!r.counts || s.goesOn(r, t)) {
		p.Next = t.link.String()
	}
	p.Count = max(p.Count, len(p.Pages), r.current)
	return p
}

// outer adds the links to the first and last page that stand beside the numbers.
func (s *stream) outer(p *DetectedPagination, r run, t token) {
	if t.link == nil || t.number != 0 || !s.sameHost(t.link) || !r.counts {
		return
	}
	if t.end() && samePath(t.href, r.links()[0].href) {
		p.add(t.href)
	}
	n, ok := r.pageOf(t)
	if !ok {
		return
	}
	p.Count = max(p.Count, n)
	neighbour := n == r.current+1 || n == r.current-1
	outside := n == 1 || n > r.members[len(r.members)-1].number
	if t.end() || !neighbour && outside {
		p.add(t.href)
	}
}

// pageOf is the page that a link beside the numbers leads to: what the addresses of all
// others extend is the first.
func (r run) pageOf(t token) (int, bool) {
	if n, ok := r.count.number(t.href); ok {
		return n, true
	}
	first := t.said == toFirst || t.said == nowhere && t.shown == backward
	return 1, first && r.count.stem(t.href)
}

// goesOn says whether a labelled link leads past the present page.
func (s *stream) goesOn(r run, t token) bool {
	n, ok := r.count.number(t.href)
	return ok && (r.current == 0 || n == r.current+1)
}

func (p *DetectedPagination) add(address string) {
	if len(p.Pages) < 500 && !slices.Contains(p.Pages, address) {
		p.Pages = append(p.Pages, address)
	}
}

// nextLink finds the one link that leads on, where there are no numbers.
func (s *stream) nextLink() (DetectedPagination, bool) {
	var next, older candidate
	for _, t := range s.tokens {
		if s.mayLeadOn(t) {
			next.consider(t, s.judgeNext)
			older.consider(t, s.judgeOlder)
		}
	}
	p := DetectedPagination{Kind: PagesNext}
	if next.accepted() {
		p.Next, p.Why = next.link.String(), next.why
	}
	if older.accepted() {
		p.Older, p.Why = older.link.String(), append(p.Why, older.why...)
	}
	for _, near := range []token{next.token, older.token} {
		if next.accepted() && near.href == next.href || older.accepted() && near.href == older.href {
			s.ends(&p, near)
		}
	}
	if p.Onward() != "" {
		if n, c, ok := s.advance(p.Onward()); ok && n > 0 {
			p.Pattern = c.pattern()
		}
	}
	return p, p.Next != "" || p.Older != ""
}

// candidate is the link that most speaks for.
type candidate struct {
	token
	evidence
}

func (c *candidate) consider(t token, judge func(token) evidence) {
	if e := judge(t); e.score > c.score {
		c.token, c.evidence = t, e
	}
}

func (c *candidate) accepted() bool { return c.score >= acceptNext }

// mayLeadOn says whether a link may lead to another page of the list.
func (s *stream) mayLeadOn(t token) bool {
	if t.link == nil || t.number != 0 || len(t.href) > 2083 {
		return false
	}
	unfinished := strings.HasSuffix(t.href, "=") && strings.HasPrefix(s.here, t.href) // what it should lead to is missing
	return !unfinished && s.sameHost(t.link) && !same(t.href, s.here)
}

// evidence is what speaks for something being a way through a list.
type evidence struct {
	score int
	why   []string
}

func (e *evidence) note(holds bool, points int, why string) {
	if holds {
		e.score += points
		e.why = append(e.why, why)
	}
}

// end says whether a link names the first or the last page, and little else.
func (t token) end() bool {
	return (t.said == toFirst || t.said == toLast) && utf8.RuneCountInString(t.text) <= 16
}

// ends adds the links to the first and the last page that stand beside another.
func (s *stream) ends(p *DetectedPagination, near token) {
	for _, t := range s.near(near.at, near.at, 6) {
		if t.link != nil && s.sameHost(t.link) && t.end() {
			p.add(t.href)
		}
	}
}

// acceptNext is the evidence that a lone link needs.
const acceptNext = 4

// judgeNext weighs what speaks for a link being the next page.
func (s *stream) judgeNext(t token) evidence {
	if t.rel == forward && t.said != backward {
		return evidence{8, []string{"rel=next"}}
	}
	if t.back() || t.marked == toOlder && t.shown != forward {
		return evidence{}
	}
	e := t.saysNext()
	second, flanked := false, false
	if way := t.way(); way == nowhere && t.said == nowhere || way == forward { // otherwise its words know better
		second, flanked = s.second(t), s.flanked(t)
		e.note(t.href == s.ahead, 2, "the head of the page names it")
		e.note(flanked, 2, "the link beside it is one back")
		e.note(second, 1, "it is the second page of this one")
	}
	if e.score <= 0 || e.score == 1 && !second && !pagerBox(t.node) {
		return evidence{}
	}
	n, _, ok := s.advance(t.href)
	e.note(flanked || ok && n == 1, 3, "its address is one further")
	e.note(s.paired(t), 1, "next to a link back")
	e.note(pagerBox(t.node), 1, "the markup calls it a paginator")
	e.note(inSlider(t.node), -4, "")
	return e
}

// saysNext is what the words, classes and arrows of a link say for it.
func (t token) saysNext() evidence {
	var e evidence
	inTime := t.said == toOlder || t.said == toNewer
	e.note(t.said == forward || inTime && t.shown == forward, 2, "it says so: "+t.text)
	e.note(t.marked == forward, 2, "its class says so")
	e.note(t.shown == forward, 1, "its arrow points on")
	e.note(t.shown == backward, -1, "")
	return e
}

// back says whether a link says of itself that it leads back.
func (t token) back() bool { return t.rel == backward || t.said == backward || t.marked == backward }

// judgeOlder weighs whether a link that points back leads on in fact: to the older
// part of a list that begins with the newest.
func (s *stream) judgeOlder(t token) evidence {
	if t.way() == forward || t.way() == nowhere && t.said != toMore {
		return evidence{}
	}
	n, c, ok := s.advance(t.href)
	if !ok || n != 1 {
		return evidence{}
	}
	if _, counts := c.value(s.here); t.said == backward && !counts && !c.named() {
		return evidence{} // to where the visitor came from, by a number that is no page's
	}
	e := evidence{3, []string{"its address is one further: " + t.text}}
	if t.back() || t.said == toOlder || t.shown == backward {
		e.score++
	}
	return e
}

// paired says whether a link to the other side, or its lifeless label, stands near.
func (s *stream) paired(t token) bool {
	return slices.ContainsFunc(s.near(t.at, t.at, 4), func(o token) bool {
		itself := o.at == t.at || o.href != "" && o.href == t.href
		return !itself && o.opposite()
	})
}

// opposite says whether a link or a lifeless label leads to what came before.
func (t token) opposite() bool {
	if t.link == nil {
		return spoken(t.text) == backward || arrow(t.text) == backward
	}
	way := t.way()
	return way == backward || way == toNewer || way == toFirst && t.end()
}

func inSlider(n *html.Node) bool { return called(n, "class slider", 6) }
