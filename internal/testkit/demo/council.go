package demo

import (
	"fmt"
	"net/http"
	"strings"
	"time"
)

// The site council is a town's list of public meetings as it was put online long ago:
// plain tables, an old charset, no structured data, one page.
func councilTale() tale {
	return tale{
		atFirst: 58, arrive: span{0, 2}, change: span{1, 3}, vanish: span{0, 1},
		create: newMeeting, over: passed, order: byStart,
		edit: edits(delayed, movedTo(venues("council")), calledOff, rescheduled, renamed(" (Special)", " – Joint Session")),
	}
}

func newMeeting(d *dice, n int, today time.Time) thing {
	e := event{Key: fmt.Sprintf("M%04d", 1200+n*3), Path: "/clerk/meetings.htm", Title: pick(d, names("council", "bodies")),
		Venue:  pick(d, venues("council")),
		Starts: at(today, d.between(0, 340), d.between(8, 19), pick(d, []int{0, 0, 30, 15}), "America/Chicago")}
	switch e.Starts.Weekday() {
	case time.Saturday:
		e.Starts = e.Starts.AddDate(0, 0, 2)
	case time.Sunday:
		e.Starts = e.Starts.AddDate(0, 0, 1)
	}
	if n%13 == 6 {
		odd := names("council", "oddities")
		e.Title = odd[n/13%len(odd)]
	}
	return e
}

func councilPaths() []path {
	return []path{
		{"GET /{$}", func(s scene, _ *http.Request) page { return s.html("front", view{Heading: "Welcome", Path: "/"}) }},
		{"GET /clerk/meetings.htm", councilList},
		{"GET /clerk/agendas/{file}", councilAgenda},
	}
}

// councilYear and councilMonth are how the town groups its meetings.
type councilYear struct {
	Year   int
	Months []councilMonth
}

type councilMonth struct {
	First    time.Time
	Meetings []event
}

// Rows is how many rows the month's cell spans, for templates.
func (m councilMonth) Rows() int { return len(m.Meetings) }

func councilYears(meetings []event) []councilYear {
	var years []councilYear
	for _, m := range meetings {
		if len(years) == 0 || years[len(years)-1].Year != m.Starts.Year() {
			years = append(years, councilYear{Year: m.Starts.Year()})
		}
		year := &years[len(years)-1]
		if last := len(year.Months) - 1; last < 0 || year.Months[last].First.Month() != m.Starts.Month() {
			year.Months = append(year.Months, councilMonth{First: m.Starts})
		}
		month := &year.Months[len(year.Months)-1]
		month.Meetings = append(month.Meetings, m)
	}
	return years
}

func councilList(s scene, _ *http.Request) page {
	return s.html("list", view{Heading: "Public Meetings", Path: "/clerk/meetings.htm", Items: councilYears(of[event](s.things))})
}

func councilAgenda(s scene, r *http.Request) page {
	e, found := find[event](s.things, strings.TrimSuffix(r.PathValue("file"), "_agenda.pdf"))
	if !found {
		return s.lost()
	}
	return page{kind: "application/pdf", body: PDF("Agenda of meeting " + e.Key + ", " + e.Starts.Format(time.DateOnly))}
}
