package regions

import (
	"fmt"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/read/dom"
)

func TestAnElementThatIsCalledALabelNamesWhatFollows(t *testing.T) {
	page := `<html lang="en"><body><main><h1>Recipes</h1><ul>`
	for i, r := range [][3]string{{"Lemon drizzle cake", "1 hr 10 min", "8"}, {"Leek and potato soup", "45 min", "4"}, {"Flapjacks", "35 min", "12"}, {"Fish pie", "1 hr 30 min", "6"}} {
		page += fmt.Sprintf(`<li><a href="/r/%d"><h3>%s</h3></a><p><span class="label">Total time</span> <span class="v">%s</span></p>`+
			`<p><span class="label">Serves</span> <span class="v">%s</span></p></li>`, i, r[0], r[1], r[2])
	}
	_, items := Items(t.Context(), dom.New([]byte(page+`</ul></main></body></html>`), "https://kitchen.example/"), Options{})
	if len(items) != 4 {
		t.Fatalf("%d items, want 4", len(items))
	}
	slots, _ := items[0].Fields["slots"].(map[string]any)
	if slots["total_time"] != "1 hr 10 min" || slots["serves"] != "8" {
		t.Errorf("read as %v", slots)
	}
}

// A name that holds a colon stays a title where the text around it is parted into facts.
func TestANameWithAColonStaysATitleBesideFacts(t *testing.T) {
	page := `<html lang="en"><body><main><h1>Orders</h1>`
	for i, r := range [][2]string{{"In Re: Local Rules", "Motion granted."}, {"In Re: Evidence", "Petition denied."},
		{"In Re: Court Reporters", "Motion dismissed."}, {"Smith v. Jones", "Amended."}, {"Mills v. State", "Denied."}} {
		page += fmt.Sprintf(`<div class="o"><a href="/o/%d.pdf">2025-R-%[1]d</a><p><b>%s</b>; Disposition: %s; Judge: Coleman</p></div>`, i+10, r[0], r[1])
	}
	_, items := Items(t.Context(), dom.New([]byte(page+`</main></body></html>`), "https://court.example/"), Options{})
	if len(items) != 5 {
		t.Fatalf("%d items, want 5", len(items))
	}
	slots, _ := items[0].Fields["slots"].(map[string]any)
	if slots["title"] != "Local Rules" || slots["disposition"] != "Motion granted." {
		t.Errorf("read as %v", slots)
	}
}

func TestAColumnOfReferencesHasNoPrices(t *testing.T) {
	rows := [][3]string{{"Garage at 4 Elm Street", "450.00", "4500"}, {"Shed at 6 Elm Street", "120.00", "4510"},
		{"Pool at 8 Elm Street", "300.00", "4520"}, {"House at 9 Elm Street", "1,300.00", "4530"}}
	for _, c := range []struct{ head, code, want string }{
		{"Number", "RM %s", "450.00"}, {"Reference", "R%s", "450.00"}, {"Ref.", "DA %s/2026", "450.00"}, {"Application no", "RM0%s", "450.00"},
		{"Cost", "RM %s", "4500"},
	} {
		t.Run(c.head+" "+c.code, func(t *testing.T) {
			page := `<html lang="en"><body><main><h1>Applications</h1><table><tr><th>` + c.head + `</th><th>Proposal</th><th>Fee</th></tr>`
			for _, r := range rows {
				page += fmt.Sprintf(`<tr><td>`+c.code+`</td><td>%s</td><td>$%s</td></tr>`, r[2], r[0], r[1])
			}
			_, items := Items(t.Context(), dom.New([]byte(page+`</table></main></body></html>`), "https://council.example/"), Options{})
			if len(items) != 4 || !strings.Contains(fmt.Sprint(items[0].Fields["price"]), c.want) {
				t.Errorf("%d items, the first %v, want the price %s", len(items), items[0].Fields, c.want)
			}
		})
	}
}
