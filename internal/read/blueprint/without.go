package blueprint

import (
	"maps"
	"slices"
)

// Without is a blueprint that no longer reads some fields, here or on detail pages; ok is
// false where it cannot do without them, or does not read them by rules of its own.
func (b *Blueprint) Without(fields []string) (_ *Blueprint, ok bool) {
	taken := false
	var prune func(b *Blueprint) (*Blueprint, bool)
	prune = func(b *Blueprint) (*Blueprint, bool) {
		out := *b
		out.Fields, out.Follow = maps.Clone(b.Fields), slices.Clone(b.Follow)
		for _, name := range fields {
			f, has := out.Fields[name]
			if has && f.Required || name == b.Kind().Title {
				return nil, false
			}
			delete(out.Fields, name)
			taken = taken || has
		}
		if out.Expect != nil {
			expect := *out.Expect
			expect.Fields = maps.Clone(expect.Fields)
			maps.DeleteFunc(expect.Fields, func(name string, _ Expectation) bool { return slices.Contains(fields, name) })
			out.Expect = &expect
		}
		for i, f := range out.Follow {
			with, ok := prune(f.With)
			if !ok {
				return nil, false
			}
			out.Follow[i].With = with
		}
		return &out, true
	}
	out, ok := prune(b)
	return out, ok && taken
}
