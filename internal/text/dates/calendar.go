package dates

import "time"

func validDay(y, m, d int) bool {
	return m >= 1 && m <= 12 && d >= 1 && d <= daysIn(y, m)
}

func daysIn(y, m int) int {
	return time.Date(y, time.Month(m)+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

// isoWeek gives a day of an ISO 8601 week; day 1 is Monday.
func isoWeek(y, week, day int) time.Time {
	jan4 := time.Date(y, 1, 4, 0, 0, 0, 0, time.UTC)
	monday := jan4.AddDate(0, 0, -(int(jan4.Weekday())+6)%7)
	return monday.AddDate(0, 0, (week-1)*7+day-1)
}

// fullYear widens two digits to the century that puts them between 70 years
// before and 30 years after now.
func fullYear(y int, o Options) int {
	pivot := 2026
	if !o.Now.IsZero() {
		pivot = o.Now.Year()
	} else if o.Year > 0 {
		pivot = o.Year
	}
	full := pivot/100*100 + y
	switch {
	case full > pivot+30:
		full -= 100
	case full < pivot-70:
		full += 100
	}
	return full
}

// fromJalali converts a date of the Persian calendar (33-year cycle, exact for
// the years 1206 … 1498).
func fromJalali(y, m, d int) time.Time {
	y -= 979
	days := 365*y + y/33*8 + (y%33+3)/4
	for i := 1; i < m; i++ {
		if i <= 6 {
			days += 31
		} else {
			days += 30
		}
	}
	// 1 Farvardin 979 is 20 March 1600.
	return time.Date(1600, 3, 20, 0, 0, 0, 0, time.UTC).AddDate(0, 0, days+d-1)
}

// toJalaliYear gives the Persian year in which a day falls.
func toJalaliYear(t time.Time) int {
	y := t.Year() - 621
	if t.Before(fromJalali(y, 1, 1)) {
		y--
	}
	return y
}
