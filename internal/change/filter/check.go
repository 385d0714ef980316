package filter

import (
	"fmt"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
)

// own are the fields that every change has, whatever its schema.
var own = []curlew.Field{
	{Name: "kind", Type: curlew.TypeChoice, Choices: kinds},
	{Name: "schema", Type: curlew.TypeText},
	{Name: "external_id", Type: curlew.TypeText},
	{Name: "entity_status", Type: curlew.TypeChoice, Choices: []string{
		string(curlew.EntityActive), string(curlew.EntityStale), string(curlew.EntityRemoved), string(curlew.EntityFinished)}},
	{Name: "source_id", Type: curlew.TypeText},
	{Name: "watch_id", Type: curlew.TypeText},
	{Name: "reason", Type: curlew.TypeText},
	{Name: "code", Type: curlew.TypeText},
	{Name: "position", Type: curlew.TypeInteger},
}

func isOwn(name string) bool {
	return slices.ContainsFunc(own, func(f curlew.Field) bool { return f.Name == name })
}

var kinds = kindNames()

func kindNames() (names []string) {
	for _, kind := range curlew.ChangeKinds() {
		names = append(names, string(kind))
	}
	return names
}

// check holds every condition to the fields of the schemas.
func (x Expr) check(source string, schemas []curlew.Schema) error {
	var first error
	x.walk(func(part Expr) {
		if first == nil && part.Field != "" {
			first = part.checkTest(source, schemas)
		}
	})
	return first
}

func (x Expr) checkTest(source string, schemas []curlew.Schema) error {
	candidates := x.candidates(schemas)
	if len(candidates) == 0 {
		name, known := text.Clip(x.Field, 40), suggest(x.Field, fieldNames(schemas))
		if known == "" && slices.ContainsFunc(schemas, curlew.Schema.HasSlots) {
			known = "; a column of a list is written slots." + name
		}
		return problem(source, x.field, "unknown field %q%s", name, known)
	}
	var first error
	for _, field := range candidates {
		why, at := x.misfit(field)
		if why == "" {
			return nil
		}
		if first == nil {
			first = problem(source, at, "%s", why)
		}
	}
	return first
}

// candidates are the fields that a name may mean: one in each schema that has it.
func (x Expr) candidates(schemas []curlew.Schema) []curlew.Field {
	base, key, dotted := strings.Cut(x.Field, ".")
	var found []curlew.Field
	for _, s := range schemas {
		if f, ok := s.Find(x.Field); ok {
			found = append(found, f)
		} else if f, ok := s.Field(base); ok && dotted && key != "" && f.Type == curlew.TypeMap {
			found = append(found, curlew.Field{Name: x.Field, Type: f.Of}) // a column of a list may be anything
		}
	}
	i := slices.IndexFunc(own, func(f curlew.Field) bool { return f.Name == x.Field })
	if i >= 0 {
		found = append(found, own[i])
	}
	return found
}

func fieldNames(schemas []curlew.Schema) []string {
	var names []string
	for _, s := range append(slices.Clone(schemas), curlew.Schema{Fields: own}) {
		for _, f := range s.Fields {
			if !slices.Contains(names, f.Name) {
				names = append(names, f.Name)
			}
		}
	}
	return names
}

func numeric(t curlew.FieldType) bool { return t.Numeric() }

// misfit says why a test cannot be asked of a field, and which part is to blame.
func (x Expr) misfit(f curlew.Field) (string, place) {
	switch x.Test {
	case Within, WithinLast:
		if f.Type != "" && !f.Type.Dated() {
			return fmt.Sprintf("%s is no time, so it is not within anything", f.Name), x.test
		}
		return "", place{}
	case Increased, Decreased, FallsBelow, RisesAbove, Below, AtMost, Above, AtLeast:
		if f.Type != "" && !numeric(f.Type) && !f.Type.Dated() {
			return fmt.Sprintf("%s is no number and no time, so it is neither more nor less", f.Name), x.test
		}
	case Contains, StartsWith, EndsWith, Gains, Loses:
		if numeric(f.Type) || f.Type == curlew.TypeBool || f.Type.Dated() {
			return fmt.Sprintf("%s is no text; compare it with =, < or >", f.Name), x.test
		}
		return "", place{}
	}
	for _, v := range x.Values {
		if why := v.misfit(f); why != "" && f.Type != "" {
			return why, v.span
		}
	}
	return "", place{}
}

// misfit says why a value cannot be compared with a field.
func (l Literal) misfit(f curlew.Field) string {
	_, dated := parseMoment(l.Text)
	switch {
	case l.Unit != "" && f.Type != curlew.TypeMoney:
		return fmt.Sprintf("%s is no amount of money, so it has no currency", f.Name)
	case l.Kind == LiteralDuration && !f.Type.Dated():
		return fmt.Sprintf("%s is no time: write a number or a share", f.Name)
	case f.Type.Dated() && l.Kind != LiteralDuration && !dated:
		return fmt.Sprintf("%s is a time: compare it with a date (2026-04-18), or say by how long (1h)", f.Name)
	case numeric(f.Type) && !numberPattern().MatchString(l.Text):
		return fmt.Sprintf("%s is a number; this value is not", f.Name)
	case f.Type == curlew.TypeBool && l.Kind != LiteralBool:
		return fmt.Sprintf("%s is true or false", f.Name)
	case f.Type == curlew.TypeChoice && !slices.Contains(f.Choices, strings.ToLower(l.Text)):
		return fmt.Sprintf("%s is never %q%s", f.Name, text.Clip(l.Text, 40), suggest(l.Text, f.Choices))
	case f.Type == curlew.TypeMap:
		return fmt.Sprintf("name what you mean in %s: %s.colour", f.Name, f.Name)
	}
	return ""
}
