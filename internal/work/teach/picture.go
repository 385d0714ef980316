package teach

import (
	"slices"
	"strings"

	"golang.org/x/net/html"

	"curlew/internal/curlew"
	"curlew/internal/extract"
	"curlew/internal/learn/sanitize"
	"curlew/internal/read/blueprint"
	"curlew/internal/read/dom"
	"curlew/internal/text"
)

// Picture is a sanitized copy of a page of the training, with what was found outlined.
type Picture struct {
	sanitize.SanitizedPage
	Places int // how many places can be pointed at
}

// Picture makes the copy of a page.
func (l *Training) Picture(name string) (p Picture, err error) {
	err = l.guarded(func() error {
		doc := l.Document(name)
		index := sanitize.Number(doc)
		applied, err := l.Applied(name)
		if err != nil {
			return err
		}
		p = Picture{index.Copy(l.marks(doc, l.read(name), applied.Readings)), index.Count()}
		return nil
	})
	return p, err
}

// read is the blueprint that a page is read by, as far as its records have places.
func (l *Training) read(name string) *blueprint.Blueprint {
	if name == ThePage || name == TestPage {
		return l.Blueprint()
	}
	return &blueprint.Blueprint{Page: curlew.PageSingle}
}

// mostMarked bounds the records that are outlined.
const mostMarked = 500

// marks say where the records and their values are.
func (l *Training) marks(doc *dom.Document, b *blueprint.Blueprint, readings []extract.ReadRecord) sanitize.Highlights {
	m := sanitize.Highlights{Records: map[*html.Node]int{}, Fields: map[*html.Node][]string{}}
	if doc.IsJSON() {
		return m
	}
	readings = readings[:min(len(readings), mostMarked)]
	leaves := leavesOf(doc)
	parts := l.spread(l.parts(b, doc, readings), readings, leaves)
	for i, part := range parts {
		for _, n := range part {
			if _, taken := m.Records[n]; !taken {
				m.Records[n] = i
			}
		}
	}
	for i, r := range readings {
		for field, e := range r.Record.Provenance {
			if _, has := r.Record.Fields[field]; !has && !strings.HasPrefix(field, "slots.") {
				continue
			}
			n := doc.At(e.Node)
			if e.Node == "" || n == nil || holder(n) {
				n = leaves.find(e.Text, parts[i])
			}
			if n != nil && !slices.Contains(m.Fields[n], field) {
				m.Fields[n] = append(m.Fields[n], field)
			}
		}
	}
	for n := range m.Fields {
		slices.Sort(m.Fields[n])
	}
	return m
}

// leaves are the texts of a page by what they say.
type leaves map[string][]*html.Node

func leavesOf(doc *dom.Document) leaves {
	all := leaves{}
	for n := range doc.Tree().Descendants() {
		if n.Type != html.TextNode || n.Parent == nil || holder(n.Parent) {
			continue
		}
		if text := sanitize.Text(n); text != "" && len(text) <= mostValue && len(all[text]) < 200 {
			all[text] = append(all[text], n)
		}
	}
	return all
}

// find is where a text stands, inside of some nodes if there are any.
func (all leaves) find(s string, in []*html.Node) *html.Node {
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
func (l *Training) spread(parts [][]*html.Node, readings []extract.ReadRecord, texts leaves) [][]*html.Node {
	names := make([]*html.Node, len(readings))
	inside := map[*html.Node]int{}
	same := map[string]int{} // of several with one name, each has its own place
	for i, r := range readings {
		if name := nameIn(r.Record.Fields); parts[i] == nil && name != "" {
			if all := texts[text.Collapse(name)]; same[name] < len(all) {
				names[i] = all[same[name]]
				same[name]++
			}
		}
		for n := names[i]; n != nil; n = n.Parent {
			inside[n]++
		}
	}
	if len(readings) < 2 {
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

// Pieces are what a person may point at instead of clicking: all of a record, or of the
// page where there are no records.
func (l *Training) Pieces(name string, record int) []sanitize.Element {
	doc := l.Document(name)
	index := sanitize.Number(doc)
	applied, err := l.Applied(name)
	if err == nil && record >= 0 && record < len(applied.Readings) {
		parts := l.spread(l.parts(l.read(name), doc, applied.Readings), applied.Readings, leavesOf(doc))
		if len(parts[record]) > 0 {
			return index.Pieces(parts[record], mostPieces)
		}
	}
	return index.Pieces([]*html.Node{doc.Tree()}, mostPieces)
}

// mostPieces bounds a table of things to point at.
const mostPieces = 300

// Places is how many places of a page can be pointed at.
func (l *Training) Places(name string) int { return sanitize.Number(l.Document(name)).Count() }
