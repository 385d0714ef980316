package feasibility

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"

	"curlew/internal/read/dom"
)

// beside finds a link next to a run that says where it leads.
func (s *stream) beside(r run, way direction) (token, bool) {
	for i := max(0, r.from-5); i < min(len(s.tokens), r.to+6); i++ {
		t := s.tokens[i]
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
	for i := max(0, r.from-6); i < min(len(s.tokens), r.to+7); i++ {
		s.outer(&p, r, s.tokens[i])
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
	n, ok := r.count.number(t.href)
	if !ok && r.count.stem(t.href) && (t.said == toFirst || t.said == nowhere && t.shown == backward) {
		n, ok = 1, true
	}
	if !ok {
		return
	}
	p.Count = max(p.Count, n)
	if t.end() || n != r.current+1 && n != r.current-1 && (n == 1 || n > r.members[len(r.members)-1].number) {
		p.add(t.href)
	}
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
	var best, older token
	most, mostOlder := 0, 0
	var why, whyOlder []string
	for _, t := range s.tokens {
		if t.link == nil || !s.sameHost(t.link) || same(t.href, s.here) || t.number != 0 || len(t.href) > 2083 {
			continue
		}
		if strings.HasSuffix(t.href, "=") && strings.HasPrefix(s.here, t.href) {
			continue // what it should lead to is missing
		}
		if points, reasons := s.judgeNext(t); points > most {
			best, most, why = t, points, reasons
		}
		if points, reasons := s.judgeOlder(t); points > mostOlder {
			older, mostOlder, whyOlder = t, points, reasons
		}
	}
	p := DetectedPagination{Kind: PagesNext}
	if most >= acceptNext {
		p.Next, p.Why = best.link.String(), why
	}
	if mostOlder >= acceptNext {
		p.Older, p.Why = older.link.String(), append(p.Why, whyOlder...)
	}
	for _, near := range []token{best, older} {
		if near.link != nil && (near.href == best.href && most >= acceptNext || near.href == older.href && mostOlder >= acceptNext) {
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

// end says whether a link names the first or the last page, and little else.
func (t token) end() bool {
	return (t.said == toFirst || t.said == toLast) && utf8.RuneCountInString(t.text) <= 16
}

// ends adds the links to the first and the last page that stand beside another.
func (s *stream) ends(p *DetectedPagination, near token) {
	for i := max(0, near.at-6); i < min(len(s.tokens), near.at+7); i++ {
		if t := s.tokens[i]; t.link != nil && s.sameHost(t.link) && t.end() {
			p.add(t.href)
		}
	}
}

// acceptNext is the evidence that a lone link needs.
const acceptNext = 4

// judgeNext weighs what speaks for a link being the next page.
func (s *stream) judgeNext(t token) (int, []string) {
	if t.rel == forward && t.said != backward {
		return 8, []string{"rel=next"}
	}
	if t.rel == backward || t.said == backward || t.marked == backward || t.marked == toOlder && t.shown != forward {
		return 0, nil
	}
	points := 0
	var why []string
	note := func(holds bool, n int, reason string) {
		if holds {
			points += n
			why = append(why, reason)
		}
	}
	note(t.said == forward, 2, "it says so: "+t.text)
	note((t.said == toOlder || t.said == toNewer) && t.shown == forward, 2, "it says so: "+t.text)
	note(t.marked == forward, 2, "its class says so")
	note(t.shown == forward, 1, "its arrow points on")
	note(t.shown == backward, -1, "")
	second, flanked := false, false
	if way := t.way(); way == nowhere && t.said == nowhere || way == forward { // otherwise its words know better
		second, flanked = s.second(t), s.flanked(t)
		note(t.href == s.ahead, 2, "the head of the page names it")
		note(flanked, 2, "the link beside it is one back")
		note(second, 1, "it is the second page of this one")
	}
	if points <= 0 || points == 1 && !second && !pagerBox(t.node) {
		return 0, nil
	}
	n, _, ok := s.advance(t.href)
	note(flanked || ok && n == 1, 3, "its address is one further")
	note(s.paired(t), 1, "a link back stands beside it")
	note(pagerBox(t.node), 1, "the markup calls it a paginator")
	note(inSlider(t.node), -4, "")
	return points, why
}

// judgeOlder weighs whether a link that points back leads on in fact: to the older
// part of a list that begins with the newest.
func (s *stream) judgeOlder(t token) (int, []string) {
	if t.way() == forward || t.way() == nowhere && t.said != toMore {
		return 0, nil
	}
	n, _, ok := s.advance(t.href)
	if !ok || n != 1 {
		return 0, nil
	}
	points := 3
	why := []string{"its address is one further: " + t.text}
	if t.said == toOlder || t.said == backward || t.marked == backward || t.rel == backward || t.shown == backward {
		points++
	}
	return points, why
}

// paired says whether a link to the other side, or its lifeless label, stands near.
func (s *stream) paired(t token) bool {
	for i := max(0, t.at-4); i < min(len(s.tokens), t.at+5); i++ {
		o := s.tokens[i]
		if i == t.at || o.href != "" && o.href == t.href {
			continue
		}
		if o.link != nil && (o.way() == backward || o.way() == toNewer || o.way() == toFirst && o.end()) || o.link == nil && (spoken(o.text) == backward || arrow(o.text) == backward) {
			return true
		}
	}
	return false
}

func inSlider(n *html.Node) bool {
	for i := 0; n != nil && i < 6; i, n = i+1, n.Parent {
		names := strings.ToLower(dom.Attr(n, "class") + " " + dom.Attr(n, "id"))
		for _, word := range []string{"slider", "carousel", "slide", "gallery-nav", "swiper", "slick", "lightbox", "flex-direction"} {
			if strings.Contains(names, word) {
				return true
			}
		}
	}
	return false
}
