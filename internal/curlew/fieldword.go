package curlew

import (
	"slices"
	"time"
)

// FieldWord is what a word on pages means in a field of a kind, as somebody of the org
// said: "Nu te reserveren" means preorder as the availability of a product.
type FieldWord struct {
	Schema SchemaName `json:"schema"`
	Field  string     `json:"field"`
	Word   string     `json:"word"`
	Value  string     `json:"value"` // one of the field's choices
	MadeAt time.Time  `json:"made_at,omitzero"`
}

// FieldWords are all words of an org.
type FieldWords []FieldWord

// Of are the words of one field.
func (all FieldWords) Of(schema SchemaName, field string) FieldWords {
	var some FieldWords
	for _, w := range all {
		if w.Schema == schema && w.Field == field {
			some = append(some, w)
		}
	}
	return some
}

// Reading is the kind as an org reads pages by it: its fields know the org's words.
func (s Schema) Reading(words FieldWords) Schema {
	for at, f := range s.Fields {
		if of := words.Of(s.Name, f.Name); len(of) > 0 {
			s.Fields = slices.Clone(s.Fields)
			for _, w := range of {
				s.Fields[at].Words = append(slices.Clone(s.Fields[at].Words), w.Word)
			}
		}
	}
	return s
}

// Answers are what a field can hold, where that is a closed set: its choices, or yes and no.
func (f Field) Answers() []string {
	if f.Type == TypeBool {
		return []string{"yes", "no"}
	}
	return f.Choices
}
