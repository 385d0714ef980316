package publish

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
)

// wanted says whether an entity that is new is one of those that the watch is for. One
// that was taken up stays: what it says later does not end it.
func (d *decision) wanted(f found) bool {
	return wanted(d.o.Watch.Settings, f.fields, d.m.zones, d.o.At)
}

// Wanted says whether something is what a watch with these settings would take up.
func Wanted(s curlew.WatchSettings, fields curlew.Values, at time.Time) bool {
	return wanted(s, fields, newZones(s.Zone), at)
}

func wanted(s curlew.WatchSettings, fields curlew.Values, zones zones, at time.Time) bool {
	if s.Upcoming && over(fields, zones, at) {
		return false
	}
	words := strings.FieldsFunc(s.Only, func(r rune) bool { return r == ',' })
	return s.Only == "" || slices.ContainsFunc(words, func(w string) bool { return says(fields, text.Fold(strings.TrimSpace(w))) })
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
