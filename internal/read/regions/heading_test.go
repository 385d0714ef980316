package regions

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text/dates"
)

func TestAFirstRowInBoldIsTheHeadOfATable(t *testing.T) {
	const plain = "<tr><td>%s</td><td>%s</td><td>%s</td></tr>"
	for name, c := range map[string]struct {
		first, row string
		want       int
	}{
		"in bold":         {"<tr><td><b>%s</b></td><td><strong>%s</strong></td><td><b>%s</b></td></tr>", plain, 5},
		"by its class":    {`<tr class="tbl-header"><td>%s</td><td>%s</td><td>%s</td></tr>`, plain, 5},
		"by its cells":    {`<tr><td class="th">%s</td><td class="th">%s</td><td class="th">%s</td></tr>`, plain, 5},
		"by its style":    {`<tr style="font-weight: bold"><td>%s</td><td>%s</td><td>%s</td></tr>`, plain, 5},
		"all in bold":     {"<tr><td><b>%s</b></td><td><b>%s</b></td><td><b>%s</b></td></tr>", "<tr><td><b>%s</b></td><td><b>%s</b></td><td><b>%s</b></td></tr>", 6},
		"names in bold":   {"<tr><td><b>%s</b></td><td>%s</td><td>%s</td></tr>", "<tr><td><b>%s</b></td><td>%s</td><td>%s</td></tr>", 6},
		"nothing in bold": {plain, plain, 6},
	} {
		t.Run(name, func(t *testing.T) {
			var page strings.Builder
			fmt.Fprintf(&page, `<html lang="en"><body><h1>Decisions</h1><table>`+c.first, "Case", "Kind", "Subject")
			for i, subject := range []string{"Liability of notaries", "Damages after a dog bite", "Colours as trade marks", "Maintenance of children", "Balconies with panels"} {
				fmt.Fprintf(&page, c.row, fmt.Sprintf("III ZR %d/25", 45+7*i), []string{"Order", "Judgment"}[i%2], subject)
			}
			_, items := Items(t.Context(), dom.New([]byte(page.String()+`</table></body></html>`), "https://court.example/"), Options{})
			if len(items) != c.want {
				t.Fatalf("%d records, want %d: %v", len(items), c.want, items[0].Fields)
			}
			slots, _ := items[0].Fields["slots"].(map[string]any)
			if c.want == 5 && slots["kind"] != "Order" {
				t.Errorf("slots %v", slots)
			}
		})
	}
}

// People write the days of a list in bold, under the range of all of them.
func TestABoldParagraphAboveRecordsTellsTheirDay(t *testing.T) {
	page := `<html lang="en"><body><h1>Lunch from 16 to 18 November 2026</h1>`
	for i, day := range []string{"Monday, 16 November", "Tuesday, 17 November", "Wednesday, 18 November"} {
		page += fmt.Sprintf(`<p><strong>%s</strong></p><ul class="dish"><li>Soup of the %s <span>7.%d0 €</span></li><li>Pasta with %s <span>9.%d0 €</span></li></ul>`,
			day, words[i], i, words[i+3], i)
	}
	_, items := Items(t.Context(), dom.New([]byte(page+`</body></html>`), "https://inn.example/"), Options{Dates: dates.Options{Now: time.Date(2026, 11, 17, 0, 0, 0, 0, time.UTC), Lang: "en"}})
	var days []string
	for _, d := range items {
		days = append(days, fmt.Sprint(d.Fields["date"]))
	}
	want := "Monday, 16 November|Monday, 16 November|Tuesday, 17 November|Tuesday, 17 November|Wednesday, 18 November|Wednesday, 18 November"
	if got := strings.Join(days, "|"); got != want {
		t.Errorf("the days are %s", got)
	}
}

func TestTheHeadingTellsEqualRecordsApart(t *testing.T) {
	page := func(days ...string) string {
		body := `<html lang="nl"><body><main><h1>Zwemrooster</h1>`
		for _, day := range days {
			body += `<h3>` + day + `</h3><table><thead><tr><th>Tijd</th><th>Activiteit</th><th>Bad</th></tr></thead><tbody>
				<tr><td>07:00 - 08:30</td><td>Vroegzwemmen</td><td>25-meterbad</td></tr>
				<tr><td>19:00 - 21:30</td><td>Banenzwemmen ` + strings.ToLower(day) + `</td><td>25-meterbad</td></tr></tbody></table>`
		}
		return body + `</main></body></html>`
	}
	_, items := Items(t.Context(), dom.New([]byte(page("Maandag", "Dinsdag", "Woensdag")), "https://bad.example/"), Options{})
	if len(items) != 6 {
		t.Fatalf("%d items", len(items))
	}
	for i, day := range []string{"Maandag", "Maandag", "Dinsdag", "Dinsdag", "Woensdag", "Woensdag"} {
		t.Run(day, func(t *testing.T) {
			if slots, _ := items[i].Fields["slots"].(map[string]any); slots[GroupSlot] != day {
				t.Errorf("item %d is %v", i, slots)
			}
		})
	}
}
