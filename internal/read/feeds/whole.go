package feeds

import (
	"bytes"
	"slices"
)

// farEnd is how much of a feed may follow its end: programs sign what they wrote.
const farEnd = 4096

// CutOff says whether a feed in XML or a calendar ends before its root is closed.
func CutOff(body []byte) bool {
	tail := body[max(0, len(body)-farEnd):]
	return !slices.ContainsFunc([]string{"</rss", "</feed", "</rdf:RDF", "END:VCALENDAR"}, func(end string) bool {
		return bytes.Contains(tail, []byte(end))
	})
}

// Empty says whether a body is a whole feed without entries.
func Empty(body []byte) bool {
	head := bytes.TrimSpace(body[:min(len(body), 512)])
	if bytes.HasPrefix(head, []byte("{")) {
		if !IsJSONFeed(body) { // any JSON with a title would do
			return false
		}
	} else if CutOff(body) {
		return false
	}
	entries, err := Read(body, "", "", "")
	return err == nil && len(entries) == 0
}

// IsJSONFeed says whether JSON calls itself a feed.
func IsJSONFeed(body []byte) bool {
	head := bytes.TrimSpace(body[:min(len(body), 512)])
	return bytes.HasPrefix(head, []byte("{")) && bytes.Contains(head, []byte("jsonfeed.org"))
}
