package labels

import "testing"

func TestWhatCountsVisitors(t *testing.T) {
	for said, want := range map[string]bool{
		"113 visitors": true, "1,249 visitors today": true, "12 people are looking at this": true, "Visitors: 113": true,
		"7 Besucher": true, "3 personnes regardent": true, "Open to visitors from 9 to 5": false, "For 20 visitors": false,
		"12 comments": false, "3 viewings": false, "visitors": false, "113": false, "Visitors: Ajax": false,
		"12 rooms on two floors for visitors": false,
	} {
		t.Run(said, func(t *testing.T) {
			if got := CountsVisitors(said); got != want {
				t.Errorf("%q counts visitors: %v", said, got)
			}
		})
	}
}
