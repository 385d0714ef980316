package app

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/read/normalise"
	"github.com/curlew-data/curlew/internal/work/onboard"
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

// EditKind changes a kind of the org's own; what is absent stays.
type EditKind struct {
	Name     curlew.SchemaName `json:"-"`
	Title    string            `json:"title,omitempty" maxlen:"40"`
	Identity [][]string        `json:"identity,omitempty"`
	Fields   []curlew.Field    `json:"fields,omitempty"` // new ones, and those that are said anew, by their names
	Rename   map[string]string `json:"rename,omitempty"` // new names of fields by their old ones
	Remove   []string          `json:"remove,omitempty"` // names of fields
}

// Check says what is wrong with the command.
func (c EditKind) Check() curlew.Problems { return bounds(c) }

// renaming is what becomes of the names of a kind's fields.
func (c EditKind) renaming(kind curlew.Schema) (curlew.Renaming, error) {
	names := curlew.Renaming{}
	maps.Copy(names, c.Rename)
	for old, name := range c.Rename {
		if strings.TrimSpace(name) == "" {
			return nil, curlew.Problems{{Field: "rename", Sentence: "give the new name of " + old + ", or remove it"}}
		}
	}
	for _, name := range c.Remove {
		names[name] = ""
	}
	for old, name := range names {
		if problem := c.renameProblem(kind, names, old, name); problem != "" {
			return nil, curlew.Problems{{Field: "rename", Sentence: problem}}
		}
	}
	return names, nil
}

// renameProblem says why a field cannot get another name, or go where that is "".
func (c EditKind) renameProblem(kind curlew.Schema, names curlew.Renaming, old, name string) string {
	_, has := kind.Field(old)
	_, taken := kind.Field(name)
	money := func(f curlew.Field) bool { return f.Type == curlew.TypeMoney && names.Name(f.Name) != "" }
	switch {
	case !has:
		return fmt.Sprintf("%s has no field %q", kind.Name, old)
	case name == "" && c.Rename[old] != "":
		return fmt.Sprintf("%s cannot get another name and be removed at once", old)
	case taken && name != old && names.Name(name) == name:
		return fmt.Sprintf("there is a field %s already", name)
	case old == "currency" && name != old && slices.ContainsFunc(kind.Fields, money):
		return "currency belongs to the fields of type money: it stays as long as there is one"
	}
	return ""
}

// Kinds lists the built-in kinds, and those of the org after them.
func (a *App) Kinds(ctx context.Context, who auth.Identity) (curlew.Kinds, error) {
	return see(a, who, func(s store.Scope) (curlew.Kinds, error) {
		all, err := s.Kinds().All(ctx)
		return all.Current(), err
	})
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
	return do(ctx, a.as(who), verb{"addKind", auth.EditBlueprints}, c, func(ctx context.Context, tx *Tx) (none curlew.Schema, err error) {
		own, err := tx.Kinds().Own(ctx)
		if err != nil {
			return none, err
		}
		former := slices.IndexFunc(own, func(k curlew.Schema) bool { return k.Name == c.Name })
		if former >= 0 && !own[former].Retired {
			taken := fmt.Sprintf("there is a kind %s already: edit it, or choose another name", c.Name)
			return none, curlew.Problems{{Field: "name", Sentence: taken}}
		}
		if len(own) >= mostKinds {
			full := fmt.Sprintf("an org can have at most %d custom kinds: delete one first", mostKinds)
			return none, curlew.Problems{{Field: "name", Sentence: full}}
		}
		kind := c.kind(c.Name)
		tx.About(string(kind.Name))
		tx.Detail(kind)
		if former >= 0 {
			return kind, tx.Kinds().Set(ctx, kind)
		}
		return kind, tx.Kinds().Add(ctx, kind)
	})
}

// EditKind keeps what a kind is from now on, also in the blueprints that read it and in
// the things that were read by them.
func (a *App) EditKind(ctx context.Context, who auth.Identity, c EditKind) (curlew.Schema, error) {
	return do(ctx, a.as(who), verb{"editKind", auth.EditBlueprints}, c, func(ctx context.Context, tx *Tx) (none curlew.Schema, err error) {
		if c.Name.BuiltIn() {
			return none, builtIn(c.Name)
		}
		old, err := currentKind(ctx, tx, c.Name)
		if err != nil {
			return none, err
		}
		renamed, err := c.renaming(old)
		if err != nil {
			return none, err
		}
		kind := fieldsOf(old.Renamed(renamed)).With(KindFields{Title: c.Title, Identity: c.Identity, Fields: c.Fields}).kind(c.Name)
		keepOldNames(kind.Fields, renamed)
		if wrong := kind.Check(); len(wrong) > 0 {
			return none, wrong
		}
		if err := redefineBlueprints(ctx, tx, kind, renamed); err != nil {
			return none, err
		}
		if err := redefineReadings(ctx, tx, kind, renamed); err != nil {
			return none, err
		}
		if err := renameFields(ctx, tx, kind, renamed); err != nil {
			return none, err
		}
		tx.About(string(kind.Name))
		tx.Detail(changed(c))
		return kind, tx.Kinds().Set(ctx, kind)
	})
}

// keepOldNames keeps the names that fields had as labels, also where somebody gave other labels:
// filters go on by them.
func keepOldNames(fields []curlew.Field, renamed curlew.Renaming) {
	for old, name := range renamed {
		for i, f := range fields {
			if f.Name == name && name != "" && old != name && !slices.Contains(f.Labels, old) {
				fields[i].Labels = append(slices.Clone(f.Labels), old)
			}
		}
	}
}

// fieldsOf are what a person would say about a kind.
func fieldsOf(kind curlew.Schema) KindFields {
	return KindFields{Title: kind.Title, Identity: kind.Identity, Fields: kind.Fields}
}

func builtIn(name curlew.SchemaName) error {
	return curlew.Permanent("kind_built_in", "%s is built in: only kinds of your own can be changed", name)
}

// eachOf goes through rows in the order of their ids, some at a time.
func eachOf[T any](list func(store.Window) ([]T, error), id func(T) string, do func([]T) error) error {
	for w := (store.Window{Limit: 500}); ; {
		some, err := list(w)
		if err != nil {
			return err
		}
		if err := do(some); err != nil {
			return err
		}
		if len(some) < w.Limit {
			return nil
		}
		w.After = id(some[len(some)-1])
	}
}

// redefineBlueprints gives a kind's definition to the blueprints that read it.
func redefineBlueprints(ctx context.Context, tx *Tx, kind curlew.Schema, renamed curlew.Renaming) error {
	list := func(w store.Window) ([]curlew.Blueprint, error) {
		return tx.Blueprints().List(ctx, store.BlueprintFilter{Schema: kind.Name}, w)
	}
	return eachOf(list, func(b curlew.Blueprint) string { return string(b.ID) }, func(some []curlew.Blueprint) error {
		for _, row := range some {
			rules, err := redefined(row.Rules, kind, renamed)
			if err != nil {
				return curlew.Problems{{Field: "fields", Sentence: fmt.Sprintf("the blueprint %s would stop working: %v", row.ID, err)}}
			}
			if err := tx.Blueprints().SetRules(ctx, row.ID, rules); err != nil {
				return err
			}
		}
		return nil
	})
}

// redefineReadings gives a kind's definition to the readings that candidates offer.
func redefineReadings(ctx context.Context, tx *Tx, kind curlew.Schema, renamed curlew.Renaming) error {
	list := func(w store.Window) ([]curlew.Candidate, error) {
		return tx.Candidates().List(ctx, store.CandidateFilter{Status: curlew.CandidateTesting}, w)
	}
	return eachOf(list, func(c curlew.Candidate) string { return string(c.ID) }, func(some []curlew.Candidate) error {
		for _, c := range some {
			changed, err := redefineChoices(&c, kind, renamed)
			if err != nil {
				return err
			}
			if !changed {
				continue
			}
			if err := tx.Candidates().Save(ctx, c); err != nil {
				return err
			}
		}
		return nil
	})
}

// redefineChoices says whether a candidate offers readings of the kind.
func redefineChoices(c *curlew.Candidate, kind curlew.Schema, renamed curlew.Renaming) (changed bool, err error) {
	report := onboard.ReportOf(*c)
	for i, choice := range report.Choices {
		if choice.Kind != kind.Name {
			continue
		}
		if choice.Rules, err = redefined(choice.Rules, kind, renamed); err != nil {
			why := fmt.Sprintf("a reading of the candidate %s would stop working: choose or reject it first: %v", c.ID, err)
			return false, curlew.Problems{{Field: "fields", Sentence: why}}
		}
		for n := range choice.Sample {
			choice.Sample[n] = curlew.RenamedKeys(choice.Sample[n], renamed)
		}
		report.Choices[i], changed = choice, true
	}
	if changed {
		c.Report, err = json.Marshal(report)
	}
	return changed, err
}

// redefined are the rules of a blueprint with another definition of its kind.
func redefined(rules []byte, kind curlew.Schema, renamed curlew.Renaming) ([]byte, error) {
	b, err := blueprint.Parse(rules)
	if err != nil {
		return nil, err
	}
	b.Define(kind, renamed)
	if _, err := blueprint.Compile(b); err != nil {
		return nil, err
	}
	return blueprint.Marshal(b)
}

// renameFields gives the fields of what was read their new names: another name is no
// change of a thing.
func renameFields(ctx context.Context, tx *Tx, kind curlew.Schema, renamed curlew.Renaming) error {
	if len(renamed) == 0 {
		return nil
	}
	list := func(w store.Window) ([]curlew.Entity, error) {
		return tx.Entities().List(ctx, store.EntityFilter{Schema: kind.Name}, w)
	}
	return eachOf(list, func(e curlew.Entity) string { return string(e.ID) }, func(some []curlew.Entity) error {
		for i := range some {
			some[i].Fields = curlew.RenamedKeys(some[i].Fields, renamed)
			some[i].Hash = normalise.Hash(some[i].Fields)
			if err := renameEvidence(ctx, tx, &some[i], renamed); err != nil {
				return err
			}
		}
		return tx.Entities().SaveAll(ctx, some)
	})
}

// renameEvidence keeps what proves the values of a thing under their new names. Records
// stay as they were read, so it is another one.
func renameEvidence(ctx context.Context, tx *Tx, e *curlew.Entity, renamed curlew.Renaming) error {
	record, err := tx.Records().Get(ctx, e.Record)
	if errors.Is(err, curlew.ErrNotFound) { // it was kept long enough
		return nil
	}
	if err != nil {
		return err
	}
	record.Fields, record.Provenance = curlew.RenamedKeys(record.Fields, renamed), curlew.RenamedKeys(record.Provenance, renamed)
	record.Hash = normalise.Hash(record.Fields)
	record, err = tx.Records().Add(ctx, record)
	e.Record = record.ID
	return err
}

// DeleteKind deletes a kind that nothing is read by any more. One that was used is kept
// aside, so that what was read by it can be shown.
func (a *App) DeleteKind(ctx context.Context, who auth.Identity, name curlew.SchemaName) error {
	_, err := do(ctx, a.as(who), verb{"deleteKind", auth.EditBlueprints}, one[curlew.SchemaName]{name},
		func(ctx context.Context, tx *Tx) (none struct{}, err error) {
			if name.BuiltIn() {
				return none, builtIn(name)
			}
			kind, err := currentKind(ctx, tx, name)
			if err != nil {
				return none, err
			}
			if err := unread(ctx, tx, name); err != nil {
				return none, err
			}
			tx.About(string(name))
			used, err := tx.Kinds().Used(ctx, name)
			if err != nil {
				return none, err
			}
			if !used {
				return none, tx.Kinds().Remove(ctx, name)
			}
			kind.Retired = true
			return none, tx.Kinds().Set(ctx, kind)
		})
	return err
}

// currentKind is one of the org's own kinds that was not deleted.
func currentKind(ctx context.Context, tx *Tx, name curlew.SchemaName) (curlew.Schema, error) {
	kind, err := tx.Kinds().Get(ctx, name)
	if err == nil && kind.Retired {
		err = curlew.Permanent(curlew.ErrNotFound, "the kind %s was deleted", name)
	}
	return kind, err
}

// unread says what a kind is still read by: watches, and candidates that are to be.
func unread(ctx context.Context, tx *Tx, name curlew.SchemaName) error {
	watches, err := tx.Kinds().Watches(ctx, name)
	if err != nil {
		return err
	}
	var users []string
	for _, w := range watches {
		users = append(users, fmt.Sprintf("the watch %s (%s)", w.ID, w.Name))
	}
	list := func(w store.Window) ([]curlew.Candidate, error) {
		return tx.Candidates().List(ctx, store.CandidateFilter{}, w)
	}
	err = eachOf(list, func(c curlew.Candidate) string { return string(c.ID) }, func(some []curlew.Candidate) error {
		for _, c := range some {
			kind, _ := onboard.KindIn(c.Instructions)
			if done := c.Status == curlew.CandidateRejected || c.Status == curlew.CandidateDeployed; !done && kind == string(name) {
				users = append(users, fmt.Sprintf("the candidate %s (%s)", c.ID, c.URL))
			}
		}
		return nil
	})
	if err != nil || len(users) == 0 {
		return err
	}
	named := strings.Join(users[:min(len(users), 3)], ", ")
	if more := len(users) - 3; more > 0 {
		named += fmt.Sprintf(" and %d more", more)
	}
	return curlew.Permanent("kind_in_use", "%s is in use by %s: delete them first; entities already stored are kept", name, named)
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
			continue
		}
		if field.Labels == nil {
			field.Labels = f.Fields[at].Labels
		}
		f.Fields[at] = field
	}
	f.Title = cmp.Or(given.Title, f.Title)
	if len(given.Identity) > 0 {
		f.Identity = given.Identity
	}
	return f
}
