package sanitize

import (
	"context"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"golang.org/x/net/html"
)

// mostMarked bounds the records that are outlined.
const mostMarked = 500

// Located is a record and the node that it was read from, "" for none.
type Located struct {
	Record curlew.Record
	Node   string
}

// Highlight says where the records that a blueprint read and their values stand on a page, as far as it came until the context
// ended: a deep page may show one text at hundreds of places.
func Highlight(ctx context.Context, doc *dom.Document, b *blueprint.Blueprint, records []Located) Highlights {
	m := Highlights{Records: map[*html.Node]int{}, Fields: map[*html.Node][]string{}}
	if doc.IsJSON() {
		return m
	}
	records = records[:min(len(records), mostMarked)]
	texts := IndexTexts(doc)
	parts := spread(partsOf(doc, b, records), records, texts)
	for i, part := range parts {
		for _, n := range part {
			if _, taken := m.Records[n]; !taken {
				m.Records[n] = i
			}
		}
	}
	for i, r := range records {
		if ctx.Err() != nil {
			break
		}
		m.mark(doc, texts, r.Record, parts[i])
	}
	for n := range m.Fields {
		slices.Sort(m.Fields[n])
	}
	return m
}

// mark adds where the values of a record stand, in its part of the page where they are not known to stand anywhere.
func (m Highlights) mark(doc *dom.Document, texts TextIndex, r curlew.Record, part []*html.Node) {
	for field, e := range r.Provenance {
		if _, has := r.Fields[field]; !has && !strings.HasPrefix(field, "slots.") {
			continue
		}
		n := doc.At(e.Node)
		if e.Node == "" || n == nil || holder(n) {
			n = texts.Find(e.Text, part)
		}
		if n != nil && !slices.Contains(m.Fields[n], field) {
			m.Fields[n] = append(m.Fields[n], field)
		}
	}
}

// HighlightTexts marks texts, each with the field that it is a value of, wherever a page shows
// them.
func HighlightTexts(doc *dom.Document, fields map[string]string) Highlights {
	m := Highlights{Fields: map[*html.Node][]string{}}
	if doc.IsJSON() {
		return m
	}
	texts := IndexTexts(doc)
	for s, field := range fields {
		for _, n := range texts[text.Collapse(s)] {
			m.Fields[n] = []string{field}
		}
	}
	return m
}

// TextIndex holds the text nodes of a page by what they say.
type TextIndex map[string][]*html.Node

// mostText bounds a text that is looked for.
const mostText = 2000

// IndexTexts indexes the texts of a page.
func IndexTexts(doc *dom.Document) TextIndex {
	all := TextIndex{}
	for n := range doc.Tree().Descendants() {
		if n.Type != html.TextNode || n.Parent == nil || holder(n.Parent) {
			continue
		}
		if text := Text(n); text != "" && len(text) <= mostText && len(all[text]) < 200 {
			all[text] = append(all[text], n)
		}
	}
	return all
}

// Find is where a text stands, inside of some nodes if there are any.
func (all TextIndex) Find(s string, in []*html.Node) *html.Node {
	for _, n := range all[text.Collapse(s)] {
		if len(in) == 0 {
			return n
		}
		for up := n; up != nil; up = up.Parent {
			if slices.Contains(in, up) {
				return n
			}
		}
	}
	return nil
}

// spread finds the parts of records that come from structured data: around where the
// page shows their names, as far as no other name is inside.
func spread(parts [][]*html.Node, records []Located, texts TextIndex) [][]*html.Node {
	names := make([]*html.Node, len(records))
	inside := map[*html.Node]int{}
	same := map[string]int{} // of several with one name, each has its own place
	for i, r := range records {
		if name := r.Record.Name(); parts[i] == nil && name != "" {
			if all := texts[text.Collapse(name)]; same[name] < len(all) {
				names[i] = all[same[name]]
				same[name]++
			}
		}
		for n := names[i]; n != nil; n = n.Parent {
			inside[n]++
		}
	}
	if len(records) < 2 {
		return parts
	}
	for i, n := range names {
		if n == nil {
			continue
		}
		n = n.Parent
		for n.Parent != nil && inside[n.Parent] == 1 && !holder(n.Parent) {
			n = n.Parent
		}
		parts[i] = []*html.Node{n}
	}
	return parts
}

// RecordNodes are the nodes of each record, as far as records have any.
func RecordNodes(doc *dom.Document, b *blueprint.Blueprint, records []Located) [][]*html.Node {
	return spread(partsOf(doc, b, records), records, IndexTexts(doc))
}

// partsOf are the nodes that records were read from.
func partsOf(doc *dom.Document, b *blueprint.Blueprint, records []Located) [][]*html.Node {
	all := make([][]*html.Node, len(records))
	if b == nil || doc.IsJSON() || b.Page == curlew.PageSingle {
		return all
	}
	first := map[*html.Node]bool{}
	for i, r := range records {
		if n := doc.At(r.Node); n != nil && r.Node != "" && !holder(n) {
			all[i] = []*html.Node{n}
			first[n] = true
		}
	}
	if b.Records == nil {
		return all
	}
	grouped := b.Records.Shape == blueprint.ShapeGroup || b.Records.Shape == blueprint.ShapeBetween
	dated := b.Records.Shape == blueprint.ShapeDated
	for i := range all {
		if all[i] == nil || !grouped && !(dated && heads(all[i][0])) {
			continue
		}
		all[i] = withFollowers(all[i][0], first)
	}
	return all
}

// withFollowers are the head of a record and what stands after it, up to the next head.
func withFollowers(head *html.Node, first map[*html.Node]bool) []*html.Node {
	all := []*html.Node{head}
	for n := head.NextSibling; n != nil && !first[n] && len(all) < 40; n = n.NextSibling {
		if n.Type != html.ElementNode {
			continue
		}
		if n.Data == head.Data {
			break
		}
		all = append(all, n)
	}
	return all
}

// heads says whether an element is the head of what follows.
func heads(n *html.Node) bool {
	return n.Data == "dt" || n.Data == "summary" || len(n.Data) == 2 && n.Data[0] == 'h' && n.Data[1] >= '1' && n.Data[1] <= '6'
}

// holder says whether an element holds structured data, or everything: it is no part
// of the page that could be outlined.
func holder(n *html.Node) bool {
	return n.Data == "script" || n.Data == "html" || n.Data == "body" || n.Data == "head" || n.Data == "meta"
}
