package publish

import (
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
)

func TestAWatchTakesUpOnlyWhatItIsFor(t *testing.T) {
	w := newWorld(t, curlew.SchemaEvent)
	event := func(id, title, day string) SeenRecord { return thing(id, "title", title, "starts_at", day) }
	year := func(n int) string { return w.now.AddDate(n, 0, 0).Format("2006-01-02") }
	of := func(o *CheckResult) { o.Watch.Settings.Only, o.Watch.Settings.Upcoming = "jazz, chamber music", true }
	list := []SeenRecord{event("a", "JAZZ at the mill", year(1)), event("b", "Flea market", year(1)), event("c", "Jazz of old", year(-1)),
		event("d", "An evening of Chamber Music", year(1))}
	w.see(list, of)
	if len(w.entities) != 2 {
		t.Fatalf("%d events are taken up", len(w.entities))
	}
	list[0] = event("a", "Blues at the mill", year(1))
	w.expect(w.see(list, of), "changed Blues at the mill title:JAZZ at the mill→Blues at the mill")
}
