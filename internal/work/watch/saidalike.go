package watch

import (
	"maps"
	"slices"

	"github.com/curlew-data/curlew/internal/curlew"
)

// A list says a field as its detail pages do when so many records have it on both, and so large a part of these alike.
const (
	leastAlike = 3
	mostAlike  = 0.8
)

// exact are the types of fields that a list can say no shorter than a detail page: of texts it may show a part.
var exact = map[curlew.FieldType]bool{curlew.TypeMoney: true, curlew.TypeNumber: true, curlew.TypeInteger: true, curlew.TypeBool: true,
	curlew.TypeChoice: true}

// saidAlike are the fields that are taken from the list, which is read more often than detail pages: those that it says
// as these do. Once it was seen to, it is believed until it says most of a field otherwise.
func (r *checkStep) saidAlike(list ListReading, known map[string]curlew.Sighting, details map[string]detail) map[string]bool {
	kind := r.compiled.Blueprint.Kind()
	listed, both, alike := map[string]int{}, map[string]int{}, map[string]int{}
	for _, one := range list.Records {
		own := ownFields(one, known[one.Record.ExternalID], details[one.Record.ExternalID])
		for name, value := range one.Record.Fields {
			if f, is := kind.Field(name); !is || !exact[f.Type] || value == nil {
				continue
			}
			listed[name]++
			if own[name] == nil {
				continue
			}
			both[name]++
			if Hash(curlew.Values{name: value}) == Hash(curlew.Values{name: own[name]}) {
				alike[name]++
			}
		}
	}
	fields := map[string]bool{}
	for _, name := range r.watch.Rhythm.Listed {
		fields[name] = 2*(both[name]-alike[name]) <= listed[name]
	}
	for name, n := range both {
		fields[name] = fields[name] || n >= leastAlike && float64(alike[name]) >= mostAlike*float64(n)
	}
	maps.DeleteFunc(fields, func(_ string, taken bool) bool { return !taken })
	return fields
}

// ownFields are what the detail page of a record says while the list says what it says now; nil where that is not known.
func ownFields(one Listed, was curlew.Sighting, d detail) curlew.Values {
	switch {
	case d.record != nil:
		return d.record.Fields
	case was.Detail != nil && was.Listed == one.Hash:
		return was.Detail.Fields
	}
	return nil
}

// listedFields are the fields that are taken from the list, in order.
func (r *checkStep) listedFields() []string { return slices.Sorted(maps.Keys(r.alike)) }

// notListed is what a detail page says without the fields of a record that are taken from the list.
func (r *checkStep) notListed(one Listed, detail *curlew.Draft) *curlew.Draft {
	if detail == nil {
		return nil
	}
	rest := *detail
	rest.Fields, rest.Provenance = r.without(one, detail.Fields, detail.Provenance)
	return &rest
}

func (r *checkStep) recordNotListed(one Listed, record *curlew.Record) *curlew.Record {
	if record == nil {
		return nil
	}
	rest := *record
	rest.Fields, rest.Provenance = r.without(one, record.Fields, record.Provenance)
	return &rest
}

func (r *checkStep) without(
	one Listed, fields curlew.Values, proof map[string]curlew.Evidence,
) (curlew.Values, map[string]curlew.Evidence) {
	fields, proof = maps.Clone(fields), maps.Clone(proof)
	taken := maps.Clone(r.alike)
	one.Record.Kind().AddDependents(taken)
	for name := range taken {
		if one.Record.Fields[name] != nil {
			delete(fields, name)
			delete(proof, name)
		}
	}
	return fields, proof
}

// keepUnsaid keeps what is taken from the list where that says nothing of it, and the detail page was not read anew.
func (r *checkStep) keepUnsaid(keep map[string]bool, one Listed, detail *curlew.Draft) {
	for name := range r.alike {
		if one.Record.Fields[name] == nil && detail.Fields[name] == nil {
			keep[name] = true
		}
	}
}
