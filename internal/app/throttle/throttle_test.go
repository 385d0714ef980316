package throttle

import (
	"strconv"
	"testing"
	"time"
)

func TestALimiterForgetsThoseWhoRest(t *testing.T) {
	now := time.Date(2026, 3, 2, 6, 0, 0, 0, time.UTC)
	l := New(Rate{PerSecond: 1, Burst: 2}, func() time.Time { return now })
	for n := range mostBuckets {
		l.Take(strconv.Itoa(n))
	}
	now = now.Add(time.Minute)
	l.Take("another")
	if len(l.buckets) != 1 {
		t.Errorf("%d buckets are kept", len(l.buckets))
	}
}
