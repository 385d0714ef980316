package induce

import (
	"context"
	"slices"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text/money"
)

// Read is a page and all records that somebody who looked at it took from it.
type Read struct {
	Document *dom.Document
	Now      time.Time
	Drafts   []curlew.Draft
}

// Learn writes a blueprint that finds the same records again, as far as the language
// can say it. The proof tells how far that is. What it cannot say of events is left
// to the reader of dated entries. Pages of one record each are told from lists, and
// learned as such. It stops when the context ends.
func Learn(ctx context.Context, kind curlew.Schema, pages []Read) (*blueprint.Blueprint, Proof, error) {
	if b, p := learnDetails(ctx, kind, pages); b != nil {
		return b, p, nil
	}
	return learnFresh(ctx, kind, pages, nil)
}

// learnFresh learns from records of which only those of some days were taken.
func learnFresh(ctx context.Context, kind curlew.Schema, pages []Read, days *blueprint.Range) (*blueprint.Blueprint, Proof, error) {
	indexes, all, total := readEntries(ctx, kind, pages)
	if ctx.Err() != nil {
		return nil, Proof{}, ctx.Err()
	}
	if len(all) == 0 {
		if b, p := learnQuiet(indexes); b != nil && kind.Name == curlew.SchemaEvent && days == nil {
			return b, p, nil
		}
		return nil, Proof{}, curlew.Permanent("nothing_found", "no records were found on these pages")
	}
	b, p, err := learnList(kind, slices.Clone(all), all, total)
	if ctx.Err() != nil {
		return nil, p, ctx.Err()
	}
	if kind.Name == curlew.SchemaEvent && (err != nil || !p.sure(kind)) {
		if dated, drafts := learnDated(indexes, all, days); dated != nil {
			return dated, datedProof(drafts, indexes, all), nil
		}
	}
	if err != nil {
		return nil, p, err
	}
	if name := lacks(b); name != "" {
		return nil, p, curlew.Permanent("not_learned", "no rule finds the %s of these records, which they require", name)
	}
	return b, p, nil
}

// readEntries are the records of pages by their places, up to a bound, and how many there
// are in all.
func readEntries(ctx context.Context, kind curlew.Schema, pages []Read) (indexes []*pageIndex, all []entry, total int) {
	for _, p := range pages {
		if ctx.Err() != nil {
			break
		}
		s := newPageIndex(ctx, p.Document, p.Now)
		indexes = append(indexes, s)
		for _, d := range p.Drafts {
			n := p.Document.At(d.Node)
			if n == nil {
				continue
			}
			if total++; len(all) < maxEntries {
				all = append(all, entry{index: s, node: n, text: d.Text, fields: draftValues(kind, d)})
			}
		}
	}
	return indexes, all, total
}

// maxEntries bounds the records that are learned from: more say nothing new.
const maxEntries = 400

// learned are the fields that blueprints of a schema are learned for; what a reader
// infers from several places (whether an event is online, say) is left to it.
func learned(field string) bool {
	return !slices.Contains([]string{"slots", "text", "description", "time_known", "all_day", "status", "currency", "ends_at", "timezone",
		"recurrence"}, field)
}

// draftValues are the values of a draft as they are to be found on the page: amounts
// as written there, other values as they are.
func draftValues(s curlew.Schema, d curlew.Draft) map[string][]value {
	fields := map[string][]string{}
	for name, v := range d.Fields {
		f, ok := s.Field(name)
		if !ok || s.Name.BuiltIn() && !learned(name) {
			continue
		}
		text, many := v.(string)
		if list, is := v.([]string); is {
			fields[name], many = list, false
			continue
		}
		if !many || f.Type == curlew.TypeMoney && len(money.Find(text)) == 0 {
			text = d.Provenance[name].Text
		}
		fields[name] = []string{text}
	}
	if slots, ok := d.Fields["slots"].(map[string]any); ok && s.HasSlots() {
		for name, v := range slots {
			fields["slots."+name] = curlew.Texts(v)
		}
	}
	return withSources(valuesOf(fields), d)
}

// withSources keeps how values are written where that is not how they are read, and where they stand that the page itself names.
func withSources(all map[string][]value, d curlew.Draft) map[string][]value {
	for name, values := range all {
		if e := d.Provenance[name]; len(values) == 1 && ownName(e) != "" {
			values[0].at = e.Node
		}
		if text := key(d.Provenance[name].Text); len(values) == 1 && values[0].day.IsZero() && text != values[0].key && len(text) <= 120 {
			values[0].source = text
		}
	}
	return all
}
