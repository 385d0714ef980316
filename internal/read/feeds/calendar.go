package feeds

import (
	"cmp"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
)

// calendarReading is one VCALENDAR on its way to drafts.
type calendarReading struct {
	base   *url.URL
	schema curlew.SchemaName
	zones  *zones
}

func readCalendar(body []byte, base *url.URL, schema curlew.SchemaName) ([]curlew.Draft, error) {
	schema = cmp.Or(schema, curlew.SchemaEvent)
	if schema != curlew.SchemaEvent && schema != curlew.SchemaItem {
		return nil, curlew.Permanent("no_such_entities", "a calendar holds events, not entities of the schema %s", schema)
	}
	root := parseComponents(body)
	if len(root.children) > 0 && root.children[0].name == "VEVENT" { // bare events
		root = &component{children: []*component{{name: "VCALENDAR", children: root.children}}}
	}
	var all []curlew.Draft
	for _, calendar := range root.children {
		if calendar.name == "VCALENDAR" && len(all) < mostDrafts {
			c := calendarReading{base: base, schema: schema, zones: newZones(calendar)}
			all = append(all, c.drafts(calendar)...)
		}
	}
	return all[:min(len(all), mostDrafts)], nil
}

// happening is an event, or an occurrence that differs from its series, with its times.
type happening struct {
	component  *component
	index      int
	uid        string
	start, end moment
	instance   moment // which occurrence this is; zero for a series, or what does not recur
}

func (c calendarReading) drafts(calendar *component) []curlew.Draft {
	var found []happening
	for _, part := range calendar.children {
		if part.name != "VEVENT" {
			continue
		}
		h := happening{component: part, index: len(found) + 1, uid: part.text("UID")}
		h.start, h.end = c.span(part)
		if h.start.IsZero() {
			continue
		}
		if id := part.get("RECURRENCE-ID"); id.value != "" {
			h.instance = c.moment(id)
		}
		found = append(found, h)
	}
	var all []curlew.Draft
	for _, h := range c.unique(found) {
		all = append(all, c.draft(h))
	}
	return all
}

// unique keeps the last version of each event: the higher SEQUENCE, else the later line.
func (c calendarReading) unique(all []happening) []happening {
	latest := map[string]int{}
	var kept []happening
	for _, h := range all {
		if h.uid == "" {
			kept = append(kept, h)
			continue
		}
		if at, ok := latest[h.key()]; ok {
			if number(h.component.text("SEQUENCE")) >= number(kept[at].component.text("SEQUENCE")) {
				kept[at] = h
			}
			continue
		}
		latest[h.key()] = len(kept)
		kept = append(kept, h)
	}
	return kept
}

func (h happening) key() string {
	if h.instance.IsZero() {
		return h.uid
	}
	return h.uid + "/" + h.instance.UTC().Format("20060102T150405Z")
}

func number(s string) int {
	n := 0
	for _, c := range text.CutBytes(s, 9) {
		if c < '0' || c > '9' {
			break
		}
		n = n*10 + int(c-'0')
	}
	return n
}

func (c calendarReading) draft(h happening) curlew.Draft {
	d := newDraft(c.schema, c.base, fmt.Sprintf("VEVENT[%d]", h.index))
	part := h.component
	d.set("title", "SUMMARY", part.text("SUMMARY"))
	d.set("url", "URL", part.get("URL").value)
	d.set("date", "DTSTART", h.start.String())
	d.set("text", "DESCRIPTION", part.text("DESCRIPTION"))
	c.times(d, h)
	place(d, part)
	d.set("description", "DESCRIPTION", part.text("DESCRIPTION"))
	d.set("category", "CATEGORIES", firstOf(part.text("CATEGORIES")))
	d.set("organizer", "ORGANIZER", part.get("ORGANIZER").param("CN"))
	if status, ok := statuses[strings.ToUpper(part.text("STATUS"))]; ok {
		d.set("status", "STATUS", status)
	}
	c.links(d, part)
	id := h.uid
	if !h.instance.IsZero() {
		id = h.key()
	}
	return d.done(id)
}

var statuses = map[string]string{"CONFIRMED": "scheduled", "CANCELLED": "cancelled", "CANCELED": "cancelled", "TENTATIVE": "scheduled"}

func (c calendarReading) times(d *drafting, h happening) {
	keep := func(field, name string, m moment) {
		d.set(field, name, m.String())
		if e, ok := d.draft.Provenance[field]; ok && h.component.get(name).value != "" {
			e.Text = h.component.get(name).value
			d.draft.Provenance[field] = e
		}
	}
	keep("starts_at", "DTSTART", h.start)
	if last := h.end.lastDay(h.start); !last.IsZero() {
		keep("ends_at", "DTEND", last)
	}
	d.set("time_known", "DTSTART", !h.start.allDay)
	d.set("all_day", "DTSTART", h.start.allDay)
	if name := h.start.Location().String(); h.start.zoned && !h.start.allDay && strings.Contains(name, "/") {
		d.set("timezone", "DTSTART", name)
	}
	d.set("recurrence", "RRULE", c.rule(h))
}

var (
	webAddress = text.Pattern(`https?://[^\s<>"'\\]{1,1000}`)
	remote     = text.Pattern(`(?i)^\s*(https?://|online\b|virtual\b|zoom\b|microsoft teams|google meet|webinar\b|livestream\b)`)
)

// place reads where an event is. Calendars write one line: "Hall, Street 1, City".
func place(d *drafting, part *component) {
	location := part.text("LOCATION")
	if remote().MatchString(location) {
		d.set("online", "LOCATION", true)
		if strings.HasPrefix(strings.TrimSpace(location), "http") {
			location = ""
		}
	}
	name, rest, several := strings.Cut(location, ",")
	if byLine, _, ok := strings.Cut(location, "\n"); ok {
		name, several = byLine, true
	}
	if !several || strings.ContainsAny(name, "0123456789") && len(strings.Fields(name)) > 1 && !strings.ContainsAny(rest, "0123456789") {
		name = location
	}
	d.set("venue_name", "LOCATION", name)
	if several {
		d.set("venue_address", "LOCATION", strings.ReplaceAll(location, "\n", ", "))
	}
	geo := strings.FieldsFunc(part.get("GEO").value, func(r rune) bool { return r == ';' || r == ',' })
	if len(geo) == 2 && !(strings.Trim(geo[0], "0.- ") == "" && strings.Trim(geo[1], "0.- ") == "") {
		d.set("latitude", "GEO", geo[0])
		d.set("longitude", "GEO", geo[1])
	}
}

func (c calendarReading) links(d *drafting, part *component) {
	for _, name := range []string{"IMAGE", "ATTACH"} {
		for _, p := range part.properties[name] {
			if name == "IMAGE" || strings.HasPrefix(strings.ToLower(p.param("FMTTYPE")), "image/") {
				d.set("image_url", name, strings.TrimSpace(p.value))
			}
		}
	}
	if uid := part.text("UID"); strings.HasPrefix(uid, "http") {
		d.set("url", "UID", uid)
	}
	d.set("url", "DESCRIPTION", webAddress().FindString(part.text("DESCRIPTION")))
}

func firstOf(list string) string {
	first, _, _ := strings.Cut(list, ",")
	return first
}

// moment is a time of a calendar with what is known about it.
type moment struct {
	time.Time
	allDay bool
	zoned  bool
}

// String writes it as fields carry times.
func (m moment) String() string {
	switch {
	case m.IsZero():
		return ""
	case m.allDay:
		return m.Format(time.DateOnly)
	case !m.zoned:
		return m.Format("2006-01-02T15:04:05")
	}
	return m.Format(time.RFC3339)
}

// lastDay turns the end of the format, which for whole days is the day after, into
// the end that people write. It is zero when the end says nothing.
func (m moment) lastDay(start moment) moment {
	if m.allDay {
		m.Time = m.AddDate(0, 0, -1)
	}
	if !m.After(start.Time) || m.IsZero() {
		return moment{}
	}
	return m
}
