package demo

import (
	"fmt"
	"html/template"
	"net/http"
	"time"
)

// The site festival is a German festival built with Nuxt: its state is a function call
// in one design (Nuxt 2) and a flat payload in the others (Nuxt 3); see nuxt.go.
func festivalTale() tale {
	return tale{
		atFirst: 44, arrive: span{1, 3}, change: span{2, 4}, vanish: span{0, 1},
		create: newFestivalAct, over: passed, order: byStart,
		edit: edits(delayed, soldOut, repriced, movedTo(venues("festival")), retold("de"), calledOff,
			renamed(" (Zusatztermin)", " – mit Gästen")),
	}
}

func newFestivalAct(d *dice, n int, today time.Time) thing {
	e := event{Key: fmt.Sprint(700 + n), Venue: pick(d, venues("festival")), Category: pick(d, names("festival", "forms")),
		Performers: picks(d,
			names("festival", "acts"), d.between(1, 2)),
		Description: sentences(d, "de", d.between(2, 4)), Starts: at(today, d.between(0, 24), d.between(10, 21), pick(d, []int{0,
			15, 30}), "Europe/Berlin"),
		Priced: true, Currency: "EUR"}
	e.Title = pick(d, names("festival", "names")) + " mit " + e.Performers[0]
	e.Title = thorny(e.Title, n, 8, 5)
	e.Ends = e.Starts.Add(time.Duration(d.between(3, 8)) * 15 * time.Minute)
	if d.chance(75) {
		e.PriceMin = int64(d.between(8, 38)) * 100
		e.PriceMax = e.PriceMin
	}
	e.Path = "/programm/" + e.Key + "-" + slug(e.Title)
	return e
}

func festivalPaths() []path {
	return []path{
		home("/programm"),
		{"GET /programm", func(s scene, _ *http.Request) page { return festivalList(s, "/programm", s.state.Design != 1) }},
		{"GET /spielplan", func(s scene, _ *http.Request) page { return festivalList(s, "/spielplan", false) }},
		{"GET /programm/{slug}", festivalDetail},
	}
}

// festivalDay is a day of the programme with its heading.
type festivalDay struct {
	Date time.Time
	Acts []event
}

func festivalDays(acts []event) []festivalDay {
	var days []festivalDay
	for _, e := range acts {
		if last := len(days) - 1; last < 0 || days[last].Date.YearDay() != e.Starts.YearDay() {
			days = append(days, festivalDay{Date: e.Starts})
		}
		day := &days[len(days)-1]
		day.Acts = append(day.Acts, e)
	}
	return days
}

// nuxtState is the state of a page, in whichever form its Nuxt writes it.
type nuxtState struct {
	Call    template.JS // Nuxt 2
	Payload []any       // Nuxt 3
}

func festivalState(s scene, call bool, acts ...event) nuxtState {
	all := []any{}
	for _, e := range acts {
		all = append(all, festivalAct(s, e))
	}
	if call {
		return nuxtState{Call: nuxtCall([]any{map[string]any{"programm": all, "stand": s.Now().Format(time.RFC3339)}}, s.Token("state", 8))}
	}
	return nuxtState{Payload: nuxtPayload(map[string]any{"data": map[string]any{"programm": all},
		"state": map[string]any{"$sbuild": s.Token("state", 8)}, "serverRendered": true})}
}

func festivalAct(s scene, e event) map[string]any {
	performers := []any{}
	for _, name := range e.Performers {
		performers = append(performers, name)
	}
	return map[string]any{"id": e.Key, "titel": e.Title, "beginn": instant(e.Starts, true), "ende": instant(e.Ends, true),
		"buehne": e.Venue.Name, "kategorie": e.Category,
		"abgesagt": e.Status == "cancelled", "ausverkauft": e.Status == "sold_out", "preis": e.PriceMin, "waehrung": e.Currency,
		"kuenstler": performers, "text": e.Description, "link": s.base + e.Path}
}

func festivalList(s scene, at string, call bool) page {
	acts := of[event](s.things)
	return s.html("list", view{Heading: "Programm", Path: at, Items: festivalDays(acts), Data: festivalState(s, call, acts...)})
}

func festivalDetail(s scene, r *http.Request) page {
	var key string
	for _, c := range r.PathValue("slug") {
		if c < '0' || c > '9' {
			break
		}
		key += string(c)
	}
	e, found := find[event](s.things, key)
	if !found || e.Path != r.URL.Path {
		return s.lost()
	}
	return s.html("detail", view{Heading: e.Title, Path: e.Path, Item: e, Data: festivalState(s, s.state.Design != 1, e)})
}
