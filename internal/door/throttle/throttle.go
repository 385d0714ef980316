// Package throttle counts how much each caller asks, in this process.
package throttle

import (
	"math"
	"net/http"
	"strconv"
	"sync"
	"time"

	"curlew/internal/curlew"
)

// Rate is how much each caller may ask: a bucket of Burst requests that fills up with
// PerSecond of them.
type Rate struct {
	PerSecond float64
	Burst     int
}

// mostBuckets bounds the memory of a limiter: full buckets say nothing and go first.
const mostBuckets = 100_000

// Limiter counts the requests of each caller.
type Limiter struct {
	rate Rate
	now  func() time.Time

	mu      sync.Mutex
	buckets map[string]*bucket
}

type bucket struct {
	tokens float64
	at     time.Time
}

// New makes a limiter that has seen nobody.
func New(rate Rate, now func() time.Time) *Limiter {
	return &Limiter{rate: rate, now: now, buckets: map[string]*bucket{}}
}

// Rate is what each caller may ask.
func (l *Limiter) Rate() Rate { return l.rate }

// Take counts a request of a caller, and says how many are left, or how long to wait.
func (l *Limiter) Take(subject string) (left int, wait time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	b := l.fill(subject)
	if b.tokens < 1 {
		return 0, time.Duration((1 - b.tokens) / l.rate.PerSecond * float64(time.Second))
	}
	b.tokens--
	return int(b.tokens), 0
}

// Spent says whether a caller has nothing left, without counting.
func (l *Limiter) Spent(subject string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.fill(subject).tokens < 1
}

// fill brings a bucket up to date.
func (l *Limiter) fill(subject string) *bucket {
	now, most := l.now(), float64(l.rate.Burst)
	b := l.buckets[subject]
	if b == nil {
		if len(l.buckets) >= mostBuckets {
			l.forget(now)
		}
		b = &bucket{tokens: most, at: now}
		l.buckets[subject] = b
	}
	b.tokens = min(most, b.tokens+max(0, now.Sub(b.at).Seconds())*l.rate.PerSecond)
	b.at = now
	return b
}

// forget drops the buckets that have filled up again; when none has, all of them.
func (l *Limiter) forget(now time.Time) {
	for subject, b := range l.buckets {
		if b.tokens+now.Sub(b.at).Seconds()*l.rate.PerSecond >= float64(l.rate.Burst) {
			delete(l.buckets, subject)
		}
	}
	if len(l.buckets) >= mostBuckets {
		clear(l.buckets)
	}
}

// Refuse tells whoever asks too much when to come again.
func Refuse(h http.Header, wait time.Duration) error {
	seconds := max(1, int(math.Ceil(wait.Seconds())))
	h.Set("Retry-After", strconv.Itoa(seconds))
	return curlew.Temporary("too_many_requests", "too many requests: wait %d s, and ask more slowly", seconds)
}
