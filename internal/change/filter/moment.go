package filter

import "time"

// moment is a time as fields carry it: an instant, or a day of which the time is
// not known.
type moment struct {
	at  time.Time
	day bool
}

var momentLayouts = []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02 15:04"}

func parseMoment(text string) (moment, bool) {
	if len(text) < 10 || len(text) > 40 {
		return moment{}, false
	}
	if t, err := time.Parse(time.DateOnly, text); err == nil {
		return moment{t, true}, true
	}
	for _, layout := range momentLayouts {
		if t, err := time.Parse(layout, text); err == nil {
			return moment{at: t}, true
		}
	}
	return moment{}, false
}

// compare goes by the day, as it was written, when one of the two knows no more.
func (m moment) compare(n moment) int {
	if m.day || n.day {
		return dayOf(m.at).Compare(dayOf(n.at))
	}
	return m.at.Compare(n.at)
}

func dayOf(t time.Time) time.Time {
	y, m, d := t.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}

// between says whether a moment lies from one instant to another; a day does when
// any part of it might.
func (m moment) between(from, to time.Time) bool {
	if m.day {
		day := dayOf(m.at)
		return !day.Before(dayOf(from.UTC())) && !day.After(dayOf(to.UTC()))
	}
	return !m.at.Before(from) && !m.at.After(to)
}
