package curlew

import (
	_ "embed" // for the built-in kinds
	"encoding/json"
	"slices"
	"strings"
	"sync"
)

// SchemaName names a kind of thing: one of Curlew's own, or of an org's.
type SchemaName string

const (
	SchemaEvent        SchemaName = "event"
	SchemaProduct      SchemaName = "product"
	SchemaJob          SchemaName = "job"
	SchemaArticle      SchemaName = "article"
	SchemaOrganization SchemaName = "organization"
	SchemaItem         SchemaName = "item"   // any list
	SchemaPage         SchemaName = "page"   // any page, as its text
	SchemaCustom       SchemaName = "custom" // whatever its blueprint names
)

// FieldType is the type of a field's value.
type FieldType string

const (
	TypeText     FieldType = "text"
	TypeLong     FieldType = "long_text"
	TypeURL      FieldType = "url"
	TypePicture  FieldType = "picture"  // the address of one
	TypePlace    FieldType = "place"    // as people write it
	TypeTime     FieldType = "time"     // RFC 3339, or a date alone when the time is not known
	TypeDate     FieldType = "date"     // 2026-05-01
	TypeDuration FieldType = "duration" // integer in seconds
	TypeMoney    FieldType = "money"    // integer in minor units of the record's currency
	TypeNumber   FieldType = "number"
	TypeInteger  FieldType = "integer"
	TypeBool     FieldType = "bool"
	TypeChoice   FieldType = "choice" // one of Field.Choices
	TypeList     FieldType = "list"   // of text, or of what Field.Of says
	TypeMap      FieldType = "map"    // of text by name
)

// FieldTypes are the types that fields of an org's own kinds may have.
func FieldTypes() []FieldType {
	return []FieldType{TypeText, TypeLong, TypeURL, TypePicture, TypePlace, TypeTime, TypeDate, TypeDuration, TypeMoney, TypeNumber,
		TypeInteger, TypeBool, TypeChoice, TypeList}
}

// Numeric says whether values are numbers that can be more or less.
func (t FieldType) Numeric() bool {
	return t == TypeMoney || t == TypeNumber || t == TypeInteger || t == TypeDuration
}

// Dated says whether values are days or moments.
func (t FieldType) Dated() bool { return t == TypeTime || t == TypeDate }

// Address says whether values are addresses.
func (t FieldType) Address() bool { return t == TypeURL || t == TypePicture }

// Field is one field of a kind.
type Field struct {
	Name     string    `json:"name"`
	Type     FieldType `json:"type"`
	Required bool      `json:"required,omitempty"`
	Choices  []string  `json:"choices,omitempty"` // of a choice
	Of       FieldType `json:"of,omitempty"`      // of a list, or of the parts of a map; "" is text
	Labels   []string  `json:"labels,omitempty"`  // other words for it: what pages call it, names that it had
	Words    []string  `json:"-"`                 // on pages that mean one of its values to the org that reads
}

// Names are all words for the field, its name first.
func (f Field) Names() []string { return append([]string{f.Name}, f.Labels...) }

// Schema is a kind of thing. Built-in kinds and those of an org have the same form.
type Schema struct {
	Name SchemaName `json:"name"`
	// Title is the field that says what a thing is called.
	Title string `json:"title,omitempty"`
	// Identity says which fields make two records the same thing: the first set whose
	// first field has a value. The set of url alone is the address of the thing, where
	// no other has the same.
	Identity [][]string `json:"identity,omitempty"`
	Fields   []Field    `json:"fields"`
	// Retired says that it was deleted, and is kept to show what was read by it.
	Retired bool `json:"retired,omitempty"`
}

// Field finds a field by name.
func (s Schema) Field(name string) (Field, bool) {
	i := slices.IndexFunc(s.Fields, func(f Field) bool { return f.Name == name })
	if i < 0 {
		return Field{}, false
	}
	return s.Fields[i], true
}

// HasSlots says whether its records carry the columns of their list that it has no field for.
func (s Schema) HasSlots() bool {
	_, has := s.Field("slots")
	return has
}

// Find finds a field by its name, else by one of its labels.
func (s Schema) Find(name string) (Field, bool) {
	if f, has := s.Field(name); has {
		return f, true
	}
	i := slices.IndexFunc(s.Fields, func(f Field) bool { return slices.Contains(f.Labels, name) })
	if i < 0 {
		return Field{}, false
	}
	return s.Fields[i], true
}

// Renaming are the new names of fields by their old ones; "" for one that is gone.
type Renaming map[string]string

// Name is what a field is called now; "" when it is gone.
func (r Renaming) Name(field string) string {
	if to, has := r[field]; has {
		return to
	}
	return field
}

// Names are what fields are called now.
func (r Renaming) Names(fields []string) []string {
	out := make([]string, len(fields))
	for i, name := range fields {
		out[i] = r.Name(name)
	}
	return out
}

// RenamedKeys is a map by the names of fields after a renaming.
func RenamedKeys[V any](by map[string]V, r Renaming) map[string]V {
	if by == nil {
		return nil
	}
	out := make(map[string]V, len(by))
	for name, v := range by {
		if to := r.Name(name); to != "" {
			out[to] = v
		}
	}
	return out
}

// Renamed is the kind after a renaming. Old names stay as labels.
func (s Schema) Renamed(r Renaming) Schema {
	fields := s.Fields
	s.Fields, s.Identity, s.Title = nil, slices.Clone(s.Identity), r.Name(s.Title)
	for _, f := range fields {
		to := r.Name(f.Name)
		if to == "" {
			continue
		}
		if to != f.Name {
			f.Labels = append(slices.DeleteFunc(slices.Clone(f.Labels), func(label string) bool { return label == to }), f.Name)
			f.Name = to
		}
		s.Fields = append(s.Fields, f)
	}
	for i, set := range s.Identity {
		s.Identity[i] = r.Names(set)
	}
	return s
}

// Required are the fields without which a record is none.
func (s Schema) Required() []string {
	var names []string
	for _, f := range s.Fields {
		if f.Required {
			names = append(names, f.Name)
		}
	}
	return names
}

// Whole says whether fields have all that the kind requires.
func (s Schema) Whole(fields Values) bool {
	return !slices.ContainsFunc(s.Fields, func(f Field) bool { return f.Required && fields[f.Name] == nil })
}

// OfType is the first field of a type; "" for none.
func (s Schema) OfType(t FieldType) string {
	i := slices.IndexFunc(s.Fields, func(f Field) bool { return f.Type == t })
	if i < 0 {
		return ""
	}
	return s.Fields[i].Name
}

// TitleOf is what a thing is called; "" when it does not say. Of a kind that is not known,
// title and name say it.
func (s Schema) TitleOf(fields Values) string {
	for _, name := range []string{s.Title, "title", "name"} {
		if text, _ := fields[name].(string); text != "" {
			return text
		}
	}
	return ""
}

// Short are the fields that people want to see in a few words: all but the title, long
// texts and addresses.
func (s Schema) Short() []string {
	var names []string
	for _, f := range s.Fields {
		if f.Name != s.Title && f.Name != "currency" && f.Type != TypeLong && !f.Type.Address() {
			names = append(names, f.Name)
		}
	}
	return names
}

// Own is the kind as a blueprint of it defines it: nil for a built-in one, which its name
// tells, and for a custom one, which the rules tell.
func (s Schema) Own() *Schema {
	if s.Name.BuiltIn() || s.Name == SchemaCustom || len(s.Fields) == 0 {
		return nil
	}
	return &s
}

//go:embed kinds.json
var kindsText []byte

var builtIn = sync.OnceValue(func() Kinds {
	var all Kinds
	if err := json.Unmarshal(kindsText, &all); err != nil {
		panic("curlew: kinds.json is broken: " + err.Error())
	}
	return all
})

// Schemas lists the built-in kinds, in the order in which people meet them. Nobody
// changes what it gives.
func Schemas() Kinds { return builtIn() }

// SchemaByName finds a built-in kind.
func SchemaByName(name SchemaName) (Schema, error) { return builtIn().ByName(name) }

// BuiltIn says whether a name is that of a built-in kind.
func (n SchemaName) BuiltIn() bool {
	return slices.ContainsFunc(builtIn(), func(s Schema) bool { return s.Name == n })
}

// Kind is the built-in kind of a name; one without fields for any other name.
func (n SchemaName) Kind() Schema { return builtIn().Kind(n) }

// Kinds are those that somebody may use: the built-in ones, and those of an org.
type Kinds []Schema

// Kind finds a kind; one without fields for a name that none has.
func (k Kinds) Kind(name SchemaName) Schema {
	if i := slices.IndexFunc(k, func(s Schema) bool { return s.Name == name }); i >= 0 {
		return k[i]
	}
	return Schema{Name: name}
}

// Current are the kinds without those that were deleted.
func (k Kinds) Current() Kinds {
	return slices.DeleteFunc(slices.Clone(k), func(s Schema) bool { return s.Retired })
}

// ByName finds a kind that was not deleted.
func (k Kinds) ByName(name SchemaName) (Schema, error) {
	k = k.Current()
	if s := k.Kind(name); len(s.Fields) > 0 {
		return s, nil
	}
	names := make([]string, len(k))
	for i, s := range k {
		names[i] = string(s.Name)
	}
	all := strings.Join(names[:max(0, len(names)-1)], ", ") + " or " + names[len(names)-1]
	return Schema{}, Permanent("unknown_schema", "unknown kind %q: use %s", name, all)
}

// Check says what is wrong with a name by which somebody asks for records: also a deleted kind may have some.
func (k Kinds) Check(name SchemaName) error {
	if name == "" || name == SchemaCustom || len(k.Kind(name).Fields) > 0 {
		return nil
	}
	_, err := k.ByName(name)
	return err
}

// shape is the kind that something was read as: the one it carries along, or the one
// that its name tells.
func shape(name SchemaName, own *Schema) Schema {
	if own != nil && !name.BuiltIn() {
		return *own
	}
	return name.Kind()
}
