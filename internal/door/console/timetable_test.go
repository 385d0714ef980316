package console

import "testing"

func TestSchedulesComeApartAndTogether(t *testing.T) {
	for _, text := range []string{"", "adaptive", "every 1h", "every 1h30m", "daily at 07:30", "daily at 07:30 Europe/Warsaw", "weekdays at 08:00 Europe/Oslo", "weekly on mon at 08:00", "30 7 * * mon-fri", "adaptive 5m..2h"} {
		t.Run(text, func(t *testing.T) {
			if back, wrong := timetableOf(text).text(); back != text || wrong != nil {
				t.Errorf("%q comes back as %q, %v", text, back, wrong)
			}
		})
	}
}
