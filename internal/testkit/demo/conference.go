package demo

import (
	"fmt"
	"net/http"
	"strings"
	"time"
)

// The site conference is a French conference on one page: the date stands in the heading
// of a group, the times in its rows, and there are no detail pages.
func conferenceTale() tale {
	return tale{
		atFirst: 32, arrive: span{0, 2}, change: span{1, 3}, vanish: span{0, 1},
		create: newTalk, over: passed, order: byStart,
		edit: edits(delayed, movedTo(venues("conference")), replaceSpeakers, calledOff, renamed(" (suite)", " – session ouverte")),
	}
}

// conferenceDay is the first day of the next edition: the 24th of this month,
// or of the next one when that is too near.
func conferenceDay(today time.Time) time.Time {
	first := time.Date(today.Year(), today.Month(), 24, 0, 0, 0, 0, time.UTC)
	if today.Day() > 18 {
		return first.AddDate(0, 1, 0)
	}
	return first
}

func newTalk(d *dice, n int, today time.Time) thing {
	e := event{Key: fmt.Sprintf("s-%d", 14+n), Title: pick(d, names("conference", "talks")), Venue: pick(d, venues("conference")),
		Performers: picks(d, names("conference", "speakers"), d.between(1, 3)),
		Starts:     at(conferenceDay(today), d.between(0, 3), d.between(9, 17), pick(d, []int{0, 15, 30}), "Europe/Paris")}
	e.Ends = e.Starts.Add(time.Duration(d.between(2, 6)) * 15 * time.Minute)
	e.Title = thorny(e.Title, n, 8, 3)
	e.Path = "/programme#" + e.Key
	return e
}

func replaceSpeakers(d *dice, e event) event {
	e.Performers = picks(d, names("conference", "speakers"), d.between(1, 3))
	return e
}

func conferencePaths() []path {
	return []path{
		home("/programme"),
		{"GET /programme", func(s scene, _ *http.Request) page {
			return s.html("list", view{Heading: "Programme", Path: "/programme", Items: festivalDays(of[event](s.things))})
		}},
	}
}

// Hour is a time as the French write it: 9 h, 9 h 30.
func (e event) Hour(t time.Time) string {
	return strings.TrimSuffix(formatDate("fr", "H 'h' mm", t), " 00")
}
