package demo

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// The site trap is a calendar without an end: every month links to the months around
// it, every link carries a session id, and filters multiply the pages.
func trapTale() tale {
	return tale{
		atFirst: 24, arrive: span{0, 2}, change: span{1, 2}, vanish: span{0, 1},
		create: newPortalEvent, over: passed, order: byStart,
		edit: edits(delayed, retold("en"), movedTo(venues("trap")), rescheduled, renamed(" (rain or shine)")),
	}
}

func newPortalEvent(d *dice, n int, today time.Time) thing {
	e := event{Key: fmt.Sprint(4100 + n), Title: pick(d, names("trap", "what")) + " No. " + fmt.Sprint(d.between(2, 60)), Venue: pick(d,
		venues("trap")), Description: sentences(d, "en", 3),
		Starts: at(today, d.between(0, 85), d.between(8, 20), pick(d, []int{0, 30}), "America/Chicago")}
	e.Title = thorny(e.Title, n, 9, 4)
	e.Path = "/event/" + e.Key
	return e
}

func trapPaths() []path {
	return []path{
		home("/calendar"),
		{"GET /calendar", func(s scene, _ *http.Request) page { return trapMonth(s, s.today.Year(), int(s.today.Month())) }},
		{"GET /calendar/{year}/{month}", trapAnyMonth},
		{"GET /calendar/{year}/{month}/{day}", trapAnyMonth},
		{"GET /event/{id}", trapDetail},
	}
}

// trapMonthView is a month with all its ways out.
type trapMonthView struct {
	First    time.Time
	Weeks    [][]trapDay
	Events   []event
	Prev     string
	Next     string
	NextYear string
	Filters  []menuLink
}

type trapDay struct {
	Number int // 0: belongs to another month
	Path   string
	Events []event
}

func trapAnyMonth(s scene, r *http.Request) page {
	year, err := strconv.Atoi(r.PathValue("year"))
	month, errMonth := strconv.Atoi(r.PathValue("month"))
	inCalendar := 1 <= year && year <= 9999 && 1 <= month && month <= 12
	if err != nil || errMonth != nil || !inCalendar {
		return s.lost()
	}
	return trapMonth(s, year, month)
}

func trapMonth(s scene, year, month int) page {
	first := time.Date(year, time.Month(month), 1, 0, 0, 0, 0, time.UTC)
	link := func(t time.Time) string { return s.Session(t.Format("/calendar/2006/01")) }
	v := trapMonthView{First: first, Prev: link(first.AddDate(0, -1, 0)), Next: link(first.AddDate(0, 1, 0)),
		NextYear: link(first.AddDate(1, 0, 0))}
	for _, e := range of[event](s.things) {
		if e.Starts.Year() == year && int(e.Starts.Month()) == month {
			v.Events = append(v.Events, e)
		}
	}
	for _, kind := range []string{"music", "family", "sports", "civic"} {
		for _, shape := range []string{"grid", "list", "agenda"} {
			v.Filters = append(v.Filters, menuLink{kind + " / " + shape,
				s.Session(first.Format("/calendar/2006/01") + "?type=" + kind + "&view=" + shape)})
		}
	}
	v.Weeks = trapWeeks(s, first, v.Events)
	return s.html("list", view{Heading: formatDate("en", "MMMM yyyy", first), Path: first.Format("/calendar/2006/01"), Item: v})
}

func trapWeeks(s scene, first time.Time, events []event) [][]trapDay {
	var weeks [][]trapDay
	for day := first.AddDate(0, 0, -int(first.Weekday())); day.Before(first.AddDate(0, 1, 0)); day = day.AddDate(0, 0, 1) {
		if day.Weekday() == time.Sunday {
			weeks = append(weeks, nil)
		}
		cell := trapDay{}
		if day.Month() == first.Month() {
			cell = trapDay{Number: day.Day(), Path: s.Session(day.Format("/calendar/2006/01/02"))}
			for _, e := range events {
				if e.Starts.Day() == day.Day() {
					cell.Events = append(cell.Events, e)
				}
			}
		}
		weeks[len(weeks)-1] = append(weeks[len(weeks)-1], cell)
	}
	return weeks
}

// Session is a link with a session id that is new on every page.
func (s scene) Session(path string) string {
	glue := "?"
	if strings.Contains(path, "?") {
		glue = "&"
	}
	return path + glue + "PHPSESSID=" + s.Token("session"+path, 26)
}

func trapDetail(s scene, r *http.Request) page {
	e, found := find[event](s.things, r.PathValue("id"))
	if !found {
		return s.lost()
	}
	return s.html("detail", view{Heading: e.Title, Path: e.Path, Item: e})
}
