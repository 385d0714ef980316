package events

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/read/dom"
)

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

// A table of facts belongs to the entry around it: its labels are no names.
func TestATableOfFactsIsPartOfItsEntry(t *testing.T) {
	for name, label := range map[string]string{"headed cells": "<th>%s</th>", "labels": "<td>%s:</td>"} {
		course := func(name, day, hours string) string {
			facts := `<div class="course"><h3><a href="/c/` + name + `">` + name + `</a></h3><table>`
			for _, fact := range [][2]string{{"Starts", day}, {"Time", hours}, {"Duration", "10 weeks"}} {
				facts += "<tr>" + fmt.Sprintf(label, fact[0]) + "<td>" + fact[1] + "</td></tr>"
			}
			return facts + "</table></div>"
		}
		t.Run(name, func(t *testing.T) {
			got := shown("en", `<h1>Find a course</h1><div>`+course("Pottery for Beginners", "Mon 11 January 2027", "18:30 – 20:30")+
				course("Italian Stage 2", "Tue 12 January 2027", "10:00 – 12:00")+course("Bread Making", "Sat 16 January 2027", "9:00 – 16:00")+`</div>`)
			const want = `2027-01-11T18:30:00 2027-01-11T20:30:00 Pottery for Beginners
2027-01-12T10:00:00 2027-01-12T12:00:00 Italian Stage 2
2027-01-16T09:00:00 2027-01-16T16:00:00 Bread Making`
			if got != want {
				t.Error(got)
			}
		})
	}
}

// A day in the name of a row is part of the name where a column has the days.
func TestADayInTheNameOfARowIsNoEntry(t *testing.T) {
	got := shown("de", `<h1>Amtstafel</h1><table><tr><th>Bezeichnung</th><th>von</th><th>bis</th></tr>
		<tr><td><a href="/1">Kundmachung der Sitzung vom 26.11.2026</a></td><td>16.11.2026</td><td>27.11.2026</td></tr>
		<tr><td><a href="/2">Verordnung Parkverbot Kirchengasse</a></td><td>13.11.2026</td><td>30.11.2026</td></tr>
		<tr><td><a href="/3">Entwurf Voranschlag</a></td><td>12.11.2026</td><td>26.11.2026</td></tr>
		<tr><td><a href="/4">Edikt Verlassenschaft</a></td><td>09.11.2026</td><td>09.12.2026</td></tr></table>`)
	const want = `2026-11-16 2026-11-27 Kundmachung der Sitzung vom 26.11.2026
2026-11-13 2026-11-30 Verordnung Parkverbot Kirchengasse
2026-11-12 2026-11-26 Entwurf Voranschlag
2026-11-09 2026-12-09 Edikt Verlassenschaft`
	if got != want {
		t.Error(got)
	}
}

// A day before its papers is an entry beside bare days, wherever its column.
func TestADayBeforeItsPapersIsAnEntry(t *testing.T) {
	row := func(cells ...string) (all string) {
		for _, c := range cells {
			all += "<td>" + c + "</td>"
		}
		return "<tr>" + all + "</tr>"
	}
	got := shown("en", `<h1>Board meetings 2026</h1><table>`+row("January 8", "February 5", `March 5 <a href="/3.pdf">Agenda</a>`)+
		row("April 9", "May 7", "")+row("July 9", "August 6", "")+row("October 8", "November 5", "")+`</table>`)
	if n := strings.Count(got, "2026-"); n != 9 {
		t.Error(n, got)
	}
}

// Lines that each begin with the same day are entries of their own: none has the next one in its text.
func TestLinesThatBeginWithOneDayDoNotHoldOneAnother(t *testing.T) {
	line := func(day, hour, body, hall string) string {
		return "<b>" + day + "</b> at " + hour + " – <span>" + body + "</span>, <i>" + hall + "</i><br>\n"
	}
	doc := dom.New([]byte(`<html lang="en"><title>Meetings</title><main><h1>Meetings 2027</h1><p>`+
		line("Friday, January 8", "3:00 pm", "Parks and Recreation Board", "Council Chambers")+
		line("Monday, January 18", "12:00 pm", "City Council Regular Meeting", "Conference Room B")+
		line("Monday, January 18", "4:00 pm", "Police and Fire Commission", "Council Chambers")+
		line("Tuesday, January 19", "4:00 pm", "Board of Adjustment", "Public Library")+`</p></main></html>`), "https://mill.example/list")
	got := Read(doc, Options{Now: time.Date(2026, 11, 17, 12, 0, 0, 0, time.UTC), Lang: "en"})
	if len(got) != 4 {
		t.Fatalf("%d entries", len(got))
	}
	for _, d := range got {
		if d.Fields["description"] != nil || strings.Contains(d.Text, "\n") {
			t.Errorf("%v holds %q", d.Fields["title"], d.Text)
		}
	}
}

// A day that has one item is cut like the days around it that have several: the item goes by its own id.
func TestADayWithOneItemIsCutLikeDaysWithSeveral(t *testing.T) {
	day := func(date string, items ...string) string {
		all := "<h2>" + date + "</h2><dl>"
		for _, item := range items {
			id, rest, _ := strings.Cut(item, " ")
			hours, title, _ := strings.Cut(rest, " | ")
			all += `<dt id="` + id + `">` + hours + `</dt><dd><strong>` + title + `</strong><br>Ana Ruiz, Paul Mercier<br><span class="hall">Hall B</span></dd>`
		}
		return all + "</dl>\n"
	}
	doc := dom.New([]byte(`<html lang="en"><title>Programme</title><main><h1>Programme</h1>`+
		day("Thursday 26 November 2026", "s-14 9:00 – 10:00 | Mapping the shore", "s-15 11:00 – 12:30 | Restoring a salt marsh")+
		day("Friday 27 November 2026", "s-21 14:00 – 15:15 | Open tide data")+
		day("Saturday 28 November 2026", "s-22 9:30 – 10:30 | The price of sand", "s-24 12:30 – 13:00 | Living with storms")+
		`</main></html>`), "https://mill.example/list")
	var ids []string
	for _, d := range Read(doc, Options{Now: time.Date(2026, 11, 17, 12, 0, 0, 0, time.UTC), Lang: "en"}) {
		ids = append(ids, fmt.Sprint(d.ExternalID, " ", d.Fields["starts_at"], " ", d.Fields["title"]))
	}
	const want = `#s-14 2026-11-26T09:00:00 Mapping the shore
#s-15 2026-11-26T11:00:00 Restoring a salt marsh
#s-21 2026-11-27T14:00:00 Open tide data
#s-22 2026-11-28T09:30:00 The price of sand
#s-24 2026-11-28T12:30:00 Living with storms`
	if got := strings.Join(ids, "\n"); got != want {
		t.Error(got)
	}
}

// Lines of one paragraph are entries each, also where all of them begin with one day.
func TestLinesOfOneDayAreEntriesEach(t *testing.T) {
	line := func(day, hour, body string) string {
		return "<b>" + day + "</b> at " + hour + " – <span>" + body + "</span><br>\n"
	}
	got := shown("en", `<h1>Meetings 2027</h1><h3>January 2027</h3><p>`+line("Friday, January 8", "3:00 pm", "Parks and Recreation Board")+
		line("Monday, January 18", "12:00 pm", "Town Council Regular Meeting")+`</p><h3>February 2027</h3><p>`+
		line("Wednesday, February 3", "8:15 am", "Historic Preservation Commission")+
		line("Wednesday, February 3", "3:00 pm", "Police and Fire Commission")+`</p>`)
	const want = `2027-01-08T15:00:00 Parks and Recreation Board
2027-01-18T12:00:00 Town Council Regular Meeting
2027-02-03T08:15:00 Historic Preservation Commission
2027-02-03T15:00:00 Police and Fire Commission`
	if got != want {
		t.Error(got)
	}
}

// The last day of a programme may have more items than any day before it; what follows its table is none of them.
func TestTheLastDayMayHaveTheMostItems(t *testing.T) {
	day := func(date string, items ...string) string {
		all := `<tr class="day"><th colspan="3">` + date + `</th></tr>`
		for _, item := range items {
			hours, title, _ := strings.Cut(item, " ")
			title, other, _ := strings.Cut(title, " / ")
			all += `<tr class="session"><td>` + hours + `</td><td>Hall B</td><td>` + title + `</td><td><div>Ana Ruiz</div><div>` + other + `</div></td></tr>`
		}
		return all
	}
	got := shown("en", `<h1>Programme 2026</h1><table>`+day("Friday 27 November", "9:00 Mapping the shore")+
		day("Saturday 28 November", "10:00 Restoring a salt marsh", "14:00 Open tide data / Ben Ito")+
		day("Sunday 29 November", "9:30 The price of sand", "11:00 Living with storms", "12:30 Fishing by night", "16:15 Low-cost sensors")+
		`</table><p>Doors open at 8:30, and all talks are free.</p>`)
	const want = `2026-11-27T09:00:00 Mapping the shore
2026-11-28T10:00:00 Restoring a salt marsh
2026-11-28T14:00:00 Open tide data
2026-11-29T09:30:00 The price of sand
2026-11-29T11:00:00 Living with storms
2026-11-29T12:30:00 Fishing by night
2026-11-29T16:15:00 Low-cost sensors`
	if got != want {
		t.Error(got)
	}
}

// A title in quotes, or in a script without capitals, follows the word for a state like others.
func TestTheWordForAStateIsCutOffAnyTitle(t *testing.T) {
	for said, want := range map[string]string{`RESCHEDULED "Vision 2030" Task Force`: `"Vision 2030" Task Force`,
		"ANNULÉ مهرجان الربيع": "مهرجان الربيع", "CANCELLED – Harbour Day": "Harbour Day", "Cancelled flights": "Cancelled flights"} {
		t.Run(said, func(t *testing.T) {
			if got := withoutStatus(said); got != want {
				t.Errorf("%q gives %q", said, got)
			}
		})
	}
}

// Two items that say nearly the same are two where the page counts them apart.
func TestItemsWithIdsOfTheirOwnAreNoDoubles(t *testing.T) {
	row := func(id, people string) string {
		return `<li id="` + id + `"><b>26 November 2026, 15:15</b> <h4>Opening lecture</h4> <p>` + people + `</p> <i>Hall B</i></li>`
	}
	for ids, want := range map[string]int{"s-19 s-43": 2, " ": 1} {
		t.Run(ids, func(t *testing.T) {
			first, second, _ := strings.Cut(ids, " ")
			got := shown("en", `<h1>Programme</h1><ul>`+row(first, "Ana Ruiz")+row(second, "Ana Ruiz, Ben Ito")+`</ul>`)
			if strings.Count(got, "Opening lecture") != want {
				t.Errorf("%q: %s", ids, got)
			}
		})
	}
}
