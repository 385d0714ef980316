package syndicate

import (
	"fmt"
	"strings"
	"time"
	_ "time/tzdata" // the machine may have no zone files

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
)

// The years in which local times are written with their zone; others are in UTC.
const firstZoneYear, lastZoneYear = 1970, 2100

// repeatYears is for how long the zone of a repeating event is described.
const repeatYears = 10

// zones remembers what was looked up.
type zones map[string]*time.Location

var zoneName = text.Pattern(`^[A-Za-z][A-Za-z0-9_+-]{0,30}(/[A-Za-z0-9_+-]{1,30}){0,2}$`)

// find gives a zone by its IANA name, or nil.
func (z zones) find(name string) *time.Location {
	if !zoneName().MatchString(name) || strings.EqualFold(name, "local") {
		return nil
	}
	zone, known := z[name]
	if !known && len(z) < 1000 {
		zone, _ = time.LoadLocation(name)
		z[name] = zone
	}
	return zone
}

// span is a range of years, both included.
type span struct{ from, to int }

// zoneYears finds the zones that the events of a feed are in, and when.
func (f Feed) zoneYears() (map[string]span, error) {
	used, found := map[string]span{}, zones{}
	for e, err := range f.entries() {
		if err != nil {
			return nil, err
		}
		var told curlew.ChangePayload
		if e.Change != nil {
			told = payloadOf(*e.Change)
		}
		h, ok := found.happening(subjectOf(e, told))
		if !ok || h.zone == nil {
			continue
		}
		years := span{h.start.Year(), h.start.Year()}
		if !h.end.IsZero() {
			years.to = max(years.to, min(h.end.Year(), lastZoneYear))
		}
		if h.rule != "" {
			years.to += repeatYears
		}
		if had, known := used[h.zone.String()]; known {
			years = span{min(had.from, years.from), max(had.to, years.to)}
		}
		used[h.zone.String()] = years
	}
	return used, nil
}

// zone writes a VTIMEZONE: what applies at the start of the years, and each change of
// the offset within them.
func (c calendar) zone(zone *time.Location, years span) {
	c.property("BEGIN", "VTIMEZONE")
	c.property("TZID", zone.String())
	at := time.Date(years.from, 1, 1, 0, 0, 0, 0, zone)
	end := time.Date(years.to+1, 1, 2, 0, 0, 0, 0, zone)
	start, next := at.ZoneBounds()
	if start.IsZero() || start.Year() < firstZoneYear {
		start = time.Date(firstZoneYear, 1, 1, 0, 0, 0, 0, zone)
	}
	_, offset := at.Zone()
	before := offset
	if _, was := start.Add(-time.Second).In(zone).Zone(); was != offset {
		before = was
	}
	c.observance(start.In(zone), before)
	for !next.IsZero() && next.Before(end) {
		_, before = next.Add(-time.Second).In(zone).Zone()
		now := next.In(zone)
		c.observance(now, before)
		_, next = now.ZoneBounds()
	}
	c.property("END", "VTIMEZONE")
}

// observance writes one stretch. Its start is what the clock showed before it was set.
func (c calendar) observance(start time.Time, before int) {
	kind := "STANDARD"
	if start.IsDST() {
		kind = "DAYLIGHT"
	}
	name, offset := start.Zone()
	c.property("BEGIN", kind)
	c.property("DTSTART", start.UTC().Add(time.Duration(before)*time.Second).Format(localForm))
	c.property("TZOFFSETFROM", offsetText(before))
	c.property("TZOFFSETTO", offsetText(offset))
	c.text("TZNAME", name)
	c.property("END", kind)
}

// offsetText writes "+0200", with seconds where a zone of old had them.
func offsetText(seconds int) string {
	sign := '+'
	if seconds < 0 {
		sign, seconds = '-', -seconds
	}
	text := fmt.Sprintf("%c%02d%02d", sign, seconds/3600, seconds/60%60)
	if s := seconds % 60; s != 0 {
		text += fmt.Sprintf("%02d", s)
	}
	return text
}
