package regions

import (
	"testing"
	"time"

	"curlew/internal/text/dates"
)

func TestRatingsAreNoDays(t *testing.T) {
	o := dates.Options{Now: time.Date(2026, 11, 16, 0, 0, 0, 0, time.UTC), Lang: "en"}
	for name, c := range map[string]struct {
		values []string
		want   Type
	}{
		"ratings":             {[]string{"9.3", "9.0 (2.9M)", "8.9", "8.8 (1.1M)"}, TypeNumber},
		"out of five":         {[]string{"4.5 out of 5 stars", "4 out of 5 stars", "3.9 out of 5 stars"}, TypeNumber},
		"stars":               {[]string{"4.5 ★", "4.6 ★", "3.9 ★"}, TypeNumber},
		"with reviews":        {[]string{"4,5 von 5 (12)", "4,0 von 5 (3)"}, TypeNumber},
		"days":                {[]string{"8.9", "9.9", "10.9", "12.10"}, TypeDate},
		"days with the month": {[]string{"8.9.2026", "9.9.2026"}, TypeDate},
	} {
		t.Run(name, func(t *testing.T) {
			if got := TypeOf(c.values, o); got != c.want {
				t.Errorf("%v are %v, want %v", c.values, got, c.want)
			}
		})
	}
}
