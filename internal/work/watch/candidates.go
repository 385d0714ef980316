package watch

import (
	"context"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

// backwards are the stages from a broken candidate to a deployed one.
var backwards = []curlew.CandidateStatus{curlew.CandidateBroken, curlew.CandidateReanalyzing, curlew.CandidateFeasible,
	curlew.CandidateGenerating,
	curlew.CandidateTesting, curlew.CandidateDeployed}

// RecoverCandidate brings the candidate of a source that works again back to deployed, through
// every stage that lies between.
func RecoverCandidate(ctx context.Context, w store.WriteScope, source curlew.SourceID, why string) error {
	c, err := w.Candidates().OfSource(ctx, source)
	if err != nil {
		return curlew.IgnoreNotFound(err)
	}
	for i, stage := range backwards[:len(backwards)-1] {
		if c.Status != stage || c.Review {
			continue
		}
		if c, err = w.Candidates().Move(ctx, c.ID, backwards[i+1], why); err != nil {
			return err
		}
	}
	if c.Status != curlew.CandidateDeployed || c.LastError == "" {
		return nil
	}
	c.LastError = ""
	return w.Candidates().Save(ctx, c)
}
