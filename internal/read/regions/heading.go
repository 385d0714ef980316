package regions

import (
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

const maxHeading = 200 // bytes

// headings gives each record the headings that it stands under: those inside the
// region's container, the outermost first, joined. A day above its events, a month
// above its days.
func (s *survey) headings(r *Region) {
	holder := s.container(r.runs)
	at := holder + 1
	var open []heading
	for i, part := range r.runs {
		for at < part.from {
			p := &s.flat[at]
			level, ok := headingLevel(p.node)
			if !ok {
				at++
				continue
			}
			for len(open) > 0 && (open[len(open)-1].level >= level || open[len(open)-1].end <= at) {
				open = open[:len(open)-1]
			}
			if text := dom.Line(p.node); text != "" && len(text) <= maxHeading {
				open = append(open, heading{text, level, s.reach(at, holder)})
			}
			at = p.end
		}
		for len(open) > 0 && open[len(open)-1].end <= part.from {
			open = open[:len(open)-1]
		}
		r.Records[i].Heading = headingText(open)
		if len(open) > 1 {
			r.Records[i].nearest = open[len(open)-1].text
		}
		if day := s.day(r.Records[i].Nodes[0]); day != "" {
			r.Records[i].Heading = strings.TrimSpace(day + " " + s.monthAbove(part))
		}
		at = max(at, part.to)
	}
}

type heading struct {
	text  string
	level int
	end   int32 // the node after what it stands over
}

// reach is where a heading no longer holds: after the largest element around it, below
// the container, that begins with it.
func (s *survey) reach(at, holder int32) int32 {
	i := at
	for up := s.flat[i].parent; up > holder; up = s.flat[i].parent {
		if s.sums[at].texts != s.sums[up].texts {
			break
		}
		i = up
	}
	if up := s.flat[i].parent; up >= 0 {
		return s.flat[up].end
	}
	return s.flat[i].end
}

func headingText(open []heading) string {
	var parts []string
	for _, h := range open {
		parts = append(parts, h.text)
	}
	return strings.Join(parts, " ")
}

// headingLevel tells headings, and how high they are: also captions, summaries, bold
// paragraphs and the rows of a table that are one cell across.
func headingLevel(n *html.Node) (int, bool) {
	switch n.DataAtom {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		return int(n.Data[1] - '0'), true
	case atom.Summary, atom.Caption, atom.Legend:
		return 3, true
	case atom.Dt:
		return 7, true
	case atom.P:
		return 7, allBold(n)
	case atom.Tr:
		return 7, lone(n)
	}
	return 0, false
}

// allBold says whether a paragraph is nothing but bold print: people write so what they mean
// for a heading.
func allBold(p *html.Node) bool {
	bold := false
	for c := range p.ChildNodes() {
		switch {
		case c.DataAtom == atom.Strong || c.DataAtom == atom.B:
			bold = true
		case c.Type == html.ElementNode, c.Type == html.TextNode && strings.TrimSpace(c.Data) != "":
			return false
		}
	}
	return bold
}

// lone says whether a row has one cell, across several columns.
func lone(row *html.Node) bool {
	cells, across := 0, false
	for c := row.FirstChild; c != nil; c = c.NextSibling {
		if c.DataAtom == atom.Td || c.DataAtom == atom.Th {
			cells++
			across = across || dom.HasAttr(c, "colspan")
		}
	}
	return cells == 1 && across
}

// GroupSlot is the slot with the heading above a record, where that tells equal records apart.
const GroupSlot = "group"

// tellApart gives the records of a list the headings above them where some say the same under
// several: a swimming lesson of Monday and of Friday.
func (l *mainList) tellApart() {
	headings := make([]string, 0, len(l.drafts))
	for _, r := range l.regions {
		for _, record := range r.Records {
			headings = append(headings, record.nearest)
		}
	}
	under, apart := map[string]string{}, false
	for i, d := range l.drafts {
		other, seen := under[d.Text]
		apart = apart || seen && other != headings[i] && d.Fields["date"] == nil
		under[d.Text] = headings[i]
	}
	for i, d := range l.drafts {
		slots, _ := d.Fields["slots"].(map[string]any)
		if apart && headings[i] != "" && slots != nil && slots[GroupSlot] == nil {
			slots[GroupSlot] = headings[i]
			d.Provenance["slots."+GroupSlot] = curlew.Evidence{Tier: curlew.TierHTML, Rule: "heading", Text: headings[i]}
		}
	}
}
