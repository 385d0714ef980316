package workers

import (
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/work/onboard"
)

// Onboarding lets a test onboard candidates.
func (o *Watching) Onboarding() onboard.Onboard {
	none := time.Duration(0)
	onboard := onboard.Onboard{Store: o.Store, Queue: o.Queue, Web: o.Unpaced(), Outbox: o.Checker.Outbox, Now: o.Now, Wall: time.Now,
		Schedule: "adaptive", Delay: &none}
	o.Slicers[curlew.RunOnboard] = onboard
	return onboard
}

// Candidate is a candidate as it is now.
func (o *Watching) Candidate(id curlew.CandidateID) curlew.Candidate {
	o.Helper()
	c, err := o.Store.Org(curlew.DefaultOrg).Candidates().Get(o.Context(), id)
	if err != nil {
		o.Fatal(err)
	}
	return c
}

// Settled says whether nothing more happens to a candidate by itself.
func Settled(c curlew.Candidate) bool {
	switch c.Status {
	case curlew.CandidateDeployed, curlew.CandidateRejected, curlew.CandidateFailed:
		return true
	}
	return c.Review
}
