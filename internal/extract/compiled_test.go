package extract

import (
	"fmt"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/learn/induce"
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
	records := compiled.Apply(t.Context(), page(`<span class="badge">abgesagt</span>`), ApplyOptions{}).Readings
	if len(records) != 4 || records[1].Record.Fields["status"] != "cancelled" || records[0].Record.Fields["status"] != nil {
		t.Errorf("%d records, statuses %v and %v", len(records), records[0].Record.Fields["status"], records[1].Record.Fields["status"])
	}
}

// An element of a list whose links are all marked as paid for is an advert, whatever it looks like.
func TestAnAdvertBetweenTheEntriesIsNoEntry(t *testing.T) {
	page := func(between string) Material {
		body := ""
		for i, name := range []string{"Lesung am Kamin", "Chor der Stadt", "Orgelkonzert", "Krippenspiel", "Kinderfest"} {
			if i == 2 {
				body += between
			}
			body += fmt.Sprintf(`<div class="card"><h3><a href="/%d">%s</a></h3><p class="when">%d. Dezember 2026, 19:30 Uhr</p></div>`, i, name, 4+i)
		}
		return Material{Body: []byte(`<html lang="de"><body><h1>Veranstaltungen</h1>` + body + `</body></html>`), URL: "https://example.org/list",
			ContentType: "text/html", Now: time.Date(2026, 11, 17, 9, 0, 0, 0, time.UTC)}
	}
	b, _, err := Learn(t.Context(), curlew.SchemaEvent.Kind(), []induce.LabelledPage{{Document: page("").Document(), Now: page("").Now}})
	if err != nil {
		t.Fatal(err)
	}
	compiled, err := Compile(b)
	if err != nil {
		t.Fatal(err)
	}
	card := `<div class="card"><h3><a href="https://ads.example/1"%s>Winterreifen</a></h3><p class="when">9. Dezember 2026, 20:00 Uhr</p></div>`
	for rel, want := range map[string]int{` rel="sponsored"`: 5, ` rel="nofollow Sponsored"`: 5, ` rel="nofollow"`: 6, ``: 6} {
		t.Run(rel, func(t *testing.T) {
			if got := len(compiled.Apply(t.Context(), page(fmt.Sprintf(card, rel)), ApplyOptions{}).Readings); got != want {
				t.Errorf("with%q: %d records, want %d", rel, got, want)
			}
		})
	}
}

// A card may show more later than when its page was learned: what is new takes no place of what
// was read, and a thing that is sold out is told so.
func TestWhatCardsShowLaterTakesNoPlaceOfAPrice(t *testing.T) {
	page := func(badge, stock string) Material {
		body := ""
		for i, name := range []string{"Flat in Brook Lane", "House by the mill", "Loft on the quay", "Barn at Ashby", "Cottage in Upton"} {
			extra, note := "", ""
			if i == 1 {
				extra, note = badge, stock
			}
			body += fmt.Sprintf(`<article><a href="/%d">%s</a>%s<div class="row"><span class="item-price">%d.000 €</span></div><span>%d m²</span>%s</article>`,
				i, name, extra, 385+37*i, 124+i*9, note)
		}
		return Material{Body: []byte(`<html lang="pt"><body><h1>Comprar</h1>` + body + `</body></html>`), URL: "https://homes.example/list",
			ContentType: "text/html", Now: time.Date(2026, 11, 17, 9, 0, 0, 0, time.UTC)}
	}
	kind, err := curlew.SchemaByName(curlew.SchemaProduct)
	if err != nil {
		t.Fatal(err)
	}
	b, _, err := Learn(t.Context(), kind, []induce.LabelledPage{{Document: page("", "").Document(), Now: page("", "").Now}})
	if err != nil {
		t.Fatal(err)
	}
	compiled, err := Compile(b)
	if err != nil {
		t.Fatal(err)
	}
	records := compiled.Apply(t.Context(), page(`<span class="tag">Visita 3 €</span>`, `<p>Esgotado</p>`), ApplyOptions{}).Readings
	if len(records) != 5 || records[1].Record.Fields["price"] != int64(42200000) || records[1].Record.Fields["availability"] != "out_of_stock" {
		t.Errorf("%d records, the second: %v", len(records), records[1].Record.Fields)
	}
}
