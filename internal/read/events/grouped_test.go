package events

import "testing"

// Linked items under headings that are days are on the day above them, whatever the ranks of
// the headings.
func TestItemsUnderADayAreOnThatDay(t *testing.T) {
	film := func(name string) string {
		return `<div class="film"><img src="/a.jpg"><div><a href="/r/` + name + `"><h3>` + name + `</h3></a><div class="genre">Drama</div><span>PG-13</span></div></div>`
	}
	got := shown("en", `<h1>Release Schedule</h1><div class="schedule">
		<h4>November 20, 2026</h4><div class="films">`+film("Hollow Crown")+film("Moon Over Tulsa")+film("Paper Lions")+`</div>
		<h4>November 25, 2026</h4><div class="films">`+film("Second Harvest")+film("Iron Winter")+`</div>
		<h4>December 4, 2026</h4><div class="films">`+film("Glass Bridge")+`</div>
		<h4>December 11, 2026</h4><div class="films">`+film("Nine Bells")+film("Salt")+`</div></div>`)
	const want = `2026-11-20 Hollow Crown
2026-11-20 Moon Over Tulsa
2026-11-20 Paper Lions
2026-11-25 Second Harvest
2026-11-25 Iron Winter
2026-12-04 Glass Bridge
2026-12-11 Nine Bells
2026-12-11 Salt`
	if got != want {
		t.Error(got)
	}
}
