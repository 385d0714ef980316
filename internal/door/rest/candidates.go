package rest

import (
	"context"
	"net/http"
	"time"

	"curlew/internal/curlew"
)

// Candidates are the candidates of an org.
type Candidates interface {
	List(ctx context.Context, status curlew.CandidateStatus, w Window) ([]curlew.Candidate, error)
	Get(ctx context.Context, id curlew.CandidateID) (curlew.Candidate, error)
	Moves(ctx context.Context, id curlew.CandidateID) ([]CandidateMove, error)
	Propose(ctx context.Context, c curlew.Candidate) (curlew.Candidate, error)
	Decide(ctx context.Context, id curlew.CandidateID, v Verdict, why string) (curlew.Candidate, error)
}

// CandidateMove is one move of a candidate from one status to another.
type CandidateMove struct {
	Seq  int64                  `json:"seq"`
	At   time.Time              `json:"at"`
	From curlew.CandidateStatus `json:"from_status"`
	To   curlew.CandidateStatus `json:"to_status"`
	Why  string                 `json:"why"`
}

// Verdict is what a person decides about a candidate.
type Verdict string

const (
	Approve Verdict = "approve" // deploy it
	Reject  Verdict = "reject"
	Retry   Verdict = "retry" // analyse it again after a failure
)

// NewCandidate is a URL to be proposed.
type NewCandidate struct {
	URL          string          `json:"url" min:"1" maxlen:"2000"`
	Name         string          `json:"name,omitempty" maxlen:"200"`
	Instructions string          `json:"instructions,omitempty" maxlen:"4000"` // what to look for, in plain words
	Priority     curlew.Priority `json:"priority,omitempty"`                   // 1 first, 3 last; 2 when nobody says
	AutoDeploy   *bool           `json:"auto_deploy,omitempty"`                // true when nobody says; false waits for a person
}

type candidateID struct {
	ID curlew.CandidateID `path:"id"`
}

type listCandidates struct {
	paging
	Status curlew.CandidateStatus `query:"status"` // only those that stand there
}

type proposeCandidate struct {
	Body NewCandidate `body:"json"`
}

// Reason says why, for the records.
type Reason struct {
	Why string `json:"why,omitempty" maxlen:"1000"`
}

type decideCandidate struct {
	candidateID
	Body Reason `body:"json"`
}

func candidateRoutes() []Route {
	example := NewCandidate{URL: "https://example.org/events", Name: "Example events", Instructions: "only concerts", Priority: curlew.PriorityNormal}
	return []Route{
		operation(http.MethodGet, "/candidates", "listCandidates", "List candidates, the oldest first.", doListCandidates),
		operation(http.MethodPost, "/candidates", "proposeCandidate", "Propose a URL: it is analysed, tested and deployed in the background.", doPropose).creates(example),
		operation(http.MethodGet, "/candidates/{id}", "getCandidate", "One candidate, with its reports.", doCandidate),
		operation(http.MethodGet, "/candidates/{id}/moves", "listCandidateMoves", "How a candidate came to where it stands.", doCandidateMoves),
		operation(http.MethodPost, "/candidates/{id}/approve", "approveCandidate", "Deploy a candidate that waits for review.", decide(Approve)),
		operation(http.MethodPost, "/candidates/{id}/reject", "rejectCandidate", "End a candidate.", decide(Reject)).like(Reason{Why: "we have this already"}),
		operation(http.MethodPost, "/candidates/{id}/retry", "retryCandidate", "Try a failed candidate again.", decide(Retry)),
	}
}

func doListCandidates(ctx context.Context, c *Call, in listCandidates) (List[curlew.Candidate], error) {
	return listed(c, in.paging, func(x curlew.Candidate) string { return string(x.ID) }, func(w Window) ([]curlew.Candidate, error) {
		all, err := c.Rooms.Candidates.List(ctx, in.Status, w)
		for i := range all {
			all[i].Report = nil // they are long; ask for one candidate to read them
		}
		return all, err
	})
}

func doPropose(ctx context.Context, c *Call, in proposeCandidate) (curlew.Candidate, error) {
	b := in.Body
	if b.Priority == 0 {
		b.Priority = curlew.PriorityNormal
	}
	return c.Rooms.Candidates.Propose(ctx, curlew.Candidate{URL: b.URL, Name: b.Name, Instructions: b.Instructions, Priority: b.Priority,
		AutoDeploy: b.AutoDeploy == nil || *b.AutoDeploy})
}

func doCandidate(ctx context.Context, c *Call, in candidateID) (curlew.Candidate, error) {
	return c.Rooms.Candidates.Get(ctx, in.ID)
}

func doCandidateMoves(ctx context.Context, c *Call, in candidateID) (List[CandidateMove], error) {
	if _, err := c.Rooms.Candidates.Get(ctx, in.ID); err != nil {
		return List[CandidateMove]{}, err
	}
	all, err := c.Rooms.Candidates.Moves(ctx, in.ID)
	return List[CandidateMove]{Data: filled(all)}, err
}

func decide(v Verdict) handler[decideCandidate, curlew.Candidate] {
	return func(ctx context.Context, c *Call, in decideCandidate) (curlew.Candidate, error) {
		return c.Rooms.Candidates.Decide(ctx, in.ID, v, in.Body.Why)
	}
}

// filled makes [] of what would be null.
func filled[T any](all []T) []T {
	if all == nil {
		return []T{}
	}
	return all
}
