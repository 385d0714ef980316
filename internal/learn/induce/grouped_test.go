package induce

import (
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
)

// rulings is a page with the day of several rulings in a heading above them.
const rulings = `<html lang="en"><body><h1>Rulings</h1>
<p class="day"><b>Released on 14/01/2026:</b></p><ul>
<li><a href="/1">A-101</a> – Adler v. Town of Elm</li><li><a href="/2">A-102</a> – Birch v. State</li>
<li><a href="/3">A-107</a> – In re Calder</li></ul>
<p class="day"><b>Released on 07/01/2026:</b></p><ul>
<li><a href="/4">A-090</a> – Dorn v. Dorn</li><li><a href="/5">A-095</a> – Elm Farms v. County</li></ul>
</body></html>`

func TestRowsUnderTheirDayAreLearned(t *testing.T) {
	doc := dom.New([]byte(rulings), "https://court.example/rulings")
	now := time.Date(2026, 1, 20, 0, 0, 0, 0, time.UTC)
	row := func(number, name, day string) LabelledPage {
		return LabelledPage{Document: doc, Now: now, Fields: map[string][]string{"number": {number}, "name": {name}, "day": {day}}}
	}
	b, proof, err := FewShot(t.Context(), curlew.SchemaCustom.Kind(), []LabelledPage{
		row("A-101", "Adler v. Town of Elm", "14/01/2026"), row("A-102", "Birch v. State", "14/01/2026"),
		row("A-090", "Dorn v. Dorn", "07/01/2026"), row("A-999", "Nobody v. Nothing", "01/01/2026"),
	})
	if err != nil {
		t.Fatal(err)
	}
	days := map[string]string{}
	for _, d := range applyAt(t, b, doc, now) {
		number, _ := d.Fields["number"].(string)
		days[number], _ = d.Fields["day"].(string)
	}
	if len(days) != 5 || days["A-107"] != "14/01/2026" || days["A-095"] != "07/01/2026" {
		t.Errorf("learned %v by %+v; %+v", days, b.Records, b.Fields)
	}
	notes := strings.Join(proof.Notes, "\n")
	if !strings.Contains(notes, "known record 4 (01/01/2026, Nobody v. Nothing, A-999) could not be placed") {
		t.Errorf("a row that is not on the page is not named: %q", notes)
	}
}

// applications is a table whose rows alternate between two classes, with a pager of the same
// elements above and below.
const applications = `<html lang="en"><body><h1>Applications</h1><table><tbody>
<tr class="pager"><td colspan="3">1 2 3 4 Page size: 40 items in 4 pages</td></tr>
<tr class="row"><td>DA0163/19</td><td>18/04/2019</td><td>Outbuilding</td></tr>
<tr class="alt"><td>DA0164/19</td><td>24/04/2019</td><td>Retaining wall</td></tr>
<tr class="row"><td>DA0165/19</td><td>26/04/2019</td><td>Community housing</td></tr>
<tr class="alt"><td>DA0166/19</td><td>26/04/2019</td><td>Carport</td></tr>
<tr class="row"><td>DA0167/19</td><td>29/04/2019</td><td>Swimming pool</td></tr>
<tr class="pager"><td colspan="3">1 2 3 4 Page size: 40 items in 4 pages</td></tr></tbody></table></body></html>`

func TestRowsOfAlternatingClassesAreOneList(t *testing.T) {
	doc := dom.New([]byte(applications), "https://council.example/applications")
	now := time.Date(2019, 5, 14, 0, 0, 0, 0, time.UTC)
	var rows []LabelledPage
	for _, row := range [][3]string{{"DA0163/19", "18/04/2019", "Outbuilding"}, {"DA0164/19", "24/04/2019", "Retaining wall"},
		{"DA0165/19", "26/04/2019", "Community housing"}} {
		rows = append(rows, LabelledPage{Document: doc, Now: now,
			Fields: map[string][]string{"reference": {row[0]}, "date": {row[1]}, "description": {row[2]}}})
	}
	b, _, err := FewShot(t.Context(), curlew.SchemaCustom.Kind(), rows)
	if err != nil {
		t.Fatal(err)
	}
	all := applyAt(t, b, doc, now)
	if len(all) != 5 || all[0].Fields["reference"] != "DA0163/19" || all[4].Fields["description"] != "Swimming pool" {
		t.Errorf("learned %v by %+v", all, b.Records)
	}
}
