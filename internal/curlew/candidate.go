package curlew

import (
	"encoding/json"
	"slices"
	"time"
)

// CandidateStatus is where a candidate stands in onboarding.
type CandidateStatus string

const (
	CandidatePending     CandidateStatus = "pending_analysis"
	CandidateAnalyzing   CandidateStatus = "analyzing"
	CandidateFeasible    CandidateStatus = "feasible"
	CandidateGenerating  CandidateStatus = "generating"
	CandidateTesting     CandidateStatus = "testing"
	CandidateDeployed    CandidateStatus = "deployed"
	CandidateRejected    CandidateStatus = "rejected"
	CandidateFailed      CandidateStatus = "failed"
	CandidateBroken      CandidateStatus = "broken"
	CandidateReanalyzing CandidateStatus = "re_analyzing"
)

// candidateMoves lists every legal move; rejection is legal from any stage
// before deployment and from a broken source.
var candidateMoves = map[CandidateStatus][]CandidateStatus{
	CandidatePending:     {CandidateAnalyzing, CandidateRejected},
	CandidateAnalyzing:   {CandidateFeasible, CandidateFailed, CandidateRejected},
	CandidateFeasible:    {CandidateGenerating, CandidateRejected},
	CandidateGenerating:  {CandidateTesting, CandidateFailed, CandidateRejected},
	CandidateTesting:     {CandidateDeployed, CandidateGenerating, CandidateFailed, CandidateRejected, CandidatePending},
	CandidateFailed:      {CandidatePending, CandidateRejected},
	CandidateRejected:    {CandidatePending},
	CandidateDeployed:    {CandidateBroken},
	CandidateBroken:      {CandidateReanalyzing, CandidateRejected},
	CandidateReanalyzing: {CandidateFeasible, CandidateBroken, CandidateFailed, CandidateRejected},
}

// MaxCandidateAttempts bounds how often a failed candidate is tried again.
const MaxCandidateAttempts = 5

// Move returns the fault of an illegal move, nil for a legal one.
func (s CandidateStatus) Move(to CandidateStatus) error {
	if slices.Contains(candidateMoves[s], to) {
		return nil
	}
	return Permanent("illegal_transition", "a candidate cannot go from %s to %s", s, to)
}

// CanRetry says whether a candidate can be analysed again: it was refused, failed, or waits for a person.
func (c Candidate) CanRetry() bool {
	return c.Status.Move(CandidatePending) == nil && (c.Status != CandidateTesting || c.Review && c.Source == "")
}

// Priority orders work: lower numbers come first.
type Priority int

const (
	PriorityHigh   Priority = 1
	PriorityNormal Priority = 2
	PriorityLow    Priority = 3
)

// Candidate is a URL that someone, or discovery, proposes as a source.
type Candidate struct {
	ID           CandidateID     `json:"id"`
	Org          OrgID           `json:"org"`
	URL          string          `json:"url"`
	Name         string          `json:"name"`
	Instructions string          `json:"instructions"`
	Priority     Priority        `json:"priority"`
	AutoDeploy   bool            `json:"auto_deploy"`
	Status       CandidateStatus `json:"status"`
	Feasibility  *int            `json:"feasibility_score"`
	Quality      *int            `json:"quality_score"`
	Strategy     string          `json:"strategy"`
	Report       json.RawMessage `json:"report,omitempty"` // analysis and quality reports
	Attempts     int             `json:"attempts"`
	LastError    string          `json:"last_error"`
	Fingerprint  string          `json:"fingerprint"`
	Source       SourceID        `json:"source_id,omitempty"`
	Watch        WatchID         `json:"watch_id,omitempty"` // that it became
	Review       bool            `json:"review,omitempty"`   // a person must decide whether it is deployed
	CreatedAt    time.Time       `json:"created_at"`
	UpdatedAt    time.Time       `json:"updated_at"`
}

// Settled says whether nothing more happens to a candidate until somebody does something.
func (c Candidate) Settled() bool {
	switch c.Status {
	case CandidateDeployed, CandidateRejected, CandidateFailed:
		return true
	}
	return c.Review
}
