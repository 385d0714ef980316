package events

import (
	"fmt"
	"strings"
	"testing"
)

// A day of a month's sheet has as many entries as it has elements of one make.
func TestADayOfASheetHasSeveralEntries(t *testing.T) {
	sheet := func(item func(string) string, open, shut string) string {
		var rows strings.Builder
		for day := 1; day <= 30; day++ {
			if day%7 == 1 {
				rows.WriteString("<tr>")
			}
			fmt.Fprintf(&rows, `<td><div class="day">%d</div>`, day)
			switch day {
			case 19:
				rows.WriteString(open + item("Fall Play 7:00 PM") + shut)
			case 24:
				rows.WriteString(open + item("Early Dismissal") + item("Budget Hearing 6:30 PM") + shut)
			case 26:
				rows.WriteString(open + item("Thanksgiving - No School") + shut)
			}
			rows.WriteString("</td>")
		}
		return "<h1>District Calendar</h1><h2>November 2026</h2><table>" + rows.String() + "</table>"
	}
	const want = "2026-11-19T19:00:00 Fall Play\n2026-11-24 Early Dismissal\n2026-11-24T18:30:00 Budget Hearing\n2026-11-26 Thanksgiving - No School"
	for name, body := range map[string]string{
		"cards": sheet(func(s string) string { return `<div class="event"><a href="#">` + s + `</a></div>` }, "", ""),
		"lists": sheet(func(s string) string { return `<li>` + s + `</li>` }, "<ul>", "</ul>"),
	} {
		t.Run(name, func(t *testing.T) {
			if got := shown("en", body); got != want {
				t.Errorf("got\n%s", got)
			}
		})
	}
}
