package demo

import (
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"strings"
	"time"
)

// The site theatre is a playhouse built with Next.js: rendered HTML, its state in
// __NEXT_DATA__, the data route, and one page that streams flight data.
func theatreTale() tale {
	return tale{
		atFirst: 40, arrive: span{1, 2}, change: span{1, 4}, vanish: span{0, 1},
		create: newPerformance, over: passed, order: byStart,
		edit: edits(soldOut, repriced, retold("en"), delayed, movedTo(venues("theatre")), calledOff,
			renamed(" (relaxed performance)", " – captioned")),
	}
}

func newPerformance(d *dice, n int, today time.Time) thing {
	e := event{Key: fmt.Sprintf("perf_%x", 0xa310+n*17), Title: pick(d, names("theatre", "plays")), Venue: pick(d, venues("theatre")),
		Status:   "scheduled",
		Category: pick(d, names("theatre", "genres")), Performers: picks(d, names("theatre", "cast"), d.between(2, 4)),
		Description: sentences(d, "en", d.between(2, 5)),
		Starts:      at(today, d.between(0, 60), pick(d, []int{14, 19, 19, 20}), pick(d, []int{0, 30, 30, 45}), "Europe/London"),
		Priced:      true, Currency: "GBP"}
	e.Title = thorny(e.Title, n, 9, 1)
	if n%10 == 6 {
		e.Status = "sold_out"
	}
	e.PriceMin = int64(d.between(12, 30)) * 100
	e.PriceMax = e.PriceMin + int64(d.between(5, 60))*100 + int64(pick(d, []int{0, 0, 50}))
	e.Path = "/whats-on/" + slug(e.Title) + "/" + e.Key
	return e
}

func theatrePaths() []path {
	return []path{
		home("/whats-on"),
		{"GET /whats-on", theatreList},
		{"GET /whats-on/{slug}/{id}", theatreDetail},
		{"GET /tickets", theatreTickets},
		{"GET /_next/data/{build}/whats-on.json", theatreData},
	}
}

func theatreCut(s scene, r *http.Request) ([]event, pager) {
	link := pageLinks("/whats-on", "page")
	return paginate(of[event](s.things), numberOf(r, "page"), 16, link)
}

func theatreList(s scene, r *http.Request) page {
	items, foot := theatreCut(s, r)
	if len(items) == 0 {
		return s.lost()
	}
	data := nextData(s, "/whats-on", map[string]any{"page": foot.Page}, theatreProps(s, items, foot))
	return s.html("list", view{Heading: "What’s On", Path: foot.Links[foot.Page-1].Path, Items: items, Pager: foot, Data: data})
}

func theatreDetail(s scene, r *http.Request) page {
	e, found := find[event](s.things, r.PathValue("id"))
	if !found || e.Path != r.URL.Path {
		return s.lost()
	}
	props := map[string]any{"performance": theatreState(s, e)}
	return s.html("detail", view{Heading: e.Title, Path: e.Path, Item: e,
		Data: nextData(s, "/whats-on/[slug]/[id]", map[string]any{"slug": r.PathValue("slug"), "id": e.Key}, props)})
}

// theatreData is what the client side of Next.js asks for when it goes from
// page to page; the build id is in the path, and an old one is not found.
func theatreData(s scene, r *http.Request) page {
	items, foot := theatreCut(s, r)
	if r.PathValue("build") != theatreBuild(s) || len(items) == 0 {
		return refused(http.StatusNotFound, "not found")
	}
	return jsonPage(map[string]any{"pageProps": theatreProps(s, items, foot), "__N_SSP": true})
}

func theatreBuild(s scene) string { return s.design("build").hex(21) }

func nextData(s scene, route string, query, props map[string]any) map[string]any {
	return map[string]any{"props": map[string]any{"pageProps": props, "__N_SSP": true}, "page": route, "query": query,
		"buildId": theatreBuild(s), "isFallback": false, "gssp": true, "locale": "en-GB", "scriptLoader": []any{}}
}

// theatreProps keeps the list in another place in each design.
func theatreProps(s scene, items []event, foot pager) map[string]any {
	all := []any{}
	for _, e := range items {
		all = append(all, theatreState(s, e))
	}
	switch s.state.Design {
	case 0:
		return map[string]any{"performances": all, "pagination": map[string]any{"page": foot.Page, "totalPages": foot.Pages,
			"total": foot.Total}, "nav": s.Sections()}
	case 1:
		return map[string]any{"initialData": map[string]any{"items": all, "meta": map[string]any{"current": foot.Page,
			"last": foot.Pages}}, "csrf": s.Token("csrf", 32)}
	}
	return map[string]any{"dehydratedState": map[string]any{"mutations": []any{}, "queries": []any{
		map[string]any{"queryKey": []any{"performances", foot.Page},
			"state": map[string]any{"data": map[string]any{"pages": []any{all}}, "status": "success"}}}}}
}

func theatreState(s scene, e event) map[string]any {
	return map[string]any{
		"id": e.Key, "title": e.Title, "slug": slug(e.Title), "url": e.Path, "startsAt": instant(e.Starts, true),
		"venue":  map[string]any{"name": e.Venue.Name},
		"status": map[bool]string{true: strings.ToUpper(e.Status), false: "ON_SALE"}[e.Status != "scheduled"],
		"genre":  e.Category, "cast": e.Performers, "synopsis": e.Description,
		"price": map[string]any{"from": e.PriceMin, "to": e.PriceMax, "currency": e.Currency, "unit": "pence"}, "views": s.Count(e.Key, 40, 4000),
	}
}

// theatreTickets is a page of the newer kind: its data comes in chunks of
// flight rows that a script pushes together.
func theatreTickets(s scene, _ *http.Request) page {
	all := []any{}
	for _, e := range of[event](s.things) {
		all = append(all, theatreState(s, e))
	}
	tree := []any{"$", "main", nil, map[string]any{"className": "tickets",
		"children": []any{"$", "$L4", nil, map[string]any{"performances": all}}}}
	row, err := json.Marshal(tree)
	if err != nil {
		return refused(http.StatusInternalServerError, "%v", err)
	}
	rows := "1:\"$Sreact.fragment\"\n4:I[5612,[\"812\",\"static/chunks/" + s.Token("chunk", 8) + ".js\"],\"TicketList\"]\n0:" + string(row) +
		"\n"
	return s.html("tickets", view{Heading: "Tickets", Path: "/tickets", Items: of[event](s.things), Data: flightChunks(rows)})
}

// flightChunks cuts rows into pushes, in the middle of anything, as streaming
// does.
func flightChunks(rows string) []template.JS {
	const size = 2800
	chunks := []template.JS{`(self.__next_f=self.__next_f||[]).push([0])`}
	letters := []rune(rows)
	for from := 0; from < len(letters); from += size {
		text, err := json.Marshal(string(letters[from:min(from+size, len(letters))]))
		if err != nil {
			continue
		}
		chunks = append(chunks, template.JS(`self.__next_f.push([1,`+string(text)+`])`))
	}
	return chunks
}
