package events

import (
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/read/dom"
)

// TestReadingsOfOnePageAreApart changes what one reading gave; another must not see it.
func TestReadingsOfOnePageAreApart(t *testing.T) {
	page := dom.New([]byte(`<ul><li>2 March 2026, 7 pm: Council Meeting, Room 4</li><li>9 March 2026, 7 pm: Board Meeting, Room 4</li></ul>`), "https://example.org/")
	o := Options{Now: time.Date(2026, time.March, 1, 0, 0, 0, 0, time.UTC), Lang: "en"}
	first := Read(page, o)
	if len(first) != 2 {
		t.Fatalf("got %d entries", len(first))
	}
	title := first[0].Fields["title"]
	first[0].Fields["title"] = "changed"
	first[0].Provenance["other"] = first[0].Provenance["title"]
	first[1].Text = "changed"
	second := Read(page, o)
	if got := second[0].Fields["title"]; got != title {
		t.Errorf("the title is %v, was %v", got, title)
	}
	if _, has := second[0].Provenance["other"]; has || second[1].Text == "changed" {
		t.Error("a change of one reading shows in another")
	}
	o.Since = o.Now.AddDate(0, 0, 5)
	if later := Read(page, o); len(later) != 1 {
		t.Errorf("since 6 March there is 1 entry, not %d", len(later))
	}
}
