package feasibility

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"golang.org/x/net/html"
)

// run is a stretch of the page in which numbers grow: most likely a paginator.
type run struct {
	members []token // the numbers, linked or not, in order
	from    int     // tokens, inclusive
	to      int
	current int // number of the present page; 0 when it cannot be told
	count   counting
	counts  bool // whether addresses count with the numbers
	evidence
}

// countsLike says whether two runs are one paginator.
func (r run) countsLike(o run) bool {
	return r.counts && o.counts && r.count.before == o.count.before && r.count.after == o.count.after
}

// bestRun finds the paginator with numbers, if there is one.
func (s *stream) bestRun(ctx context.Context) (run, bool) {
	runs := s.runs()
	best := -1
	for i := range runs {
		if ctx.Err() != nil {
			return run{}, false
		}
		s.judge(&runs[i])
		if runs[i].score >= acceptRun && (best < 0 || runs[i].score > runs[best].score) {
			best = i
		}
	}
	if best < 0 {
		return run{}, false
	}
	chosen := runs[best]
	// The same paginator above and below the list is one.
	for i, r := range runs {
		if i != best && r.countsLike(chosen) {
			chosen.members = append(chosen.members, r.members...)
			if chosen.current == 0 {
				chosen.current = r.current
			}
		}
	}
	return chosen, true
}

var monthBefore = text.Pattern(`(?:19|20)[0-9]{2}[-/_]?[01]?[0-9][-/_]0?$`)

// acceptRun is the evidence that a run of numbers needs; see judge.
const acceptRun = 6

// runs cuts the stream where numbers stop growing or other content intervenes.
func (s *stream) runs() []run {
	var all []run
	var now run
	gap, width := 0, 0
	flush := func() {
		linked := slices.ContainsFunc(now.members, func(t token) bool { return t.link != nil })
		if len(now.members) >= 2 && linked && len(all) < 500 {
			all = append(all, now)
		}
		now, gap, width = run{}, 0, 0
	}
	for _, t := range s.tokens {
		if t.number == 0 || t.link != nil && !s.sameHost(t.link) {
			gap++
			width += utf8.RuneCountInString(t.text)
			if gap > 4 || width > 40 {
				flush()
			}
			continue
		}
		if n := len(now.members); n > 0 && t.number <= now.members[n-1].number {
			flush()
		}
		if len(now.members) == 0 {
			now.from = t.at
		}
		now.members = append(now.members, t)
		now.to = t.at
		gap, width = 0, 0
	}
	flush()
	return all
}

// judge collects what speaks for and against a run.
func (s *stream) judge(r *run) {
	links := r.links()
	if !r.consecutive() || r.looksLikeYears() || calendarCells(r.members) || len(links) == 0 {
		return
	}
	if !r.judgeCounting(links) {
		return // the days of a month
	}
	s.judgeCurrent(r)
	s.judgeAddress(r, links)
	r.note(r.counts && r.count.named(), 1, "the address names a page")
	r.note(pagerBox(r.members[0].node), 2, "the markup calls it a paginator")
	if t, ok := s.beside(*r, forward); ok {
		r.note(true, 1, "next to a link to the next page: "+t.text)
	} else if _, ok := s.beside(*r, backward); ok {
		r.note(true, 1, "next to a link to the previous page")
	}
	r.note(len(r.members) >= 3, 1, "several numbers in a row")
	if !r.counts && r.score < acceptRun+1 {
		r.score = 0 // numbers whose addresses do not count need all the rest
	}
}

// judgeCounting asks whether the addresses count with the numbers. It says false where
// they are the days of a month.
func (r *run) judgeCounting(links []numberedLink) bool {
	var asked []string // the addresses of all pages but the first
	for _, l := range links {
		if l.number >= 2 {
			asked = append(asked, l.href)
		}
	}
	fits := 0
	r.count, fits = countedBy(links)
	r.counts = fits > 0 && fits*5 >= len(asked)*4
	if r.counts && len(r.members) >= 5 && monthBefore().MatchString(r.count.before) {
		return false
	}
	r.note(r.counts && fits >= 2, 3, "addresses count with the numbers")
	r.note(r.counts && fits == 1, 1, "an address holds the number")
	r.note(!r.counts && differOnce(asked), 2, "addresses differ in one place")
	return true
}

func (r *run) links() []numberedLink {
	var all []numberedLink
	for _, t := range r.members {
		if t.link != nil {
			all = append(all, numberedLink{t.number, t.href})
		}
	}
	return all
}

// consecutive wants two numbers that follow each other: sizes of pages (12, 24,
// 48) do not.
func (r *run) consecutive() bool {
	for i := 1; i < len(r.members); i++ {
		if r.members[i].number == r.members[i-1].number+1 {
			return true
		}
	}
	// [1] stands alone before a gap only when it is the present page: "1 … 3".
	return false
}

func (r *run) looksLikeYears() bool {
	for _, t := range r.members {
		if t.number < 1900 || t.number > 2100 {
			return false
		}
	}
	return len(r.members) < 3 || r.members[0].link != nil
}

// judgeCurrent finds the present page: a number without a link or marked as such.
func (s *stream) judgeCurrent(r *run) {
	for _, t := range r.members {
		if t.link == nil && (r.current == 0 || markedCurrent(t.node)) {
			r.current = t.number
		}
	}
	if r.current == 0 {
		for _, t := range r.members {
			if markedCurrent(t.node) {
				r.current = t.number
				break
			}
		}
	}
	r.note(r.current != 0, 2, "the present page is marked or not linked")
	if r.current == 0 {
		for _, t := range r.members {
			if t.link != nil && same(t.href, s.here) {
				r.current = t.number
				return
			}
		}
		r.current = s.missing(r)
	}
}

// missing is the number that the run leaves out: "1 2 4 5" on page three.
func (s *stream) missing(r *run) int {
	if n, ok := r.count.number(s.here); ok && r.counts {
		return n
	}
	for i := 1; i < len(r.members); i++ {
		if r.members[i].number == r.members[i-1].number+2 {
			return r.members[i].number - 1
		}
	}
	extends := r.counts && r.count.stem(s.here)
	if first := r.members[0].number; extends && first <= 2 || first == 2 && !r.counts {
		return 1 // what the addresses of all others extend is the first page
	}
	return 0
}

// markedCurrent says whether a number is marked as the present page, itself or by an
// element that holds nothing else.
func markedCurrent(n *html.Node) bool {
	for i := 0; n != nil && i < 3; i, n = i+1, n.Parent {
		if calledCurrent(n) {
			return true
		}
		alone := n.Parent != nil && onlyChild(n) && (i > 0 || n.Data == "a")
		if !alone && !inline(n) {
			return false
		}
	}
	return false
}

func calledCurrent(n *html.Node) bool {
	if c := dom.Attr(n, "aria-current"); c != "" && c != "false" {
		return true
	}
	names := strings.FieldsFunc(strings.ToLower(dom.Attr(n, "class")), notLetter)
	return slices.ContainsFunc(names, paging().Of("class current").Has)
}

func inline(n *html.Node) bool {
	switch n.Data {
	case "a", "span", "strong", "b", "em":
		return true
	}
	return false
}

// onlyChild says whether an element has its parent to itself.
func onlyChild(n *html.Node) bool {
	for c := n.Parent.FirstChild; c != nil; c = c.NextSibling {
		if c != n && (c.Type == html.ElementNode || c.Type == html.TextNode && strings.TrimSpace(c.Data) != "") {
			return false
		}
	}
	return true
}

// judgeAddress asks whether the run is about this page rather than another: the
// mini paginators of threads in a forum are not.
func (s *stream) judgeAddress(r *run, links []numberedLink) {
	if n, ok := r.count.number(s.here); r.counts && ok {
		r.note(r.current == 0 || n == r.current, 3, "the page's own address fits")
		return
	}
	for _, l := range links {
		if l.number == 1 && same(l.href, s.here) {
			r.note(true, 3, "page one is this page")
			return
		}
	}
	switch {
	case r.counts && r.count.stem(s.here):
		r.note(true, 3, "the addresses extend that of this page")
	case samePath(links[0].href, s.here):
		r.note(true, 2, "the addresses differ from that of this page in the query alone")
	}
}

// pagerBox says whether an element or one of its near ancestors is called a
// paginator.
func pagerBox(n *html.Node) bool {
	words := paging().Of("class paginator")
	for i := 0; n != nil && i < 5; i, n = i+1, n.Parent {
		if words.In(strings.ToLower(dom.Attr(n, "class") + " " + dom.Attr(n, "id") + " " + dom.Attr(n, "aria-label"))) {
			return true
		}
	}
	return false
}

// called says whether the class or id of an element, or of one around it, up to levels
// elements in all, holds a word of a list of class names.
func called(n *html.Node, list string, levels int) bool {
	words := paging().Of(list)
	for i := 0; n != nil && i < levels; i, n = i+1, n.Parent {
		if words.In(strings.ToLower(dom.Attr(n, "class") + " " + dom.Attr(n, "id"))) {
			return true
		}
	}
	return false
}

// calendarCells says whether numbers are the days of a month: they stand in cells
// of several rows of one table.
func calendarCells(members []token) bool {
	rows := map[*html.Node]int{}
	for _, t := range members {
		if t.number > 31 {
			return false
		}
		cell := t.node
		for i := 0; cell != nil && cell.Data != "td" && i < 4; i++ {
			cell = cell.Parent
		}
		if cell == nil || cell.Data != "td" || cell.Parent == nil {
			return false
		}
		rows[cell.Parent]++
	}
	return len(rows) >= 3
}
