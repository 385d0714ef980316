package middleware

import (
	"sync"

	"github.com/curlew-data/curlew/internal/curlew"
)

// Learning a page takes a processor for seconds: so many calls of an org, and of all
// together, are worked on at once.
const (
	SeatsPerOrg = 4
	SeatsInAll  = 16
)

// Seats bound how many calls are worked on at once.
type Seats struct {
	mu    sync.Mutex
	taken map[curlew.OrgID]int
	all   int
}

// NewSeats has all of them free.
func NewSeats() *Seats { return &Seats{taken: map[curlew.OrgID]int{}} }

// Take gives a seat to an org until it is left.
func (s *Seats) Take(org curlew.OrgID) (leave func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.taken[org] >= SeatsPerOrg:
		return nil, curlew.Temporary("too_many_calls", "%d calls of this org are being worked on: wait for one of them to end", SeatsPerOrg)
	case s.all >= SeatsInAll:
		return nil, curlew.Temporary("busy", "this server works on %d calls already: try again in a moment", SeatsInAll)
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
