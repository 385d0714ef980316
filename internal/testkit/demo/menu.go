package demo

import "net/http"

// menu is the one page of a restaurant: a few dishes, an address, opening
// hours; too little to be worth watching.
type menu struct{}

func (menu) card() card {
	return card{
		name: "menu", title: "Trattoria da Nino", lang: "it",
		shows:   "A restaurant's one page with a handful of dishes and opening hours: too few data for a feed, which a reader should turn down.",
		designs: 3, sections: []string{"Il menù", "Dove siamo", "Prenota"},
		robots: "Disallow: /prenota/\n",
		server: "Apache",
	}
}

func (menu) tale() tale { return tale{} }

// dish is one line of the card.
type dish struct {
	Name  string
	Price int64 // euro cents
}

func (menu) paths() []path {
	return []path{{"GET /{$}", func(s scene, _ *http.Request) page {
		return s.html("list", view{Heading: "Trattoria da Nino", Path: "/", Items: []dish{
			{"Tagliatelle al ragù", 1200}, {"Pappa al pomodoro", 900}, {"Baccalà mantecato", 1600}, {"Cicoria ripassata", 550},
			{"Panna cotta", 600}}})
	}}}
}
