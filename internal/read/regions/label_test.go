package regions

import (
	"fmt"
	"testing"

	"curlew/internal/read/dom"
)

func TestAnElementThatIsCalledALabelNamesWhatFollows(t *testing.T) {
	page := `<html lang="en"><body><main><h1>Recipes</h1><ul>`
	for i, r := range [][3]string{{"Lemon drizzle cake", "1 hr 10 min", "8"}, {"Leek and potato soup", "45 min", "4"}, {"Flapjacks", "35 min", "12"}, {"Fish pie", "1 hr 30 min", "6"}} {
		page += fmt.Sprintf(`<li><a href="/r/%d"><h3>%s</h3></a><p><span class="label">Total time</span> <span class="v">%s</span></p>`+
			`<p><span class="label">Serves</span> <span class="v">%s</span></p></li>`, i, r[0], r[1], r[2])
	}
	_, items := Items(dom.New([]byte(page+`</ul></main></body></html>`), "https://kitchen.example/"), Options{})
	if len(items) != 4 {
		t.Fatalf("%d items, want 4", len(items))
	}
	slots, _ := items[0].Fields["slots"].(map[string]any)
	if slots["total_time"] != "1 hr 10 min" || slots["serves"] != "8" {
		t.Errorf("read as %v", slots)
	}
}
