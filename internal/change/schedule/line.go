package schedule

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/curlew"
)

// word is one word of a schedule and where it begins, in bytes.
type word struct {
	text string
	at   int
}

// line is a schedule while it is read.
type line struct {
	text  string
	words []word
}

func split(text string) []word {
	var all []word
	start := -1
	for i, r := range text {
		switch space := unicode.IsSpace(r); {
		case space && start >= 0:
			all = append(all, word{text[start:i], start})
			start = -1
		case !space && start < 0:
			start = i
		}
	}
	if start >= 0 {
		all = append(all, word{text[start:], start})
	}
	return all
}

// bad is a fault that points at a place.
func (l *line) bad(at int, format string, args ...any) error {
	f := curlew.Permanent("bad_schedule", format, args...)
	f.Sentence += placeOf(l.text, at)
	return f
}

func placeOf(text string, at int) string {
	if at >= len(text) {
		return " (at the end of " + quote(text) + ")"
	}
	character := utf8.RuneCountInString(text[:at]) + 1
	return " (in " + quote(text) + " at character " + number(character) + ")"
}

// takeZone takes CRON_TZ=ZONE from the front or @ZONE from the end.
func (l *line) takeZone() (*time.Location, error) {
	var zone *time.Location
	first := l.words[0]
	if key, name, found := strings.Cut(first.text, "="); found {
		if !strings.EqualFold(key, "CRON_TZ") && !strings.EqualFold(key, "TZ") {
			return nil, l.bad(first.at, "only CRON_TZ=ZONE may precede a schedule, not %s", quote(key+"="))
		}
		var err error
		if zone, err = l.zone(word{name, first.at + len(key) + 1}); err != nil {
			return nil, err
		}
		l.words = l.words[1:]
	}
	last := len(l.words) - 1
	if last < 1 || !strings.HasPrefix(l.words[last].text, "@") {
		return zone, nil
	}
	named := l.words[last]
	if zone != nil {
		return nil, l.bad(named.at, "the time zone is named twice: keep one")
	}
	l.words = l.words[:last]
	return l.zone(word{named.text[1:], named.at + 1})
}

// parse reads what is left without its zone, which is nil when none was named.
func (l *line) parse(zone *time.Location) (Schedule, error) {
	first := strings.ToLower(l.words[0].text)
	switch {
	case strings.HasPrefix(first, "@"):
		return l.macro(zone)
	case presets[first] != nil:
		return presets[first](l, zone)
	case len(l.words) == 5 || strings.ContainsAny(first, "*/,0123456789"):
		return l.cron(zone)
	}
	if near := nearest(first, presetNames()); near != "" {
		return Schedule{}, l.bad(l.words[0].at, "%s is no schedule: did you mean %q?", quote(l.words[0].text), near)
	}
	return Schedule{}, l.bad(l.words[0].at, "%s is no schedule: write a preset (every 15m, hourly, daily at 07:30, weekly, adaptive) or "+
		"five cron fields", quote(l.words[0].text))
}
