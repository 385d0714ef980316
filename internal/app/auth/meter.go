package auth

import (
	"sync"
	"time"
)

// meter lets each org make so many requests a minute, in one process. It is a
// bucket that fills evenly and holds a minute's worth.
type meter struct {
	perMinute float64
	now       func() time.Time
	mu        sync.Mutex
	buckets   map[string]bucket
}

type bucket struct {
	left float64
	at   time.Time
}

func newMeter(perMinute int, now func() time.Time) *meter {
	return &meter{perMinute: float64(perMinute), now: now, buckets: map[string]bucket{}}
}

// take takes one request of an org, or says how long to wait for it. There are
// no more buckets than orgs that have keys.
func (m *meter) take(org string) (wait time.Duration, ok bool) {
	if m.perMinute <= 0 {
		return 0, true
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.now()
	b, known := m.buckets[org]
	if !known {
		b = bucket{left: m.perMinute, at: now}
	}
	b.left = min(m.perMinute, b.left+now.Sub(b.at).Minutes()*m.perMinute)
	b.at = now
	if b.left < 1 {
		m.buckets[org] = b
		return time.Duration((1 - b.left) / m.perMinute * float64(time.Minute)), false
	}
	b.left--
	m.buckets[org] = b
	return 0, true
}
