package deliver

import (
	"testing"
	"time"
)

func TestRetryAfterIsReadAndClamped(t *testing.T) {
	now := time.Date(2026, 4, 10, 12, 0, 0, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"": 0, "soon": 0, "1.5": 0, "-": 0,
		"0": time.Second, "-5": time.Second, "90": 90 * time.Second, " 90 ": 90 * time.Second, "86401": 24 * time.Hour,
		"99999999999999999999999":       24 * time.Hour,
		"Fri, 10 Apr 2026 12:10:00 GMT": 10 * time.Minute, "Fri, 10 Apr 2020 12:10:00 GMT": time.Second, "Fri, 10 Apr 2099 12:10:00 GMT": 24 * time.Hour,
	} {
		t.Run(value, func(t *testing.T) {
			if got := retryAfter(value, now); got != want {
				t.Errorf("%q: %v, want %v", value, got, want)
			}
		})
	}
}
