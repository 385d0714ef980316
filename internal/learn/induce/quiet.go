package induce

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"curlew/internal/read/blueprint"
)

// announcing are words, or their beginnings, by which the titles and main headings of
// pages say that dated entries belong there, also while there are none.
var announcing = []string{"event", "meeting", "calendar", "schedule", "agenda", "hearing", "concert", "what's on", "upcoming", "exhibition",
	"performance", "workshop", "veranstaltung", "termine", "kalender", "spielplan", "sitzung", "konzert", "ausstellung", "programm", "événement", "évènement",
	"calendrier", "réunion", "spectacle", "exposition", "evento", "calendario", "reunion", "reunión", "concierto", "conciert", "riunion", "mostre", "spettacol",
	"wydarzeni", "kalendarz", "koncert", "spotkani", "repertuar", "evenement", "bijeenkomst", "voorstelling", "tentoonstelling", "arrangement", "möte", "møte", "konsert",
	"udstilling", "tapahtum", "kokous", "akce", "kalendář", "esemény", "събити", "мероприят", "афиша", "концерт", "zasedán", "etkinlik", "イベント", "活动", "행사"}

// learnQuiet writes a blueprint for pages that say of themselves that events belong
// there and that have none to read today: a season is over, or the dates stand in
// documents. The reader of dated entries looks there from now on, and what is known of
// the events from elsewhere can heal it later. It gives nil for all other pages.
func learnQuiet(sheets []*sheet) (*blueprint.Blueprint, Proof) {
	if len(sheets) == 0 {
		return nil, Proof{}
	}
	for _, s := range sheets {
		if !s.announces() {
			return nil, Proof{}
		}
	}
	b := datedBlueprint("", nil)
	b.URL = sheets[0].doc.URL().String()
	b.Expect = &blueprint.Expect{Records: &blueprint.Range{}}
	return b, Proof{Pages: len(sheets), Notes: []string{"the pages announce events and have none to read today; the reader of dated entries will look for them"}}
}

// announces says whether the title or a main heading of a page names dated entries.
func (s *sheet) announces() bool {
	titles := []string{s.doc.Title()}
	for _, h := range s.doc.Headings() {
		if h.Level <= 2 {
			titles = append(titles, h.Text)
		}
	}
	return slices.ContainsFunc(titles, func(title string) bool {
		text := key(title)
		return len(text) <= 200 && slices.ContainsFunc(announcing, func(word string) bool { return startsWord(text, word) })
	})
}

// startsWord says whether a word of a text begins so.
func startsWord(text, word string) bool {
	at := strings.Index(text, word)
	if at <= 0 {
		return at == 0
	}
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	return !unicode.IsLetter(before)
}
