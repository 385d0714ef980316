package syndicate

import "time"

// precision is how much of a time is known.
type precision int

const (
	dayOnly  precision = iota + 1
	floating           // a time of day in a zone that nobody names
	exact
)

// when is a time field.
type when struct {
	time.Time
	precision precision
}

// parseWhen reads RFC 3339, the same without an offset, or a date.
func parseWhen(text string) (when, bool) {
	for _, form := range []struct {
		layout string
		precision
	}{{time.DateOnly, dayOnly}, {time.RFC3339, exact}, {"2006-01-02T15:04:05", floating}, {"2006-01-02T15:04", floating}} {
		if t, err := time.Parse(form.layout, text); err == nil && t.Year() > 0 {
			return when{t, form.precision}, true
		}
	}
	return when{}, false
}

func (w when) words() string {
	switch w.precision {
	case dayOnly:
		return w.Format("Mon 2 Jan 2006")
	case floating:
		return w.Format("Mon 2 Jan 2006, 15:04")
	}
	return w.Format("Mon 2 Jan 2006, 15:04 (-07:00)")
}
