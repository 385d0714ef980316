package curlew

import (
	"maps"
	"slices"
)

// dependents are fields that come with others: without the one, the other is not lost.
var dependents = map[string][]string{
	"price": {"price_was"}, "price_min": {"price_max"},
	"salary_min": {"salary_max", "salary_period"}, "salary_max": {"salary_period"},
	"starts_at": {"ends_at", "time_known", "timezone", "all_day", "recurrence", "status"}, "venue_address": {"city", "country"},
	"address": {"city", "country"},
	"text":    {"markdown", "summary", "language"},
}

// AddDependents adds to fields of the kind those that come with them.
func (s Schema) AddDependents(fields map[string]bool) {
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if f, _ := s.Field(name); f.Type == TypeMoney {
			fields["currency"] = true
		}
		for _, other := range dependents[name] {
			fields[other] = true
		}
	}
}
