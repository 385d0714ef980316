package events

import (
	"testing"
	"time"

	"curlew/internal/read/dom"
)

func TestCuesBeforeADateAreKnownInManyLanguages(t *testing.T) {
	for before, cue := range map[string]bool{
		"Posted on ": true, "Maria says: ": true, "Veröffentlicht am ": true, "Опубликовано: ": true, "Anna napisała: ": true, "投稿日 ": true, "Δημοσιεύτηκε στις ": true,
		"City Council, ": false, "Концерт ": false, "Spotkanie ": false,
	} {
		t.Run(before, func(t *testing.T) {
			if got := cueBefore.MatchString(before) || cueAbroad.MatchString(before); got != cue {
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
		"Till och med ": true, "t.o.m. ": true, "Fram till ": true, "Til og med ": true, "Až do ": true, "Aż do ": true, "do ": true, "Выставка до ": true,
		"Έως ": true, "Fins al ": true, "Până la ": true, "bis zum ": true, "Open until ": true, "Tallinn ": false, "Concert ": false, "Studio ": false, "mitil ": false,
	} {
		if got := r.untilEnds(before); got != until {
			t.Errorf("%q: %v", before, got)
		}
	}
}
