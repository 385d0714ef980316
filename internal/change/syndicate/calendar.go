package syndicate

import (
	"bufio"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// utcForm is a moment in iCalendar's basic form.
const (
	utcForm   = "20060102T150405Z"
	localForm = "20060102T150405"
	dateForm  = "20060102"
)

// calendar is iCalendar (RFC 5545) under construction.
type calendar struct {
	out   *bufio.Writer
	zones zones
}

// property writes one content line. The value must be in its form already.
func (c calendar) property(name, value string) { fold(c.out, name+":"+value) }

// text writes a property whose value is text, if there is any.
func (c calendar) text(name, value string) {
	if value != "" {
		c.property(name, textEscapes.Replace(value))
	}
}

var textEscapes = strings.NewReplacer(`\`, `\\`, ";", `\;`, ",", `\,`, "\n", `\n`)

// fold writes a line in pieces of at most 75 octets (section 3.1), and never cuts a
// character in two.
func fold(out *bufio.Writer, text string) {
	for room := 75; len(text) > room; room = 74 {
		cut := room
		for cut > 0 && text[cut]&0xC0 == 0x80 {
			cut--
		}
		if cut == 0 {
			cut = room // no text of ours, but it must end
		}
		_, _ = out.WriteString(text[:cut] + "\r\n ")
		text = text[cut:]
	}
	_, _ = out.WriteString(text + "\r\n")
}

// writeCalendar writes the events of a feed; what is no event with a start is left
// out. Of an entity with several changes only the first one in the feed is written,
// which is the newest: a calendar shows how things are.
func writeCalendar(out *bufio.Writer, f Feed, _ Options) error {
	years, err := f.zoneYears()
	if err != nil {
		return err
	}
	c := calendar{out: out, zones: zones{}}
	c.property("BEGIN", "VCALENDAR")
	c.property("VERSION", "2.0")
	c.property("PRODID", "-//Curlew//Curlew//EN")
	c.text("NAME", f.title())
	c.text("X-WR-CALNAME", f.title())
	for _, name := range slices.Sorted(maps.Keys(years)) {
		c.zone(c.zones.find(name), years[name])
	}
	if len(years) == 0 { // a calendar needs a component, though there may be no event
		c.zone(time.UTC, span{1970, 1970})
	}
	written := map[curlew.EntityID]bool{}
	for e, err := range f.entries() {
		if err != nil {
			return err
		}
		i := f.item(e)
		h, ok := c.zones.happening(i.subject)
		if !ok || f.Changes && written[i.subject.entity] {
			continue
		}
		if f.Changes {
			written[i.subject.entity] = true
		}
		c.event(f, i, h)
	}
	c.property("END", "VCALENDAR")
	return nil
}

// event writes one VEVENT.
func (c calendar) event(f Feed, i item, h happening) {
	s := i.subject
	c.property("BEGIN", "VEVENT")
	c.property("UID", pathText(string(s.entity))+"@"+authority)
	c.property("DTSTAMP", i.updated.Format(utcForm))
	c.property("LAST-MODIFIED", i.updated.Format(utcForm))
	if !s.since.IsZero() {
		c.property("CREATED", plausible(s.since).Format(utcForm))
	}
	c.property("SEQUENCE", fmt.Sprint(max(0, s.version)))
	fold(c.out, h.property("DTSTART", h.start))
	if !h.end.IsZero() {
		fold(c.out, h.property("DTEND", h.end))
	}
	if h.rule != "" {
		c.property("RRULE", h.rule)
	}
	if len(h.except) > 0 {
		fold(c.out, h.property("EXDATE", h.except...))
	}
	if h.kind == dayOnly {
		c.property("TRANSP", "TRANSPARENT") // it should not block the day
	}
	c.property("STATUS", statusOf(s))
	c.text("SUMMARY", s.name())
	c.text("LOCATION", s.location())
	c.text("DESCRIPTION", i.describe(h))
	if lat, lon, ok := s.place(); ok {
		c.property("GEO", fmt.Sprintf("%.6f;%.6f", lat, lon))
	}
	if i.url != "" {
		c.property("URL", i.url)
	}
	c.text("CATEGORIES", line(plain(s.fields["category"]), titleLength))
	if i.image != "" {
		fold(c.out, "IMAGE;VALUE=URI;DISPLAY=BADGE:"+i.image)
	}
	if s.status == curlew.EntityRemoved {
		c.text("COMMENT", "The site no longer lists this event.")
	}
	c.property("END", "VEVENT")
}

// statusOf is the state of an event. What the site no longer lists counts as
// cancelled, with a comment: else it would stay in calendars for good.
func statusOf(s subject) string {
	switch status := s.fields["status"]; {
	case status == "cancelled" || s.status == curlew.EntityRemoved:
		return "CANCELLED"
	case status == "postponed":
		return "TENTATIVE"
	}
	return "CONFIRMED"
}

func (s subject) location() string {
	var parts []string
	for _, field := range []string{"venue_name", "venue_address", "city", "country"} {
		text := line(plain(s.fields[field]), titleLength)
		if text != "" && !slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(p, text) }) {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, ", ")
}

// place is where it is on earth.
func (s subject) place() (lat, lon float64, ok bool) {
	lat, okLat := number(s.fields["latitude"])
	lon, okLon := number(s.fields["longitude"])
	onEarth := math.Abs(lat) <= 90 && math.Abs(lon) <= 180
	return lat, lon, okLat && okLon && onEarth
}

// describe tells what a calendar has no property for.
func (i item) describe(h happening) string {
	var parts []string
	if text := block(plain(i.subject.fields["description"]), valueLength); text != "" {
		parts = append(parts, text)
	}
	for _, field := range []string{"performers", "organizer", "price_min", "price_max"} {
		if value := i.subject.fields[field]; value != nil {
			parts = append(parts, label(field)+": "+i.display(field, value))
		}
	}
	if status := i.subject.fields["status"]; status != nil && status != "scheduled" {
		parts = append(parts, "Status: "+i.display("status", status))
	}
	if h.kind == dayOnly && i.subject.fields["all_day"] != true {
		parts = append(parts, "The time of day is not known.")
	}
	return strings.Join(parts, "\n")
}
