package dates

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestOneDateSettlesTheOrderOfAPage(t *testing.T) {
	for i, c := range []struct {
		texts []string
		want  Order
	}{
		{[]string{"05/08/2026", "23/04/2026", "01/02/2026"}, DayFirst},
		{[]string{"5/8/2026 and 4/23/2026"}, MonthFirst},
		{[]string{"05/08/2026", "1.2.3.4", "24/7"}, OrderUnknown},
		{[]string{"23/04/2026", "04/23/2026"}, OrderUnknown},
		{[]string{"09-25-19", "10-02-19", "call 20-12-19"}, MonthFirst},
		{nil, OrderUnknown},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if got := OrderOf(c.texts); got != c.want {
				t.Errorf("%q: %v, want %v", c.texts, got, c.want)
			}
		})
	}
}

func TestHeadingsGiveMonthAndYear(t *testing.T) {
	for text, want := range map[string][2]int{
		"Events 2026": {0, 2026}, "April 2026": {4, 2026}, "Veranstaltungen im Mai": {5, 0}, "Saison 2025/2026": {0, 2025},
		"2026年4月": {4, 2026}, "Contact us": {0, 0}, "Maj 2026": {5, 2026}, "Room 2026a": {0, 2026},
	} {
		t.Run(text, func(t *testing.T) {
			month, year := MonthYear(text, Options{})
			if month != want[0] || year != want[1] {
				t.Errorf("%q: %d %d, want %v", text, month, year, want)
			}
		})
	}
}

func TestTimesAlone(t *testing.T) {
	for text, want := range map[string]Clock{
		"Doors 19:30":       {Hour: 19, Minute: 30},
		"7–9 pm":            {Hour: 19, End: true, EndHour: 21},
		"Beginn: 19 Uhr":    {Hour: 19},
		"kl. 19":            {Hour: 19},
		"noon":              {Hour: 12},
		"19h30":             {Hour: 19, Minute: 30},
		"16 h 15":           {Hour: 16, Minute: 15},
		"à 16 h 15, salle":  {Hour: 16, Minute: 15},
		"16 h 15 – 17 h 45": {Hour: 16, Minute: 15, End: true, EndHour: 17, EndMinute: 45},
		"20 h 15 mai":       {Hour: 20},
		"20 h 15/5":         {Hour: 20},
		"20 h 15 €":         {Hour: 20},
		"14 h 16 h":         {Hour: 14},
		"All meetings 10am": {Hour: 10},
	} {
		t.Run(text, func(t *testing.T) {
			if got, ok := TimeOnly(text, Options{}); !ok || got != want {
				t.Errorf("%q: %+v %v", text, got, ok)
			}
		})
	}
	for _, text := range []string{"Room 12", "at 10 places", "3:2", "1.5 MB", "12 people"} {
		t.Run(text, func(t *testing.T) {
			if got, ok := TimeOnly(text, Options{}); ok {
				t.Errorf("%q: %+v", text, got)
			}
		})
	}
}

func TestWeekdayAlone(t *testing.T) {
	for text, want := range map[string]time.Weekday{"Friday": time.Friday, "Fr.": time.Friday, "piątek": time.Friday, "日曜日": time.Sunday, "(Tuesday)": time.Tuesday} {
		t.Run(text, func(t *testing.T) {
			if got, ok := Weekday(text, Options{}); !ok || got != want {
				t.Errorf("%q: %v %v", text, got, ok)
			}
		})
	}
	if _, ok := Weekday("Friday the film", Options{}); ok {
		t.Error("a title is no weekday")
	}
}

// TestConfidenceOrdersWhatIsKnown: what is written in full is surer than what
// was completed, and what could be two things is the least sure.
func TestConfidenceOrdersWhatIsKnown(t *testing.T) {
	now := time.Date(2026, 3, 14, 0, 0, 0, 0, time.UTC)
	last := 1.1
	for _, text := range []string{"Friday, 24 April 2026", "24 April 2026", "24/04/2026", "24 April", "5/8/2026"} {
		t.Run(text, func(t *testing.T) {
			d, ok := Parse(text, Options{Now: now})
			if !ok || d.Confidence >= last {
				t.Errorf("%q: %.2f is not below %.2f", text, d.Confidence, last)
			}
			last = d.Confidence
		})
	}
	wrong, _ := Parse("Monday, 24 April 2026", Options{Now: now})
	if wrong.Confidence > 0.7 {
		t.Errorf("a wrong weekday: %.2f", wrong.Confidence)
	}
}

// TestManyMayReadAtOnce: readers share the memory of those before them.
func TestManyMayReadAtOnce(t *testing.T) {
	texts := []string{"Friday, 24 April 2026 at 7pm", "nothing", "8–10 May 2026", "Doors 19:30, show 20:15", "Feb. 8, 2018: Board"}
	var want []string
	for _, text := range texts {
		want = append(want, fmt.Sprint(Find(text, Options{})))
	}
	var wait sync.WaitGroup
	for reader := range 4 {
		wait.Go(func() {
			for i := range 400 {
				at := (i + reader) % len(texts)
				if got := fmt.Sprint(Find(texts[at], Options{})); got != want[at] {
					t.Errorf("%q: %s, want %s", texts[at], got, want[at])
				}
			}
		})
	}
	wait.Wait()
}

// The end of a range settles the order of its beginning, also in another year; a year
// before "ore" is no time.
func TestRangesOverTheTurnOfTheYear(t *testing.T) {
	now := time.Date(2026, 11, 17, 0, 0, 0, 0, time.UTC)
	for text, want := range map[string]string{
		"02.11.2026 bis 30.04.2027": "2026-11-02", "05.12.2026 – 31.01.2027": "2026-12-05", "03/04/2026 - 20/05/2026": "2026-04-03",
		"19 novembre 2026 ore 19:30": "2026-11-19",
	} {
		t.Run(text, func(t *testing.T) {
			d, ok := Parse(text, Options{Now: now, Lang: map[bool]string{true: "it", false: "de"}[strings.Contains(text, "ore")]})
			if got := d.Start.Format(time.DateOnly); !ok || got != want || strings.Contains(text, "ore") && d.Start.Hour() != 19 {
				t.Errorf("%s (%v)", d.Start, ok)
			}
		})
	}
}

func TestYearsLongAgoAreYears(t *testing.T) {
	for text, want := range map[string]string{
		"nato il 3 maggio 1894 a Roma":     "1894-05-03",
		"el 3 de mayo de 1808 en Madrid":   "1808-05-03",
		"am 3.5.1894 geboren":              "1894-05-03",
		"1848. március 15. forradalom":     "1848-03-15",
		"Mon 3 May 1830 Town Hall":         "2027-05-03",
		"3 May, 1500 runners are expected": "2027-05-03",
	} {
		t.Run(text, func(t *testing.T) {
			found := Find(text, Options{Now: time.Date(2026, 11, 18, 0, 0, 0, 0, time.UTC)})
			if len(found) != 1 || found[0].Date.Start.Format(time.DateOnly) != want {
				t.Errorf("found %v, want one date, %s", found, want)
			}
		})
	}
}
