package demo

import (
	"fmt"
	"net/http"
	"strings"
	"time"
)

// conference is a French conference on one page: the date stands in the heading
// of a group, the times in its rows, and there are no detail pages.
type conference struct{}

func (conference) card() card {
	return card{
		name: "conference", title: "Rencontres de l’Estran", schema: "event", lang: "fr", zone: "Europe/Paris",
		shows:   "A French conference schedule on one page: dates in group headings, times in rows, rooms and speakers, no structured data.",
		home:    "/programme",
		listed:  []string{"title", "starts_at", "ends_at", "venue_name", "performers", "status"},
		designs: 3, sections: []string{"Programme", "Intervenants", "Inscription", "Infos pratiques", "Éditions passées"},
		robots: "Disallow: /spip.php\nDisallow: /prive/\n",
		server: "Apache/2.4.41",
	}
}

var (
	conferenceRooms = []venue{{Name: "Amphithéâtre Monge"}, {Name: "Salle des Marées"}, {Name: "Atelier 3"}}
	conferenceTalks = []string{"Lire le trait de côte", "Données ouvertes et littoral", "Table ronde : habiter l’estran",
		"Cartographier le vent", "Atelier de relevés participatifs", "Le sable, ressource disputée", "Modèles de submersion",
		"Mémoires de pêcheurs", "Conférence inaugurale", "Restaurer les marais salants", "Capteurs à bas coût",
		"Bilan et perspectives"}
	conferenceSpeakers = []string{"Aïcha Benali", "Étienne Le Goff", "Camille Roussel", "Noémie Kermarrec", "Paul Désiré",
		"Hélène Vasseur", "Ousmane Diallo"}
)

func (conference) tale() tale {
	return tale{
		atFirst: 32, arrive: span{0, 2}, change: span{1, 3}, vanish: span{0, 1},
		create: newTalk, over: passed, order: byStart,
		edit: edits(delayed, movedTo(conferenceRooms), replaceSpeakers, calledOff, renamed(" (suite)", " – session ouverte")),
	}
}

// conferenceDay is the first day of the next edition: the 24th of this month,
// or of the next one when that is too near.
func conferenceDay(today time.Time) time.Time {
	first := time.Date(today.Year(), today.Month(), 24, 0, 0, 0, 0, time.UTC)
	if today.Day() > 18 {
		return first.AddDate(0, 1, 0)
	}
	return first
}

func newTalk(d *dice, n int, today time.Time) thing {
	e := event{Key: fmt.Sprintf("s-%d", 14+n), Title: pick(d, conferenceTalks), Venue: pick(d, conferenceRooms),
		Performers: picks(d, conferenceSpeakers, d.between(1, 3)),
		Starts:     at(conferenceDay(today), d.between(0, 3), d.between(9, 17), pick(d, []int{0, 15, 30}), "Europe/Paris")}
	e.Ends = e.Starts.Add(time.Duration(d.between(2, 6)) * 15 * time.Minute)
	if n%8 == 3 {
		e.Title = thorny[n/8%len(thorny)]
	}
	e.Path = "/programme#" + e.Key
	return e
}

func replaceSpeakers(d *dice, e event) event {
	e.Performers = picks(d, conferenceSpeakers, d.between(1, 3))
	return e
}

func (conference) paths() []path {
	return []path{
		{"GET /{$}", func(s scene, _ *http.Request) page { return redirect(s.base + "/programme") }},
		{"GET /programme", func(s scene, _ *http.Request) page {
			return s.html("list", view{Heading: "Programme", Path: "/programme", Items: festivalDays(of[event](s.things))})
		}},
	}
}

// Hour is a time as the French write it: 9 h, 9 h 30.
func (e event) Hour(t time.Time) string {
	return strings.TrimSuffix(formatDate("fr", "H 'h' mm", t), " 00")
}
