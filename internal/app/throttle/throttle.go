// Package throttle counts how much each caller asks, in this process.
package throttle

import (
	"maps"
	"math"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"golang.org/x/time/rate"
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
	buckets map[string]*rate.Limiter
}

// New makes a limiter that has seen nobody.
func New(r Rate, now func() time.Time) *Limiter {
	return &Limiter{rate: r, now: now, buckets: map[string]*rate.Limiter{}}
}

// Rate is what each caller may ask.
func (l *Limiter) Rate() Rate { return l.rate }

// Take counts a request of a caller, and says how many are left, or how long to wait.
func (l *Limiter) Take(subject string) (left int, wait time.Duration) {
	b, now := l.bucket(subject)
	r := b.ReserveN(now, 1)
	if wait := r.DelayFrom(now); wait > 0 {
		r.CancelAt(now)
		return 0, wait
	}
	return int(b.TokensAt(now)), 0
}

// bucket finds or fills the bucket of a caller.
func (l *Limiter) bucket(subject string) (*rate.Limiter, time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	if l.buckets[subject] == nil {
		l.forget(now)
		l.buckets[subject] = rate.NewLimiter(rate.Limit(l.rate.PerSecond), l.rate.Burst)
	}
	return l.buckets[subject], now
}

// forget makes room for another bucket: it drops those that have filled up again; when none has, all of them.
func (l *Limiter) forget(now time.Time) {
	if len(l.buckets) < mostBuckets {
		return
	}
	maps.DeleteFunc(l.buckets, func(_ string, b *rate.Limiter) bool { return b.TokensAt(now) >= float64(l.rate.Burst) })
	if len(l.buckets) >= mostBuckets {
		clear(l.buckets)
	}
}

// Refuse tells whoever asks too much when to come again.
func Refuse(h http.Header, wait time.Duration) error {
	seconds := max(1, int(math.Ceil(wait.Seconds())))
	h.Set("Retry-After", strconv.Itoa(seconds))
	return curlew.Temporary(curlew.ErrTooManyRequests, "too many requests: wait %d s, and ask more slowly", seconds)
}
