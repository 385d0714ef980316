package regions

import (
	"fmt"
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
