package product

import "testing"

func TestRatingsOutOfFive(t *testing.T) {
	for text, want := range map[string][2]string{
		"4,5 von 5 (12)":                {"4.5", "12"},
		"4.8/5":                         {"4.8", ""},
		"Rated 4 out of 5 stars":        {"4", ""},
		"3.5 out of 5 stars, 1 review":  {"3.5", "1"},
		"Size 4 of 50":                  {},
		"24/5":                          {},
		"5 of 5 left in stock at Paris": {},
		"":                              {},
	} {
		t.Run(text, func(t *testing.T) {
			if rating, reviews := Rating(text); rating != want[0] || reviews != want[1] {
				t.Errorf("%q: %q and %q", text, rating, reviews)
			}
		})
	}
}
