package api

import (
	"math"
	"net/http"
	"strconv"
	"sync"
	"time"

	"curlew/internal/curlew"
)

// RateLimit is how much each caller may ask: a bucket of Burst requests that fills up
// with PerSecond of them.
type RateLimit struct {
	PerSecond float64
	Burst     int
}

// DefaultRateLimit serves a busy program and stops a loop that went wrong.
func DefaultRateLimit() RateLimit { return RateLimit{PerSecond: 50, Burst: 200} }

// mostBuckets bounds the memory of a limiter: full buckets say nothing and go first.
const mostBuckets = 100_000

// limiter counts the requests of each caller in this process.
type limiter struct {
	rate RateLimit
	now  func() time.Time

	mu      sync.Mutex
	buckets map[string]*bucket
}

type bucket struct {
	tokens float64
	at     time.Time
}

func newLimiter(rate RateLimit, now func() time.Time) *limiter {
	return &limiter{rate: rate, now: now, buckets: map[string]*bucket{}}
}

// take counts a request of a caller, and says how many are left, or how long to wait.
func (l *limiter) take(subject string) (left int, wait time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	b := l.fill(subject)
	if b.tokens < 1 {
		return 0, time.Duration((1 - b.tokens) / l.rate.PerSecond * float64(time.Second))
	}
	b.tokens--
	return int(b.tokens), 0
}

// spent says whether a caller has nothing left, without counting.
func (l *limiter) spent(subject string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.fill(subject).tokens < 1
}

// fill brings a bucket up to date.
func (l *limiter) fill(subject string) *bucket {
	now, most := l.now(), float64(l.rate.Burst)
	b := l.buckets[subject]
	if b == nil {
		if len(l.buckets) >= mostBuckets {
			l.forget(now)
		}
		b = &bucket{tokens: most, at: now}
		l.buckets[subject] = b
	}
	b.tokens = math.Min(most, b.tokens+math.Max(0, now.Sub(b.at).Seconds())*l.rate.PerSecond)
	b.at = now
	return b
}

// forget drops the buckets that have filled up again; when none has, all of them.
func (l *limiter) forget(now time.Time) {
	for subject, b := range l.buckets {
		if b.tokens+now.Sub(b.at).Seconds()*l.rate.PerSecond >= float64(l.rate.Burst) {
			delete(l.buckets, subject)
		}
	}
	if len(l.buckets) >= mostBuckets {
		clear(l.buckets)
	}
}

// pass counts a request, tells the caller where it stands, and refuses what is too much.
func (l *limiter) pass(w http.ResponseWriter, subject string) error {
	left, wait := l.take(subject)
	h := w.Header()
	h.Set("RateLimit-Limit", strconv.Itoa(l.rate.Burst))
	h.Set("RateLimit-Remaining", strconv.Itoa(left))
	h.Set("RateLimit-Reset", strconv.Itoa(int(math.Ceil(float64(l.rate.Burst-left)/l.rate.PerSecond))))
	if wait == 0 {
		return nil
	}
	return tooMany(w, wait)
}

func tooMany(w http.ResponseWriter, wait time.Duration) error {
	seconds := max(1, int(math.Ceil(wait.Seconds())))
	w.Header().Set("Retry-After", strconv.Itoa(seconds))
	return curlew.Temporary("too_many_requests", "too many requests: wait %d s, and ask more slowly", seconds)
}
