package events

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/read/dom"
)

// shown are the events of a page of 17 November 2026, a line for each: start, end, title, status.
func shown(lang, body string) string {
	doc := dom.New([]byte(`<html lang="`+lang+`"><head><title>Programme</title></head><body><main>`+body+`</main></body></html>`), "https://mill.example/list")
	primary, _, _ := strings.Cut(lang, "-")
	var all []string
	for _, d := range Read(doc, Options{Now: time.Date(2026, 11, 17, 12, 0, 0, 0, time.UTC), Lang: primary}) {
		line := ""
		for _, name := range []string{"starts_at", "ends_at", "title", "status"} {
			if value, ok := d.Fields[name]; ok {
				line += fmt.Sprint(value, " ")
			}
		}
		all = append(all, strings.TrimSpace(line))
	}
	return strings.Join(all, "\n")
}

func TestTheRegionOfTheLanguageOrdersDayAndMonth(t *testing.T) {
	const list = `<h1>What's on</h1><ul><li><h3>Parish Council</h3><p>01/12/2026 7.00pm</p></li>
		<li><h3>Christmas Fayre</h3><p>05/12/2026 10.00am</p></li><li><h3>Quiz Night</h3><p>08/12/2026 8.00pm</p></li></ul>`
	for lang, want := range map[string]string{"en-GB": "2026-12-01", "en-IE": "2026-12-01", "en-IN": "2026-12-01", "en-US": "2026-01-12", "en": "2026-01-12"} {
		t.Run(lang, func(t *testing.T) {
			if got := shown(lang, list); !strings.HasPrefix(got, want) {
				t.Error(got)
			}
		})
	}
}

func TestTheLanguageOrdersShortDates(t *testing.T) {
	const list = `<h1>Agenda</h1><table><tr><th>Date</th><th>Manifestation</th></tr><tr><td>26/11</td><td>Concert</td></tr>
		<tr><td>03/12</td><td>Spectacle</td></tr><tr><td>18/12</td><td>Bal des pompiers</td></tr><tr><td>07/01</td><td>Assemblée</td></tr></table>`
	if got := shown("fr", list); got != "2026-11-26 Concert\n2026-12-03 Spectacle\n2026-12-18 Bal des pompiers\n2027-01-07 Assemblée" {
		t.Error(got)
	}
}
