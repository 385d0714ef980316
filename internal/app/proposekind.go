package app

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"curlew/internal/app/auth"
	"curlew/internal/curlew"
	"curlew/internal/data/store"
	"curlew/internal/read/blueprint"
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
		return proposedKind(b), nil
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

// proposedKind are the fields that a blueprint reads. Slots of a list get the names that
// the page has for them; a field that a slot repeats is left out.
func proposedKind(b *blueprint.Blueprint) KindFields {
	names := slices.Sorted(maps.Keys(b.Fields))
	if len(names) == 0 && b.Expect != nil {
		names = slices.Sorted(maps.Keys(b.Expect.Fields))
	}
	kind, out := b.Kind(), KindFields{}
	seen := map[string]bool{}
	for _, path := range names {
		slot, isSlot := strings.CutPrefix(path, "slots.")
		f, known := kind.Field(path)
		if f.Name = plainField(slot); !known || isSlot {
			if f.Name != slot {
				f.Labels = []string{slot}
			}
			f.Type = curlew.TypeText
			if b.Expect != nil {
				f.Type = cmp.Or(typeByLook[b.Expect.Fields[path].Looks], curlew.TypeText)
			}
		}
		if f.Name == "image_url" {
			f.Type = curlew.TypePicture
		}
		if f.Name == "" || f.Name == "currency" || f.Type == curlew.TypeMap || seen[f.Name] {
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

// plainField is a name that a page has for something, as fields are named.
func plainField(name string) string {
	folded := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, strings.ToLower(name))
	return strings.Trim(folded[:min(len(folded), 40)], "_0123456789")
}
