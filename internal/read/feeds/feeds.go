package feeds

import (
	"bytes"
	"net/url"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
)

// mostDrafts bounds what one feed may give: the largest calendars of cities hold a
// few thousand events.
const mostDrafts = 20_000

// Read reads a feed and gives a draft per entry; a recurring event comes once, with its
// rule. The schema says what the entries are wanted as; "" lets the feed decide. A body
// that is no feed is a fault with the code not_a_feed.
func Read(body []byte, contentType, address string, schema curlew.SchemaName) ([]curlew.Draft, error) {
	if schema != "" {
		if _, err := curlew.SchemaByName(schema); err != nil {
			return nil, err
		}
	}
	base, err := url.Parse(address)
	if err != nil {
		base = &url.URL{}
	}
	body = bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))
	if isCalendar(body, contentType) {
		return readCalendar(body, base, schema)
	}
	return readSyndication(body, base, schema)
}

// isCalendar goes by the first line: servers label calendars as plain text, and
// error pages as calendars.
func isCalendar(body []byte, contentType string) bool {
	head := bytes.TrimSpace(body[:min(len(body), 512)])
	if len(head) >= len("BEGIN:VCALENDAR") && strings.EqualFold(string(head[:15]), "BEGIN:VCALENDAR") {
		return true
	}
	return strings.Contains(strings.ToLower(contentType), "text/calendar") && bytes.Contains(body, []byte("BEGIN:VEVENT"))
}

func notAFeed(why string) error {
	return curlew.Permanent("not_a_feed", "this is not a feed: %s", why)
}
