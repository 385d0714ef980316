package curlew

import (
	"errors"
	"testing"
)

func TestEverySchemaIsSound(t *testing.T) {
	types := map[FieldType]bool{TypeText: true, TypeLong: true, TypeURL: true, TypeTime: true, TypeMoney: true, TypeNumber: true,
		TypeInteger: true, TypeBool: true, TypeChoice: true, TypeList: true, TypeMap: true}
	for _, s := range Schemas() {
		seen := map[string]bool{}
		required := 0
		for _, f := range s.Fields {
			if seen[f.Name] || !types[f.Type] || (f.Type == TypeChoice) != (len(f.Choices) > 0) {
				t.Errorf("%s.%s is not sound: %+v", s.Name, f.Name, f)
			}
			seen[f.Name] = true
			if f.Required {
				required++
			}
		}
		if required == 0 {
			t.Errorf("%s requires nothing", s.Name)
		}
		if found, err := SchemaByName(s.Name); err != nil || found.Name != s.Name {
			t.Errorf("%s: %v", s.Name, err)
		}
	}
	if _, err := SchemaByName("recipe"); !errors.Is(err, Code("unknown_schema")) {
		t.Errorf("an unknown schema: %v", err)
	}
}
