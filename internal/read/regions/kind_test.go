package regions

import (
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/text/dates"
)

func TestTypesOfColumns(t *testing.T) {
	o := dates.Options{Now: time.Date(2026, 11, 16, 0, 0, 0, 0, time.UTC), Lang: "en"}
	for name, c := range map[string]struct {
		values []string
		want   Type
	}{
		"ratings":             {[]string{"9.3", "9.0 (2.9M)", "8.9", "8.8 (1.1M)"}, TypeNumber},
		"out of five":         {[]string{"4.5 out of 5 stars", "4 out of 5 stars", "3.9 out of 5 stars"}, TypeNumber},
		"stars":               {[]string{"4.5 ★", "4.6 ★", "3.9 ★"}, TypeNumber},
		"with reviews":        {[]string{"4,5 von 5 (12)", "4,0 von 5 (3)"}, TypeNumber},
		"small ratings":       {[]string{"4.0", "4.1", "4.2", "4.5"}, TypeNumber},
		"some ratings":        {[]string{"4.1", "4.2", "4.5"}, TypeNumber},
		"starred ratings":     {[]string{"4.0 stars", "4.1 stars", "4.2 stars"}, TypeNumber},
		"rooms":               {[]string{"1.5 rooms", "2.5 rooms", "3.5 rooms", "10.5 rooms"}, TypeNumber},
		"named ratings":       {[]string{"Rating: 4.1", "Rating: 4.2", "Rating: 4.5"}, TypeNumber},
		"weekdays":            {[]string{"Mo 4.5", "Di 5.5", "Mi 6.5"}, TypeDate},
		"named days":          {[]string{"am 4.5", "am 5.5", "am 6.5"}, TypeDate},
		"durations":           {[]string{"30 min", "45 min", "1 h 20"}, TypeDuration},
		"durations in words":  {[]string{"Ready in 30 min", "Ready in 90 min"}, TypeDuration},
		"trips":               {[]string{"3 Tage", "2 Tage"}, TypeDuration},
		"ages":                {[]string{"3 weeks ago", "2 days ago"}, TypeDate},
		"days and an age":     {[]string{"12 Nov 2026", "13 Nov 2026", "2 hours ago"}, TypeDate},
		"times":               {[]string{"20h", "20h30", "19h"}, TypeTime},
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
