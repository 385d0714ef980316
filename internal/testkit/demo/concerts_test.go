package demo

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
)

func concertsReading() reading {
	return reading{site: "concerts", list: numbered("/wydarzenia", "/wydarzenia?strona=%d"), pages: 9, designs: []appearance{
		{mark: `<article[^>]*event-card`, date: "pl:EEEE, d MMMM, 'godz.' HH:mm", money: "1 234,56"},
		{mark: `<tr[^>]*Agenda_row`, date: "pl:d MMMM yyyy", money: "1234"},
		{mark: `<li[^>]*py-4 flex`, date: "pl:dd.MM", money: "1 234,56"},
	}}
}

var linkedScript = regexp.MustCompile(`(?s)<script[^>]*application/ld\+json[^>]*>(.*?)</script>`)

func TestConcertsCarryLinkedDataInEveryDesign(t *testing.T) {
	w := New(Options{})
	for range 3 {
		first := truthOf(t, w, "concerts")[0]
		for i, target := range []string{"/wydarzenia", strings.TrimPrefix(first.URL, "http://concerts.test")} {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				found := linkedScript.FindStringSubmatch(get(t, w, "concerts", target).Body.String())
				if found == nil || !json.Valid([]byte(found[1])) {
					t.Fatalf("%s has no valid linked data", target)
				}
				var name strings.Builder
				must(t, json.NewEncoder(&name).Encode(first.Fields["title"]))
				if !strings.Contains(found[1], strings.TrimSpace(name.String())) {
					t.Errorf("the linked data of %s lacks %s", target, name.String())
				}
			})
		}
		must(t, w.Redesign("concerts"))
	}
}
