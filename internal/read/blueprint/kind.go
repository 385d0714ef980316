package blueprint

import "github.com/curlew-data/curlew/internal/curlew"

// Kind is what the records are: a built-in kind, the one that the blueprint defines, or
// for a custom one the texts that it names.
func (b *Blueprint) Kind() curlew.Schema {
	switch {
	case b.Schema.BuiltIn():
		return b.Schema.Kind()
	case b.Own != nil:
		return *b.Own
	}
	kind := curlew.Schema{Name: b.Schema, Identity: [][]string{{"url"}}}
	for _, name := range sortedKeys(b.Fields) {
		f := curlew.Field{Name: name, Type: curlew.TypeText}
		switch {
		case b.Fields[name].Many:
			f.Type = curlew.TypeList
		case name == "url":
			f.Type = curlew.TypeURL
		case name == "title" || name == "name" && kind.Title == "":
			kind.Title = name
		}
		kind.Fields = append(kind.Fields, f)
	}
	if kind.Title != "" {
		kind.Identity = append(kind.Identity, []string{kind.Title})
	}
	return kind
}

// kind holds the definition of a kind against its name.
func (c *compiler) kind(place string, b *Blueprint) {
	switch {
	case b.Own == nil:
		names := []string{}
		for _, s := range curlew.Schemas() {
			names = append(names, string(s.Name))
		}
		c.oneOf(place+"/schema", string(b.Schema), append(names, string(curlew.SchemaCustom))...)
	case b.Own.Name != b.Schema:
		c.add(place+"/kind/name", "the blueprint reads %q, so its kind has that name", b.Schema)
	default:
		for _, p := range b.Own.Check() {
			c.add(place+"/kind/"+p.Field, "%s", p.Sentence)
		}
	}
}

// Define gives the blueprint, and those of the pages that records lead to, another
// definition of their kind.
func (b *Blueprint) Define(kind curlew.Schema, renamed curlew.Renaming) {
	if b.Schema == kind.Name {
		b.Own, b.Fields = kind.Own(), curlew.RenamedKeys(b.Fields, renamed)
		if b.Expect != nil {
			b.Expect.Fields = curlew.RenamedKeys(b.Expect.Fields, renamed)
		}
		if b.Identity != nil {
			for i, set := range b.Identity.Fields {
				b.Identity.Fields[i] = renamed.Names(set)
			}
		}
	}
	for i, f := range b.Follow {
		b.Follow[i].Field = renamed.Name(f.Field)
		f.With.Define(kind, renamed)
	}
}

// inherit gives the definition of a kind to the blueprints of the pages that records
// lead to.
func (b *Blueprint) inherit() {
	for _, f := range b.Follow {
		if f.With == nil {
			continue
		}
		if f.With.Own == nil && f.With.Schema == b.Schema {
			f.With.Own = b.Own
		}
		f.With.inherit()
	}
}
