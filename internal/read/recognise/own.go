package recognise

import (
	"maps"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/read/structured"
	"github.com/curlew-data/curlew/internal/text/labels"
)

// ownMapping is how the items of a graph become records of an org's own kind: those of the
// type that is called like the kind, else of the one whose properties are called like most
// of its fields. Nil means that the graph has none.
func ownMapping(kind curlew.Schema, g *structured.Graph) *mapping {
	if len(kind.Fields) == 0 {
		return nil
	}
	properties := propertiesOf(g)
	best, most := "", 0
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if slices.Equal(singular(name), singular(string(kind.Name))) {
			best = name
			break
		}
		if n := len(ownFields(kind, properties[name])); n > most && n >= 3 && n*2 >= len(kind.Fields) {
			best, most = name, n
		}
	}
	fields := ownFields(kind, properties[best])
	if _, titled := fields[kind.Title]; best == "" || !titled {
		return nil
	}
	m := &mapping{types: map[string]bool{best: true}, blueprint: &blueprint.Blueprint{Language: 1, Schema: kind.Name, Own: kind.Own(),
		Page: curlew.PageList, Tier: curlew.TierStructured, Records: &blueprint.Selector{Items: []string{best}}, Fields: fields}}
	one := *m.blueprint
	one.Records = &blueprint.Selector{Items: []string{recordType}}
	var err error
	if m.single, err = blueprint.Compile(&one); err != nil {
		return nil
	}
	return m
}

// propertiesOf are the properties of the items of each type, and whether their values are
// items.
func propertiesOf(g *structured.Graph) map[string]map[string]bool {
	all := map[string]map[string]bool{}
	for _, e := range entriesOf(g, nil) {
		for _, t := range e.item.Types {
			if all[t] == nil {
				all[t] = map[string]bool{}
			}
			for name, values := range e.item.Properties {
				all[t][name] = all[t][name] || slices.ContainsFunc(values, func(v structured.Value) bool { return v.Item != nil })
			}
		}
	}
	return all
}

// ownFields are the rules of the fields that some properties may be.
func ownFields(kind curlew.Schema, properties map[string]bool) map[string]blueprint.FieldRules {
	fields := map[string]blueprint.FieldRules{}
	for _, f := range kind.Fields {
		var rules []blueprint.Rule
		for _, path := range ownPaths(kind, f, properties) {
			rules = append(rules, blueprint.Rule{Selector: blueprint.Selector{JSON: path}})
		}
		if len(rules) > 0 {
			fields[f.Name] = blueprint.FieldRules{Rules: rules, Many: f.Type == curlew.TypeList, Required: f.Name == kind.Title}
		}
	}
	return fields
}

// usual are the properties of vocabularies that hold what a field of a type is for.
var usual = map[curlew.FieldType][]string{
	curlew.TypePicture: {"image.url", "image.contentUrl", "image", "thumbnailUrl"},
	curlew.TypeMoney:   {"offers.price", "offers.lowPrice", "offers.priceSpecification.price", "price"},
	curlew.TypeURL:     {"url"},
	curlew.TypePlace:   {"address.streetAddress", "address.addressLocality", "location.name", "address"},
}

// ownPaths are the ways from an item to a field: the property of its name, then what
// vocabularies usually have for it.
func ownPaths(kind curlew.Schema, f curlew.Field, properties map[string]bool) []string {
	var paths []string
	add := func(path string) {
		head, _, _ := strings.Cut(path, ".")
		if _, has := properties[head]; has && !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	for _, called := range f.Names() {
		name := propertyFor(called, properties)
		if properties[name] {
			add(name + ".name")
			add(name + ".text")
			add(name + ".value")
		}
		add(name)
	}
	switch {
	case f.Name == kind.Title:
		add("name")
		add("headline")
		add("title")
	case f.Name == "currency":
		add("offers.priceCurrency")
		add("priceCurrency")
	case f.Name == kind.OfType(f.Type): // the first of its type
		for _, path := range usual[f.Type] {
			add(path)
		}
	}
	return paths
}

// propertyFor is the property that is called like a field: in the same words, or with one
// before or behind them ("recipeIngredient").
func propertyFor(field string, properties map[string]bool) string {
	words, near := singular(field), ""
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		own := singular(name)
		if slices.Equal(own, words) {
			return name
		}
		n := len(words)
		if near == "" && n > 0 && len(own) == n+1 && (slices.Equal(own[1:], words) || slices.Equal(own[:n], words)) {
			near = name
		}
	}
	return near
}

// singular are the words of a name, without the endings of plurals.
func singular(name string) []string {
	words := labels.Words(name)
	for i, w := range words {
		if len(w) > 3 {
			words[i] = strings.TrimSuffix(w, "s")
		}
	}
	return words
}
