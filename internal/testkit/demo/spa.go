package demo

import (
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// The site spa is a page that is empty without a browser: a script asks for a list,
// draws it behind a consent dialog, and goes on at the press of a button.
func spaTale() tale {
	return tale{
		atFirst: 27, arrive: span{0, 2}, change: span{1, 3}, vanish: span{0, 1},
		create: newWorkshop, over: passed, order: byStart,
		edit: edits(repriced, soldOut, delayed, movedTo(venues("spa")), rescheduled, calledOff),
	}
}

func newWorkshop(d *dice, n int, today time.Time) thing {
	e := event{Key: fmt.Sprintf("w%03d", 101+n), Title: pick(d, names("spa", "craft")) + " " + string(rune('A'+n%26)), Venue: pick(d,
		venues("spa")), Status: "scheduled", Priced: true, Currency: "EUR",
		Starts: at(today, d.between(0, 50), d.between(9, 18), pick(d, []int{0, 30}), "Europe/Dublin")}
	e.Title = thorny(e.Title, n, 9, 7)
	e.PriceMin = int64(d.between(6, 24)) * 500
	e.PriceMax = e.PriceMin
	e.Path = "/workshops/" + e.Key
	return e
}

func spaPaths() []path {
	shell := func(s scene, r *http.Request) page {
		return s.html("shell", view{Heading: s.card.Title, Path: r.URL.Path})
	}
	return []path{
		{"GET /{$}", shell},
		{"GET /workshops/{id}", shell},
		{"GET /static/app.js", spaScript},
		{"GET /api/v2/workshops", spaList},
		{"GET /api/v2/workshops/{id}", spaOne},
	}
}

func spaScript(s scene, _ *http.Request) page {
	script, err := templates.ReadFile(fmt.Sprintf("templates/spa/app-%d.js", s.Design()))
	if err != nil {
		return s.lost()
	}
	return page{kind: "text/javascript; charset=utf-8", body: script}
}

func spaShape(s scene, e event) map[string]any {
	return map[string]any{"id": e.Key, "title": e.Title, "start": instant(e.Starts, true), "status": e.Status,
		"room": e.Venue.Name, "town": e.Venue.City,
		"price": map[string]any{"cents": e.PriceMin, "currency": e.Currency}, "permalink": s.base + e.Path}
}

// spaList gives ten workshops and the cursor of the next ten.
func spaList(s scene, r *http.Request) page {
	const size = 10
	all := of[event](s.things)
	from, _ := strconv.Atoi(r.URL.Query().Get("cursor"))
	from = max(0, min(from, len(all)))
	results := []any{}
	for _, e := range all[from:min(from+size, len(all))] {
		results = append(results, spaShape(s, e))
	}
	answer := map[string]any{"results": results, "count": len(all), "cursor": nil, "served_at": s.Now().Format(time.RFC3339),
		"trace": s.Token("trace", 16)}
	if from+size < len(all) {
		answer["cursor"] = strconv.Itoa(from + size)
	}
	return jsonPage(answer)
}

func spaOne(s scene, r *http.Request) page {
	e, found := find[event](s.things, r.PathValue("id"))
	if !found {
		return refused(http.StatusNotFound, "there is no such workshop")
	}
	return jsonPage(spaShape(s, e))
}
