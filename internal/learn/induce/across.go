package induce

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/blueprint"
)

// unarchive applies the old blueprint to pages as they were. Where nobody tells what was
// known, its records are what was known.
func (h *healing) unarchive(archived []DatedPage) {
	compiled, err := blueprint.Compile(h.old)
	if err != nil {
		return
	}
	tell := len(h.past) == 0
	for _, p := range archived {
		s := newPageIndex(h.ctx, p.Document, p.Now)
		for _, d := range compiled.Apply(s.page()).Drafts {
			if !s.whole(d, h.asked) {
				continue
			}
			h.then = append(h.then, d)
			if fields := knownOf(d); tell && len(fields) > 0 {
				h.past = append(h.past, PastRecord{URL: p.Document.URL().String(), Now: p.Now, Fields: fields})
			}
		}
	}
}

// knownOf are the values of a draft as known ones.
func knownOf(d curlew.Draft) map[string][]string {
	fields := map[string][]string{}
	for name, v := range d.Fields {
		if got := curlew.Texts(v); learned(name) && len(got) > 0 {
			fields[name] = got
		}
	}
	return fields
}

// across compares the records of the archived pages with those of now, field by field,
// where both have a record of the same name.
func (h *healing) across(r remedy) []CrossProof {
	var now []curlew.Draft
	for _, s := range h.indexes {
		now = append(now, r.drafts[s]...)
	}
	if len(h.then) == 0 || len(now) == 0 {
		return nil
	}
	var all []CrossProof
	for _, field := range crossed(h.then) {
		c := CrossProof{Field: field, Then: present(h.then, field), Now: present(now, field)}
		for _, d := range now {
			if was := h.namesake(d); was != nil {
				c.compare(h.indexes[0], was, d)
			}
		}
		all = append(all, c)
	}
	return all
}

// compare counts one field of a record of both.
func (c *CrossProof) compare(s *pageIndex, was *curlew.Draft, is curlew.Draft) {
	old, current := was.Fields.Texts(c.Field), is.Fields.Texts(c.Field)
	switch {
	case len(old) == 0 || len(current) == 0:
	case slices.ContainsFunc(current, func(text string) bool { return s.likeness(newValue(old[0]), text) > 0.4 || key(text) == key(old[0]) }):
		c.Same++
	default:
		c.Differ++
		if c.Examples == "" {
			c.Examples = fmt.Sprintf("%q is now %q", old[0], current[0])
		}
	}
}

// namesake is the old record with the name of a new one, and where several have it, the
// one that begins on the same day; nil when there is none, or no one of them.
func (h *healing) namesake(d curlew.Draft) *curlew.Draft {
	name := nameOf(d)
	if name == "" {
		return nil
	}
	var same []*curlew.Draft
	for i := range h.then {
		if nameOf(h.then[i]) == name {
			same = append(same, &h.then[i])
		}
	}
	if len(same) == 1 {
		return same[0]
	}
	day := h.indexes[0].dayOf(d)
	for _, one := range same {
		if day != "" && h.indexes[0].dayOf(*one) == day {
			return one
		}
	}
	return nil
}

// nameOf is what a draft is called, as names are compared.
func nameOf(d curlew.Draft) string {
	for _, field := range []string{"title", "name"} {
		if got := d.Fields.Texts(field); len(got) > 0 {
			return key(got[0])
		}
	}
	return ""
}

// crossed are the fields that any of some drafts has and that rules are learned for.
func crossed(drafts []curlew.Draft) []string {
	var names []string
	for _, d := range drafts {
		for name := range d.Fields {
			if learned(name) && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	slices.SortFunc(names, cmp.Compare[string])
	return names
}

// present is the share of drafts that have a field.
func present(drafts []curlew.Draft, field string) float64 {
	n := 0
	for i := range drafts {
		if len(drafts[i].Fields.Texts(field)) > 0 {
			n++
		}
	}
	return float64(n*100/len(drafts)) / 100
}

// contradicted says whether most records that are on the old and on the new pages have
// another value in a field that the schema requires.
func (h *healing) contradicted(all []CrossProof) bool {
	required := h.old.Kind().Required()
	return slices.ContainsFunc(all, func(c CrossProof) bool {
		return slices.Contains(required, c.Field) && c.Differ > c.Same && c.Differ >= 2
	})
}
