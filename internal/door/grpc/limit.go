package grpc

import (
	"sync"

	"github.com/curlew-data/curlew/internal/curlew"
)

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
		return nil, curlew.Temporary("busy", "this server works on %d calls already: try again in a moment", seatsInAll)
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
