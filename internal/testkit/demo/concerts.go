package demo

import (
	"fmt"
	"net/http"
	"strings"
	"time"
)

// concerts is a Polish concert calendar: JSON-LD on every page, dates in words.
type concerts struct{}

func (concerts) card() card {
	return card{
		name: "concerts", title: "Rytmika — koncerty w Polsce", schema: "event", lang: "pl", zone: "Europe/Warsaw",
		shows:    "A Polish concert calendar with JSON-LD on its list and detail pages, dates in words, prices in zł and several pages.",
		home:     "/wydarzenia",
		listed:   []string{"title", "starts_at", "status", "venue_name", "city", "price_min", "price_max", "currency", "url"},
		detailed: []string{"venue_address", "performers", "category", "description", "image_url"},
		designs:  3, sections: []string{"Koncerty", "Kluby i sale", "Artyści", "Bilety", "Magazyn"},
		robots: "Disallow: /koszyk/\nDisallow: /konto/\nDisallow: /*?sort=\nAllow: /\n",
		server: "nginx/1.24.0", gzip: true,
	}
}

var concertVenues = []venue{
	{Name: "Klub Studnia", Address: "ul. Dajwór 14, 31-052 Kraków", City: "Kraków", Country: "PL"},
	{Name: "Sala pod Baranami", Address: "Rynek Główny 27, 31-010 Kraków", City: "Kraków", Country: "PL"},
	{Name: "Zajezdnia Nowa", Address: "ul. Św. Wawrzyńca 12, 31-060 Kraków", City: "Kraków", Country: "PL"},
	{Name: "Filharmonia na Woli", Address: "ul. Kasprzaka 22, 01-211 Warszawa", City: "Warszawa", Country: "PL"},
	{Name: "Klub Progresja Dwa", Address: "al. Jerozolimskie 179, 02-222 Warszawa", City: "Warszawa", Country: "PL"},
	{Name: "Piwnica na Pradze", Address: "ul. Ząbkowska 9, 03-736 Warszawa", City: "Warszawa", Country: "PL"},
}

var (
	concertBands = []string{"Kwartet Leśny", "Maja Zawilska", "Trio Bursztyn", "Orkiestra Huk", "Żółte Światło", "Igor Mrozek",
		"Dęby", "Kasia Pilch & Band", "Nocny Autobus", "The Sztolnia", "Wiatr od Morza", "Zespół Kamień", "Hania Rej",
		"Mała Łódź", "Cztery Struny", "DJ Koliber", "Szary Beret", "Ola Brzask", "Tabor Północ", "Echo Gór"}
	concertTours = []string{"Trasa wiosenna", "Koncert jubileuszowy", "akustycznie", "Nowa płyta", "Wieczór z muzyką filmową",
		"Pieśni o mieście", "Bez prądu", "Muzyka dawna", "Noc improwizacji", "Premiera albumu", "Na dwa głosy",
		"Kołysanki i burze"}
	concertGenres  = []string{"Jazz", "Rock", "Folk", "Muzyka klasyczna", "Elektronika", "Hip-hop"}
	concertHours   = []int{17, 18, 19, 19, 20, 20, 20, 21}
	concertMinutes = []int{0, 0, 0, 30}
)

func (concerts) tale() tale {
	return tale{
		atFirst: 46, arrive: span{1, 3}, change: span{2, 4}, vanish: span{0, 1},
		create: newConcert, over: passed, order: byStart,
		edit: edits(repriced, soldOut, retold("pl"), rescheduled, calledOff, movedTo(concertVenues), putOff,
			renamed(" (dodatkowy koncert)", " – gościnnie Chór Miejski")),
	}
}

func newConcert(d *dice, n int, today time.Time) thing {
	e := event{
		Key: fmt.Sprint(20417 + n*13), Status: "scheduled", Venue: pick(d, concertVenues), Category: pick(d, concertGenres),
		Performers: picks(d, concertBands, d.between(1, 3)), Priced: true, Currency: "PLN",
		Starts:      at(today, d.between(0, 100), pick(d, concertHours), pick(d, concertMinutes), "Europe/Warsaw"),
		Description: sentences(d, "pl", d.between(2, 5)),
	}
	e.Title = e.Performers[0] + ": " + pick(d, concertTours)
	if n%7 == 3 {
		e.Title = thorny[n/7%len(thorny)]
	}
	if n%9 == 4 {
		e.Status = pick(d, []string{"sold_out", "cancelled", "postponed"})
	}
	e.PriceMin = int64(d.between(4, 18)) * 1000
	e.PriceMax = e.PriceMin
	if d.chance(60) {
		e.PriceMax += int64(d.between(1, 9)) * 1000
	}
	if d.chance(12) {
		e.PriceMin -= 10
		e.PriceMax -= 10
	}
	e.Path = "/wydarzenia/" + slug(e.Title) + "-" + e.Key
	e.Image = "/media/koncert-" + e.Key + ".svg"
	return e
}

func (c concerts) paths() []path {
	return []path{
		{"GET /{$}", func(s scene, r *http.Request) page { return redirect(s.base + "/wydarzenia") }},
		{"GET /wydarzenia", concertList},
		{"GET /wydarzenia/{slug}", concertDetail},
	}
}

func concertList(s scene, r *http.Request) page {
	link := func(n int) string {
		if n == 1 {
			return "/wydarzenia"
		}
		return fmt.Sprintf("/wydarzenia?strona=%d", n)
	}
	items, foot := paginate(of[event](s.things), numberOf(r, "strona"), 12, link)
	if len(items) == 0 {
		return s.lost()
	}
	return s.html("list", view{Heading: "Kalendarz koncertów", Path: link(foot.Page), Items: items, Pager: foot, Data: concertLinked(s, items)})
}

func concertDetail(s scene, r *http.Request) page {
	at := strings.LastIndexByte(r.PathValue("slug"), '-')
	e, found := find[event](s.things, r.PathValue("slug")[at+1:])
	if !found || e.Path != r.URL.Path {
		return s.lost()
	}
	return s.html("detail", view{Heading: e.Title, Path: e.Path, Item: e, Data: linkedEvent(s, e)})
}

// concertLinked is the linked data of a list: each design wraps it differently,
// as real sites do.
func concertLinked(s scene, items []event) any {
	all := make([]any, 0, len(items))
	for _, e := range items {
		all = append(all, linkedEvent(s, e))
	}
	switch s.state.Design {
	case 0:
		return all
	case 1:
		return map[string]any{"@context": "https://schema.org", "@graph": all}
	}
	list := make([]any, 0, len(all))
	for i, item := range all {
		list = append(list, map[string]any{"@type": "ListItem", "position": i + 1, "item": item})
	}
	return map[string]any{"@context": "https://schema.org", "@type": "ItemList", "itemListElement": list}
}

var linkedStatus = map[string]string{
	"cancelled": "EventCancelled", "postponed": "EventPostponed", "rescheduled": "EventRescheduled",
}

// linkedEvent is an event as schema.org has it.
func linkedEvent(s scene, e event) map[string]any {
	status, odd := linkedStatus[e.Status]
	if !odd {
		status = "EventScheduled"
	}
	stock := "InStock"
	if e.Status == "sold_out" {
		stock = "SoldOut"
	}
	performers := make([]any, 0, len(e.Performers))
	for _, name := range e.Performers {
		performers = append(performers, map[string]any{"@type": "MusicGroup", "name": name})
	}
	offer := map[string]any{"@type": "AggregateOffer", "lowPrice": formatMoney("1234.56", e.PriceMin),
		"highPrice":     formatMoney("1234.56", e.PriceMax),
		"priceCurrency": e.Currency, "availability": "https://schema.org/" + stock, "url": s.base + e.Path}
	return map[string]any{
		"@context": "https://schema.org", "@type": "MusicEvent", "@id": s.base + e.Path + "#event", "identifier": e.Key, "name": e.Title,
		"startDate": instant(e.Starts, true), "eventStatus": "https://schema.org/" + status,
		"eventAttendanceMode": "https://schema.org/OfflineEventAttendanceMode", "url": s.base + e.Path, "image": []string{s.base + e.Image},
		"description": e.Description, "genre": e.Category, "performer": performers, "offers": offer,
		"location": map[string]any{"@type": "MusicVenue", "name": e.Venue.Name, "address": map[string]any{
			"@type": "PostalAddress", "streetAddress": e.Venue.Address, "addressLocality": e.Venue.City, "addressCountry": e.Venue.Country}},
	}
}
