package events

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/read/dom"
)

// entriesOf are headings over days whose time elements have hours too.
func entriesOf(heading string, days []string) string {
	var all strings.Builder
	for i, day := range days {
		fmt.Fprintf(&all, `<section><h2>Larkspur 3.%d</h2><relative-time datetime="%sT1%d:42:00Z">%s</relative-time><ul><li>Fix a crash</li></ul></section>`,
			9-i, day, i, day)
	}
	return "<h1>" + heading + "</h1>" + all.String()
}

// A time element says more than a page shows: the hour at which something was written, or
// that at which it begins. What is all behind us and shows no hour was written.
func TestHoursThatNoReaderSeesMakeNoEventsOfWhatIsPast(t *testing.T) {
	starts := func(heading string, days ...string) (all []any) {
		doc := dom.New([]byte(`<html lang="en"><title>Larkspur</title><body><main>`+entriesOf(heading, days)+`</main></body></html>`), "https://larkspur.example/")
		for _, d := range Read(doc, Options{Now: time.Date(2026, 11, 17, 20, 0, 0, 0, time.UTC), Lang: "en"}) {
			all = append(all, d.Fields["starts_at"])
		}
		return all
	}
	if got := starts("Releases", "2026-11-17", "2026-10-28", "2026-09-30", "2026-09-02"); len(got) > 0 {
		t.Error("releases are events:", got)
	}
	if got := starts("Lawn", "2026-11-19", "2026-11-28", "2026-12-30"); !slices.Contains(got, any("2026-11-28T11:42:00")) {
		t.Error("what is to come lost its hours:", got)
	}
	if got := starts("Board meetings", "2026-10-28", "2026-09-30", "2026-09-02"); !slices.Contains(got, any("2026-09-30T11:42:00")) {
		t.Error("meetings that were held lost their hours:", got)
	}
}
