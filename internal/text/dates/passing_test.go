package dates

import "testing"

func TestWhatChangesByItself(t *testing.T) {
	for s, want := range map[string]bool{"today": true, "2 days ago": true, "vor 3 Wochen": true, "89 comments": true,
		"27 mensen bekijken dit nu": true, "2026-11-17": false, "Verkauft": false, "21.800 km": false, "5 Bed": false} {
		t.Run(s, func(t *testing.T) {
			if got := Passing(s); got != want {
				t.Errorf("%v, want %v", got, want)
			}
		})
	}
}
