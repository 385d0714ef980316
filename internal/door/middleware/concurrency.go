package middleware

import (
	"sync"

	"github.com/curlew-data/curlew/internal/curlew"
)

// Learning a page takes a processor for seconds: so many calls of an org, and of all
// together, are worked on at once.
const (
	CallsPerOrg = 4
	CallsInAll  = 16
)

// ConcurrencyLimit bounds how many calls are worked on at once.
type ConcurrencyLimit struct {
	mu    sync.Mutex
	taken map[curlew.OrgID]int
	all   int
}

// NewConcurrencyLimit has none at work.
func NewConcurrencyLimit() *ConcurrencyLimit { return &ConcurrencyLimit{taken: map[curlew.OrgID]int{}} }

// Acquire admits a call of an org until it is released.
func (s *ConcurrencyLimit) Acquire(org curlew.OrgID) (release func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.taken[org] >= CallsPerOrg:
		return nil, curlew.Temporary("too_many_calls", "this org has %d calls in progress: wait for one to end", CallsPerOrg)
	case s.all >= CallsInAll:
		return nil, curlew.Temporary("busy", "this server has %d calls in progress: try again in a moment", CallsInAll)
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
