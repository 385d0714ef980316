package app

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/search"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/dates"
)

// ProposeKind proposes the fields of a kind from what a watch reads: the names that its
// page has for them, or a model where one is configured, and the types that they look
// like. Nothing is kept.
func (a *App) ProposeKind(ctx context.Context, who auth.Identity, id curlew.WatchID) (KindFields, error) {
	var watch curlew.Watch
	var entities []curlew.Entity
	proposed, err := see(a, who, func(s store.Scope) (none KindFields, err error) {
		if watch, err = s.Watches().Get(ctx, id); err != nil {
			return none, err
		}
		if entities, err = s.Entities().Sighted(ctx, id); err != nil {
			return none, err
		}
		row, err := s.Blueprints().Get(ctx, watch.Blueprint)
		if err != nil {
			return none, err
		}
		b, err := blueprint.Parse(row.Rules)
		if err != nil {
			return none, err
		}
		var records []curlew.Values
		for _, e := range entities {
			records = append(records, e.Fields)
		}
		return proposedKind(b, records), nil
	})
	if err != nil {
		return proposed, err
	}
	return a.namedByModel(ctx, proposed, watch, entities), nil
}

// typeByLook are the types of fields by what their values look like.
var typeByLook = map[string]curlew.FieldType{
	"date": curlew.TypeDate, "duration": curlew.TypeDuration, "price": curlew.TypeMoney, "url": curlew.TypeURL, "number": curlew.TypeNumber,
}

// proposedKind are the fields that a blueprint reads, as its records show them where it has
// no rules of its own. Slots of a list get the names that the page has for them; a field
// that a slot repeats is left out.
func proposedKind(b *blueprint.Blueprint, records []curlew.Values, coded ...string) KindFields {
	expect := expected(b, records)
	names := slices.Collect(maps.Keys(b.Fields))
	for path := range expect { // slots come with the records, whether there is a rule for them or not
		if len(b.Fields) == 0 || strings.HasPrefix(path, "slots.") {
			names = append(names, path)
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	isSlot := func(path string) int { return strings.Count(path, "slots.") }
	slices.SortStableFunc(names, func(a, b string) int { return isSlot(a) - isSlot(b) }) // the kind knows its own fields better
	kind, out := b.Kind(), KindFields{}
	seen := map[string]bool{}
	for _, path := range names {
		f, known := kind.Field(path)
		if slot, isSlot := strings.CutPrefix(path, "slots."); isSlot || !known {
			f = slotField(slot, len(out.Fields)+1)
			f.Type = typeOf(expect[path].Looks, path, records, coded)
		}
		if f.Name == "image_url" {
			f.Type = curlew.TypePicture
		}
		if f.Name == "currency" || f.Type == curlew.TypeMap || seen[f.Name] || curlew.EveryRecordHas(f.Name) {
			continue
		}
		seen[f.Name] = true
		if f.Name == kind.Title && f.Type == curlew.TypeText {
			out.Title, f.Required = f.Name, true
		}
		out.Fields = append(out.Fields, f)
	}
	return out
}

// typeOf is the type of a field that looks like something, as its values bear out: hours are no
// days, a day with an hour is more than a day, and a number that begins with a zero is a code.
func typeOf(look, path string, records []curlew.Values, coded []string) curlew.FieldType {
	t := cmp.Or(typeByLook[look], curlew.TypeText)
	if t.Numeric() && slices.Contains(coded, path) {
		return curlew.TypeText
	}
	for _, fields := range records {
		value, _ := fields.At(path).(string)
		switch {
		case value == "":
		case t.Numeric() && leadingZero.MatchString(value):
			return curlew.TypeText
		case t.Dated():
			d, dated := dates.Parse(value, dates.Options{})
			if !dated || d.Relative != dates.Absolute || strings.ContainsAny(value, "•·|") {
				return curlew.TypeText
			}
			if d.TimeKnown {
				t = curlew.TypeTime
			}
		}
	}
	return t
}

// leadingZero begins what is written like a number and is none: 01067.
var leadingZero = regexp.MustCompile(`^0[0-9]`)

// expected is what the fields of a blueprint look like: as it was learned, and the slots of
// a list that is left to a reader as its records have them.
func expected(b *blueprint.Blueprint, records []curlew.Values) map[string]blueprint.Expectation {
	var drafts []curlew.Draft
	for _, fields := range records {
		d := curlew.Draft{Schema: b.Schema, Fields: fields, Provenance: map[string]curlew.Evidence{}}
		slots, _ := fields["slots"].(map[string]any)
		for name := range slots {
			d.Provenance["slots."+name] = curlew.Evidence{}
		}
		drafts = append(drafts, d)
	}
	all := map[string]blueprint.Expectation{}
	if shown := blueprint.ExpectationsOf(drafts); shown != nil {
		all = shown.Fields
	}
	if b.Expect != nil {
		maps.Copy(all, b.Expect.Fields)
	}
	return all
}

// slotField is the field for what a page calls so, the nth of its kind. What the page calls
// it stays known as a label.
func slotField(slot string, n int) curlew.Field {
	f := curlew.Field{Name: plainField(slot)}
	switch {
	case f.Name == "":
		f.Name = fmt.Sprintf("field_%d", n)
	case curlew.EveryRecordHas(f.Name):
		f.Name += "_value"
	}
	if f.Name != slot {
		f.Labels = []string{slot}
	}
	return f
}

// plainField is a name that a page has for something, as fields are named: without
// diacritics; "" where it has letters that are not Latin.
func plainField(name string) string {
	plain := strings.Join(search.In(name), "_")
	if !text.IsASCII(plain) {
		return ""
	}
	return strings.Trim(strings.TrimLeft(plain[:min(len(plain), 40)], "_0123456789"), "_")
}
