package rest

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestNoAnswerShowsAZeroTime walks all types that the API answers with: a time that may
// be unknown is left out, rather than told as the year 1.
func TestNoAnswerShowsAZeroTime(t *testing.T) {
	// What every row has: a thing that is told has begun, or was seen.
	always := []string{"CreatedAt", "UpdatedAt", "At", "BeganAt", "FirstSeenAt", "LastSeenAt", "OccurredAt", "PublishedAt", "Since", "Until"}
	seen := map[reflect.Type]bool{}
	var visit func(at reflect.Type)
	visit = func(at reflect.Type) {
		for at.Kind() == reflect.Pointer || at.Kind() == reflect.Slice || at.Kind() == reflect.Map || at.Kind() == reflect.Array {
			at = at.Elem()
		}
		if at.Kind() != reflect.Struct || at == reflect.TypeFor[time.Time]() || seen[at] {
			return
		}
		seen[at] = true
		for f := range at.Fields() {
			tag := f.Tag.Get("json")
			if f.Type == reflect.TypeFor[time.Time]() && !strings.Contains(tag, ",omitzero") && !slices.Contains(always, f.Name) {
				t.Errorf("%s.%s has no omitzero", at, f.Name)
			}
			visit(f.Type)
		}
	}
	for _, r := range Routes() {
		if r.out.goType != nil {
			visit(r.out.goType)
		}
	}
	visit(reflect.TypeFor[Event]())
	if len(seen) < 50 {
		t.Errorf("only %d types were seen", len(seen))
	}
}
