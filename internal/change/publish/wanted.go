package publish

import (
	"fmt"
	"slices"
	"strings"

	"curlew/internal/curlew"
	"curlew/internal/text"
)

// wanted says whether an entity that is new is one of those that the watch is for. One
// that was taken up stays: what it says later does not end it.
func (d *decision) wanted(f found) bool {
	s := d.o.Watch.Settings
	if s.Upcoming && over(f.fields, d.m.zones, d.o.At) {
		return false
	}
	words := strings.FieldsFunc(s.Only, func(r rune) bool { return r == ',' })
	return s.Only == "" || slices.ContainsFunc(words, func(w string) bool { return says(f.fields, text.Fold(strings.TrimSpace(w))) })
}

// says tells whether some value has a word in it.
func says(fields curlew.Values, word string) bool {
	for _, v := range fields {
		if word != "" && strings.Contains(text.Fold(fmt.Sprint(v)), word) {
			return true
		}
	}
	return false
}
