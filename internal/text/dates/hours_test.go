package dates

import (
	"testing"
	"time"
)

func TestAFurtherHourIsOfTheDayBeforeIt(t *testing.T) {
	found := Find("Fri 20 Nov 2026 14:30 20:15 Sat 21 Nov 2026 17:00", Options{Lang: "en"})
	want := []time.Time{time.Date(2026, 11, 20, 14, 30, 0, 0, time.UTC), time.Date(2026, 11, 21, 17, 0, 0, 0, time.UTC)}
	if len(found) != 2 || !found[0].Start.Equal(want[0]) || !found[1].Start.Equal(want[1]) {
		t.Errorf("found %+v", found)
	}
}
