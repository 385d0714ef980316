package demo

import (
	"fmt"
	"net/http"
	"strings"
	"time"
)

// The site community is a neighbourhood centre on WordPress with The Events Calendar:
// HTML that refers to wp-content, the calendar's REST API (wordpress.go), RSS
// and an iCal export.
func communityTale() tale {
	return tale{
		atFirst: 34, arrive: span{1, 2}, change: span{1, 3}, vanish: span{0, 1},
		create: newActivity, over: passed, order: byStart,
		edit: edits(retold("es"), repriced, delayed, movedTo(venues("community")), rescheduled,
			renamed(" (plazas ampliadas)", " – última sesión")),
	}
}

func newActivity(d *dice, n int, today time.Time) thing {
	e := event{Key: fmt.Sprint(3107 + n*11), Title: pick(d, names("community", "what")) + " " + pick(d, names("community", "for")),
		Venue:     pick(d, venues("community")),
		Organizer: pick(d, names("community", "hosts")), Category: pick(d, names("community", "genres")),
		Description: sentences(d, "es", d.between(2, 4)),
		Starts:      at(today, d.between(0, 75), d.between(9, 20), pick(d, []int{0, 30}), "Europe/Madrid"), Priced: true, Currency: "EUR"}
	e.Ends = e.Starts.Add(time.Duration(d.between(2, 6)) * 30 * time.Minute)
	e.Title = thorny(e.Title, n, 8, 2)
	if d.chance(60) {
		e.PriceMin = int64(d.between(2, 15)) * 100
		e.PriceMax = e.PriceMin
	}
	e.Path = "/evento/" + slug(e.Title) + "-" + e.Key + "/"
	e.Image = "/wp-content/uploads/2026/02/actividad-" + e.Key + ".png"
	return e
}

func communityPaths() []path {
	return append(wordpressPaths(),
		home("/eventos/"),
		path{"GET /eventos/{$}", communityList},
		path{"GET /eventos/pagina/{n}/{$}", communityList},
		path{"GET /evento/{slug}/{$}", communityDetail},
		path{"GET /wp-content/uploads/{year}/{month}/{file}", mediaPage},
	)
}

func communityLink(n int) string {
	if n == 1 {
		return "/eventos/"
	}
	return fmt.Sprintf("/eventos/pagina/%d/", n)
}

func communityList(s scene, r *http.Request) page {
	if r.URL.Query().Get("ical") == "1" {
		return calendarPage(s)
	}
	number := 1
	if _, err := fmt.Sscan(r.PathValue("n"), &number); err != nil || number < 1 {
		number = 1
	}
	items, foot := paginate(of[event](s.things), number, 12, communityLink)
	if len(items) == 0 {
		return s.lost()
	}
	return withLink(s, s.html("list", view{Heading: "Próximos eventos", Path: communityLink(number), Items: items, Pager: foot}))
}

func communityDetail(s scene, r *http.Request) page {
	name := r.PathValue("slug")
	e, found := find[event](s.things, name[strings.LastIndexByte(name, '-')+1:])
	if !found || e.Path != r.URL.Path {
		return s.lost()
	}
	return withLink(s, s.html("detail", view{Heading: e.Title, Path: e.Path, Item: e}))
}

// withLink announces the API in a header, as WordPress does.
func withLink(s scene, p page) page {
	p.header = map[string]string{"Link": "<" + s.base + `/wp-json/>; rel="https://api.w.org/"`, "X-Powered-By": "PHP/8.2.18",
		"X-Pingback": s.base + "/xmlrpc.php"}
	return p
}
