package main

import (
	"bytes"
	"net/http"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// lineDiff compares the visible text of a page line by line with that of the last good answer, as
// changedetection.io does it: white space is trimmed, empty lines are left out, answers other than
// 200 and pages without text are errors and compared with nothing. No other filter is set there by
// default.
type lineDiff struct {
	last []string
	body []byte
}

func (d *lineDiff) check(visit int, a answer) []Event {
	if a.status != http.StatusOK || bytes.Equal(a.body, d.body) {
		return nil
	}
	d.body = a.body
	lines := visibleLines(a.body)
	if len(lines) == 0 {
		return nil
	}
	before := d.last
	d.last = lines
	if before == nil {
		return nil
	}
	var events []Event
	for _, h := range hunks(before, lines) {
		events = append(events, Event{Visit: visit, Kind: kindText, Text: h.text(before, lines), Near: h.near(before, lines)})
	}
	return events
}

// around is how many lines beside a change count as its context.
const around = 6

func (h hunk) text(a, b []string) string {
	return strings.Join(slices.Concat(a[h.fromA:h.toA], b[h.fromB:h.toB]), "\n")
}

func (h hunk) near(a, b []string) string {
	return strings.Join(slices.Concat(a[max(0, h.fromA-around):min(len(a), h.toA+around)],
		b[max(0, h.fromB-around):min(len(b), h.toB+around)]), "\n")
}

// inline are elements that do not end a line.
var inline = []atom.Atom{atom.A, atom.Span, atom.B, atom.I, atom.Em, atom.Strong, atom.Small, atom.U, atom.Sup, atom.Sub, atom.Time,
	atom.Abbr, atom.Code, atom.Mark, atom.Label, atom.Font, atom.S, atom.Del, atom.Ins, atom.Data, atom.Cite, atom.Q, atom.Bdi, atom.Img}

// unseen are elements whose text nobody sees.
var unseen = []atom.Atom{atom.Script, atom.Style, atom.Noscript, atom.Template, atom.Head, atom.Svg, atom.Iframe, atom.Object}

// visibleLines are the lines of a page as a text browser shows them.
func visibleLines(body []byte) []string {
	root, err := html.Parse(bytes.NewReader(body))
	if err != nil {
		return nil
	}
	var out strings.Builder
	write(&out, root)
	var lines []string
	for line := range strings.SplitSeq(out.String(), "\n") {
		if text := strings.Join(strings.Fields(line), " "); text != "" {
			lines = append(lines, text)
		}
	}
	return lines
}

func write(out *strings.Builder, n *html.Node) {
	switch {
	case n.Type == html.TextNode:
		out.WriteString(strings.ReplaceAll(n.Data, "\n", " "))
		return
	case n.Type == html.ElementNode && slices.Contains(unseen, n.DataAtom):
		return
	}
	ends := n.Type == html.ElementNode && !slices.Contains(inline, n.DataAtom) && n.DataAtom != atom.Td && n.DataAtom != atom.Th
	if ends {
		out.WriteByte('\n')
	}
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		write(out, child)
	}
	if ends {
		out.WriteByte('\n')
	} else if n.DataAtom == atom.Td || n.DataAtom == atom.Th {
		out.WriteByte(' ')
	}
}

// hunk is a run of lines that differ.
type hunk struct{ fromA, toA, fromB, toB int }

// hunks are the differences of two texts, by their longest common lines (Myers 1986).
func hunks(a, b []string) []hunk {
	start := 0
	for start < len(a) && start < len(b) && a[start] == b[start] {
		start++
	}
	end := 0
	for end < len(a)-start && end < len(b)-start && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	var all []hunk
	i, j := start, start
	for _, same := range append(common(a[start:len(a)-end], b[start:len(b)-end]), [2]int{len(a) - end - start, len(b) - end - start}) {
		x, y := same[0]+start, same[1]+start
		if x > i || y > j {
			all = append(all, hunk{i, x, j, y})
		}
		i, j = x+1, y+1
	}
	return all
}

// common are the pairs of lines that two texts share, in order.
func common(a, b []string) [][2]int {
	most := len(a) + len(b)
	v := map[int]int{1: 0}
	var trace []map[int]int
	for d := 0; d <= most; d++ {
		trace = append(trace, cloned(v, d))
		for k := -d; k <= d; k += 2 {
			x := v[k-1] + 1
			if k == -d || k != d && v[k-1] < v[k+1] {
				x = v[k+1]
			}
			y := x - k
			for x < len(a) && y < len(b) && a[x] == b[y] {
				x, y = x+1, y+1
			}
			v[k] = x
			if x >= len(a) && y >= len(b) {
				return walkBack(trace, len(a), len(b))
			}
		}
	}
	return nil
}

func cloned(v map[int]int, d int) map[int]int {
	c := make(map[int]int, 2*d+3)
	for k := -d - 1; k <= d+1; k++ {
		c[k] = v[k]
	}
	return c
}

func walkBack(trace []map[int]int, x, y int) (pairs [][2]int) {
	for d := len(trace) - 1; d >= 0; d-- {
		v, k := trace[d], x-y
		before := k - 1
		if k == -d || k != d && v[k-1] < v[k+1] {
			before = k + 1
		}
		px := v[before]
		py := px - before
		for x > px && y > py && x > 0 && y > 0 {
			x, y = x-1, y-1
			pairs = append(pairs, [2]int{x, y})
		}
		x, y = px, py
	}
	slices.Reverse(pairs)
	return pairs
}
