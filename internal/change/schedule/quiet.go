package schedule

import (
	"regexp"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// Quiet are hours of every day without messages, on the clocks of one zone. The zero value has none.
type Quiet struct {
	from, to int // minutes after midnight; to may lie on the next day
	zone     *time.Location
	text     string
}

var quietPattern = regexp.MustCompile(`^([01]?[0-9]|2[0-3]):([0-5][0-9]) ?[-–] ?([01]?[0-9]|2[0-3]):([0-5][0-9])(?: (\S+))?$`)

// ParseQuiet reads hours such as "22:00-07:00 Europe/Oslo"; without a zone they are those of UTC.
func ParseQuiet(text string) (Quiet, error) {
	m := quietPattern.FindStringSubmatch(text)
	if m == nil {
		return Quiet{}, curlew.Permanent("bad_quiet", "write quiet hours as \"22:00-07:00 Europe/Oslo\"")
	}
	q := Quiet{from: minutes(m[1], m[2]), to: minutes(m[3], m[4]), zone: time.UTC, text: m[1] + ":" + m[2] + "-" + m[3] + ":" + m[4]}
	if q.from == q.to {
		return Quiet{}, curlew.Permanent("bad_quiet", "quiet hours must not begin and end at the same time")
	}
	if m[5] != "" {
		zone, err := time.LoadLocation(m[5])
		if err != nil || m[5] == "Local" {
			return Quiet{}, curlew.Permanent("bad_quiet", curlew.UnknownZone)
		}
		q.zone, q.text = zone, q.text+" "+m[5]
	}
	return q, nil
}

func minutes(hours, rest string) int {
	at, _ := time.Parse("15:04", hours+":"+rest) // the pattern lets nothing else through
	return at.Hour()*60 + at.Minute()
}

// String is the hours in their one spelling, which ParseQuiet reads as the same.
func (q Quiet) String() string { return q.text }

// Until is when the quiet hours end in which a time lies; false means that it lies in none.
func (q Quiet) Until(at time.Time) (time.Time, bool) {
	if q.zone == nil {
		return time.Time{}, false
	}
	local := at.In(q.zone)
	for day := -1; day <= 0; day++ { // hours that began yesterday may go on
		from := q.clock(local, day, q.from)
		to := q.clock(local, day, q.to)
		if q.to < q.from {
			to = q.clock(local, day+1, q.to)
		}
		if !at.Before(from) && at.Before(to) {
			return to, true
		}
	}
	return time.Time{}, false
}

func (q Quiet) clock(local time.Time, day, minute int) time.Time {
	return time.Date(local.Year(), local.Month(), local.Day()+day, 0, minute, 0, 0, q.zone)
}
