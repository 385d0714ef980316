package rpc

import (
	"math"
	"sync"
	"time"

	"curlew/internal/curlew"
)

// mostBuckets bounds the memory of a limiter: full buckets say nothing and go first.
const mostBuckets = 100_000

// limiter counts the calls of each caller in this process.
type limiter struct {
	rate Rate
	now  func() time.Time

	mu      sync.Mutex
	buckets map[string]*bucket
}

type bucket struct {
	tokens float64
	at     time.Time
}

func newLimiter(rate Rate, now func() time.Time) *limiter {
	return &limiter{rate: rate, now: now, buckets: map[string]*bucket{}}
}

// take counts a call, or says for how many seconds to wait.
func (l *limiter) take(subject string) (wait int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	b := l.fill(subject)
	if b.tokens < 1 {
		return max(1, int(math.Ceil((1-b.tokens)/l.rate.PerSecond)))
	}
	b.tokens--
	return 0
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
			clear(l.buckets)
		}
		b = &bucket{tokens: most, at: now}
		l.buckets[subject] = b
	}
	b.tokens = min(most, b.tokens+max(0, now.Sub(b.at).Seconds())*l.rate.PerSecond)
	b.at = now
	return b
}

// Learning a page takes a processor for seconds: so many calls of an org, and of all
// together, are worked on at once.
const (
	seatsPerOrg = 4
	seatsInAll  = 16
)

// seats bound how many calls are worked on at once.
type seats struct {
	mu    sync.Mutex
	taken map[curlew.OrgID]int
	all   int
}

func newSeats() *seats { return &seats{taken: map[curlew.OrgID]int{}} }

// take gives a seat to an org until it is left.
func (s *seats) take(org curlew.OrgID) (leave func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.taken[org] >= seatsPerOrg:
		return nil, curlew.Temporary("too_many_calls", "%d calls of this org are being worked on: wait for one of them to end", seatsPerOrg)
	case s.all >= seatsInAll:
		return nil, curlew.Temporary("busy", "this server works on %d calls already: come again in a moment", seatsInAll)
	}
	s.taken[org]++
	s.all++
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.taken[org]--; s.taken[org] == 0 {
			delete(s.taken, org)
		}
		s.all--
	}, nil
}
