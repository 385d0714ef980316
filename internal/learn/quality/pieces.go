package quality

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/curlew-data/curlew/internal/text/dates"
)

// pieces are the parts of dates that stand apart on a page: the year in a heading,
// the month in the first cell, the day and the time in others.
type pieces struct {
	years, months map[int]bool
	days          map[int]bool
	clocks        map[string]bool
}

// longestPiece is how long a block may be that is a part of a date.
const longestPiece = 48

func piecesOf(blocks []block, o dates.Options) pieces {
	p := pieces{map[int]bool{}, map[int]bool{}, map[int]bool{}, map[string]bool{}}
	for i := range blocks {
		b := &blocks[i]
		if len(b.text) > longestPiece {
			continue
		}
		month, year := dates.MonthYear(b.text, o)
		p.months[month], p.years[year] = true, true
		for word := range strings.FieldsSeq(b.words) {
			if n, err := strconv.Atoi(strings.TrimRight(word, "stndrh")); err == nil && n >= 1 && n <= 31 {
				p.days[n] = true
			}
		}
		if clock, ok := dates.TimeOnly(b.text, o); ok {
			for _, c := range clockVariants(clock) {
				p.clocks[c] = true
			}
		}
		p.pairs(b.words)
	}
	return p
}

// pairs takes two numbers in a row that can be an hour and a minute for a time.
func (p pieces) pairs(words string) {
	before := -1
	for number := range strings.FieldsFuncSeq(words, func(r rune) bool { return r < '0' || r > '9' }) {
		n, err := strconv.Atoi(number)
		isMinute := err == nil && len(number) == 2 && n < 60
		if isMinute && before >= 0 && before < 24 {
			p.clocks[fmt.Sprintf("%02d:%02d", before, n)] = true
		}
		before = n
	}
}

// clockVariants are the times of day of a clock as fields carry them.
func clockVariants(c dates.Clock) []string {
	all := []string{fmt.Sprintf("%02d:%02d", c.Hour, c.Minute)}
	if c.End {
		all = append(all, fmt.Sprintf("%02d:%02d", c.EndHour, c.EndMinute))
	}
	return all
}

// make says whether a moment can be put together from the pieces of a record, with
// the month and the year from anywhere on the page.
func (p pieces) make(around pieces, value string) bool {
	at, clock, ok := moment(value)
	if !ok || !p.days[at.Day()] || !(p.months[int(at.Month())] || around.months[int(at.Month())]) {
		return false
	}
	return clock == "" || p.clocks[clock]
}

// writesClock says whether the hour and the minute of a time stand one after the
// other in folded words: "16 h 15".
func writesClock(words, clock string) bool {
	hour, minute, _ := strings.Cut(clock, ":")
	before := ""
	for number := range strings.FieldsFuncSeq(words, func(r rune) bool { return r < '0' || r > '9' }) {
		if number == minute && strings.TrimLeft(before, "0") == strings.TrimLeft(hour, "0") && before != "" {
			return true
		}
		before = number
	}
	return false
}

// writesDay says whether a text names the day that was read in it by its number,
// not only by its weekday.
func writesDay(text string, day int) bool {
	return slices.ContainsFunc(strings.FieldsFunc(text, func(r rune) bool { return r < '0' || r > '9' }), func(number string) bool {
		n, err := strconv.Atoi(number)
		return err == nil && (n == day || len(number) == 8) // 20260314
	})
}
