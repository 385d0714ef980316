package teach

import (
	"context"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/learn/sanitize"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"golang.org/x/net/html"
)

// Selection is something that a person points at: a place of the page, which field it is, and
// of which record when the place does not say.
type Selection struct {
	Place  int    // number of the node in the sanitized copy
	Field  string //
	Record int    // that is looked at
	Text   string // a part of what stands there; "" is all of it
}

// mostValue bounds a value that is pointed at.
const mostValue = 2000

// Point says of a place of the page which field of which record it is, and learns anew.
func (l *Training) Point(ctx context.Context, p Selection) error {
	if err := l.fieldNamed(p.Field); err != nil {
		return err
	}
	index := sanitize.Number(l.Document(ThePage))
	node := index.Node(p.Place)
	if node == nil {
		return curlew.Permanent("no_such_place", "the page has no such place: click a value in the copy of the page")
	}
	value, err := l.valueAt(l.Document(ThePage), node, p)
	if err != nil {
		return err
	}
	taught := Taught{Place: p.Place, Field: p.Field, Value: value}
	if l.Goal.Page == curlew.PageList {
		applied, err := l.Applied(ctx, ThePage)
		if err != nil {
			return err
		}
		at := l.recordAt(l.Blueprint(), applied.Readings, node, "")
		if at < 0 {
			at = p.Record
		}
		if at < 0 || at >= len(applied.Readings) {
			return curlew.Permanent("no_record", "the page has no record %d: click inside one of the outlined records", p.Record+1)
		}
		r := applied.Readings[at]
		taught.Node, taught.Record, taught.ID = r.Node, r.Text, r.Record.ExternalID
	}
	return l.ask(ctx, p, false, l.change(ctx, func() {
		l.Removed = slices.DeleteFunc(l.Removed, func(name string) bool { return name == p.Field })
		l.Taught = slices.DeleteFunc(l.Taught, func(t Taught) bool {
			return t.Field == p.Field && t.Node == taught.Node &&
				t.Record == taught.Record
		})
		l.Taught = append(l.Taught, taught)
	}))
}

// fieldNamed refuses a field that records of the schema do not have.
func (l *Training) fieldNamed(name string) error {
	schema := l.Goal.Kind()
	_, own := schema.Field(name)
	slot, free := strings.CutPrefix(name, "slots.")
	switch {
	case name == "":
		return curlew.Permanent("no_field", "say which field that is")
	case own && name != "slots":
		return nil
	case free && schema.HasSlots() && plainName(slot):
		return nil
	case schema.HasSlots():
		return curlew.Permanent("no_field", "the schema %s has no field %q: choose one of its fields, "+
			"or name one of your own as slots.colour, in lowercase letters, digits and _", schema.Name, name)
	}
	return curlew.Permanent("no_field", "the schema %s has no field %q: choose one of its fields", schema.Name, name)
}

func plainName(name string) bool {
	return name != "" && len(name) <= 40 && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == ""
}

// valueAt is what stands at a place for a field: an address for one that holds
// addresses, else the text, or the part of it that was named.
func (l *Training) valueAt(doc *dom.Document, node *html.Node, p Selection) (string, error) {
	if kind := l.typeOf(p.Field); kind.Address() {
		at, what := sanitize.LinkAt(node), "link"
		if kind == curlew.TypePicture || strings.Contains(p.Field, "image") || strings.Contains(p.Field, "logo") {
			at, what = sanitize.ImageAt(node), "picture"
		}
		if at == "" {
			return "", curlew.Permanent("no_address", "there is no %s where you clicked: %s holds an address", what, p.Field)
		}
		return doc.Resolve(at), nil
	}
	all, part := sanitize.Text(node), text.Collapse(p.Text)
	switch {
	case all == "":
		return "", curlew.Permanent("nothing_there", "there is no text where you clicked")
	case part == "" || part == all:
		part = all
	case !strings.Contains(strings.ToLower(all), strings.ToLower(part)):
		return "", curlew.Permanent("not_there", "“%s” is not where you clicked; the text there is “%s”", sampleOf(part), sampleOf(all))
	}
	if len(part) > mostValue {
		return "", curlew.Permanent("too_long", "the selection is too large for one value: click a smaller part of the page")
	}
	return part, nil
}

func (l *Training) typeOf(field string) curlew.FieldType {
	f, _ := l.Goal.Kind().Field(field)
	return f.Type
}

// recordAt is the number of the record that a place is in, else of the one with an
// identity; -1 for none.
func (l *Training) recordAt(b *blueprint.Blueprint, readings []extract.ReadRecord, node *html.Node, id string) int {
	doc := l.Document(ThePage)
	parts := sanitize.RecordNodes(doc, b, extract.Located(readings))
	for up := node; up != nil; up = up.Parent {
		var hits []int
		for i, part := range parts {
			if slices.Contains(part, up) {
				hits = append(hits, i)
			}
		}
		if len(hits) == 1 {
			return hits[0]
		}
		for _, i := range hits { // lines of one element
			if strings.Contains(readings[i].Text, sanitize.Text(node)) {
				return i
			}
		}
	}
	return slices.IndexFunc(readings, func(r extract.ReadRecord) bool { return id != "" && r.Record.ExternalID == id })
}
