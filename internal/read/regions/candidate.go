package regions

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/read/dom"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Bounds of the search.
const (
	fewest        = 2
	maxRecords    = 10_100 // a few more than are read of a page, so that one is known to have more
	maxCandidates = 6000
)

// candidate is a set of runs that could be the records of a region.
type candidate struct {
	kind     Kind
	runs     []run
	features Features
	score    float64
	text     int32  // characters of all records
	family   uint64 // of groups and lines: what those of other containers share
}

// candidates are all sets of runs that are worth a look, each once.
func (s *survey) candidates(ctx context.Context) []candidate {
	var all []candidate
	for _, find := range []func(context.Context) []candidate{s.alike, s.sequences, s.broken, s.cells} {
		if all = append(all, find(ctx)...); ctx.Err() != nil {
			return nil
		}
	}
	return distinct(s, all)
}

// alike collects elements that are alike in several ways: same path of tags, same
// classes, same parent. None of these is right for all pages.
func (s *survey) alike(ctx context.Context) []candidate {
	var (
		keys   = make([]uint64, 0, 16)
		number = make(map[uint64]int32, len(s.flat))
		counts []int32
		marks  = make([]mark, 0, 4*len(s.flat))
	)
	for i := range s.flat {
		if !s.eligible(int32(i)) {
			continue
		}
		if ctx.Err() != nil {
			return nil
		}
		for _, k := range s.keys(int32(i), keys[:0]) {
			n, known := number[k]
			if !known {
				n = int32(len(counts))
				number[k] = n
				counts = append(counts, 0)
			}
			counts[n]++
			marks = append(marks, mark{n, int32(i)})
		}
	}
	return s.collect(marks, counts)
}

// mark says that a node has a key, by the number of the key.
type mark struct{ key, at int32 }

// collect makes candidates of the keys that several nodes have.
func (s *survey) collect(marks []mark, counts []int32) []candidate {
	sets := make([][]run, len(counts))
	for _, m := range marks {
		if counts[m.key] < fewest {
			continue
		}
		set := sets[m.key]
		if set == nil {
			set = make([]run, 0, min(counts[m.key], maxRecords))
		}
		if len(set) < maxRecords {
			sets[m.key] = append(set, s.whole(m.at))
		}
	}
	var all []candidate
	for _, set := range sets {
		if set = s.outermost(set); len(set) >= fewest {
			all = append(all, s.nodesOrRows(set))
		}
	}
	return all
}

// outermost leaves out runs inside others.
func (s *survey) outermost(set []run) []run {
	out, end := set[:0], int32(0)
	for _, r := range set {
		if r.from >= end {
			out, end = append(out, r), r.to
		}
	}
	return out
}

// keys are the ways in which an element is like others.
func (s *survey) keys(i int32, keys []uint64) []uint64 {
	p := &s.flat[i]
	keys = append(keys, p.path, p.path^p.names*7, p.path^p.stable*11)
	if p.parent < 0 {
		return keys
	}
	up := &s.flat[p.parent]
	keys = append(keys, p.path^p.stable*13^up.stable*17+1)
	if up.scope != 0 {
		keys = append(keys, p.path^p.stable*59^uint64(up.scope)*61+6)
	}
	if up.parent >= 0 {
		keys = append(keys, p.path^p.stable*19^up.stable*23^s.flat[up.parent].stable*29+2)
	}
	keys = append(keys, (uint64(p.parent)+3)*prime^uint64(p.tag)*31, (uint64(p.parent)+5)*prime^uint64(p.tag)*37^p.stable*41)
	if p.stable != 0 {
		keys = append(keys, uint64(p.tag)*43^p.stable*47+4)
		if class := dom.Attr(p.node, "class"); strings.ContainsAny(class, " \t\n") {
			seen := 0
			for name := range strings.FieldsSeq(class) {
				if seen++; seen > 4 {
					break
				}
				if steady(name) {
					keys = append(keys, p.path^hashText(name)*53+5)
				}
			}
		}
	}
	return keys
}

// eligible says whether an element may be a record.
func (s *survey) eligible(i int32) bool {
	p := &s.flat[i]
	n := p.node
	if n.Type != html.ElementNode || s.sums[p.end].texts == s.sums[i].texts {
		return false
	}
	switch n.DataAtom {
	case atom.Li, atom.Tr, atom.Div, atom.Article, atom.Section, atom.P, atom.A, atom.Figure, atom.Details, atom.Tbody, atom.Table, atom.Dl,
		atom.Ul, atom.Ol, atom.Blockquote, atom.Fieldset, atom.Form, atom.Aside, atom.Header, atom.Center, atom.Address, atom.Main:
		return true
	case atom.Dd:
		return s.manyToOne(n.Parent)
	case atom.Span, atom.B, atom.Strong, atom.Font, atom.Label, atom.Button:
		return s.sums[p.end].texts-s.sums[i].texts > 1 && holdsBlock(n)
	}
	return n.DataAtom == 0 && strings.IndexByte(n.Data, '-') > 0
}

// manyToOne says whether a definition list has several descriptions for each term:
// a day with its events. Otherwise a description is only the half of a record.
func (s *survey) manyToOne(list *html.Node) bool {
	if many, known := s.many[list]; known {
		return many
	}
	terms, descriptions := 0, 0
	for c := list.FirstChild; c != nil; c = c.NextSibling {
		switch c.DataAtom {
		case atom.Dt:
			terms++
		case atom.Dd:
			descriptions++
		}
	}
	s.many[list] = descriptions >= 2*terms
	return s.many[list]
}

func holdsBlock(n *html.Node) bool {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch c.DataAtom {
		case atom.Div, atom.P, atom.H2, atom.H3, atom.H4, atom.Ul, atom.Section, atom.Article:
			return true
		}
	}
	return false
}

// nodesOrRows leaves the heading rows of tables out.
func (s *survey) nodesOrRows(set []run) candidate {
	if s.flat[set[0].from].node.DataAtom != atom.Tr {
		return candidate{kind: Nodes, runs: set}
	}
	body := slices.DeleteFunc(slices.Clone(set), func(r run) bool { return headingRow(s.flat[r.from].node) })
	if len(body) < fewest {
		body = set
	}
	return candidate{kind: Rows, runs: s.underOneHead(body)}
}

// underOneHead leaves out the rows of tables whose columns are all named otherwise than those of
// the table with most of the rows: they are of other things.
func (s *survey) underOneHead(rows []run) []run {
	table := func(r run) *html.Node {
		for n := range s.flat[r.from].node.Ancestors() {
			if n.DataAtom == atom.Table {
				return n
			}
		}
		return nil
	}
	if table(rows[0]) == table(rows[len(rows)-1]) {
		return rows
	}
	count, heads := map[*html.Node]int{}, map[*html.Node][]string{}
	var most *html.Node
	for _, r := range rows {
		t := table(r)
		if count[t]++; count[t] == 1 {
			heads[t] = headTexts(t)
		}
		if count[t] > count[most] {
			most = t
		}
	}
	other := func(t *html.Node) bool {
		return len(heads[t]) > 1 && !slices.ContainsFunc(heads[t], func(head string) bool { return slices.Contains(heads[most], head) })
	}
	if len(heads[most]) < 2 {
		return rows
	}
	return slices.DeleteFunc(rows, func(r run) bool { return other(table(r)) })
}

// headTexts are the names of the columns of a table, where it has a row of them.
func headTexts(table *html.Node) (heads []string) {
	if table == nil {
		return nil
	}
	for n := range table.Descendants() {
		if n.DataAtom != atom.Tr {
			continue
		}
		for c := n.FirstChild; c != nil && headingRow(n); c = c.NextSibling {
			if text := dom.Line(c); c.Type == html.ElementNode && text != "" {
				heads = append(heads, text)
			}
		}
		break
	}
	return heads
}

func headingRow(row *html.Node) bool {
	heads := 0
	for c := row.FirstChild; c != nil; c = c.NextSibling {
		switch c.DataAtom {
		case atom.Td:
			return dom.BoldHead(row)
		case atom.Th:
			heads++
		}
	}
	return heads > 0 && (heads > 1 || row.Parent.DataAtom == atom.Thead || dom.HasAttr(row.FirstChild, "colspan"))
}

// distinct drops candidates whose records say the same as those of another: a
// wrapper and what it wraps. The outer one stays, for it has all there is.
func distinct(s *survey, all []candidate) []candidate {
	slices.SortStableFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.runs[0].from, b.runs[0].from), cmp.Compare(len(b.runs), len(a.runs)))
	})
	seen := make(map[uint64]bool, len(all))
	kept := all[:0]
	for _, c := range all {
		h := uint64(len(c.runs))
		for _, r := range c.runs {
			h = (h ^ uint64(s.firstText(r))) * prime
			h = (h ^ s.holds(r).said) * prime
		}
		if !seen[h] && len(kept) < maxCandidates {
			seen[h] = true
			kept = append(kept, c)
		}
	}
	return kept
}

// firstText numbers the first piece of text of a run among all of the page.
func (s *survey) firstText(r run) int32 { return s.sums[r.from].texts }
