package events

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"curlew/internal/read/dom"
)

// TestHostilePagesAreBounded reads pages that are made to take long.
func TestHostilePagesAreBounded(t *testing.T) {
	now := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	for name, page := range map[string]string{
		"days":     strings.Repeat("<li>January 5 at 7 pm Meeting</li>", 60_000/smaller),
		"one line": "<p>" + strings.Repeat("January 5, 6, 7 and 8, ", 60_000/smaller) + "</p>",
		"headings": strings.Repeat("<h2>2026</h2><h3>May</h3><p>5 – x</p>", 15_000/smaller),
		"wide row": "<table><tr>" + strings.Repeat("<td>May 5</td>", 40_000/smaller) + "</tr></table>",
		"spans":    "<table>" + strings.Repeat(`<tr><td rowspan=9999 colspan=9999>May</td><td>5 – a</td></tr>`, 10_000/smaller) + "</table>",
		"deep":     strings.Repeat("<div>", 5_000/smaller) + "May 5" + strings.Repeat("</div>", 5_000/smaller),
		"tables":   strings.Repeat("<table><tr><td>May 5, 2026</td><td>", 3_000/smaller),
		"same day": strings.Repeat("<div class=a><b>Alpha Night</b> May 5, 2026</div>", 30_000/smaller),
		"times":    "<h2>May 5, 2026</h2>" + strings.Repeat("<p>7:30 pm</p><p>Talk</p>", 30_000/smaller),
		"months":   "<table>" + strings.Repeat("<tr>"+strings.Repeat("<td rowspan=31>May</td>", 100)+"<td>5</td></tr>", 400/smaller) + "</table>",
		"panels":   strings.Repeat("<div><p>Board</p>", 300/smaller) + strings.Repeat("<div><p>Board</p><ul><li>May 5</li></ul></div>", 10_000/smaller),
		"held":     strings.Repeat("<p>meetings are held at in at in at the Hall, in at meetings held in the Room</p>", 20_000/smaller) + "<li>May 5</li><li>June 6</li>",
		"numbers":  strings.Repeat("<div>1</div>", 100_000/smaller),
		"commas":   strings.Repeat("A, ", 500_000/smaller),
		"streets":  "<p>meetings are held at " + strings.Repeat("1 Aa Bb Cc Dd ", 100_000/smaller) + "</p><li>May 5</li><li>June 6</li>",
	} {
		d := dom.New([]byte(page), "https://example.org/")
		d.Tree()
		begin := cpu(t)
		Read(d, Options{Now: now, Lang: "en"})
		took := cpu(t) - begin
		if took > limit {
			t.Errorf("%s: %v for %d bytes", name, took, len(page))
		} else {
			t.Logf("%s: %v for %d bytes", name, took, len(page))
		}
	}
}

// cpu is the time that this process has worked: other work of the machine does not
// count.
func cpu(t *testing.T) time.Duration {
	t.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		t.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
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
		a, ok := Read(dom.New([]byte(page), "https://example.org/"), Options{Now: now, Lang: lang})
		if ok != (len(a.Drafts) > 0) {
			t.Fatal("the answer contradicts itself")
		}
		for _, d := range a.Drafts {
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
