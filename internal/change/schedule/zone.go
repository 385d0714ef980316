package schedule

import (
	_ "embed"
	"strings"
	"sync"
	"time"
	_ "time/tzdata" // the machine may have no zone files

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
)

// zoneNames is every name of the IANA database, to correct spelling and case.
//
//go:embed zones.txt
var zoneNames string

var zones = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	for name := range strings.Lines(zoneNames) {
		name = strings.TrimSpace(name)
		all[strings.ToLower(name)] = name
	}
	return all
})

// zone finds a time zone by name, whatever its case. "Local" is no name: a schedule
// must mean the same on every machine.
func (l *line) zone(w word) (*time.Location, error) {
	name, known := zones()[strings.ToLower(w.text)]
	if !known {
		return nil, l.unknownZone(w)
	}
	if name == "UTC" || name == "Etc/UTC" {
		return time.UTC, nil
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return nil, l.unknownZone(w)
	}
	return zone, nil
}

func (l *line) unknownZone(w word) error {
	if w.text == "" {
		return l.bad(w.at, "here a time zone is missing, such as Europe/Oslo")
	}
	if near := nearestZone(w.text); near != "" {
		return l.bad(w.at, "unknown time zone %s: did you mean %s?", quote(w.text), near)
	}
	return l.bad(w.at, curlew.UnknownZone)
}

// nearestZone corrects a zone: its city alone, or a slip in either part.
func nearestZone(text string) string {
	asked := strings.ReplaceAll(strings.ToLower(text), " ", "_")
	var names []string
	byCity := map[string]string{}
	for name := range strings.Lines(zoneNames) {
		name = strings.TrimSpace(name)
		names = append(names, name)
		if city := strings.ToLower(name[strings.LastIndexByte(name, '/')+1:]); byCity[city] == "" {
			byCity[city] = name
		}
	}
	city := asked[strings.LastIndexByte(asked, '/')+1:]
	if name := byCity[city]; name != "" {
		return name
	}
	if name := nearest(asked, names); name != "" {
		return name
	}
	cities := make([]string, 0, len(names))
	for _, name := range names {
		cities = append(cities, strings.ToLower(name[strings.LastIndexByte(name, '/')+1:]))
	}
	return byCity[nearest(city, cities)]
}

// nearest finds the name that is a slip away: at most one edit per four characters.
// The first one wins a tie.
func nearest(plain string, names []string) string {
	if len(plain) > 64 {
		return ""
	}
	best, least := "", len(plain)/4+1
	for _, name := range names {
		if d := text.Distance(strings.ToLower(plain), strings.ToLower(name)); d < least || d == least && best == "" {
			best, least = name, d
		}
	}
	return best
}
