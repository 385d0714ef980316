package demo

import (
	"fmt"
	"html"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// wordpressPaths are the public endpoints of a WordPress with The Events
// Calendar, with the shapes that the real ones have.
func wordpressPaths() []path {
	return []path{
		{"GET /wp-json/{$}", wordpressRoot},
		{"GET /wp-json/wp/v2/types", wordpressTypes},
		{"GET /wp-json/wp/v2/posts", wordpressPosts},
		{"GET /wp-json/wp/v2/pages", wordpressPosts},
		{"GET /wp-json/wp/v2/users", func(scene, *http.Request) page {
			return wordpressError(http.StatusUnauthorized, "rest_user_cannot_view", "Lo siento, no tienes permisos para listar usuarios.")
		}},
		{"GET /wp-json/tribe/events/v1/{$}", tribeRoot},
		{"GET /wp-json/tribe/events/v1/events", tribeEvents},
		{"GET /wp-json/tribe/events/v1/events/{$}", tribeEvents},
		{"GET /wp-json/tribe/events/v1/events/{id}", tribeEvent},
		{"GET /feed/{$}", feedPage},
		{"GET /eventos/feed/{$}", feedPage},
	}
}

func wordpressError(status int, code, message string) page {
	p := jsonPage(map[string]any{"code": code, "message": message, "data": map[string]any{"status": status}})
	p.status = status
	return p
}

func wordpressRoot(s scene, _ *http.Request) page {
	routes := map[string]any{}
	for _, route := range []string{"/", "/wp/v2", "/wp/v2/posts", "/wp/v2/pages", "/wp/v2/types", "/tribe/events/v1",
		"/tribe/events/v1/events", "/tribe/events/v1/venues"} {
		routes[route] = map[string]any{"namespace": strings.Trim(route, "/"), "methods": []string{"GET"}, "endpoints": []any{},
			"_links": map[string]any{"self": []any{map[string]any{"href": s.base + "/wp-json" + route}}}}
	}
	return jsonPage(map[string]any{"name": s.card.Title, "description": "Cultura y barrio", "url": s.base, "home": s.base, "gmt_offset": "1",
		"timezone_string": "Europe/Madrid", "namespaces": []string{"oembed/1.0", "tribe/events/v1", "wp/v2"},
		"authentication": []any{}, "routes": routes})
}

func wordpressTypes(s scene, _ *http.Request) page {
	kind := func(name, rest string) map[string]any {
		return map[string]any{"name": name, "slug": rest, "rest_base": rest, "rest_namespace": "wp/v2", "hierarchical": false,
			"taxonomies": []string{}}
	}
	return jsonPage(map[string]any{"post": kind("Entradas", "posts"), "page": kind("Páginas", "pages"),
		"tribe_events": kind("Eventos", "tribe_events")})
}

// wordpressPosts are a few news items: text, and nothing that is an event.
func wordpressPosts(s scene, _ *http.Request) page {
	posts := []any{}
	for i, link := range s.Sections() {
		day := s.start.AddDate(0, 0, -7*i-3)
		rendered := func(text string) map[string]any { return map[string]any{"rendered": text, "protected": false} }
		posts = append(posts, map[string]any{"id": 900 + i, "date": day.Format("2006-01-02T15:04:05"),
			"date_gmt": day.Format("2006-01-02T15:04:05"), "slug": slug(link.Text),
			"status": "publish", "type": "post", "link": s.base + link.Path, "title": rendered(link.Text),
			"content": rendered("<p>" + s.Sentences(link.Text, 5) + "</p>\n"),
			"excerpt": rendered("<p>" + s.Sentences(link.Text, 1) + "</p>\n")})
	}
	p := jsonPage(posts)
	p.header = map[string]string{"X-WP-Total": strconv.Itoa(len(posts)), "X-WP-TotalPages": "1"}
	return p
}

func tribeRoot(s scene, _ *http.Request) page {
	return jsonPage(map[string]any{"namespace": "tribe/events/v1",
		"routes": map[string]any{"/tribe/events/v1/events": map[string]any{"methods": []string{"GET"}}}})
}

func tribeEvents(s scene, r *http.Request) page {
	number, size := numberOf(r, "page"), 10
	if text := r.URL.Query().Get("per_page"); text != "" {
		size = numberOf(r, "per_page")
	}
	if size > 50 {
		return wordpressError(http.StatusBadRequest, "rest_invalid_param", "Parámetro(s) no válido(s): per_page")
	}
	link := func(n int) string {
		return fmt.Sprintf("%s/wp-json/tribe/events/v1/events/?page=%d&per_page=%d&start_date=%s", s.base, n, size,
			s.today.Format("2006-01-02+15%3A04%3A05"))
	}
	items, foot := paginate(of[event](s.things), number, size, link)
	if len(items) == 0 {
		return wordpressError(http.StatusNotFound, "event-archive-page-not-found", "La página de archivo de eventos solicitada no existe.")
	}
	events := []any{}
	for _, e := range items {
		events = append(events, tribeShape(s, e))
	}
	answer := map[string]any{"events": events, "rest_url": link(number), "total": foot.Total, "total_pages": foot.Pages}
	if foot.Next != "" {
		answer["next_rest_url"] = foot.Next
	}
	if foot.Prev != "" {
		answer["previous_rest_url"] = foot.Prev
	}
	p := jsonPage(answer)
	p.header = map[string]string{"X-TEC-Total": strconv.Itoa(foot.Total), "X-TEC-TotalPages": strconv.Itoa(foot.Pages)}
	return p
}

func tribeEvent(s scene, r *http.Request) page {
	e, found := find[event](s.things, r.PathValue("id"))
	if !found {
		return wordpressError(http.StatusNotFound, "event-not-found", "El evento solicitado no existe.")
	}
	return jsonPage(tribeShape(s, e))
}

const tribeTime = "2006-01-02 15:04:05"

func tribeDetails(t time.Time) map[string]any {
	return map[string]any{"year": t.Format("2006"), "month": t.Format("01"), "day": t.Format("02"), "hour": t.Format("15"),
		"minutes": t.Format("04"), "seconds": "00"}
}

// tribeShape is an event as The Events Calendar 6 answers it: entities in the
// title, markup in the description, local and UTC times, cost as text.
func tribeShape(s scene, e event) map[string]any {
	id, _ := strconv.Atoi(e.Key)
	abbreviation, _ := e.Starts.Zone()
	cost, values := "Gratis", []string{"0"}
	if e.PriceMin > 0 {
		cost, values = formatMoney("1.234,56€", e.PriceMin), []string{formatMoney("1234.56", e.PriceMin)}
	}
	modified := s.modified(e.Key)
	shape := map[string]any{
		"id": id, "global_id": "community.test?id=" + e.Key, "author": "2", "status": "publish", "slug": slug(e.Title) + "-" + e.Key,
		"date": "2026-01-15 10:12:33", "date_utc": "2026-01-15 09:12:33",
		"modified": modified.In(s.card.location()).Format(tribeTime), "modified_utc": modified.UTC().Format(tribeTime),
		"url": s.base + e.Path, "rest_url": s.base + "/wp-json/tribe/events/v1/events/" + e.Key, "title": wordpressText(e.Title),
		"description": "<p>" + wordpressText(e.Description) + "</p>\n", "excerpt": "", "all_day": false, "website": "",
		"show_map": true, "sticky": false, "featured": false,
		"start_date": e.Starts.Format(tribeTime), "start_date_details": tribeDetails(e.Starts),
		"end_date": e.Ends.Format(tribeTime), "end_date_details": tribeDetails(e.Ends),
		"utc_start_date": e.Starts.UTC().Format(tribeTime), "utc_start_date_details": tribeDetails(e.Starts.UTC()),
		"utc_end_date": e.Ends.UTC().Format(tribeTime), "utc_end_date_details": tribeDetails(e.Ends.UTC()),
		"timezone": "Europe/Madrid", "timezone_abbr": abbreviation, "cost": cost,
		"cost_details": map[string]any{"currency_symbol": "€", "currency_code": "EUR", "currency_position": "suffix", "values": values},
		"image": map[string]any{"url": s.base + e.Image, "id": id + 1, "extension": "png", "width": 64, "height": 48,
			"sizes": map[string]any{}},
		"categories": []any{map[string]any{"name": e.Category, "slug": slug(e.Category), "taxonomy": "tribe_events_cat",
			"id": len(e.Category)}}, "tags": []any{},
	}
	shape["venue"] = map[string]any{"id": 400 + len(e.Venue.Name), "venue": e.Venue.Name, "slug": slug(e.Venue.Name),
		"address": e.Venue.Address, "city": e.Venue.City, "country": e.Venue.Country,
		"url": s.base + "/lugar/" + slug(e.Venue.Name) + "/"}
	shape["organizer"] = []any{map[string]any{"id": 500 + len(e.Organizer), "organizer": e.Organizer, "slug": slug(e.Organizer),
		"url": s.base + "/organizador/" + slug(e.Organizer) + "/"}}
	return shape
}

// wordpressText writes text with the references that WordPress likes.
func wordpressText(text string) string {
	return strings.ReplaceAll(html.EscapeString(text), "&amp;", "&#038;")
}
