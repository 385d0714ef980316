package console

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/change/schedule"
	"github.com/curlew-data/curlew/internal/curlew"
)

// timetable is a schedule as a form asks for it: one of a few usual ones, or anything
// that the language of schedules can say.
type timetable struct {
	Pick  string // adaptive, every, daily, weekdays, weekly, other; of a digest also now
	Every string // 15m
	Clock string // 07:30
	Day   string // mon
	Zone  string
	Other string // as text
}

// The choices that a form offers.
var (
	everyChoices = []string{"5m", "15m", "30m", "1h", "2h", "4h", "6h", "12h", "1d"}
	dayChoices   = []string{"mon", "tue", "wed", "thu", "fri", "sat", "sun"}
)

// everyWith are the intervals that a form offers, and the one that is chosen.
func everyWith(chosen string) []string {
	if !everyPattern.MatchString("every "+chosen) || slices.Contains(everyChoices, chosen) {
		return everyChoices
	}
	return append([]string{chosen}, everyChoices...)
}

func readTimetable(v *visit) timetable {
	return timetable{Pick: v.text("pick"), Every: v.text("every"), Clock: v.text("clock"), Day: v.text("day"),
		Zone: v.text("zone"), Other: v.text("other")}
}

var clockPattern = regexp.MustCompile(`^([01]?[0-9]|2[0-3]):([0-5][0-9])$`)

// text is the schedule in its language; "" is at once.
func (t timetable) text() (string, curlew.Problems) {
	clock := clockPattern.FindStringSubmatch(t.Clock)
	timed := t.Pick == "daily" || t.Pick == "weekdays" || t.Pick == "weekly"
	if timed && clock == nil {
		return "", curlew.ProblemIn("clock", "write the time as 07:30")
	}
	if problem := app.ZoneProblem(t.Zone); timed && problem != "" {
		return "", curlew.ProblemIn("zone", problem)
	}
	at := strings.TrimSpace(" at " + t.Clock + " " + t.Zone)
	switch t.Pick {
	case "now":
		return "", nil
	case "adaptive":
		return "adaptive", nil
	case "every":
		return "every " + t.Every, nil
	case "daily", "weekdays":
		return t.Pick + " " + at, nil
	case "weekly":
		return "weekly on " + t.Day + " " + at, nil
	}
	if t.Other == "" {
		return "", curlew.ProblemIn("other", "write a schedule, such as \"daily at 07:30 Europe/Warsaw\" or \"30 7 * * mon-fri\"")
	}
	return t.Other, nil
}

var (
	timedPattern = regexp.MustCompile(`^(daily|weekdays|weekly)(?: on (\w+))? at ([0-9]{1,2}:[0-9]{2})(?: (\S+))?$`)
	everyPattern = regexp.MustCompile(`^every ((?:[0-9]+[mhdw])+)$`)
)

// timetableOf takes a schedule apart; what is none of the usual ones is shown as text.
func timetableOf(text string) timetable {
	t := timetable{Every: "1h", Clock: "07:30", Day: "mon", Pick: "other", Other: text}
	switch {
	case text == "":
		t.Pick = "now"
	case text == "adaptive":
		t.Pick = "adaptive"
	case text == "hourly":
		t.Pick = "every"
	}
	if m := timedPattern.FindStringSubmatch(text); m != nil {
		t.Pick, t.Clock, t.Zone = m[1], m[3], m[4]
		if len(m[2]) >= 3 {
			t.Day = strings.ToLower(m[2][:3])
		}
	}
	if m := everyPattern.FindStringSubmatch(text); m != nil {
		t.Pick, t.Every = "every", m[1]
	}
	if t.Pick != "other" {
		t.Other = ""
	}
	return t
}

// coming is when a schedule comes next, for people.
type coming struct {
	Words string // the schedule in words
	Times []time.Time
	Zone  string
	Why   string // where no times can be told
}

// nextTimes is how many visits a form shows.
const nextTimes = 5

// comingOf says when a schedule comes next.
func comingOf(text, id string, now time.Time) (*coming, curlew.Problems) {
	if text == "" {
		return nil, nil
	}
	s, err := schedule.Parse(text)
	if err != nil {
		return nil, curlew.ProblemIn("other", curlew.AsFault(err).Sentence)
	}
	c := &coming{Words: s.Describe()}
	if _, adaptive := s.Adaptive(); adaptive {
		c.Why = "It checks as often as the page changes, so the times depend on what it finds; the first check is due at once."
		return c, nil
	}
	s = s.For(id)
	for at := s.Next(now); len(c.Times) < nextTimes && !at.IsZero(); at = s.Next(at) {
		c.Times = append(c.Times, at)
	}
	return c, nil
}
