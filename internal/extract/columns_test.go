package extract

import (
	"fmt"
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
	const decisions = `<table><tr><th>Matter</th><th>Date</th><th>Outcome</th></tr>
		<tr><td>New roof of the school</td><td>7 February 2026</td><td>Approved</td></tr>
		<tr><td>Bus line to the harbour</td><td>14 February 2026</td><td>Deferred</td></tr>
		<tr><td>Fees of the library</td><td>21 February 2026</td><td>Refused</td></tr>
		<tr><td>Trees in Mill Lane</td><td>28 February 2026</td><td>Approved</td></tr></table>`
	t.Run("one column that tells how things stand", func(t *testing.T) {
		m := Material{Body: []byte(`<html lang="en"><body><h1>Matters</h1>` + decisions + `</body></html>`), URL: "https://example.org/list",
			ContentType: "text/html", Now: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)}
		for _, r := range Readings(t.Context(), m, ExtractOptions{}) {
			if r.Schema == curlew.SchemaEvent && r.Score >= Sure {
				t.Errorf("as events it is %.2f likely", r.Score)
			}
		}
	})
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

// Events that leave out entries of their list, as those that only say when they end, are not
// sure: a person is asked rather than not told of them.
func TestAKindThatLeavesOutEntriesIsNotSure(t *testing.T) {
	list := func(whens ...string) (body string) {
		for i, when := range whens {
			body += fmt.Sprintf(`<div class="show"><h3><a href="/a/%d">Painters of the river, part %[1]d</a></h3><p class="when">%s</p></div>`, i, when)
		}
		return body
	}
	days := []string{"5. Dezember 2026 – 31. Januar 2027", "21. November 2026", "28. November 2026", "12. Dezember 2026", "16. Januar 2027"}
	for name, c := range map[string]struct {
		body string
		sure bool
	}{
		"all have a day":         {list(days...), true},
		"some have an end alone": {list(append(days, "bis 10. Januar 2027", "bis 14. Februar 2027", "bis 1. März 2027")...), false},
	} {
		t.Run(name, func(t *testing.T) {
			m := Material{Body: []byte(`<html lang="de"><body><h1>Ausstellungen</h1>` + c.body + `</body></html>`), URL: "https://museum.example/x",
				ContentType: "text/html", Now: time.Date(2026, 11, 17, 9, 0, 0, 0, time.UTC)}
			for _, r := range Readings(t.Context(), m, ExtractOptions{}) {
				if r.Schema == curlew.SchemaEvent && (r.Score >= Sure) != c.sure {
					t.Errorf("as %d events it is %.2f likely", len(r.Records), r.Score)
				}
			}
		})
	}
}
