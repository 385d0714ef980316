package regions

import (
	"strings"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/labels"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// lead is by how much the only entry of a list must outdo everything that repeats.
const lead = 0.5

// listNames are words that a container of records is called by.
var listNames = text.Set(`list listing listings events results products posts items jobs vacancies news agenda programme program calendar
	meetings
	articles offers entries feed schedule upcoming termine veranstaltungen événements eventos eventi evenementen wydarzenia`)

// singles are lists of one record: the only row below the heading of a table, the
// only entry of a list that is called one, the only article of the main part.
func (s *survey) singles() []candidate {
	var all []candidate
	for i := range s.flat {
		p := &s.flat[i]
		if p.parent < 0 || p.where&(inNav|inFrame|inAside) != 0 || !s.eligible(int32(i)) || !s.only(int32(i)) {
			continue
		}
		t := s.holds(s.whole(int32(i)))
		if t.texts < 2 || t.numbers == 0 && t.links == 0 {
			continue
		}
		kind := Nodes
		if p.node.DataAtom == atom.Tr {
			kind = Rows
		}
		all = append(all, candidate{kind: kind, runs: []run{s.whole(int32(i))}})
		if len(all) == maxSingles {
			break
		}
	}
	return all
}

const maxSingles = 20

// only says whether an element is the one record of its list.
func (s *survey) only(i int32) bool {
	n := s.flat[i].node
	switch n.DataAtom {
	case atom.Tr:
		heads, alone := aloneAmong(n)
		return alone && !headingRow(n) && (heads == 1 || precededByHead(n.Parent))
	case atom.Article:
		_, alone := aloneAmong(n)
		return alone && s.flat[i].where&inMain != 0
	case atom.Li, atom.Div:
		_, alone := aloneAmong(n)
		return alone && named(n.Parent)
	}
	return false
}

// maxBeside is how many siblings are looked at: a list of one has few.
const maxBeside = 40

// aloneAmong counts the heading rows beside an element, and says whether none of
// its other siblings is of its kind.
func aloneAmong(n *html.Node) (heads int, alone bool) {
	looked := 0
	for c := n.Parent.FirstChild; c != nil; c = c.NextSibling {
		if looked++; looked > maxBeside {
			return heads, false
		}
		switch {
		case c == n || c.Type != html.ElementNode:
		case c.DataAtom == atom.Tr && headingRow(c):
			heads++
		case c.Data == n.Data:
			return heads, false
		}
	}
	return heads, true
}

// precededByHead says whether a table's body follows its head.
func precededByHead(body *html.Node) bool {
	c := body.PrevSibling
	for range maxBeside {
		if c == nil {
			break
		}
		if c.DataAtom == atom.Thead {
			return true
		}
		c = c.PrevSibling
	}
	return false
}

func named(n *html.Node) bool {
	for _, w := range labels.Words(strings.Join([]string{dom.Attr(n, "class"), dom.Attr(n, "id")}, " ")) {
		if listNames[w] {
			return true
		}
	}
	return false
}

// withSingles puts the only entry of a list first when nothing that repeats comes
// near it.
func (s *survey) withSingles(ranked []candidate) []candidate {
	all := s.singles()
	best := -1
	for i := range all {
		c := &all[i]
		s.measure(c)
		c.features[Coherent] = 1
		for k := range ranked {
			if ranked[k].features[Navigation] < 0.5 && c.holds(ranked[k].runs[0]) && len(ranked[k].runs) > 2 {
				c.features[Wraps] = 1
				break
			}
		}
		c.score = c.features.score(&weights)
		if best < 0 || c.score > all[best].score {
			best = i
		}
	}
	if best < 0 || len(ranked) > 0 && all[best].score < ranked[0].score+lead {
		return ranked
	}
	return append([]candidate{all[best]}, ranked...)
}
