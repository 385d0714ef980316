package app

import "testing"

func TestSharesAreWrittenInPercentAsPeopleDo(t *testing.T) {
	for share, want := range map[float64]string{29.0 / 100: "29", 57.0 / 100: "57", 7.0 / 100: "7", 14.1 / 100: "14.1", .125: "12.5", 1: "100"} {
		t.Run(want, func(t *testing.T) {
			if got := PercentOf(share); got != want {
				t.Errorf("%q", got)
			}
		})
	}
}
