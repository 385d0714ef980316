package article

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/dates"
	"golang.org/x/net/html"
)

// stamps are the days that a page writes for machines wherever it files things: in
// ids, addresses, file names and scripts ("news20190624_k100", "/2019/06/24/",
// "photo_20190624113000.jpg"), with how often.
//
// One of them alone says little. But where people are shown a day without a year, a
// stamp of the same day and month tells the year.
type stamps struct {
	counts map[string]int
	years  []int // most frequent first
}

// mostYears bounds how many years a date without one is tried with.
const mostYears = 12

func stampsIn(body []byte) stamps {
	s := stamps{counts: map[string]int{}}
	perYear := map[int]int{}
	for i := 0; i < len(body); {
		if !isDigit(body[i]) {
			i++
			continue
		}
		end := i
		for end < len(body) && isDigit(body[end]) {
			end++
		}
		if day, ok := stampAt(body, i, end); ok {
			s.counts[day.Format(time.DateOnly)]++
			perYear[day.Year()]++
		}
		i = end
	}
	for year := range perYear {
		s.years = append(s.years, year)
	}
	slices.SortFunc(s.years, func(a, b int) int { return cmp.Or(cmp.Compare(perYear[b], perYear[a]), cmp.Compare(b, a)) })
	s.years = s.years[:min(len(s.years), mostYears)]
	return s
}

// stampAt reads the stamp that begins with the run of digits from i to end: a day in
// eight digits, with its time in twelve or fourteen, or in parts with one separator.
func stampAt(body []byte, i, end int) (time.Time, bool) {
	switch end - i {
	case 8, 12, 14:
		return dayOf(string(body[i:i+4]), string(body[i+4:i+6]), string(body[i+6:i+8]))
	case 4:
		if end+6 > len(body) || body[end] != body[end+3] || end+6 < len(body) && isDigit(body[end+6]) {
			return time.Time{}, false
		}
		switch body[end] {
		case '/', '-', '_':
			return dayOf(string(body[i:end]), string(body[end+1:end+3]), string(body[end+4:end+6]))
		}
	}
	return time.Time{}, false
}

// dayOf is the day of three numbers, if there is such a day since the web began.
func dayOf(y, m, d string) (time.Time, bool) {
	year, e1 := strconv.Atoi(y)
	month, e2 := strconv.Atoi(m)
	day, e3 := strconv.Atoi(d)
	at := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	ok := e1 == nil && e2 == nil && e3 == nil && at.Day() == day && int(at.Month()) == month && year >= earliest.Year() && year < 2100
	return at, ok
}

// keptDate is the moment that an element keeps for a script which writes it out in
// the reader's own way: in its content or title, or in an attribute of its own
// named after dates, often as seconds since 1970.
func keptDate(n *html.Node) string {
	for i := range n.Attr {
		key, value := n.Attr[i].Key, strings.TrimSpace(n.Attr[i].Val)
		own := strings.HasPrefix(key, "data-") && (strings.Contains(key, "time") || strings.Contains(key, "date") ||
			strings.Contains(key, "publish"))
		if !own && key != "content" && key != "title" {
			continue
		}
		if len(value) >= 10 && stampedISO().MatchString(value) {
			return value
		}
		if seconds, ok := epoch(value); own && ok {
			return time.Unix(seconds, 0).UTC().Format(time.RFC3339)
		}
	}
	return ""
}

var stampedISO = text.Pattern(`^(?:19|20)\d\d-\d\d-\d\d(?:$|[T ]\d)`)

// epoch reads seconds or milliseconds since 1970, told apart by their length.
func epoch(text string) (seconds int64, ok bool) {
	n, err := strconv.ParseInt(text, 10, 64)
	switch {
	case err != nil || n < earliest.Unix():
		return 0, false
	case len(text) == 13:
		return n / 1000, true
	}
	return n, len(text) == 9 || len(text) == 10
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

// found are the dates in a line that people see. Those without a year get it from
// the stamps of the page, else from the clock.
func (c *calendar) found(text string) []dates.Occurrence {
	all := dates.Find(text, c.options)
	bare := c.options
	bare.Now = time.Time{}
	whole := all
	if !c.options.Now.IsZero() {
		whole = dates.Find(text, bare)
	}
	for _, f := range c.stamped(text, bare) {
		same := func(o dates.Occurrence) bool { return o.Begin < f.End && f.Begin < o.End }
		if slices.ContainsFunc(whole, same) {
			continue // it has a year of its own
		}
		if i := slices.IndexFunc(all, same); i >= 0 {
			all[i] = f
		} else {
			all = append(all, f)
		}
	}
	slices.SortStableFunc(all, func(a, b dates.Occurrence) int { return cmp.Compare(a.Begin, b.Begin) })
	return all
}

// stamped are the dates of a text as they are in the years of the page's stamps,
// where one of the stamps is of that very day.
func (c *calendar) stamped(text string, o dates.Options) []dates.Occurrence {
	o.Year = 2000 // any leap year
	if len(dates.Find(text, o)) == 0 {
		return nil
	}
	if c.stamps.counts == nil {
		c.stamps = stampsIn(c.doc.Body())
	}
	var all []dates.Occurrence
	for _, year := range c.stamps.years {
		o.Year = year
		for _, f := range dates.Find(text, o) {
			n := c.stamps.counts[f.Start.Format(time.DateOnly)]
			if n == 0 || f.Start.Year() != year {
				continue
			}
			i := slices.IndexFunc(all, func(other dates.Occurrence) bool { return other.Begin == f.Begin })
			switch {
			case i < 0:
				all = append(all, f)
			case n > c.stamps.counts[all[i].Start.Format(time.DateOnly)]:
				all[i] = f
			}
		}
	}
	return all
}
