package app

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"curlew/internal/app/auth"
	"curlew/internal/curlew"
	"curlew/internal/data/store"
	"curlew/internal/read/blueprint"
)

// mostKinds is how many kinds an org may make for itself.
const mostKinds = 200

// KindFields are what a person says about a kind.
type KindFields struct {
	Title    string         `json:"title,omitempty" maxlen:"40"` // "": the first field of the type text
	Identity [][]string     `json:"identity,omitempty"`          // none: the address of a thing, else its title
	Fields   []curlew.Field `json:"fields"`
}

func (f KindFields) kind(name curlew.SchemaName) curlew.Schema {
	return curlew.Schema{Name: name, Title: f.Title, Identity: f.Identity, Fields: f.Fields}.Completed()
}

// AddKind makes a kind of the org's own.
type AddKind struct {
	Name curlew.SchemaName `json:"name" maxlen:"40"`
	KindFields
}

// Check says what is wrong with the command.
func (c AddKind) Check() curlew.Problems { return append(bounds(c), c.kind(c.Name).Check()...) }

// EditKind says anew what a kind of the org's own is.
type EditKind struct {
	Name curlew.SchemaName `json:"-"`
	KindFields
}

// Check says what is wrong with the command.
func (c EditKind) Check() curlew.Problems { return append(bounds(c), c.kind(c.Name).Check()...) }

// Kinds lists the built-in kinds, and those of the org after them.
func (a *App) Kinds(ctx context.Context, who auth.Identity) (curlew.Kinds, error) {
	return see(a, who, func(s store.Scope) (curlew.Kinds, error) { return s.Kinds().All(ctx) })
}

// Kind shows one kind, built in or of the org.
func (a *App) Kind(ctx context.Context, who auth.Identity, name curlew.SchemaName) (curlew.Schema, error) {
	return see(a, who, func(s store.Scope) (curlew.Schema, error) {
		if name.BuiltIn() {
			return name.Kind(), nil
		}
		return s.Kinds().Get(ctx, name)
	})
}

// AddKind keeps a new kind.
func (a *App) AddKind(ctx context.Context, who auth.Identity, c AddKind) (curlew.Schema, error) {
	return do(ctx, a, who, verb{"addKind", auth.EditBlueprints}, c, func(ctx context.Context, tx *Tx) (none curlew.Schema, err error) {
		own, err := tx.Kinds().Own(ctx)
		if err != nil {
			return none, err
		}
		if slices.ContainsFunc(own, func(k curlew.Schema) bool { return k.Name == c.Name }) {
			taken := fmt.Sprintf("there is a kind %s already: edit it, or choose another name", c.Name)
			return none, curlew.Problems{{Field: "name", Sentence: taken}}
		}
		if len(own) >= mostKinds {
			full := fmt.Sprintf("an org has at most %d kinds of its own: delete one first", mostKinds)
			return none, curlew.Problems{{Field: "name", Sentence: full}}
		}
		kind := c.kind(c.Name)
		tx.About(string(kind.Name))
		tx.Detail(kind)
		return kind, tx.Kinds().Add(ctx, kind)
	})
}

// EditKind keeps what a kind is from now on, also in the blueprints that read it. A field
// that one of them has rules for cannot be taken away.
func (a *App) EditKind(ctx context.Context, who auth.Identity, c EditKind) (curlew.Schema, error) {
	return do(ctx, a, who, verb{"editKind", auth.EditBlueprints}, c, func(ctx context.Context, tx *Tx) (none curlew.Schema, err error) {
		if _, err := tx.Kinds().Get(ctx, c.Name); err != nil {
			return none, err
		}
		kind := c.kind(c.Name)
		for after := ""; ; {
			some, err := tx.Blueprints().List(ctx, store.BlueprintFilter{Schema: c.Name}, store.Window{After: after, Limit: 500})
			if err != nil {
				return none, err
			}
			for _, row := range some {
				after = string(row.ID)
				rules, err := redefined(row, kind)
				if err != nil {
					return none, err
				}
				if err := tx.Blueprints().SetRules(ctx, row.ID, rules); err != nil {
					return none, err
				}
			}
			if len(some) < 500 {
				break
			}
		}
		tx.About(string(kind.Name))
		tx.Detail(kind)
		return kind, tx.Kinds().Set(ctx, kind)
	})
}

// redefined are the rules of a blueprint with another definition of its kind.
func redefined(row curlew.Blueprint, kind curlew.Schema) ([]byte, error) {
	b, err := blueprint.Parse(row.Rules)
	if err != nil {
		return nil, err
	}
	b.Define(kind)
	if _, err := blueprint.Compile(b); err != nil {
		for _, d := range blueprint.Defects(err) {
			return nil, curlew.Problems{{Field: "fields", Sentence: fmt.Sprintf("the blueprint %s reads a field that would be gone (%s): keep it",
				row.ID, strings.TrimPrefix(d.Place, "/fields/"))}}
		}
		return nil, err
	}
	return blueprint.Marshal(b)
}

// DeleteKind forgets a kind that nothing is read by.
func (a *App) DeleteKind(ctx context.Context, who auth.Identity, name curlew.SchemaName) error {
	_, err := do(ctx, a, who, verb{"deleteKind", auth.EditBlueprints}, one[curlew.SchemaName]{name},
		func(ctx context.Context, tx *Tx) (none struct{}, err error) {
			if name.BuiltIn() {
				return none, curlew.Permanent("kind_built_in", "%s is a kind of Curlew's own, which stays", name)
			}
			blueprints, entities, err := tx.Kinds().Uses(ctx, name)
			if err != nil {
				return none, err
			}
			if blueprints+entities > 0 {
				return none, curlew.Permanent("kind_in_use", "%s is in use: %s and %s are of it", name,
					curlew.Counted(int(blueprints), "blueprint"), curlew.Counted(int(entities), "entity"))
			}
			tx.About(string(name))
			return none, tx.Kinds().Remove(ctx, name)
		})
	return err
}

// ProposeKind proposes the fields of a kind from what a watch reads: the names that its
// page has for them, and the types that they look like. Nothing is kept.
func (a *App) ProposeKind(ctx context.Context, who auth.Identity, id curlew.WatchID) (KindFields, error) {
	return see(a, who, func(s store.Scope) (none KindFields, err error) {
		watch, err := s.Watches().Get(ctx, id)
		if err != nil {
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
}

// looked are the types of fields by what their values look like.
var looked = map[string]curlew.FieldType{
	"date": curlew.TypeDate, "price": curlew.TypeMoney, "url": curlew.TypeURL, "number": curlew.TypeNumber,
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
			f.Type = curlew.TypeText
			if b.Expect != nil {
				f.Type = cmp.Or(looked[b.Expect.Fields[path].Looks], curlew.TypeText)
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

// kindNamed is the kind that a command names: built in, or of the caller's org.
func (a *App) kindNamed(ctx context.Context, org curlew.OrgID, name curlew.SchemaName) (curlew.Schema, error) {
	if name == "" || name.BuiltIn() || name == curlew.SchemaCustom {
		return name.Kind(), nil
	}
	all, err := a.i.Store.Org(org).Kinds().All(ctx)
	if err != nil {
		return curlew.Schema{}, err
	}
	kind, err := all.ByName(name)
	return kind, curlew.Wrong("schema", err)
}

// With takes over what somebody says anew: fields by their names, the title, the identity.
func (f KindFields) With(given KindFields) KindFields {
	f.Fields = slices.Clone(f.Fields)
	for _, field := range given.Fields {
		at := slices.IndexFunc(f.Fields, func(old curlew.Field) bool { return old.Name == field.Name })
		if at < 0 {
			f.Fields = append(f.Fields, field)
		} else {
			f.Fields[at] = field
		}
	}
	f.Title = cmp.Or(given.Title, f.Title)
	if len(given.Identity) > 0 {
		f.Identity = given.Identity
	}
	return f
}
