package regions

import (
	"context"
	"strconv"
	"strings"

	"github.com/curlew-data/curlew/internal/read/dom"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// calendars finds tables that are the grid of a month: cells that begin with the
// numbers of days, in order. It gives the day of each cell.
func (s *survey) calendars() map[*html.Node]string {
	days := map[*html.Node]string{}
	for i := range s.flat {
		if s.flat[i].node.DataAtom != atom.Table {
			continue
		}
		found, ordered, last := map[*html.Node]string{}, 0, -1
		for k := int32(i) + 1; k < s.flat[i].end && len(found) < 100; k++ {
			n := s.flat[k].node
			if n.DataAtom != atom.Td {
				continue
			}
			day, ok := s.dayOf(k)
			if !ok {
				continue
			}
			found[n] = strconv.Itoa(day)
			if day == last+1 {
				ordered++
			}
			last = day
		}
		if ordered >= fewestDays {
			for n, day := range found {
				days[n] = day
			}
		}
	}
	return days
}

// fewestDays is how many cells must follow their neighbour for a table to be a month.
const fewestDays = 14

// dayOf reads the day of the month that a cell begins with.
func (s *survey) dayOf(cell int32) (int, bool) {
	for i := cell + 1; i < s.flat[cell].end; i++ {
		if n := s.flat[i].node; n.Type == html.TextNode {
			first, _, _ := strings.Cut(strings.TrimSpace(n.Data), " ")
			day, err := strconv.Atoi(strings.Trim(first, ".,"))
			return day, err == nil && day >= 1 && day <= 31
		}
	}
	return 0, false
}

// cells makes records of the days of a month that say more than their number.
func (s *survey) cells(context.Context) []candidate {
	if len(s.days) == 0 {
		return nil
	}
	byTable := map[*html.Node]int{}
	var all []candidate
	for i := range s.flat {
		p := &s.flat[i]
		if s.days[p.node] == "" || s.holds(s.whole(int32(i))).texts < 2 {
			continue
		}
		table := p.node.Parent
		for table != nil && table.DataAtom != atom.Table {
			table = table.Parent
		}
		at, seen := byTable[table]
		if !seen {
			at = len(all)
			byTable[table] = at
			all = append(all, candidate{kind: Cells})
		}
		all[at].runs = append(all[at].runs, s.whole(int32(i)))
	}
	return all
}

// day is the day of the calendar cell that a record is or stands in, or "".
func (s *survey) day(n *html.Node) string {
	for up := 0; n != nil && up < 6 && n.DataAtom != atom.Table; n, up = n.Parent, up+1 {
		if day := s.days[n]; day != "" {
			return day
		}
	}
	return ""
}

// monthAbove is the heading of the calendar that a record stands in: a caption, or
// the heading before the table.
func (s *survey) monthAbove(part run) string {
	i := s.flat[part.from].parent
	for i > 0 && s.flat[i].node.DataAtom != atom.Table {
		i = s.flat[i].parent
	}
	for c := i + 1; c < min(s.flat[i].end, i+40); c++ {
		if n := s.flat[c].node; n.DataAtom == atom.Caption {
			return dom.Line(n)
		}
	}
	for c := i - 1; c > 0 && c > i-80; c-- {
		if _, ok := headingLevel(s.flat[c].node); ok {
			return dom.Line(s.flat[c].node)
		}
	}
	return ""
}
