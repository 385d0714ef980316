package regions

import (
	"context"
	"slices"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Bounds of the search for groups of siblings.
const (
	maxKinds    = 8  // kinds of siblings in one container that may start groups
	longestTail = 24 // siblings of one record
)

// spanningRow tells rows of one cell from others.
const spanningRow = 0x51

// sibling is a child with something to show.
type sibling struct {
	at   int32
	kind uint64
}

// sequences finds records that are groups of siblings: a heading and what follows
// it, dt and dd, several rows, what stands between rules.
func (s *survey) sequences(ctx context.Context) []candidate {
	var all []candidate
	var children []sibling
	for i := range s.flat {
		if s.flat[i].end-int32(i) < 5 {
			continue
		}
		children = s.children(int32(i), children[:0])
		if len(children) < 4 {
			continue
		}
		if ctx.Err() != nil {
			return nil
		}
		all = append(all, s.groups(int32(i), children)...)
		all = append(all, s.between(children)...)
	}
	return families(all)
}

// families joins what is cut alike in containers that are alike: a definition list
// for each day, a paragraph of lines for each month. The parts stay candidates.
func families(all []candidate) []candidate {
	at := map[uint64]int{}
	var joined []candidate
	for _, c := range all {
		if c.family == 0 {
			continue
		}
		i, seen := at[c.family]
		if !seen {
			at[c.family] = len(joined)
			joined = append(joined, candidate{kind: c.kind, runs: slices.Clone(c.runs)})
			continue
		}
		if last := joined[i].runs[len(joined[i].runs)-1]; len(joined[i].runs) < maxRecords && last.to <= c.runs[0].from {
			joined[i].runs = append(joined[i].runs, c.runs...)
		}
	}
	all = append(joined, all...)
	return slices.DeleteFunc(all, func(c candidate) bool { return len(c.runs) < fewest })
}

func (s *survey) children(i int32, out []sibling) []sibling {
	for c := i + 1; c < s.flat[i].end; c = s.flat[c].end {
		p := &s.flat[c]
		kind := uint64(p.tag)*prime ^ p.stable
		if p.node.Type == html.TextNode {
			kind = 1
		}
		if p.node.DataAtom == atom.Tr && s.flat[c].end > c+1 && s.flat[c+1].end == s.flat[c].end {
			kind ^= spanningRow
		}
		out = append(out, sibling{c, kind})
		if len(out) > maxRecords {
			break
		}
	}
	return out
}

// groups are the ways to cut children into records that all start alike.
func (s *survey) groups(container int32, children []sibling) []candidate {
	counts := map[uint64]int{}
	var kinds []uint64
	for _, c := range children {
		if counts[c.kind]++; counts[c.kind] == 1 {
			kinds = append(kinds, c.kind)
		}
	}
	if len(kinds) < 2 {
		return nil
	}
	least, terms := fewest, slices.ContainsFunc(children, func(c sibling) bool { return s.flat[c.at].node.DataAtom == atom.Dt })
	if terms {
		least = 1 // a list for each day may hold one record
	}
	up := &s.flat[container]
	broken := slices.ContainsFunc(children, func(c sibling) bool { return s.flat[c.at].node.DataAtom == atom.Br })
	var all []candidate
	for _, kind := range kinds[:min(len(kinds), maxKinds)] {
		n := counts[kind]
		if n < least || n*10 > len(children)*8 {
			continue
		}
		if runs := s.groupsFrom(children, kind, terms, broken); len(runs) >= least {
			all = append(all, candidate{kind: Groups, runs: runs, family: up.path ^ up.stable*7 ^ uint64(up.scope)*67 ^ kind*11 | 1})
		}
	}
	return all
}

// groupsFrom cuts children at each of a kind; in definition lists, at terms only.
// The last group ends where something stands that no other group has.
func (s *survey) groupsFrom(children []sibling, kind uint64, terms, broken bool) []run {
	starts := s.startsOf(children, kind, terms, broken)
	if len(starts) == 0 || !terms && len(starts) < fewest {
		return nil
	}
	known, longest := map[uint64]bool{}, 1
	for k, from := range starts[:len(starts)-1] {
		longest = max(longest, starts[k+1]-from)
		for _, c := range children[from:starts[k+1]] {
			known[c.kind] = true
		}
	}
	if !leads(s.flat[children[starts[0]].at].node) &&
		slices.ContainsFunc(children[:starts[0]], func(c sibling) bool { return known[c.kind] }) {
		return nil // what comes before the first start belongs to a record: it starts elsewhere
	}
	return s.cutAt(children, starts, func(from, to int) bool {
		return to < len(children) && (terms || known[children[to].kind] && to-from < longest)
	})
}

// startsOf are the places of the children at which a group begins.
func (s *survey) startsOf(children []sibling, kind uint64, terms, broken bool) (starts []int) {
	for i, c := range children {
		n := s.flat[c.at].node
		if c.kind != kind || !startsRecord(n, broken) || terms && n.DataAtom != atom.Dt {
			continue
		}
		if terms && i > 0 && s.flat[children[i-1].at].node.DataAtom == atom.Dt {
			continue // several terms with one description
		}
		starts = append(starts, i)
	}
	return starts
}

// cutAt makes runs from each start up to the next; goesOn says whether the last run
// takes in one more.
func (s *survey) cutAt(children []sibling, starts []int, goesOn func(from, to int) bool) []run {
	var runs []run
	joined := 0
	for k, from := range starts {
		to := from + 1
		if k+1 < len(starts) {
			to = starts[k+1]
		} else {
			for goesOn(from, to) {
				to++
			}
		}
		if to-from > 1 {
			joined++
		}
		to = min(to, from+longestTail)
		r := run{children[from].at, s.flat[children[to-1].at].end}
		if s.holds(r).texts > 0 {
			runs = append(runs, r)
		}
	}
	if joined*2 < len(starts) {
		return nil
	}
	return runs
}

// startsRecord says whether an element may be the first of a group. Where br parts
// lines, markup in them does not.
func startsRecord(n *html.Node, broken bool) bool {
	if n.Type != html.ElementNode {
		return false
	}
	switch n.DataAtom {
	case atom.Br, atom.Hr:
		return false
	case atom.A, atom.B, atom.Strong, atom.I, atom.Em, atom.Font, atom.Span, atom.U, atom.Small, atom.Img:
		return !broken
	}
	return true
}

// leads says whether an element stands above what follows it.
func leads(n *html.Node) bool {
	switch n.DataAtom {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Dt, atom.Header, atom.Summary:
		return true
	}
	return false
}

// between are the records that stand between separators.
func (s *survey) between(children []sibling) []candidate {
	var runs []run
	rules, from := 0, -1
	flush := func(to int) {
		if from >= 0 {
			r := run{children[from].at, s.flat[children[to-1].at].end}
			if s.holds(r).texts > 0 {
				runs = append(runs, r)
			}
		}
		from = -1
	}
	for i, c := range children {
		switch {
		case s.flat[c.at].node.DataAtom == atom.Hr:
			rules++
			flush(i)
		case from < 0:
			from = i
		}
	}
	flush(len(children))
	if rules < 2 || len(runs) < fewest {
		return nil
	}
	return []candidate{{kind: Between, runs: runs}}
}

// broken finds text that br cuts into lines, or double br into paragraphs.
func (s *survey) broken(ctx context.Context) []candidate {
	var all []candidate
	var children []sibling
	for i := range s.flat {
		if s.flat[i].end-int32(i) < 4 || s.flat[i].node.DataAtom == atom.Body {
			continue
		}
		if ctx.Err() != nil {
			return nil
		}
		children = s.children(int32(i), children[:0])
		breaks := 0
		for _, c := range children {
			if s.flat[c.at].node.DataAtom == atom.Br {
				breaks++
			}
		}
		if breaks < 1 {
			continue
		}
		lines, paragraphs := s.cutLines(children, 1), s.cutLines(children, 2)
		up := &s.flat[i]
		if len(lines) > 0 {
			all = append(all, candidate{kind: Lines, runs: lines, family: up.path ^ up.stable*13 ^ uint64(up.scope)*67 | 1})
		}
		if len(paragraphs) >= fewest && len(paragraphs) < len(lines) {
			all = append(all, candidate{kind: Paragraphs, runs: paragraphs})
		}
	}
	return families(all)
}

// cutLines cuts children at so many br in a row.
func (s *survey) cutLines(children []sibling, breaks int) []run {
	var runs []run
	from, last, seen := -1, -1, 0
	flush := func() {
		if from >= 0 {
			r := run{children[from].at, s.flat[children[last].at].end}
			if s.holds(r).texts > 0 {
				runs = append(runs, r)
			}
		}
		from = -1
	}
	for i, c := range children {
		if s.flat[c.at].node.DataAtom == atom.Br {
			if seen++; seen == breaks {
				flush()
			}
			continue
		}
		if from < 0 {
			from = i
		}
		last, seen = i, 0
	}
	flush()
	return runs
}
