package onboard

import (
	"sync"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// Recent keeps what the analysis of a candidate read, so that the step after it need not
// fetch and read the page again. It holds a few pages, for a short time.
type Recent struct {
	mu  sync.Mutex
	all []analysed

	interpreted map[curlew.CandidateID]understood
}

type analysed struct {
	candidate    curlew.CandidateID
	instructions string
	analysis     Analysis
	at           time.Time
}

// mostRecent and recentFor bound what is kept.
const (
	mostRecent = 8
	recentFor  = 10 * time.Minute
)

func (r *Recent) keep(c curlew.Candidate, a Analysis, now time.Time) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all = append(r.all, analysed{c.ID, c.Instructions, a, now})
	r.all = r.all[max(0, len(r.all)-mostRecent):]
}

// take gives what was kept of a candidate as it is now, once; nil where there is nothing.
func (r *Recent) take(c curlew.Candidate, now time.Time) *Inspected {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	var found *Inspected
	rest := r.all[:0]
	for _, a := range r.all {
		switch {
		case now.Sub(a.at) > recentFor:
		case a.candidate != c.ID:
			rest = append(rest, a)
		case a.instructions == c.Instructions:
			found = a.analysis.inspected
		}
	}
	clear(r.all[len(rest):])
	r.all = rest
	return found
}
