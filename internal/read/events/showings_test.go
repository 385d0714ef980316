package events

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/read/dom"
)

// A cinema tells its week once, then the days and hours of each film. Every showing is an event.
func TestEveryShowingOfAFilmIsAnEvent(t *testing.T) {
	film := func(title, length string, days ...string) string {
		all := `<article class="film"><h2><a href="/film/` + title + `">` + title + `</a></h2><p class="meta">Drame – ` + length + ` – VF</p><ul>`
		for _, day := range days {
			parts := strings.Split(day, ", ")
			all += `<li class="jour"><span class="nom">` + parts[0] + `</span>`
			for _, hour := range parts[1:] {
				all += ` <a class="horaire" href="/resa?h=` + hour + `">` + hour + `</a>`
			}
			all += "</li>"
		}
		return all + "</ul></article>"
	}
	got := shown("fr", `<h1>Programme de la semaine</h1><p>Du mercredi 18 au mardi 24 novembre 2026</p>`+
		film("L'Ombre", "1h47", "mer. 18, 14h00, 20h45", "ven. 20, 18h15")+film("Paddock", "1h41", "dim. 22, 16h15", "mar. 24, 18h15"))
	const want = `2026-11-18T14:00:00 L'Ombre
2026-11-18T20:45:00 L'Ombre
2026-11-20T18:15:00 L'Ombre
2026-11-22T16:15:00 Paddock
2026-11-24T18:15:00 Paddock`
	if got != want {
		t.Errorf("got\n%s", got)
	}
	doc := dom.New([]byte(`<p>18 to 20 November 2026</p><article><h2>Orbit</h2><ul><li><b>Wed 18</b> <a href="/1">14:00</a> <a href="/2">20:45</a></li>`+
		`<li><b>Fri 20</b> <a href="/3">18:15</a></li></ul></article>`), "https://rex.example/")
	for i, d := range Read(doc, Options{Now: time.Date(2026, 11, 17, 12, 0, 0, 0, time.UTC), Lang: "en"}) {
		if want := fmt.Sprintf("https://rex.example/%d", i+1); d.Fields["url"] != want {
			t.Errorf("showing %d is at %v", i+1, d.Fields["url"])
		}
	}
}
