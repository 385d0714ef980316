package demo

import "net/http"

// dish is one line of the card.
type dish struct {
	Name  string
	Price int64 // euro cents
}

// The site menu is the one page of a restaurant: a few dishes, an address, opening
// hours.
func menuPaths() []path {
	return []path{{"GET /{$}", func(s scene, _ *http.Request) page {
		return s.html("list", view{Heading: "Trattoria da Nino", Path: "/", Items: []dish{
			{"Tagliatelle al ragù", 1200}, {"Pappa al pomodoro", 900}, {"Baccalà mantecato", 1600}, {"Cicoria ripassata", 550},
			{"Panna cotta", 600}}})
	}}}
}
