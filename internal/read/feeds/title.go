package feeds

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"
)

// Title is what a calendar or a JSON file calls itself; "" for anything else.
func Title(body []byte, contentType string) string {
	body = bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))
	if isCalendar(body, contentType) {
		return calendarTitle(body)
	}
	var file struct{ Title, Name any }
	if json.Unmarshal(body, &file) != nil {
		return ""
	}
	title, _ := file.Title.(string)
	name, _ := file.Name.(string)
	return cmp.Or(strings.TrimSpace(title), strings.TrimSpace(name))
}

func calendarTitle(body []byte) string {
	head, _, _ := bytes.Cut(body, []byte("BEGIN:VEVENT"))
	for _, calendar := range parseComponents(head).children {
		if title := cmp.Or(calendar.text("NAME"), calendar.text("X-WR-CALNAME")); title != "" {
			return title
		}
	}
	return ""
}
