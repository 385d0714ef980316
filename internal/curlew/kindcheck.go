package curlew

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of an org's own kinds.
const (
	maxKindFields  = 60
	maxKindName    = 40
	maxKindChoices = 100
	maxKindLabels  = 20
	maxIdentities  = 5
)

// everywhere are the names that filters, feeds and tables have for what every thing has.
var everywhere = []string{"id", "kind", "schema", "external_id", "entity_status", "source_id", "watch_id", "reason", "code", "position",
	"entity_id", "entity_schema", "entity_url", "entity_version", "first_seen_at", "changed_at", "slots"}

// EveryRecordHas says whether a name cannot be that of a field of an own kind, because
// everything has something of that name.
func EveryRecordHas(name string) bool { return slices.Contains(everywhere, name) }

// Completed fills in what a kind leaves open: the title is the first text; things are the
// same that have the same address, else the same title; amounts have their currency.
func (s Schema) Completed() Schema {
	s.Fields = slices.Clone(s.Fields)
	if s.Title == "" {
		s.Title = s.OfType(TypeText)
	}
	if _, has := s.Field("currency"); s.OfType(TypeMoney) != "" && !has {
		s.Fields = append(s.Fields, Field{Name: "currency", Type: TypeText})
	}
	if len(s.Identity) == 0 {
		if s.Identity = [][]string{{"url"}}; s.Title != "" {
			s.Identity = append(s.Identity, []string{s.Title})
		}
	}
	return s
}

// Check tells what is wrong with an org's own kind; each problem names its part.
func (s Schema) Check() Problems {
	var all Problems
	switch {
	case !IsFieldName(string(s.Name)):
		all.Add("name", "name the kind in lowercase letters, digits and _, beginning with a letter, at most 40 characters")
	case s.Name.BuiltIn() || s.Name == SchemaCustom:
		all.Add("name", fmt.Sprintf("%q is a built-in kind: choose another name", s.Name))
	}
	if len(s.Fields) == 0 || len(s.Fields) > maxKindFields {
		all.Add("fields", fmt.Sprintf("give at least one field, at most %d", maxKindFields))
	}
	seen := map[string]bool{}
	for i, f := range s.Fields {
		at := fmt.Sprintf("fields/%d", i)
		if seen[f.Name] {
			all.Add(at+"/name", fmt.Sprintf("there are two fields %q", f.Name))
		}
		seen[f.Name] = true
		f.check(at, &all)
	}
	s.checkTitle(&all)
	s.checkIdentity(&all)
	return all
}

func (f Field) check(at string, all *Problems) {
	switch {
	case !IsFieldName(f.Name):
		all.Add(at+"/name", fmt.Sprintf("%q: name a field in lowercase letters, digits and _, beginning with a letter, at most 40 characters",
			f.Name))
	case EveryRecordHas(f.Name):
		all.Add(at+"/name", fmt.Sprintf("%s is a word that every record has: choose another name", f.Name))
	case f.Name == "currency" && f.Type != TypeText:
		all.Add(at+"/type", "the currency of amounts is a text")
	}
	f.checkType(at, all)
	for _, c := range f.Choices {
		if oddWords(c) || strings.ToLower(c) != c {
			all.Add(at+"/choices", fmt.Sprintf("%q: write choices in lowercase, at most 100 characters each", c))
			return
		}
	}
	if len(f.Labels) > maxKindLabels || slices.ContainsFunc(f.Labels, oddWords) {
		all.Add(at+"/labels", fmt.Sprintf("give at most %d labels, each a line of at most 100 characters", maxKindLabels))
	}
}

// oddWords says whether words are none that a page shows on a line.
func oddWords(words string) bool {
	hidden := func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }
	return strings.TrimSpace(words) == "" || len(words) > 100 || strings.ContainsFunc(words, hidden) || !utf8.ValidString(words)
}

// listed are the types that a list may be of; money needs its currency, and a set its choices.
var listed = []FieldType{TypeText, TypeLong, TypeNumber, TypeInteger, TypeDate, TypeTime, TypeDuration, TypeURL, TypePicture, TypePlace}

func (f Field) checkType(at string, all *Problems) {
	switch {
	case !slices.Contains(FieldTypes(), f.Type):
		all.Add(at+"/type", fmt.Sprintf("%q is not one of %s", f.Type, typeWords()))
	case f.Type == TypeChoice && (len(f.Choices) == 0 || len(f.Choices) > maxKindChoices):
		all.Add(at+"/choices", fmt.Sprintf("%s is one of a set: give at least one choice, at most %d", f.Name, maxKindChoices))
	case f.Type != TypeChoice && len(f.Choices) > 0:
		all.Add(at+"/choices", fmt.Sprintf("%s has choices, so its type is choice", f.Name))
	case f.Of != "" && (f.Type != TypeList || !slices.Contains(listed, f.Of)):
		all.Add(at+"/of", fmt.Sprintf("%q cannot be what a list is of: use text, number, integer, date, time, url or picture", f.Of))
	}
}

func typeWords() string {
	var words []string
	for _, t := range FieldTypes() {
		words = append(words, string(t))
	}
	return strings.Join(words, ", ")
}

func (s Schema) checkTitle(all *Problems) {
	if s.Title == "" {
		all.Add("title", "set a title field, or add a field of type text")
		return
	}
	if f, has := s.Field(s.Title); !has || f.Type != TypeText {
		all.Add("title", fmt.Sprintf("%q is no field of the type text", s.Title))
	}
}

func (s Schema) checkIdentity(all *Problems) {
	if len(s.Identity) > maxIdentities {
		all.Add("identity", fmt.Sprintf("give at most %d sets of fields", maxIdentities))
	}
	for i, set := range s.Identity {
		if len(set) == 0 || slices.Contains(set, "") {
			all.Add(fmt.Sprintf("identity/%d", i), "a set of fields has no name in a place: join the names of fields by +, such as title+day")
			continue
		}
		for _, name := range set {
			if _, has := s.Field(name); !has && (name != "url" || len(set) > 1) {
				all.Add(fmt.Sprintf("identity/%d", i), fmt.Sprintf("unknown field %q", name))
			}
		}
	}
}

// IsFieldName says whether a name may be that of a field or a kind.
func IsFieldName(name string) bool {
	return name != "" && len(name) <= maxKindName && name[0] >= 'a' && name[0] <= 'z' &&
		strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == ""
}
