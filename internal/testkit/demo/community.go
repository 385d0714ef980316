package demo

import (
	"fmt"
	"net/http"
	"strings"
	"time"
)

// community is a neighbourhood centre on WordPress with The Events Calendar:
// HTML that refers to wp-content, the calendar's REST API (wordpress.go), RSS
// and an iCal export.
type community struct{}

func (community) card() card {
	return card{
		name: "community", title: "Centro Cívico La Fuente", schema: "event", lang: "es", zone: "Europe/Madrid",
		shows:    "A Spanish neighbourhood centre on WordPress with The Events Calendar: REST API, RSS, iCal export and ordinary pages.",
		home:     "/eventos/",
		listed:   []string{"title", "starts_at", "ends_at", "venue_name", "price_min", "price_max", "currency", "url"},
		detailed: []string{"venue_address", "city", "organizer", "category", "description", "image_url"},
		designs:  3, sections: []string{"El centro", "Actividades", "Talleres", "Asociaciones", "Noticias"},
		robots:  "Disallow: /wp-admin/\nAllow: /wp-admin/admin-ajax.php\n",
		sitemap: true, server: "LiteSpeed", gzip: true,
	}
}

var (
	communityVenues = []venue{
		{Name: "Sala Polivalente", Address: "Calle de la Fuente 8", City: "Zaragoza", Country: "España"},
		{Name: "Biblioteca del Barrio", Address: "Plaza del Olmo 2", City: "Zaragoza", Country: "España"},
		{Name: "Patio de los Naranjos", Address: "Calle Mayor 31", City: "Zaragoza", Country: "España"},
		{Name: "Casa de la Juventud", Address: "Avenida del Río 117", City: "Utebo", Country: "España"},
	}
	communityWhat = []string{"Taller de cerámica", "Club de lectura", "Yoga suave", "Cine de verano", "Mercadillo solidario",
		"Charla sobre huertos urbanos", "Cuentacuentos", "Ensayo abierto del coro", "Reparación de bicicletas", "Baile de salón",
		"Intercambio de idiomas", "Ajedrez para todos"}
	communityFor    = []string{"para principiantes", "en familia", "con merienda", "de primavera", "intergeneracional", "avanzado", "al aire libre"}
	communityHosts  = []string{"Asociación Vecinal La Fuente", "AMPA del Olmo", "Colectivo Pedales", "Ayuntamiento de Zaragoza"}
	communityGenres = []string{"Talleres", "Cultura", "Deporte", "Infancia"}
)

func (community) tale() tale {
	return tale{
		atFirst: 34, arrive: span{1, 2}, change: span{1, 3}, vanish: span{0, 1},
		create: newActivity, over: passed, order: byStart,
		edit: edits(retold("es"), repriced, delayed, movedTo(communityVenues), rescheduled, renamed(" (plazas ampliadas)", " – última sesión")),
	}
}

func newActivity(d *dice, n int, today time.Time) thing {
	e := event{Key: fmt.Sprint(3107 + n*11), Title: pick(d, communityWhat) + " " + pick(d, communityFor), Venue: pick(d, communityVenues),
		Organizer: pick(d, communityHosts), Category: pick(d, communityGenres), Description: sentences(d, "es", d.between(2, 4)),
		Starts: at(today, d.between(0, 75), d.between(9, 20), pick(d, []int{0, 30}), "Europe/Madrid"), Priced: true, Currency: "EUR"}
	e.Ends = e.Starts.Add(time.Duration(d.between(2, 6)) * 30 * time.Minute)
	if n%8 == 2 {
		e.Title = thorny[n/8%len(thorny)]
	}
	if d.chance(60) {
		e.PriceMin = int64(d.between(2, 15)) * 100
		e.PriceMax = e.PriceMin
	}
	e.Path = "/evento/" + slug(e.Title) + "-" + e.Key + "/"
	e.Image = "/wp-content/uploads/2026/02/actividad-" + e.Key + ".png"
	return e
}

func (community) paths() []path {
	return append(wordpressPaths(),
		path{"GET /{$}", func(s scene, _ *http.Request) page { return redirect(s.base + "/eventos/") }},
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
	p.header = map[string]string{"Link": "<" + s.base + `/wp-json/>; rel="https://api.w.org/"`, "X-Powered-By": "PHP/8.2.18", "X-Pingback": s.base + "/xmlrpc.php"}
	return p
}
