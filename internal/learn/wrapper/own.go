package wrapper

import (
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/regions"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/labels"
)

// FieldOf is the field of a kind that a label names. In an org's own that is the one that is called so,
// or when the name need not be exact one that means the same, or whose words the label
// begins or ends with; "" for none.
func FieldOf(kind curlew.Schema, label string, exact bool) string {
	if kind.Name.BuiltIn() {
		return fieldMeant(kind, labels.Of(label))
	}
	spelled := [][]string{namesOf(label), namesOf(umlauts.Replace(text.Fold(label)))}
	called := func(like func(own, words []string) bool) string {
		return nameAt(kind, slices.IndexFunc(kind.Fields, func(f curlew.Field) bool {
			return slices.ContainsFunc(f.Names(), func(name string) bool {
				return slices.ContainsFunc(spelled, func(words []string) bool { return len(words) > 0 && like(namesOf(name), words) })
			})
		}))
	}
	if field := called(func(own, words []string) bool { return slices.Equal(own, words) }); field != "" || exact {
		return field
	}
	if field := fieldMeant(kind, labels.Of(label)); field != "" {
		return field
	}
	return called(func(own, words []string) bool {
		n := len(own)
		return n > 0 && n < len(words) && (slices.Equal(words[:n], own) || slices.Equal(words[len(words)-n:], own))
	})
}

// EndsSo says whether the name of a field is some words, or ends with them.
func EndsSo(name, words string) bool {
	own, end := namesOf(name), namesOf(words)
	return len(end) > 0 && len(end) <= len(own) && slices.Equal(own[len(own)-len(end):], end)
}

func nameAt(kind curlew.Schema, i int) string {
	if i < 0 {
		return ""
	}
	return kind.Fields[i].Name
}

// fieldMeant is the field of a kind that something means: in an org's own, the first whose
// name means it.
func fieldMeant(kind curlew.Schema, m labels.Meaning) string {
	if m == labels.Unknown || kind.Name.BuiltIn() {
		return meant[kind.Name][m]
	}
	return nameAt(kind, slices.IndexFunc(kind.Fields, func(f curlew.Field) bool {
		return slices.ContainsFunc(f.Names(), func(name string) bool { return labels.Of(name) == m })
	}))
}

// namesOf are the words of a label as fields are named: "Sprzedaż" is sprzedaz.
func namesOf(label string) []string { return labels.Words(text.Unaccented(label)) }

// umlauts are letters that people also write as two: "Größe" is groesse, or grosse.
var umlauts = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "å", "aa")

// named is the field that a label names, where the values can be its.
func (s Slot) named(kind curlew.Schema, label string) string {
	if !kind.Name.BuiltIn() {
		for _, exact := range []bool{true, false} {
			if field := FieldOf(kind, label, exact); field != "" && s.agrees(kind, field) {
				return field
			}
		}
	}
	return s.meant(kind, labels.Of(label))
}

// typed is the field that values are which no label names, by their type.
func (s Slot) typed(kind curlew.Schema) string {
	if kind.Name.BuiltIn() {
		return byType[kind.Name][s.Type]
	}
	switch s.Type {
	case regions.TypeImage:
		return kind.OfType(curlew.TypePicture)
	case regions.TypePrice:
		return kind.OfType(curlew.TypeMoney)
	}
	return ""
}
