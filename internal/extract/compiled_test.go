package extract

import (
	"fmt"
	"testing"
	"time"

	"curlew/internal/curlew"
	"curlew/internal/learn/induce"
)

// A plain list calls its things by what tells them apart; the headline of a detail page
// may be that of all of them.
func TestAPlainListNamesItsThings(t *testing.T) {
	listed := curlew.Record{Schema: curlew.SchemaItem, Fields: curlew.Values{"title": "Fix crash", "url": "https://a.example/1"}}
	own := curlew.Record{Schema: curlew.SchemaItem, Fields: curlew.Values{"title": "Releases", "text": "Long notes"}}
	if got := Merge(listed, own).Fields; got["title"] != "Fix crash" || got["text"] != "Long notes" {
		t.Errorf("%v", got)
	}
}

// A page is learned when nothing is cancelled, and says so later in a place that no rule names.
func TestABlueprintTellsWhatIsCancelledAfterItWasLearned(t *testing.T) {
	card := func(n int, title, badge string) string {
		return fmt.Sprintf(`<div class="card"><h3><a href="/%d">%s</a></h3><p class="when">%d. Dezember 2026, 19:30 Uhr</p>%s</div>`, n, title, n, badge)
	}
	page := func(badge string) Material {
		body := card(4, "Lesung am Kamin", "") + card(9, "Chor der Stadt", badge) + card(12, "Orgelkonzert", "") + card(17, "Krippenspiel", "")
		return Material{Body: []byte(`<html lang="de"><body><h1>Veranstaltungen</h1>` + body + `</body></html>`), URL: "https://example.org/list",
			ContentType: "text/html", Now: time.Date(2026, 11, 17, 9, 0, 0, 0, time.UTC)}
	}
	kind, err := curlew.SchemaByName(curlew.SchemaEvent)
	if err != nil {
		t.Fatal(err)
	}
	b, _, err := Learn(t.Context(), kind, []induce.LabelledPage{{Document: page("").Document(), Now: page("").Now}})
	if err != nil {
		t.Fatal(err)
	}
	compiled, err := Compile(b)
	if err != nil {
		t.Fatal(err)
	}
	records := compiled.Apply(page(`<span class="badge">abgesagt</span>`), ApplyOptions{}).Readings
	if len(records) != 4 || records[1].Record.Fields["status"] != "cancelled" || records[0].Record.Fields["status"] != nil {
		t.Errorf("%d records, statuses %v and %v", len(records), records[0].Record.Fields["status"], records[1].Record.Fields["status"])
	}
}
