package schedule

import (
	"hash/fnv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/curlew"
)

// maxText is the longest schedule that is read, in bytes; a cron line with every
// minute spelled out stays below it.
const maxText = 400

type kind int

const (
	byInterval kind = iota + 1
	byCalendar
	byRhythm
)

// Schedule is when to look. The zero value never comes.
type Schedule struct {
	kind     kind
	text     string // in its one spelling, without the zone
	every    time.Duration
	phase    time.Duration
	calendar calendar
	zone     *time.Location
	adaptive Adaptive
}

// Parse reads a preset ("every 15m", "hourly", "daily at 07:30 Europe/Warsaw"), a
// cron line of five fields ("30 7 * * mon-fri", with CRON_TZ=ZONE before it or @ZONE
// after it), or "adaptive" with or without bounds ("adaptive 15m..24h"). What cannot
// be read is a permanent fault, "bad_schedule", whose sentence says what and where.
func Parse(text string) (Schedule, error) {
	if len(text) > maxText {
		return Schedule{}, curlew.Permanent("bad_schedule", "a schedule has at most %d characters, this one has %d", maxText, len(text))
	}
	if !utf8.ValidString(text) {
		return Schedule{}, curlew.Permanent("bad_schedule", "the schedule %q is not valid UTF-8", text)
	}
	l := line{text: text, words: split(text)}
	if len(l.words) == 0 {
		return Schedule{}, curlew.Permanent("bad_schedule",
			"the schedule is empty: write for example \"every 15m\", \"daily at 07:30 Europe/Warsaw\", \"*/20 8-18 * * mon-fri\" or \"adaptive\"")
	}
	zone, err := l.takeZone()
	if err != nil {
		return Schedule{}, err
	}
	if len(l.words) == 0 {
		return Schedule{}, l.bad(len(text), "a time zone alone is no schedule")
	}
	return l.parse(zone)
}

// Next is the first time to look after a moment, or zero if none ever comes. An
// adaptive schedule, which needs a Rhythm to know better, waits its longest interval.
func (s Schedule) Next(after time.Time) time.Time {
	switch s.kind {
	case byInterval:
		return s.nextBeat(after)
	case byCalendar:
		return s.calendar.next(after, s.zone)
	case byRhythm:
		return after.Add(s.adaptive.Longest)
	}
	return time.Time{}
}

// nextBeat counts intervals from 1970, so that restarts and late runs never shift it.
func (s Schedule) nextBeat(after time.Time) time.Time {
	every := int64(s.every / time.Second)
	since := after.Unix() - int64(s.phase/time.Second)
	beats := since / every
	if since%every < 0 {
		beats--
	}
	return time.Unix((beats+1)*every, 0).Add(s.phase).In(after.Location())
}

// For shifts the beat of an interval by something fixed for an id, so that a
// thousand watches that are looked at hourly do not all come at the full hour.
// Schedules that name a time keep it.
func (s Schedule) For(id string) Schedule {
	if s.kind == byInterval {
		h := fnv.New64a()
		h.Write([]byte(id))
		s.phase = time.Duration(h.Sum64()%uint64(s.every/time.Second)) * time.Second
	}
	s.adaptive.ID = id
	return s
}

// Adaptive gives the bounds of an adaptive schedule; false means that it is none.
func (s Schedule) Adaptive() (Adaptive, bool) { return s.adaptive, s.kind == byRhythm }

// String is the schedule in its one spelling, which Parse reads as the same schedule.
func (s Schedule) String() string {
	if s.kind != byCalendar || s.zone == time.UTC {
		return s.text
	}
	if isCron(s.text) {
		return "CRON_TZ=" + s.zone.String() + " " + s.text
	}
	return s.text + " " + s.zone.String()
}

func isCron(text string) bool { return len(strings.Fields(text)) == 5 && !startsPreset(text) }

// Check refuses a schedule that comes more often than allowed, as a permanent fault,
// "schedule_too_often".
func (s Schedule) Check(shortest time.Duration) error {
	gap := s.Shortest()
	if gap >= shortest {
		return nil
	}
	return curlew.Permanent("schedule_too_often", "%q checks every %s, but the shortest interval allowed here is every %s",
		s.String(), words(gap), words(shortest))
}

// Shortest is the least time between two checks, apart from days with a clock change.
func (s Schedule) Shortest() time.Duration {
	switch s.kind {
	case byInterval:
		return s.every
	case byRhythm:
		return s.adaptive.Shortest
	}
	return s.calendar.shortest()
}

// ParseDigest reads when a digest is sent, which cannot adapt to anything.
func ParseDigest(text string) (Schedule, error) {
	s, err := Parse(text)
	if _, adaptive := s.Adaptive(); err == nil && adaptive {
		err = curlew.Permanent("bad_digest", "a digest needs its own schedule, such as \"daily at 08:00 Europe/Oslo\"")
	}
	return s, err
}
