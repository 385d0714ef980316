package regions

import (
	"fmt"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/read/dom"
)

// Old software writes a table for each thing: its name across all columns, then a row for each label with its value.
func TestATableOfLabelsAndValuesForEachThingIsOneRecord(t *testing.T) {
	const table = `<table><tr><td colspan="3" class="title">%d %s Road</td></tr>
<tr><td>&nbsp;</td><td>Description</td><td>%s</td></tr>
<tr><td>&nbsp;</td><td>Applicant</td><td>%s Pty Ltd</td></tr>
<tr><td>&nbsp;</td><td>Application number</td><td>%d/2026</td></tr>
<tr><td>&nbsp;</td><td>Advertised from</td><td>%02d/07/2026</td></tr>
<tr class="alternate"><td colspan="3">&nbsp;</td></tr></table>`
	page := `<html lang="en"><body><h1>Applications</h1>`
	for i, w := range words[:8] {
		if i%3 == 0 {
			page += fmt.Sprintf(`<h4>%s</h4>`, []string{"Bellevue", "Darling Point", "Vaucluse"}[i/3])
		}
		page += fmt.Sprintf(table, 7+13*i, w, []string{"New dwelling", "Carport", "Swimming pool"}[i%3], words[(i+3)%8], 211+7*i, 3+i)
	}
	_, items := Items(t.Context(), dom.New([]byte(page+`</body></html>`), "https://council.example/"), Options{})
	if len(items) != 8 {
		t.Fatalf("%d records, want 8: %v", len(items), items[0].Fields)
	}
	for i, item := range items {
		slots, _ := item.Fields["slots"].(map[string]any)
		if want := fmt.Sprintf("%d/2026", 211+7*i); slots["application_number"] != want {
			t.Errorf("record %d has the application number %v, want %s: %v", i, slots["application_number"], want, item.Fields)
		}
		if want := fmt.Sprintf("%d %s Road", 7+13*i, words[i]); item.Fields["title"] != want {
			t.Errorf("record %d is called %v, want %s", i, item.Fields["title"], want)
		}
	}
}

// One table may hold all things, and a row may be a label and a value alone.
func TestTheNameAcrossAllColumnsBeginsARecord(t *testing.T) {
	var rows string
	for i, w := range words[:6] {
		rows += fmt.Sprintf(`<tr><td colspan="2"><b>%s Lane</b></td></tr><tr><td>Type</td><td>%s</td></tr><tr><td>Rooms</td><td>%d</td></tr>`+
			`<tr><td>Available</td><td>%d December 2026</td></tr>`, w, []string{"House", "Flat"}[i%2], 2+i%4, 3+4*i)
	}
	for name, page := range map[string]string{
		"one table":   "<table>" + rows + "</table>",
		"one a thing": "<table>" + strings.ReplaceAll(rows, `<tr><td colspan="2">`, `</table><table><tr><td colspan="2">`) + "</table>",
	} {
		t.Run(name, func(t *testing.T) {
			doc := dom.New([]byte(`<html lang="en"><body><h1>Homes to let</h1>`+page+`</body></html>`), "https://homes.example/")
			_, items := Items(t.Context(), doc, Options{})
			if len(items) != 6 {
				t.Fatalf("%d records, want 6", len(items))
			}
			for i, item := range items {
				slots, _ := item.Fields["slots"].(map[string]any)
				if got := fmt.Sprint(item.Fields["title"], slots["type"], slots["available"]); got != fmt.Sprintf("%s Lane%s%d December 2026", words[i], []string{"House", "Flat"}[i%2], 3+4*i) {
					t.Errorf("record %d is %s: %v", i, got, item.Fields)
				}
			}
		})
	}
}
