package blueprint

import (
	"strings"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// labelMarks are what may stand around a label or between it and its value.
const labelMarks = " \t\n\u00a0:：=|-–—•·*►▸»"

// labelKey makes labels comparable: case, white space, colons and dashes do not count.
func labelKey(s string) string {
	return strings.Trim(text.Fold(text.Collapse(s)), labelMarks)
}

// spelledAs is a text of the page as a label spells it: one without accents stands for all spellings.
func spelledAs(label, folded string) string {
	if text.IsASCII(label) && !text.IsASCII(folded) {
		return text.Unaccented(folded)
	}
	return folded
}

// labelled finds the values that stand with a label: on the rest of its line, or in
// what follows a line that holds nothing but the label.
func (r *run) labelled(label string, roots []*html.Node) []finding {
	l := r.text()
	under := l.under(roots)
	var found []finding
	for i := 0; i < len(under) && len(found) < maxMany; {
		end := i + 1
		for end < len(under) && l.all[under[end]].line == l.all[under[i]].line {
			end++
		}
		found = append(found, r.labelledLine(label, l, under, i, end)...)
		i = end
	}
	return found
}

// labelledLine looks at one line: the texts from i up to end.
func (r *run) labelledLine(label string, l *visibleText, under []int, i, end int) []finding {
	if !r.budget.spend(end - i) {
		return nil
	}
	line := make([]textPiece, 0, end-i)
	for _, j := range under[i:end] {
		line = append(line, l.all[j])
	}
	at, rest, ok := findLabel(label, line)
	if !ok {
		return nil
	}
	if value := lineValue(line, at, rest); value.text != "" {
		return []finding{value}
	}
	if cells := r.below(line[at].node); cells != nil {
		return cells
	}
	if end >= len(under) {
		return nil
	}
	return l.valueAfter(line[at].node, under[end])
}

// findLabel finds the text in which a label ends, and what follows it there. A
// label begins a leaf, and ends with a text or a mark.
func findLabel(label string, line []textPiece) (at int, rest string, ok bool) {
	for start := range line {
		folded := spelledAs(label, line[start].folded)
		if !strings.HasPrefix(label, folded) && !strings.HasPrefix(folded, label) {
			continue
		}
		if folded == label {
			return start, "", true
		}
		if tail, found := cutFold(line[start].text, label); found {
			return start, tail, true
		}
		joined := line[start].text
		for at = start + 1; at < len(line) && len(joined) <= len(label)+8; at++ {
			if line[at].space {
				joined += " "
			}
			if joined += line[at].text; spelledAs(label, labelKey(joined)) == label {
				return at, "", true
			}
		}
	}
	return 0, "", false
}

// cutFold takes a label and the mark after it off the start of a text.
func cutFold(text, label string) (rest string, ok bool) {
	for _, mark := range []string{":", "：", " –", " —", " -", " =", " |", "\t"} {
		start, tail, found := strings.Cut(text, mark)
		if found && spelledAs(label, labelKey(start)) == label && strings.Trim(tail, labelMarks) != "" {
			return strings.TrimLeft(tail, labelMarks), true
		}
	}
	return "", false
}

// lineValue is the rest of a line after its label, up to the next label of the same
// kind: "<b>Engine:</b> V8 <b>Gears:</b> 6".
func lineValue(line []textPiece, at int, rest string) finding {
	value := finding{text: rest, node: line[at].node}
	sign := signature(line[at].node)
	for _, f := range line[at+1:] {
		if value.text != "" && sign != "" && signature(f.node) == sign {
			break
		}
		text := f.text
		if value.text == "" {
			text = strings.TrimLeft(text, labelMarks)
			value.node = f.node
		}
		if text != "" {
			if f.space && value.text != "" {
				value.text += " "
			}
			value.text += text
		}
	}
	return value
}

// signature tells inline elements apart that hold labels; "" for text that stands
// in a block.
func signature(n *html.Node) string {
	if p := n.Parent; p != nil && inline(p) {
		return p.Data + "." + dom.Attr(p, "class")
	}
	return ""
}

// valueAfter is the largest node that begins with the text after a label and does
// not hold the label. After a dt it is every dd up to the next dt.
func (l *visibleText) valueAfter(label *html.Node, text int) []finding {
	above := map[*html.Node]bool{}
	for n := label; n != nil; n = n.Parent {
		above[n] = true
	}
	n := l.all[text].node
	for n.Parent != nil && !above[n.Parent] && int(l.nodes[n.Parent].from) == text {
		n = n.Parent
	}
	found := []finding{{node: n, unread: true}}
	if n.DataAtom == atom.Dd {
		for s := n.NextSibling; s != nil && s.DataAtom != atom.Dt; s = s.NextSibling {
			if s.DataAtom == atom.Dd {
				found = append(found, finding{node: s, unread: true})
			}
		}
	}
	return found
}

// below gives the cells under a heading cell of a table, when the label is one.
func (r *run) below(label *html.Node) []finding {
	cell := closest(label, atom.Th, atom.Td)
	if cell == nil || cell.Parent == nil || !headRow(cell.Parent) {
		return nil
	}
	g := r.gridOf(cell)
	if g == nil {
		return nil
	}
	at, ok := g.placeOf(cell)
	if !ok {
		return nil
	}
	var found []finding
	for _, row := range g.rows[at.row+1:] {
		if at.column < len(row) && row[at.column] != nil && len(found) < maxMany {
			found = append(found, finding{node: row[at.column], unread: true})
		}
	}
	return found
}
