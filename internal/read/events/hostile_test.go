package events

import (
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/testkit/growth"
)

// TestHostilePagesAreBounded reads pages that are made to take long.
func TestHostilePagesAreBounded(t *testing.T) {
	now := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	fill := growth.Fill
	growth.Inputs{
		"days":     fill("", "<li>January 5 at 7 pm Meeting</li>", ""),
		"one line": fill("<p>", "January 5, 6, 7 and 8, ", "</p>"),
		"headings": fill("", "<h2>2026</h2><h3>May</h3><p>5 – x</p>", ""),
		"wide row": fill("<table><tr>", "<td>May 5</td>", "</tr></table>"),
		"spans":    fill("<table>", "<tr><td rowspan=9999 colspan=9999>May</td><td>5 – a</td></tr>", "</table>"),
		"deep":     fill("", "<div>", "May 5"),
		"tables":   fill("", "<table><tr><td>May 5, 2026</td><td>", ""),
		"same day": fill("", "<div class=a><b>Alpha Night</b> May 5, 2026</div>", ""),
		"times":    fill("<h2>May 5, 2026</h2>", "<p>7:30 pm</p><p>Talk</p>", ""),
		"months":   fill("<table>", "<tr>"+strings.Repeat("<td rowspan=31>May</td>", 100)+"<td>5</td></tr>", "</table>"),
		"panels":   fill(strings.Repeat("<div><p>Board</p>", 300), "<div><p>Board</p><ul><li>May 5</li></ul></div>", ""),
		"held":     fill("", "<p>meetings are held at in at in at the Hall, in at meetings held in the Room</p>", "<li>May 5</li><li>June 6</li>"),
		"numbers":  fill("", "<div>1</div>", ""),
		"commas":   fill("", "A, ", ""),
		"streets":  fill("<p>meetings are held at ", "1 Aa Bb Cc Dd ", "</p><li>May 5</li><li>June 6</li>"),
	}.Check(t, 1<<20, func(page string) func() {
		d := dom.New([]byte(page), "https://example.org/")
		d.Tree()
		return func() { Read(d, Options{Now: now, Lang: "en"}) }
	})
}

func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		"<h2>2026</h2><ul><li>May 5, 7 pm: Choir</li><li>June 6</li></ul>",
		"<table><tr><th>Date<th>Event</tr><tr><td rowspan=2>5/6/2026<td>A</tr><tr><td>7:00 pm B</tr></table>",
		"<h1>May 2026</h1><p>Wed 18 – Sun 22<br>Fri 24 (until 8 June (from 2 May))</p>",
		"<div><span>Mar</span><span>12</span></div><p>Meetings are held at 6 pm in Room 5, 12 Main Street",
		"<h3>January 8, 22 and 29, 2019</h3><dl><dt>10 h 30<dd>x<dt>11 h<dd>y</dl>",
	} {
		f.Add(seed, "en")
	}
	now := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, page, lang string) {
		for _, d := range Read(dom.New([]byte(page), "https://example.org/"), Options{Now: now, Lang: lang}) {
			start, _ := d.Fields["starts_at"].(string)
			if dayOf(start) == "" {
				t.Fatalf("a draft begins at %q", start)
			}
			if end, _ := d.Fields["ends_at"].(string); end != "" && dayOf(end) < dayOf(start) {
				t.Fatalf("a draft ends at %q before %q", end, start)
			}
		}
	})
}
