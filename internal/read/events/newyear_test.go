package events

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/read/dom"
)

// startsOf are the starts that a page of November 2026 gives.
func startsOf(body string) string {
	doc := dom.New([]byte("<html lang=de><head><title>Konzerte</title></head><body><h1>Konzerte</h1>"+body+"</body></html>"), "https://mill.example/")
	var all []string
	for _, d := range Read(doc, Options{Now: time.Date(2026, 11, 17, 12, 0, 0, 0, time.UTC), Lang: "de"}) {
		start, _ := d.Fields["starts_at"].(string)
		all = append(all, start)
	}
	return strings.Join(all, " ")
}

// A list without years goes on in the next one, whatever headings its entries have.
func TestAListGoesOnInTheNewYear(t *testing.T) {
	days := []string{"19. November", "4. Dezember", "9. Januar", "18. Februar"}
	const want = "2026-11-19T19:30:00 2026-12-04T19:30:00 2027-01-09T19:30:00 2027-02-18T19:30:00"
	for name, entry := range map[string]string{
		"headings of entries": "<li><h3>Abend %d</h3><p>%s, 19:30 Uhr</p></li>",
		"plain entries":       "<li><p>Abend %d</p><p>%s, 19:30 Uhr</p></li>",
	} {
		t.Run(name, func(t *testing.T) {
			var list strings.Builder
			for i, day := range days {
				fmt.Fprintf(&list, entry, i, day)
			}
			if got := startsOf("<ul>" + list.String() + "</ul>"); got != want {
				t.Error(got)
			}
		})
	}
	t.Run("headings of months", func(t *testing.T) {
		var list strings.Builder
		for i, day := range days {
			fmt.Fprintf(&list, "<h2>%s</h2><ul><li>Abend %d, %s, 19:30 Uhr</li></ul>", strings.Fields(day)[1], i, day)
		}
		if got := startsOf(list.String()); got != want {
			t.Error(got)
		}
	})
}

// One entry out of order does not begin another year where its weekday says which it is.
func TestTheWeekdayDecidesTheYearOfAnEntryOutOfOrder(t *testing.T) {
	body := "<ul>"
	for i, day := range []string{"Sonntag, 22. November", "Donnerstag, 26. November", "Donnerstag, 31. Dezember", "Mittwoch, 6. Januar", "Montag, 23. November"} {
		body += fmt.Sprintf("<li><h3>Abend %d</h3><p>%s</p></li>", i, day)
	}
	if got := startsOf(body + "</ul>"); got != "2026-11-22 2026-11-26 2026-12-31 2027-01-06 2026-11-23" {
		t.Error(got)
	}
}

// What one entry says of its time is its own; what stands outside of them, or in several,
// may hold for all.
func TestOneTimeIsNotThatOfAllEntries(t *testing.T) {
	list := func(first, above string) string {
		body := above + "<ul>"
		for i, day := range []string{"21. November 2026", "5. Dezember 2026", "12. Dezember 2026", "19. Dezember 2026"} {
			body += fmt.Sprintf("<li><h3>Abend %d</h3><p>%s%s</p></li>", i, day, map[bool]string{true: first}[i == 0])
		}
		return body + "</ul>"
	}
	for name, c := range map[string]struct{ body, last string }{
		"one entry":  {list(", 15 Uhr", ""), "2026-12-19"},
		"an office":  {list("", "<p>Bürgerbüro, Mo–Fr ab 9:00 Uhr</p>"), "2026-12-19"},
		"a sentence": {list("", "<p>Beginn jeweils 20 Uhr</p>"), "2026-12-19T20:00:00"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := startsOf(c.body); !strings.HasSuffix(got, " "+c.last) {
				t.Error(got)
			}
		})
	}
}

// The day until which something runs is not that on which it begins.
func TestAnEndIsNoBeginning(t *testing.T) {
	body := "<ul><li><h3>Licht</h3><p>bis 10. Januar 2027</p></li><li><h3>Farbe</h3><p>5. Dezember 2026 bis 31. Januar 2027</p></li>" +
		"<li><h3>Linie</h3><p>21. November 2026 – 6. März 2027</p></li><li><h3>Ton</h3><p>28. November 2026</p></li></ul>"
	if got := startsOf(body); strings.Contains(got, "2027-01-10") || !strings.Contains(got, "2026-12-05") {
		t.Error(got)
	}
}

// A card that leaves its day open does not take that of the card before it; one that was
// moved is on the later day.
func TestADayIsThatOfItsCard(t *testing.T) {
	body := "<div>"
	for i, when := range []string{"4 December 2026, 8pm", "5 December 2026, 7pm", "Date to be confirmed, 7pm", "7 December 2026, 7pm",
		"Postponed from 1 December 2026 to 18 December 2026, 7pm"} {
		body += fmt.Sprintf(`<div class=e><h3><a href="/x/%d">Evening %[1]d</a></h3><p class=d>%s</p><p class=l>Town Hall</p></div>`, i, when)
	}
	const want = "2026-12-04T20:00:00 2026-12-05T19:00:00 2026-12-07T19:00:00 2026-12-18T19:00:00"
	if got := startsOf(body + "</div>"); got != want {
		t.Error(got)
	}
}

// "Do" is Thursday on German and Dutch pages, and "until" on Polish ones.
func TestAWeekdayInItsOwnCellIsNoUntil(t *testing.T) {
	body := `<table><tr><th>Tag</th><th>Datum</th><th>Sitzung</th></tr><tr><td>Di</td><td>24.11.2026</td><td>Schulausschuss</td></tr>
		<tr><td>Do</td><td>26.11.2026</td><td>Rat der Stadt</td></tr><tr><td>Mi</td><td>02.12.2026</td><td>Bauausschuss</td></tr>
		<tr><td>Do</td><td>03.12.2026</td><td>Sozialausschuss</td></tr></table>`
	if got := startsOf(body); got != "2026-11-24 2026-11-26 2026-12-02 2026-12-03" {
		t.Error(got)
	}
}

// A year in the name of a thing is not that of its day.
func TestAYearInANameIsNotThatOfTheDay(t *testing.T) {
	body := "<div>"
	for i, name := range []string{"Vitrine, um 1890", "Armbanduhr Oyster Perpetual, Referenz 1601, 1972", "Teppich aus Heris", "Whisky in zwei Kisten, abgefüllt 2019", "Teekanne"} {
		body += fmt.Sprintf(`<div class="lot"><div class="title"><a href="/lot/%d">%s</a></div><div>Gebote ab 24. November</div></div>`, i, name)
	}
	if got := startsOf(body + "</div>"); got != strings.TrimSpace(strings.Repeat("2026-11-24 ", 5)) {
		t.Error(got)
	}
}

// The day on which a page was brought up to date is none of its entries.
func TestTheDayOfAnUpdateIsNoEntry(t *testing.T) {
	for _, cue := range []string{"Stand", "Ultimo aggiornamento", "Letzte Aktualisierung", "Last update", "Última actualización", "Laatst bijgewerkt"} {
		t.Run(cue, func(t *testing.T) {
			got := startsOf("<table><tr><td>19.11.2026</td><td>Konzert</td></tr><tr><td>26.11.2026</td><td>Lesung</td></tr></table><p>" + cue + ": 16.11.2026</p>")
			if got != "2026-11-19 2026-11-26" {
				t.Error(got)
			}
		})
	}
}
