package events

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/testkit/growth"
)

// councilPage is a page of about so many bytes as councils write them: a menu, years
// of meetings in tables under headings, notes in running text, a footer.
func councilPage(size int) []byte {
	var b strings.Builder
	b.WriteString("<!doctype html><html lang=en><title>Council of Westmark | Meetings</title><nav><ul>")
	for i := range 60 {
		fmt.Fprintf(&b, "<li><a href=/page/%d>Services and permits %d</a></li>", i, i)
	}
	b.WriteString("</ul></nav><main><h1>Council Meetings</h1><p>All meetings are held at 7:00 pm in the Council Chambers, 12 Main Street, unless otherwise noted.</p>")
	bodies := [...]string{"City Council", "Planning Commission", "Budget Committee", "Library Board", "Parks Advisory Board"}
	day := time.Date(2026, 12, 28, 0, 0, 0, 0, time.UTC)
	for year := 0; b.Len() < size-200; day = day.AddDate(0, 0, -2) {
		if day.Year() < 2004 {
			day = day.AddDate(22, 0, 1)
		}
		if day.Year() != year {
			if year > 0 {
				b.WriteString("</table>")
			}
			year = day.Year()
			fmt.Fprintf(&b, "<h2>%d Meetings</h2><p>The clerk keeps the records of %d. Copies cost $0.25 a page and are made from 9:00 am on weekdays.</p><table class=meetings><tr><th>Date</th><th>Meeting</th><th>Documents</th></tr>", year, year)
		}
		fmt.Fprintf(&b, "<tr class=row><td class=when><span>%s</span></td><td><a href=/meeting/%d>%s</a> regular session, Room %d</td><td><a href=/doc/%s-agenda.pdf>Agenda</a> <a href=/doc/%s-minutes.pdf>Minutes</a></td></tr>\n",
			day.Format("Monday, January 2, 2006"), day.YearDay(), bodies[day.YearDay()%len(bodies)], day.Day(), day.Format("2006-01-02"), day.Format("2006-01-02"))
	}
	b.WriteString("</table></main><footer><p>© 2026 Council of Westmark. Updated November 3, 2026.</p></footer></html>")
	return []byte(b.String())
}

// TestCostGrowsWithThePage: eight times the page costs about eight times as much.
func TestCostGrowsWithThePage(t *testing.T) {
	growth.Check(t, 1<<20, func(size int) func() {
		d := dom.New(councilPage(size), "https://example.org/")
		d.Tree()
		return func() {
			if a := Read(d, Options{Now: time.Date(2026, 11, 15, 0, 0, 0, 0, time.UTC), Lang: "en"}); len(a) < size/2000 {
				t.Fatalf("%d entries in %d bytes", len(a), size)
			}
		}
	})
}

func BenchmarkRead(b *testing.B) {
	for _, size := range [...]int{25 << 10, 250 << 10, 2500 << 10} {
		page := councilPage(size)
		b.Run(fmt.Sprintf("%dKiB", size>>10), func(b *testing.B) {
			b.SetBytes(int64(len(page)))
			for b.Loop() {
				d := dom.New(page, "https://example.org/")
				d.Tree()
				Read(d, Options{Now: time.Date(2026, 11, 15, 0, 0, 0, 0, time.UTC), Lang: "en"})
			}
		})
	}
}
