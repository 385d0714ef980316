package demo

import (
	"regexp"
	"strings"
	"testing"
	"time"
)

func trapReading() reading {
	month := func(n int) string {
		return time.Date(2026, time.March, 1, 0, 0, 0, 0, time.UTC).AddDate(0, n-1, 0).Format("/calendar/2006/01")
	}
	return reading{site: "trap", list: month, pages: 6, designs: []appearance{
		{mark: `<div[^>]*cal-event`, date: "en:h:mm aa"},
		{mark: `<div[^>]*Cal_entry`, date: "en:EEEE, MMMM d"},
		{mark: `<dt[^>]*entry`, date: "en:MM/dd/yyyy h:mm a"},
	}}
}

var nextMonth = regexp.MustCompile(`<a[^>]*href="(/calendar/\d{4}/\d\d)\?PHPSESSID=[0-9a-f]+"[^>]*>Next month`)

func TestTheTrapHasNoEnd(t *testing.T) {
	w := New(Options{})
	seen, at := map[string]bool{}, "/calendar"
	for range 60 {
		found := nextMonth.FindStringSubmatch(get(t, w, "trap", at).Body.String())
		if found == nil || seen[found[1]] {
			t.Fatalf("%s leads nowhere new", at)
		}
		at = found[1]
		seen[at] = true
	}
	if links := strings.Count(get(t, w, "trap", at).Body.String(), "PHPSESSID="); links < 40 {
		t.Errorf("a page of the trap has only %d links with a session", links)
	}
}
