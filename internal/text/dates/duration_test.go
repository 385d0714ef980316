package dates

import (
	"testing"
	"time"
)

func TestDurations(t *testing.T) {
	for text, want := range map[string]float64{
		"30 min": 1800, "1 h 20 min": 4800, "1 h 20": 4800, "1h20": 4800, "PT45M": 2700, "1:30": 5400, "90": 90, "1,5 Stunden": 5400,
		"2 Tage": 172800, "½ hour": 1800, "1 t 15 min": 4500, "3 t": 10800, "Ready in 45 min": 2700, "20 min 5": -1, "3 rooms": -1, "soon": -1,
	} {
		t.Run(text, func(t *testing.T) {
			got, ok := Duration(text)
			if ok != (want >= 0) || ok && got != want {
				t.Errorf("%v, %v; want %v", got, ok, want)
			}
		})
	}
}

func TestWhatTellsADuration(t *testing.T) {
	for text, want := range map[string]bool{
		"30 min": true, "Ready in 45 min": true, "1 h 20 min": true, "1h 20m": true, "PT45M": true, "3 Tage": true, "1,5 Stunden": true,
		"in 3 days": true, "45 minutes": true, "1 hour 20": true,
		"3 hours ago": false, "vor 3 Tagen": false, "il y a 3 jours": false, "20h": false, "20h30": false, "20 m": false, "20 t": false, "4.1": false,
		"12 May 2026": false, "18:30": false, "90": false, "2.5 rooms": false, "every 3 days": false, "yesterday, 2 h": false,
		"1 h 5 min to the centre by the old road": false,
	} {
		t.Run(text, func(t *testing.T) {
			if got := IsDuration(text); got != want {
				t.Errorf("%v, want %v", got, want)
			}
		})
	}
}

func TestWhatIsCountedFromNow(t *testing.T) {
	for text, want := range map[string]Relative{
		"3 hours ago": RelativeMoment, "vor 2 Wochen": RelativeMoment, "in 45 min": RelativeMoment, "just now": RelativeMoment,
		"tomorrow": RelativeDay, "Today, 20:00": RelativeDay, "next Friday": RelativeDay,
		"3 December": Absolute, "3 December 2026, 20:00": Absolute, "Friday": Absolute,
	} {
		t.Run(text, func(t *testing.T) {
			d, ok := Parse(text, Options{Now: time.Date(2026, 3, 14, 10, 0, 0, 0, time.UTC), Lang: "en"})
			if !ok || d.Relative != want {
				t.Errorf("%+v, %v; want %v", d, ok, want)
			}
		})
	}
}
