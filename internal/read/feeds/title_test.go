package feeds

import "testing"

func TestAFeedIsCalledAsItCallsItself(t *testing.T) {
	for name, c := range map[string]struct{ body, want string }{
		"a calendar":                {"BEGIN:VCALENDAR\r\nX-WR-CALNAME:Council of Elmford\\, meetings\r\nBEGIN:VEVENT\r\nNAME:x\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n", "Council of Elmford, meetings"},
		"a calendar of the new way": {"BEGIN:VCALENDAR\r\nNAME:Meetings\r\nX-WR-CALNAME:old\r\nEND:VCALENDAR\r\n", "Meetings"},
		"a calendar without a name": {"BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:x\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n", ""},
		"a JSON feed":               {`{"version":"https://jsonfeed.org/version/1.1","title":"Harbour news","items":[]}`, "Harbour news"},
		"another JSON file":         {`{"name":"Courses","courses":[]}`, "Courses"},
		"a name that is none":       {`{"name":{"en":"Courses"},"title":3}`, ""},
		"a JSON list":               {`[1,2]`, ""},
		"a page":                    {`<html><title>News</title></html>`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Title([]byte(c.body), ""); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
