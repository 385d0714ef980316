package induce

import (
	"strconv"
	"time"

	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/dates"
)

var numericDate = text.Pattern(`\b(\d{1,2})[./-](\d{1,2})[./-](\d{4})\b`)

// settleOrder tells from known days whether pages write 4/1 for the fourth of January or
// for the first of April, and reads their dates so from then on. It leaves pages alone
// on which no known day, or not all of them, tells.
func settleOrder(samples []sample) dates.Order {
	known := map[*pageIndex][]time.Time{}
	for _, s := range samples {
		for _, values := range s.want {
			for _, v := range values {
				if !v.day.IsZero() && v.day.Day() != int(v.day.Month()) {
					known[s.index] = append(known[s.index], v.day)
				}
			}
		}
	}
	dayFirst, monthFirst := 0, 0
	for s, days := range known {
		d, m := s.orders(days)
		dayFirst, monthFirst = dayFirst+d, monthFirst+m
	}
	var order dates.Order
	switch {
	case dayFirst > 3*monthFirst:
		order = dates.DayFirst
	case monthFirst > 3*dayFirst:
		order = dates.MonthFirst
	default:
		return order
	}
	for _, s := range samples {
		if s.index.dates.Order != order {
			s.index.dates.Order = order
			clear(s.index.found)
		}
	}
	return order
}

// orders counts the texts that are a known day, read one way and the other.
func (s *pageIndex) orders(days []time.Time) (dayFirst, monthFirst int) {
	for _, at := range s.shown {
		l := &s.texts[at]
		if len(l.text) > 120 {
			continue
		}
		for _, m := range numericDate().FindAllStringSubmatch(l.text, 4) {
			a, _ := strconv.Atoi(m[1])
			b, _ := strconv.Atoi(m[2])
			year, _ := strconv.Atoi(m[3])
			for _, day := range days {
				switch {
				case day.Year() != year:
				case a == day.Day() && b == int(day.Month()):
					dayFirst++
				case b == day.Day() && a == int(day.Month()):
					monthFirst++
				}
			}
		}
	}
	return dayFirst, monthFirst
}
