package events

import (
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/read/dom"
)

func TestCuesBeforeADateAreKnownInManyLanguages(t *testing.T) {
	for before, cue := range map[string]bool{
		"Posted on ": true, "Maria says: ": true, "Veröffentlicht am ": true, "Опубликовано: ": true, "Anna napisała: ": true, "投稿日 ": true, "Δημοσιεύτηκε στις ": true,
		"Closing date: ": true, "Salary £26,421 Sista ansökningsdag ": true, "Date limite : ": true,
		"City Council, ": false, "Концерт ": false, "Spotkanie ": false, "Date: ": false,
	} {
		t.Run(before, func(t *testing.T) {
			if got := cued(before); got != cue {
				t.Errorf("%q: got %v, want %v", before, got, cue)
			}
		})
	}
}

func TestTheHeadOfAPageListsNoEntries(t *testing.T) {
	page := dom.New([]byte(`<html lang="de"><body><header><nav><a href="/">Katalog</a></nav><p>Heute, Dienstag 17.11.2026: 10–19 Uhr</p></header><main><h1>Termine</h1>
		<ul><li>So, 22. November 2026, 15 Uhr: Lesung mit Ida Berg</li><li>Do, 26. November 2026, 19 Uhr: Vortrag über Moore</li></ul></main></body></html>`), "https://lib.example/")
	entries := Read(page, Options{Now: time.Date(2026, time.November, 17, 9, 0, 0, 0, time.UTC), Lang: "de"})
	if len(entries) != 2 {
		t.Errorf("%d entries", len(entries))
	}
	for _, e := range entries {
		if e.Fields["title"] == "Heute" {
			t.Errorf("read as %v", e.Fields)
		}
	}
}

func TestADayUntilWhichSomethingRunsIsNotItsBeginning(t *testing.T) {
	r := &reader{page: &page{}}
	r.primary = "pl"
	for before, until := range map[string]bool{
		"Till och med ": true, "t.o.m. ": true, "t o m ": true, "Fram till ": true, "Til og med ": true, "Až do ": true, "Aż do ": true, "do ": true, "Выставка до ": true,
		"Έως ": true, "Fins al ": true, "Până la ": true, "bis zum ": true, "Open until ": true, "Slutar ": true, "Endet am ": true, "Se termine le ": true, "Tallinn ": false, "Concert ": false, "Studio ": false, "mitil ": false,
	} {
		t.Run(before, func(t *testing.T) {
			if got := r.untilEnds(before); got != until {
				t.Errorf("%q: %v", before, got)
			}
		})
	}
}

// The clock of a page, the day on which it is read and that of its last change are neither entries nor the
// time of others.
func TestTheClockOfAPageIsOfNoEntry(t *testing.T) {
	const table = `<table><thead><tr><th>Datum</th><th>Veranstaltung</th></tr></thead><tbody><tr><td>21.11.2026</td><td>Adventsbasar</td></tr>` +
		`<tr><td>28.11.2026</td><td>Krippenspiel</td></tr><tr><td>06.12.2026</td><td>Nikolausmarkt</td></tr></tbody></table>`
	for what, page := range map[string]string{
		"in the head":      `<header><div class="uhr">Mittwoch, 18. November 2026, 01:36:00 Uhr</div></header><main><h1>Termine</h1>` + table + `</main>`,
		"as a sentence":    `<main><p>Heute ist Mittwoch, der 18. November 2026, 02:36 Uhr</p><h1>Termine</h1>` + table + `</main>`,
		"without words":    `<div>2026-11-18 01:37</div><main><h1>Termine</h1>` + table + `</main>`,
		"of an update":     `<main><h1>Termine</h1>` + table + `<p>Aktualisiert am 18.11.2026 um 01:36 Uhr</p></main>`,
		"of a last change": `<main><h1>Termine</h1>` + table + `<p>Letzte Änderung: 17.11.2026 14:05</p></main>`,
	} {
		t.Run(what, func(t *testing.T) {
			d := dom.New([]byte(`<html lang="de"><body>`+page+`</body></html>`), "https://stadt.example/termine")
			entries := Read(d, Options{Now: time.Date(2026, time.November, 18, 1, 36, 20, 0, time.UTC), Lang: "de"})
			if len(entries) != 3 {
				t.Errorf("%d entries", len(entries))
			}
			for _, e := range entries {
				if start, _ := e.Fields["starts_at"].(string); len(start) != len(time.DateOnly) {
					t.Errorf("%v begins at %s: %+v", e.Fields["title"], start, e.Provenance["starts_at"])
				}
			}
		})
	}
}

func TestACountedNameIsATitleAndAWeekdayIsNone(t *testing.T) {
	r := &reader{page: &page{}}
	r.primary = "de"
	for text, fits := range map[string]bool{"2. Weihnachtstag": true, "Samstag": false, "Samstagsmarkt": true, "12 Personen": false} {
		t.Run(text, func(t *testing.T) {
			if got := r.fitsAsTitle(text); got != fits {
				t.Errorf("%q: %v", text, got)
			}
		})
	}
}
