package induce

import (
	"slices"
	"strconv"
	"strings"

	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/text"
	"golang.org/x/net/html"
)

// A moment is often written in parts: the day in one cell, the time in another, the
// month and year in a heading. The parts are found one by one, and rules that join
// them are tried like any other.

// Bounds of joining.
const (
	maxParts = 5  // rules of each part that are joined
	maxJoins = 80 // joined rules of one field
)

// isMoment says whether all known values of a field are dates.
func (t trial) isMoment(field string) bool {
	any := false
	for _, s := range t.samples {
		for _, v := range s.want[field] {
			if v.day.IsZero() {
				return false
			}
			any = true
		}
	}
	return any
}

// moments adds rules that join the parts of a date to those that find it whole.
func (t trial) moments(field string, whole []candidate) []candidate {
	slices.SortStableFunc(whole, better)
	best := 0
	for i := range whole {
		if whole[i].right > 0 && whole[i].like/float64(whole[i].right) >= 0.89 {
			best = max(best, whole[i].right)
		}
	}
	if best*10 >= len(t.samples)*9 { // day and time stand together almost everywhere
		return whole
	}
	days := t.parts(field, dayPlaces)
	for _, c := range whole[:min(len(whole), maxParts)] {
		if c.right > 0 {
			days = append([]candidate{c}, days...)
		}
	}
	clocks := t.parts(field, clockPlaces)
	if len(clocks) == 0 {
		clocks = t.standingClock(field)
	}
	joined := t.joins(days, t.headings(), clocks)
	t.run(joined, field, false)
	return append(whole, joined...)
}

// standingClock is the time that all values share and that no record tells: a sentence
// of the page does, or nobody. It is written down as it is.
func (t trial) standingClock(field string) []candidate {
	clock := ""
	for _, s := range t.samples {
		for _, v := range s.want[field] {
			text := v.day.Format("15:04")
			if !v.clock || clock != "" && clock != text {
				return nil
			}
			clock = text
		}
	}
	if clock == "" {
		return nil
	}
	return []candidate{{rule: blueprint.Rule{Constant: &clock}, odds: oddsText}}
}

// joins makes joined rules: day with time, day with heading, all three.
func (t trial) joins(days, headings, clocks []candidate) []candidate {
	var out []candidate
	f := &family{seen: map[string]bool{}, words: t.words, limit: maxJoins}
	add := func(parts ...candidate) {
		rule := blueprint.Rule{}
		odds := 1.0
		for _, p := range parts {
			rule.Join = append(rule.Join, p.rule)
			odds *= p.odds
			if p.rule.Constant != nil { // a time alone is no date
				rule.Do = []blueprint.Transform{{Op: "match", Text: `(?s)^.*\d.*\s\d\d:\d\d$`}}
			}
		}
		f.add(rule, odds, place{})
	}
	for _, d := range days[:min(len(days), maxParts)] {
		for _, c := range clocks[:min(len(clocks), 3)] {
			add(d, c)
		}
		for _, h := range headings {
			add(d, h)
			for _, c := range clocks[:min(len(clocks), 2)] {
				add(d, h, c)
			}
		}
	}
	return append(out, f.all...)
}

// headings are rules for what stands above the records.
func (t trial) headings() []candidate {
	if t.records == nil {
		return nil
	}
	count := map[string]int{}
	for _, s := range t.indexes() {
		for n := range s.extents {
			switch n.Data {
			case "h1", "h2", "h3", "h4", "h5", "caption", "th", "strong", "b":
				if text := text.Collapse(textOf(n)); len(text) < 80 && yearOrMonth(s, text) {
					count[n.Data]++
				}
			}
		}
	}
	var out []candidate
	for _, tag := range []string{"h1", "h2", "h3", "h4", "h5", "caption", "strong", "b", "th"} {
		if count[tag] > 0 && len(out) < 3 {
			out = append(out, candidate{rule: blueprint.Rule{Selector: blueprint.Selector{CSS: tag}, From: blueprint.FromHeading,
				Do: []blueprint.Transform{{Op: "match", Text: `(?s)^.*(?:19|20)\d\d.*$`}}}, odds: oddsTelling * oddsText})
			out = append(out, candidate{rule: blueprint.Rule{Selector: blueprint.Selector{CSS: tag}, From: blueprint.FromHeading},
				odds: oddsTelling * oddsText})
		}
	}
	return out
}

func textOf(n *html.Node) string {
	var out strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode && out.Len() < 200 {
			out.WriteString(c.Data + " ")
		}
	}
	return out.String()
}

// yearOrMonth says whether a heading may complete dates.
func yearOrMonth(s *pageIndex, text string) bool {
	return len(s.datesIn("1 "+text)) > 0 || len(s.datesIn("1 January "+text)) > 0
}

// parts finds rules that lead to a part of the values, by trying them against what
// that part must read.
func (t trial) parts(field string, find func(*pageIndex, value, scope) []place) []candidate {
	f := &family{seen: map[string]bool{}, words: t.words}
	for _, s := range spread(t.samples, 6) {
		f.index, f.roots, f.root = s.index, s.roots, nil
		if len(s.roots) > 0 {
			f.root = s.roots[0]
			if len(s.roots) > 1 {
				f.root = f.root.Parent
			}
		}
		for _, v := range s.want[field] {
			f.limit = len(f.all) + leastCandidates
			for _, p := range find(s.index, v, s.roots) {
				f.lead(p)
			}
		}
	}
	t.score(f.all, field, find)
	slices.SortStableFunc(f.all, better)
	return slices.DeleteFunc(f.all, func(c candidate) bool { return c.right == 0 || c.wrong > c.right })
}

// score tries part rules: right is what reads as one of the places of the part.
func (t trial) score(all []candidate, field string, find func(*pageIndex, value, scope) []place) {
	pseudo := trial{records: t.records, kind: t.kind, words: t.words, grounds: t.grounds}
	for _, s := range t.samples {
		part := s
		part.want = map[string][]value{}
		for _, v := range s.want[field] {
			for _, p := range find(s.index, v, s.roots) {
				if p.text != nil {
					part.want[field] = append(part.want[field], value{text: p.text.text, key: p.text.key})
				}
			}
		}
		pseudo.samples = append(pseudo.samples, part)
	}
	pseudo.run(all, field, false)
}

// clockPlaces are the texts of a record that tell the time of a value.
func clockPlaces(s *pageIndex, v value, in scope) []place {
	if !v.clock {
		return nil
	}
	return s.textsWhere(in, func(text string) bool {
		if len(text) > 100 || !strings.ContainsAny(text, "0123456789") && !strings.Contains(key(text), "noon") {
			return false
		}
		for _, f := range s.datesIn("2 January 2020 " + text) {
			if f.TimeKnown && f.Start.Hour() == v.day.Hour() && f.Start.Minute() == v.day.Minute() {
				return true
			}
		}
		return false
	})
}

// dayPlaces are the short texts of a record that hold the number of the day.
func dayPlaces(s *pageIndex, v value, in scope) []place {
	day := strconv.Itoa(v.day.Day())
	return s.textsWhere(in, func(text string) bool {
		return len(text) <= 40 && (holdsNumber(text, day) || holdsNumber(text, "0"+day))
	})
}

// holdsNumber says whether a text holds a number, not as a part of a longer one.
func holdsNumber(text, number string) bool {
	digit := func(c byte) bool { return c >= '0' && c <= '9' }
	for at := 0; ; {
		i := strings.Index(text[at:], number)
		if i < 0 {
			return false
		}
		from, to := at+i, at+i+len(number)
		begins := from == 0 || !digit(text[from-1])
		if begins && (to == len(text) || !digit(text[to]) && text[to] != ':') {
			return true
		}
		at = to
	}
}

// textsWhere are the shown texts in a scope of which something holds.
func (s *pageIndex) textsWhere(in scope, is func(string) bool) []place {
	var all []place
	for _, root := range in {
		from, to := s.extent(root)
		for i := from; i < to && len(all) < maxPlaces; i++ {
			l := &s.texts[s.shown[i]]
			if is(l.text) {
				all = append(all, place{text: l, like: 1})
			}
		}
	}
	return all
}

// extent is the run of the shown texts in a node.
func (s *pageIndex) extent(n *html.Node) (from, to int) {
	if n.Type == html.TextNode {
		for i, at := range s.shown {
			if s.texts[at].node == n {
				return i, i + 1
			}
		}
		return 0, 0
	}
	span := s.span(n)
	return span[0], span[1]
}
