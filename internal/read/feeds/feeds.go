package feeds

import (
	"bytes"
	"cmp"
	"net/url"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// mostDrafts bounds what one feed may give: the largest calendars of cities hold a
// few thousand events.
const mostDrafts = 20_000

// Reader reads feeds for somebody whose clock says Now. The zero Reader knows no
// clock: it gives a recurring event once, with its rule.
type Reader struct {
	Now    time.Time
	Behind time.Duration // how long before Now an occurrence may end; 0 means a day
	Ahead  time.Duration // how far after Now an occurrence may begin; 0 means a year
}

// Read reads a feed without a clock. The schema says what the entries are wanted
// as; "" lets the feed decide.
func Read(body []byte, contentType, address string, schema curlew.SchemaName) ([]curlew.Draft, error) {
	return Reader{}.Read(body, contentType, address, schema)
}

// Read reads a feed and gives a draft per entry, or per occurrence of a recurring
// event. A body that is no feed is a fault with the code not_a_feed.
func (r Reader) Read(body []byte, contentType, address string, schema curlew.SchemaName) ([]curlew.Draft, error) {
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
		return r.readCalendar(body, base, schema)
	}
	return r.readSyndication(body, base, schema)
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

func (r Reader) window() (from, until time.Time) {
	behind, ahead := r.Behind, r.Ahead
	behind = cmp.Or(behind, 24*time.Hour)
	ahead = cmp.Or(ahead, 366*24*time.Hour)
	return r.Now.Add(-behind), r.Now.Add(ahead)
}

func notAFeed(why string) error {
	return curlew.Permanent("not_a_feed", "this is not a feed: %s", why)
}
