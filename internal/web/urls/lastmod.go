package urls

import (
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/text"
)

// The years in which a page can have been changed: the web is not older, and
// what claims to be later than 2100 is a placeholder such as 9999-12-31.
const (
	earliestYear = 1990
	latestYear   = 2100
)

// w3cLayouts are the precisions of the W3C's note on date and time, and the
// slips that are common in sitemaps: a blank for the T, no colon in the zone,
// no zone at all. What has no zone is read as UTC.
var w3cLayouts = []string{
	"2006-01-02T15:04:05Z07:00", "2006-01-02", "2006-01-02T15:04Z07:00", "2006-01", "2006",
	"2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05Z07",
	"2006-01-02T15:04Z0700", "20060102T150405Z0700", "20060102",
}

// feedLayouts are RFC 822 dates as feeds write them, after the weekday is cut.
var feedLayouts = []string{
	"2 Jan 2006 15:04:05 -0700", "2 Jan 2006 15:04:05 MST", "2 Jan 2006 15:04 -0700", "2 Jan 2006 15:04 MST",
	"2 Jan 06 15:04:05 -0700", "2 Jan 06 15:04:05 MST", "2 Jan 06 15:04 -0700", "2 Jan 06 15:04 MST",
	"2 Jan 2006 15:04:05", "2 Jan 06 15:04:05", "2 Jan 2006", "2 Jan 06", "2 January 2006 15:04:05 -0700", "2 January 2006 15:04:05 MST",
}

// zones are the names that RFC 822 gives a meaning; Go would take them for UTC.
var zones = strings.NewReplacer(
	" EST", " -0500", " EDT", " -0400", " CST", " -0600", " CDT", " -0500",
	" MST", " -0700", " MDT", " -0600", " PST", " -0800", " PDT", " -0700",
	" GMT", " +0000", " UTC", " +0000", " UT", " +0000", " Z", " +0000",
)

// parseLastMod reads when a page was last changed.
func parseLastMod(s string) (time.Time, bool) {
	s = text.Collapse(s)
	if len(s) < 4 || len(s) > 64 {
		return time.Time{}, false
	}
	stamp := strings.ToUpper(s)
	if len(stamp) > 10 && stamp[10] == ' ' && stamp[4] == '-' {
		stamp = stamp[:10] + "T" + strings.ReplaceAll(stamp[11:], " ", "")
	}
	if when, ok := tryLayouts(stamp, w3cLayouts); ok {
		return when, true
	}
	if _, day, ok := strings.Cut(s, ","); ok {
		s = strings.TrimSpace(day)
	}
	return tryLayouts(zones.Replace(s), feedLayouts)
}

func tryLayouts(text string, layouts []string) (time.Time, bool) {
	for _, layout := range layouts {
		when, err := time.Parse(layout, text)
		if err == nil && when.Year() >= earliestYear && when.Year() <= latestYear {
			return when.UTC(), true
		}
	}
	return time.Time{}, false
}
