package feeds_test

import (
	"testing"

	"github.com/curlew-data/curlew/internal/read/feeds"
)

func TestAFeedIsWholeAndMayBeEmpty(t *testing.T) {
	const item = "<item><title>A</title><link>https://a.example/a</link></item>"
	const event = "BEGIN:VEVENT\r\nUID:1\r\nSUMMARY:A\r\nDTSTART:20260301T190000Z\r\nEND:VEVENT\r\n"
	for body, want := range map[string]struct{ cut, empty bool }{
		"<rss version='2.0'><channel><title>News</title></channel></rss>":                            {false, true},
		"<rss version='2.0'><channel><title>News</title>" + item + "</channel></rss><!-- signed -->": {false, false},
		"<rss version='2.0'><channel><title>News</title>" + item + "<item><tit":                      {true, false},
		"<rss version='2.0'><channel><title>News</title>":                                            {true, false},
		"<?xml version='1.0'?><feed xmlns='http://www.w3.org/2005/Atom'><title>N</title></feed>":     {false, true},
		"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n":                                        {false, true},
		"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n" + event + "END:VCALENDAR\r\n":                           {false, false},
		"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n" + event:                                                 {true, false},
		`{"version": "https://jsonfeed.org/version/1.1", "title": "News", "items": []}`:              {true, true},
		`{"title": "News", "items": []}`:                                                             {true, false},
		"<!doctype html><html><title>News</title><p>Nothing</html>":                                  {true, false},
	} {
		t.Run(body, func(t *testing.T) {
			if cut, empty := feeds.CutOff([]byte(body)), feeds.Empty([]byte(body)); cut != want.cut || empty != want.empty {
				t.Errorf("cut off %v, empty %v: %s", cut, empty, body)
			}
		})
	}
}
