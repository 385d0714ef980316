package deliver

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
)

// page is a message laid out for reading: by source, then by kind, each in the order
// in which it first came.
type page struct {
	Title   string
	Summary string // "3 changed, 1 new"
	Intro   string
	When    string
	Groups  []group
	More    int // changes that are not shown
	Links   Links
}

type group struct {
	Source string
	Kinds  []kindGroup
}

type kindGroup struct {
	Label string
	Tone  string
	Views []view
}

// A digest lists at most so many changes, and stops before it is so long: Gmail cuts
// messages at 102 KiB.
const (
	maxShown = 100
	maxSize  = 80 << 10
)

func pageOf(m Message) page {
	p := page{When: writeTime(m.At.UTC(), true), Links: Links{Console: webURL(m.Links.Console), Unsubscribe: webURL(m.Links.Unsubscribe)}}
	if m.Test {
		p.Title, p.Intro = "A test from Curlew", "Deliveries of this subscription arrive. Nothing has changed."
		return p
	}
	var views []view
	size := 0
	for _, item := range m.Items[:min(len(m.Items), maxShown)] {
		v := viewOf(item)
		if size += v.size(); size > maxSize && len(views) > 0 {
			break
		}
		views = append(views, v)
	}
	p.More = len(m.Items) - len(views)
	p.Groups = grouped(views)
	p.Summary = summary(m.Items)
	p.Title = cmp.Or(line(m.Name, 80), "Changes")
	if !m.Digest && len(views) == 1 {
		p.Title, p.Summary = text.Clip(views[0].Label+": "+views[0].Title, 140), ""
	}
	return p
}

func grouped(views []view) []group {
	var all []group
	for _, v := range views {
		at := -1
		for i := range all {
			if all[i].Source == v.Source {
				at = i
			}
		}
		if at < 0 {
			all = append(all, group{Source: v.Source})
			at = len(all) - 1
		}
		all[at].add(v)
	}
	return all
}

func (g *group) add(v view) {
	for i := range g.Kinds {
		if g.Kinds[i].Label == v.Label {
			g.Kinds[i].Views = append(g.Kinds[i].Views, v)
			return
		}
	}
	g.Kinds = append(g.Kinds, kindGroup{Label: v.Label, Tone: v.Tone, Views: []view{v}})
}

// summary counts by kind, the kinds in the order of their first change; a field that changed in many
// entities is named: "17 prices changed, 2 new".
func summary(items []Item) string {
	var order []labelled
	counts, fields := map[labelled]int{}, commonFields(items)
	for i, item := range items {
		label := labelOf(item.Change.Kind)
		if fields[i] != "" {
			label.plural = fieldsChanged(fields[i])
		}
		if counts[label] == 0 {
			order = append(order, label)
		}
		counts[label]++
	}
	var parts []string
	for _, label := range order[:min(len(order), 6)] {
		words := label.plural
		if counts[label] == 1 {
			words = strings.ToLower(label.label)
		}
		parts = append(parts, fmt.Sprintf("%d %s", counts[label], words))
	}
	return strings.Join(parts, ", ")
}

// groupFrom is in how many entities a field must have changed for a summary to name it.
const groupFrom = 3

// commonFields is for each item the field, of those that changed in it, that changed in most items; "" where few did.
func commonFields(items []Item) []string {
	changed, counts, common := make([][]string, len(items)), map[string]int{}, make([]string, len(items))
	for i, item := range items {
		var p curlew.ChangePayload
		if item.Change.Kind != curlew.EntityChanged || json.Unmarshal(item.Change.Payload, &p) != nil {
			continue
		}
		for _, c := range p.Changes {
			changed[i] = append(changed[i], c.Field)
			counts[c.Field]++
		}
	}
	for i, fields := range changed {
		for _, field := range fields {
			if counts[field] >= groupFrom && counts[field] > counts[common[i]] {
				common[i] = field
			}
		}
	}
	return common
}

// fieldsChanged says that a field changed in several entities: "prices changed", "changed (price before)".
func fieldsChanged(field string) string {
	label := strings.ToLower(fieldLabel(field))
	if _, renamed := fieldLabels[field]; renamed || strings.Contains(label, " ") {
		return "changed (" + label + ")"
	}
	return curlew.Noun(2, label) + " changed"
}

// subject is one line for a list of messages.
func subject(m Message) string {
	p := pageOf(Message{Name: m.Name, Digest: m.Digest, Test: m.Test, At: m.At, Items: m.Items[:min(len(m.Items), 1)]})
	if m.Digest {
		return text.Clip(p.Title+": "+summary(m.Items), 150)
	}
	return text.Clip(p.Title, 150)
}

// plainText lays the page out for readers without HTML.
func (p page) plainText() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", p.Title)
	for _, line := range []string{p.Summary, p.Intro, p.When} {
		if line != "" {
			fmt.Fprintf(&b, "%s\n", line)
		}
	}
	for _, g := range p.Groups {
		if g.Source != "" {
			fmt.Fprintf(&b, "\n%s\n%s\n", g.Source, strings.Repeat("=", min(72, len([]rune(g.Source)))))
		}
		for _, k := range g.Kinds {
			fmt.Fprintf(&b, "\n%s\n", strings.ToUpper(k.Label))
			for _, v := range k.Views {
				v.plainText(&b)
			}
		}
	}
	if p.More > 0 {
		fmt.Fprintf(&b, "\nand %d more\n", p.More)
	}
	b.WriteString("\n-- \n")
	if p.Links.Console != "" {
		fmt.Fprintf(&b, "All changes: %s\n", p.Links.Console)
	}
	if p.Links.Unsubscribe != "" {
		fmt.Fprintf(&b, "Unsubscribe: %s\n", p.Links.Unsubscribe)
	}
	return b.String()
}

func (v view) plainText(b *strings.Builder) {
	fmt.Fprintf(b, "* %s\n", v.Title)
	for _, r := range v.Rows {
		fmt.Fprintf(b, "  %s: %s -> %s\n", r.Label, cmp.Or(r.Old, "(nothing)"), cmp.Or(r.New, "(nothing)"))
	}
	for _, r := range v.Facts {
		fmt.Fprintf(b, "  %s: %s\n", r.Label, r.New)
	}
	if v.Reason != "" {
		fmt.Fprintf(b, "  %s\n", v.Reason)
	}
	if v.URL != "" {
		fmt.Fprintf(b, "  %s\n", v.URL)
	}
}
