package grpc

import (
	"context"

	"connectrpc.com/connect"
	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/door/grpc/candidatev1"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"
)

// candidates is the CandidateService of one process.
type candidates struct{ *service }

type candidateAnswer = *connect.Response[candidatev1.Candidate]

// candidate runs a use case that gives a candidate.
func (s candidates) candidate(
	ctx context.Context, do func(context.Context, auth.Identity) (curlew.Candidate, error),
) (candidateAnswer, error) {
	return answer(ctx, s.service, func(ctx context.Context, who auth.Identity) (*candidatev1.Candidate, error) {
		c, err := do(ctx, who)
		if err != nil {
			return nil, err
		}
		return candidateMessage(c)
	})
}

// ProposeCandidate adds an address.
func (s candidates) ProposeCandidate(
	ctx context.Context, r *connect.Request[candidatev1.ProposeCandidateRequest],
) (candidateAnswer, error) {
	return s.candidate(ctx, func(ctx context.Context, who auth.Identity) (curlew.Candidate, error) {
		return s.App.ProposeCandidate(ctx, who, app.ProposeCandidate{URL: r.Msg.GetUrl(), Name: r.Msg.GetName(),
			Instructions: r.Msg.GetInstructions(), Kind: r.Msg.GetKind(), Priority: curlew.Priority(r.Msg.GetPriority()),
			AutoDeploy: r.Msg.AutoDeploy})
	})
}

// GetCandidate gives one candidate.
func (s candidates) GetCandidate(ctx context.Context, r *connect.Request[candidatev1.GetCandidateRequest]) (candidateAnswer, error) {
	return s.candidate(ctx, func(ctx context.Context, who auth.Identity) (none curlew.Candidate, err error) {
		scope, err := s.App.Read(who)
		if err != nil {
			return none, err
		}
		return scope.Candidates().Get(ctx, curlew.CandidateID(r.Msg.GetId()))
	})
}

// ChooseReading deploys a candidate as one of its readings reads it.
func (s candidates) ChooseReading(ctx context.Context, r *connect.Request[candidatev1.ChooseReadingRequest]) (candidateAnswer, error) {
	return s.candidate(ctx, func(ctx context.Context, who auth.Identity) (curlew.Candidate, error) {
		return s.App.ChooseCandidateReading(ctx, who, app.ChooseCandidateReading{ID: curlew.CandidateID(r.Msg.GetId()),
			Reading: int(r.Msg.GetReading()), Kind: r.Msg.GetKind(), Fields: r.Msg.GetFields()})
	})
}

// ApproveCandidate deploys a candidate that waits for review.
func (s candidates) ApproveCandidate(ctx context.Context, r *connect.Request[candidatev1.DecideCandidateRequest]) (candidateAnswer, error) {
	return s.decide(ctx, r.Msg, app.Approve)
}

// RejectCandidate ends a candidate.
func (s candidates) RejectCandidate(ctx context.Context, r *connect.Request[candidatev1.DecideCandidateRequest]) (candidateAnswer, error) {
	return s.decide(ctx, r.Msg, app.Reject)
}

// RetryCandidate analyses a candidate again.
func (s candidates) RetryCandidate(ctx context.Context, r *connect.Request[candidatev1.DecideCandidateRequest]) (candidateAnswer, error) {
	return s.decide(ctx, r.Msg, app.Retry)
}

func (s candidates) decide(ctx context.Context, r *candidatev1.DecideCandidateRequest, as app.CandidateDecision) (candidateAnswer, error) {
	return s.candidate(ctx, func(ctx context.Context, who auth.Identity) (curlew.Candidate, error) {
		return s.App.DecideCandidate(ctx, who,
			app.DecideCandidate{ID: curlew.CandidateID(r.GetId()), Decision: as, Why: r.GetWhy()})
	})
}

// EditCandidate changes a candidate.
func (s candidates) EditCandidate(ctx context.Context, r *connect.Request[candidatev1.EditCandidateRequest]) (candidateAnswer, error) {
	return s.candidate(ctx, func(ctx context.Context, who auth.Identity) (curlew.Candidate, error) {
		c := app.EditCandidate{ID: curlew.CandidateID(r.Msg.GetId()), Name: r.Msg.Name, Instructions: r.Msg.Instructions,
			Kind: r.Msg.Kind, AutoDeploy: r.Msg.AutoDeploy}
		if r.Msg.Priority != nil {
			priority := curlew.Priority(r.Msg.GetPriority())
			c.Priority = &priority
		}
		return s.App.EditCandidate(ctx, who, c)
	})
}

// DeleteCandidate deletes a candidate.
func (s candidates) DeleteCandidate(
	ctx context.Context, r *connect.Request[candidatev1.DeleteCandidateRequest],
) (*connect.Response[candidatev1.DeleteCandidateResponse], error) {
	return answer(ctx, s.service, func(ctx context.Context, who auth.Identity) (*candidatev1.DeleteCandidateResponse, error) {
		return &candidatev1.DeleteCandidateResponse{}, s.App.DeleteCandidate(ctx, who, curlew.CandidateID(r.Msg.GetId()))
	})
}

func candidateMessage(c curlew.Candidate) (*candidatev1.Candidate, error) {
	m := &candidatev1.Candidate{Id: string(c.ID), Url: c.URL, Name: c.Name, Instructions: c.Instructions, Priority: int32(c.Priority),
		AutoDeploy: c.AutoDeploy, Status: string(c.Status), Review: c.Review, FeasibilityScore: small(c.Feasibility),
		QualityScore: small(c.Quality), LastError: c.LastError, SourceId: string(c.Source), CreatedAt: timestamppb.New(c.CreatedAt),
		UpdatedAt: timestamppb.New(c.UpdatedAt)}
	if len(c.Report) == 0 {
		return m, nil
	}
	m.Report = &structpb.Struct{}
	return m, protojson.Unmarshal(c.Report, m.Report)
}

// small is a score as messages hold it.
func small(score *int) *int32 {
	if score == nil {
		return nil
	}
	n := int32(*score)
	return &n
}
