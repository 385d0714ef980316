package feeds

import (
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // the machine may have no zone files

	"github.com/curlew-data/curlew/internal/text"
	"github.com/teambition/rrule-go"
)

// zones resolves the names of time zones in one calendar. A name that the world
// does not know is looked up in what the calendar itself says about it.
type zones struct {
	known   map[string]*time.Location
	defined map[string]*component
	usual   *time.Location // of times that name no zone; nil means local time wherever that is
}

func newZones(calendar *component) *zones {
	z := &zones{known: map[string]*time.Location{}, defined: map[string]*component{}}
	for _, c := range calendar.children {
		if c.name == "VTIMEZONE" {
			z.defined[c.text("TZID")] = c
		}
	}
	if name := calendar.text("X-WR-TIMEZONE"); name != "" {
		z.usual = z.named(name)
	}
	return z
}

// named finds a zone of the world by its name, by what Windows calls it, or by the
// offset that its name states; nil when there is none.
func (z *zones) named(name string) *time.Location {
	name = strings.Trim(strings.TrimSpace(name), `"`)
	if zone, ok := z.known[name]; ok {
		return zone
	}
	zone := worldZone(name)
	if c := z.defined[name]; zone == nil && c != nil {
		zone = worldZone(c.text("X-LIC-LOCATION"))
	}
	z.known[name] = zone
	return zone
}

func worldZone(name string) *time.Location {
	if name == "" || len(name) > 200 || strings.EqualFold(name, "local") {
		return nil
	}
	if iana, ok := windowsZones[name]; ok {
		name = iana
	}
	// Evolution and Mozilla put a path before the name: /citadel.org/20210210_1/Europe/Berlin.
	parts := strings.Split(strings.Trim(name, "/"), "/")
	for keep := min(len(parts), 3); keep > 0; keep-- {
		candidate := strings.ReplaceAll(strings.Join(parts[len(parts)-keep:], "/"), " ", "_")
		if keep == 1 && len(parts) > 1 {
			break // "Berlin" alone names nothing, and "Europe" is no path
		}
		if zone, err := time.LoadLocation(candidate); err == nil && candidate != "" {
			return zone
		}
	}
	return offsetZone(name)
}

var statedOffset = text.Pattern(`^\(?(?:UTC|GMT)\s*(?:([+-])(\d{1,2}):?(\d{2})?)?\)?`)

// offsetZone reads names such as "GMT+0100" and "(UTC-05:00) Eastern Time".
func offsetZone(name string) *time.Location {
	m := statedOffset().FindStringSubmatch(strings.ToUpper(name))
	if m == nil {
		return nil
	}
	hours, _ := strconv.Atoi(m[2])
	minutes, _ := strconv.Atoi(m[3])
	seconds := hours*3600 + minutes*60
	if m[1] == "-" {
		seconds = -seconds
	}
	if seconds == 0 {
		return time.UTC
	}
	return time.FixedZone("", seconds)
}

// in places a time of the wall clock in a zone, by the calendar's own definition
// when the world does not know the name.
func (z *zones) in(name string, local time.Time) (time.Time, bool) {
	zone := z.named(name)
	if name == "" {
		zone = z.usual
	}
	if zone == nil {
		offset, ok := definedOffset(z.defined[name], local)
		if !ok {
			return local, false
		}
		zone = time.FixedZone("", offset)
	}
	y, m, d := local.Date()
	return time.Date(y, m, d, local.Hour(), local.Minute(), local.Second(), 0, zone), true
}

// definedOffset is what a VTIMEZONE says for a moment: the offset of the observance
// that began last.
func definedOffset(c *component, local time.Time) (offset int, ok bool) {
	if c == nil {
		return 0, false
	}
	var latest time.Time
	for _, observance := range c.children {
		to, err := parseOffset(observance.text("TZOFFSETTO"))
		began, _, good := parseStamp(observance.get("DTSTART").value)
		if err != nil || !good {
			continue
		}
		if !ok {
			offset, ok = to, true
		}
		if began = lastOnset(observance, began, local); !began.After(local) && (latest.IsZero() || began.After(latest)) {
			latest, offset = began, to
		}
	}
	return offset, ok
}

// lastOnset steps through the yearly changes of an observance up to a moment.
func lastOnset(observance *component, began, local time.Time) time.Time {
	rule := observance.get("RRULE").value
	if rule == "" || !strings.Contains(strings.ToUpper(rule), "FREQ=YEARLY") {
		return began
	}
	option, err := rrule.StrToROption(rule)
	if err != nil || began.After(local) {
		return began
	}
	// The rule says the same for every year, so that centuries need not be walked.
	if first := local.Year() - 2; option.Count == 0 && began.Year() < first && option.Interval <= 1 {
		began = time.Date(first, began.Month(), began.Day(), began.Hour(), began.Minute(), began.Second(), 0, time.UTC)
	}
	option.Dtstart = began
	recurrence, err := rrule.NewRRule(*option)
	if err != nil {
		return began
	}
	next := recurrence.Iterator()
	for range 200 {
		at, more := next()
		if !more || at.After(local) {
			break
		}
		began = at
	}
	return began
}

func parseOffset(text string) (int, error) {
	sign := 1
	if strings.HasPrefix(text, "-") {
		sign = -1
	}
	text = strings.TrimLeft(text, "+-")
	if len(text) < 4 || len(text) > 6 {
		return 0, strconv.ErrSyntax
	}
	hours, err := strconv.Atoi(text[:2])
	if err != nil {
		return 0, err
	}
	minutes, err := strconv.Atoi(text[2:4])
	return sign * (hours*3600 + minutes*60), err
}
