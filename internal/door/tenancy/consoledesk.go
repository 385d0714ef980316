package tenancy

import (
	"strings"

	"curlew/internal/door/console"
	"curlew/internal/door/rest"
)

// deskOf are the rooms of what people do, with those of the API behind them.
func deskOf(t tenant) console.Desk {
	return console.Desk{Org: deskOrg{t}, People: deskPeople{t}, Doors: deskPeople{t}, Keys: deskKeys{t}, Account: deskAccount{t}, Costs: deskCosts{t}}
}

// beside puts what the API says of the places of a body beside the fields of a form.
func beside(err error) error {
	var all console.Mistakes
	for _, m := range rest.Mistakes(err) {
		field, _, _ := strings.Cut(strings.TrimPrefix(m.Place, "/"), "/")
		all = append(all, console.Mistake{Field: field, Sentence: m.Sentence})
	}
	if all == nil {
		return err
	}
	return all
}
