package demo

import (
	"fmt"
	"html/template"
	"net/http"
	"time"
)

// festival is a German festival built with Nuxt: its state is a function call
// in one design (Nuxt 2) and a flat payload in the others (Nuxt 3); see nuxt.go.
type festival struct{}

func (festival) card() card {
	return card{
		name: "festival", title: "Uferklang Festival Lindau", schema: "event", lang: "de", zone: "Europe/Berlin",
		shows:    "A German festival on Nuxt: __NUXT__ as a function call or as a payload array, days as headings, German dates.",
		home:     "/programm",
		listed:   []string{"title", "starts_at", "ends_at", "venue_name", "status", "price_min", "price_max", "currency", "url"},
		detailed: []string{"performers", "category", "description"},
		designs:  3, sections: []string{"Programm", "Künstler", "Anreise & Camping", "Tickets", "Partner"},
		robots: "Disallow: /warenkorb\nDisallow: /intern/\n",
		server: "nginx",
	}
}

var (
	festivalStages = []venue{{Name: "Hauptbühne"}, {Name: "Seebühne"}, {Name: "Zelt am Löwen"}, {Name: "Inselhalle"}}
	festivalActs   = []string{"Die Kieselsteine", "Mathilda Grünwald", "Blaskapelle Übermut", "Ölfarbe", "Nebelhorn Trio",
		"Jasper & die Möwen", "Frau Holle Quintett", "Chor der Werktätigen", "Süßwasser", "DJ Kranich", "Anna Weiß",
		"Wellenbrecher"}
	festivalForms = []string{"Konzert", "Lesung", "Tanz", "Kinderprogramm", "Gespräch"}
	festivalNames = []string{"Wasser und Licht", "Nachtgesang", "Geschichten vom See", "Große Fahrt", "Frühschoppen",
		"Hafenkonzert", "Über Grenzen", "Stilles Ufer", "Tanz auf dem Deich", "Schlussakkord"}
)

func (festival) tale() tale {
	return tale{
		atFirst: 44, arrive: span{1, 3}, change: span{2, 4}, vanish: span{0, 1},
		create: newFestivalAct, over: passed, order: byStart,
		edit: edits(delayed, soldOut, repriced, movedTo(festivalStages), retold("de"), calledOff, renamed(" (Zusatztermin)", " – mit Gästen")),
	}
}

func newFestivalAct(d *dice, n int, today time.Time) thing {
	e := event{Key: fmt.Sprint(700 + n), Venue: pick(d, festivalStages), Category: pick(d, festivalForms), Performers: picks(d,
		festivalActs, d.between(1, 2)),
		Description: sentences(d, "de", d.between(2, 4)), Starts: at(today, d.between(0, 24), d.between(10, 21), pick(d, []int{0,
			15, 30}), "Europe/Berlin"),
		Priced: true, Currency: "EUR"}
	e.Title = pick(d, festivalNames) + " mit " + e.Performers[0]
	if n%8 == 5 {
		e.Title = thorny[n/8%len(thorny)]
	}
	e.Ends = e.Starts.Add(time.Duration(d.between(3, 8)) * 15 * time.Minute)
	if d.chance(75) {
		e.PriceMin = int64(d.between(8, 38)) * 100
		e.PriceMax = e.PriceMin
	}
	e.Path = "/programm/" + e.Key + "-" + slug(e.Title)
	return e
}

func (festival) paths() []path {
	return []path{
		{"GET /{$}", func(s scene, _ *http.Request) page { return redirect(s.base + "/programm") }},
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
