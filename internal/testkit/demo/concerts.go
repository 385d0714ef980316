package demo

import (
	"fmt"
	"net/http"
	"strings"
	"time"
)

var (
	concertHours   = []int{17, 18, 19, 19, 20, 20, 20, 21}
	concertMinutes = []int{0, 0, 0, 30}
)

// The site concerts is a Polish concert calendar: JSON-LD on every page, dates in words.
func concertsTale() tale {
	return tale{
		atFirst: 46, arrive: span{1, 3}, change: span{2, 4}, vanish: span{0, 1},
		create: newConcert, over: passed, order: byStart,
		edit: edits(repriced, soldOut, retold("pl"), rescheduled, calledOff, movedTo(venues("concerts")), putOff,
			renamed(" (dodatkowy koncert)", " – gościnnie Chór Miejski")),
	}
}

func newConcert(d *dice, n int, today time.Time) thing {
	e := event{
		Key: fmt.Sprint(20417 + n*13), Status: "scheduled", Venue: pick(d, venues("concerts")), Category: pick(d, names("concerts", "genres")),
		Performers: picks(d, names("concerts", "bands"), d.between(1, 3)), Priced: true, Currency: "PLN",
		Starts:      at(today, d.between(0, 100), pick(d, concertHours), pick(d, concertMinutes), "Europe/Warsaw"),
		Description: sentences(d, "pl", d.between(2, 5)),
	}
	e.Title = e.Performers[0] + ": " + pick(d, names("concerts", "tours"))
	e.Title = thorny(e.Title, n, 7, 3)
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

func concertsPaths() []path {
	return []path{
		home("/wydarzenia"),
		{"GET /wydarzenia", concertList},
		{"GET /wydarzenia/{slug}", concertDetail},
	}
}

func concertList(s scene, r *http.Request) page {
	link := pageLinks("/wydarzenia", "strona")
	items, foot := paginate(of[event](s.things), numberOf(r, "strona"), 12, link)
	if len(items) == 0 {
		return s.lost()
	}
	return s.html("list", view{Heading: "Kalendarz koncertów", Path: link(foot.Page), Items: items, Pager: foot,
		Data: concertLinked(s, items)})
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
