package extract

import (
	"testing"
	"time"

	"curlew/internal/curlew"
)

func TestAKindThatLosesNamedColumnsIsNotSure(t *testing.T) {
	const results = `<table><tr><th>Date</th><th>Home</th><th>Score</th><th>Away</th><th>Attendance</th></tr>
		<tr><td>Sat 7 Feb 2026</td><td>Ashby Town</td><td>2–1</td><td>Brook United</td><td>1,204</td></tr>
		<tr><td>Sat 14 Feb 2026</td><td>Calder FC</td><td>0–0</td><td>Denby Vale</td><td>988</td></tr>
		<tr><td>Sat 21 Feb 2026</td><td>Eastleigh Vale</td><td>3–1</td><td>Farley Rovers</td><td>1,377</td></tr>
		<tr><td>Sat 28 Feb 2026</td><td>Grange Park</td><td>1–1</td><td>Ashby Town</td><td>1,040</td></tr></table>`
	for heading, sure := range map[string]bool{"Results": false, "Calendar of meetings": true} {
		t.Run(heading, func(t *testing.T) {
			m := Material{Body: []byte(`<html lang="en"><body><h1>` + heading + `</h1>` + results + `</body></html>`), URL: "https://example.org/list",
				ContentType: "text/html", Now: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)}
			for _, r := range Readings(t.Context(), m, ExtractOptions{}) {
				if r.Schema == curlew.SchemaEvent && (r.Score >= Sure) != sure {
					t.Errorf("as events it is %.2f likely", r.Score)
				}
			}
		})
	}
}
