package curlew

import (
	"testing"
	"time"
)

// Every value says when it was last read and where: on its detail page, or in the list that shows it more often.
func TestEachValueSaysWhenAndWhereItWasLastRead(t *testing.T) {
	at := func(hour int) time.Time { return time.Date(2026, 3, 2, hour, 0, 0, 0, time.UTC) }
	read, early := at(6), at(1)
	e := Entity{URL: "https://shop.test/p/1", Fields: Values{"name": "Lamp", "price": 12, "brand": "Tern", "gtin": "4", "slots": map[string]any{"depth": "4 m"}}}
	e.Confirm([]Sighted{
		{Sighting{SeenAt: at(9), DetailAt: &read, Detail: &Draft{Fields: Values{"brand": "Tern", "gtin": "4"}}, Lost: map[string]int{"gtin": 1}},
			"https://shop.test/"},
		{Sighting{SeenAt: at(2), DetailAt: &early, Detail: &Draft{Fields: Values{"brand": "Tern"}}}, "https://shop.test/sale"}})
	for name, want := range map[string]Confirmation{"name": {at(9), "https://shop.test/"}, "price": {at(9), "https://shop.test/"},
		"brand": {at(6), "https://shop.test/p/1"}, "slots.depth": {at(9), "https://shop.test/"}, "gtin": {}} {
		t.Run(name, func(t *testing.T) {
			if e.Confirmed[name] != want {
				t.Errorf("%s was last read %+v, want %+v", name, e.Confirmed[name], want)
			}
		})
	}
	if !e.ConfirmedAt().Equal(at(6)) {
		t.Errorf("the oldest is of %s", e.ConfirmedAt())
	}
}
