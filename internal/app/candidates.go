package app

import (
	"context"
	"strings"

	"curlew/internal/app/auth"
	"curlew/internal/curlew"
	"curlew/internal/data/store"
)

// ProposeCandidate proposes a URL: it is analysed, tested and deployed in the background.
type ProposeCandidate struct {
	URL          string          `json:"url" min:"1" maxlen:"2000"`
	Name         string          `json:"name,omitempty" maxlen:"200"`          // of the source; its host when nobody says
	Instructions string          `json:"instructions,omitempty" maxlen:"4000"` // what to look for, in plain words
	Priority     curlew.Priority `json:"priority,omitempty"`                   // 1 first, 3 last; 2 when nobody says
	AutoDeploy   *bool           `json:"auto_deploy,omitempty"`                // true when nobody says; false waits for a person
}

// Check says what is wrong with the command.
func (c ProposeCandidate) Check() curlew.Problems {
	all := bounds(c)
	if c.URL != "" {
		all.Add("url", curlew.AddressProblem(c.URL))
	}
	if c.Name != "" {
		all.Add("name", curlew.NameProblem(c.Name))
	}
	if c.Priority != 0 && (c.Priority < curlew.PriorityHigh || c.Priority > curlew.PriorityLow) {
		all.Add("priority", "it must be from 1 to 3")
	}
	return all
}

// ProposeCandidate keeps a candidate and starts its onboarding. An address is proposed
// once, unless it was rejected or failed before.
func (a *App) ProposeCandidate(ctx context.Context, who auth.Identity, c ProposeCandidate) (curlew.Candidate, error) {
	return do(ctx, a, who, verb{"proposeCandidate", auth.EditCandidates}, c, func(ctx context.Context, tx *Tx) (curlew.Candidate, error) {
		site, err := curlew.SiteOf(c.URL)
		if err != nil {
			return curlew.Candidate{}, err
		}
		candidate := curlew.Candidate{URL: c.URL, Name: curlew.NameOf(site), Instructions: c.Instructions, Priority: curlew.PriorityNormal,
			AutoDeploy: true}
		if c.Name != "" {
			candidate.Name = c.Name
		}
		if c.Priority != 0 {
			candidate.Priority = c.Priority
		}
		set(&candidate.AutoDeploy, c.AutoDeploy)
		candidate, err = a.i.Onboard.Propose(ctx, who.Org, candidate)
		tx.About(string(candidate.ID))
		tx.Detail(changed(c))
		return candidate, err
	})
}

// Verdict is what a person decides about a candidate.
type Verdict string

const (
	Approve Verdict = "approve" // deploy it
	Reject  Verdict = "reject"
	Retry   Verdict = "retry" // analyse it again after a failure
)

// DecideCandidate is what a person decides about a candidate, and why.
type DecideCandidate struct {
	ID      curlew.CandidateID `json:"-"`
	Verdict Verdict            `json:"-"`
	Why     string             `json:"why,omitempty" maxlen:"1000"` // for the records; a rejection needs it
}

// Check says what is wrong with the command.
func (c DecideCandidate) Check() curlew.Problems {
	all := bounds(c)
	if c.Verdict == Reject && strings.TrimSpace(c.Why) == "" {
		all.Add("why", "say why it is rejected, for whoever proposes it again")
	}
	return all
}

// DecideCandidate deploys a candidate that waits for review, ends one, or tries one again.
func (a *App) DecideCandidate(ctx context.Context, who auth.Identity, c DecideCandidate) (curlew.Candidate, error) {
	return do(ctx, a, who, verb{string(c.Verdict) + "Candidate", auth.EditCandidates}, c,
		func(ctx context.Context, tx *Tx) (none curlew.Candidate, err error) {
			tx.About(string(c.ID))
			tx.Detail(changed(c))
			switch c.Verdict {
			case Approve:
				err = a.i.Onboard.Approve(ctx, who.Org, c.ID, who.Name)
			case Reject:
				err = a.i.Onboard.Reject(ctx, who.Org, c.ID, who.Name, c.Why)
			default:
				err = a.i.Onboard.Retry(ctx, who.Org, c.ID, who.Name)
			}
			if err != nil {
				return none, err
			}
			return tx.Candidates().Get(ctx, c.ID)
		})
}

// ChooseCandidateReading deploys one of the readings of a candidate that waits for a person.
type ChooseCandidateReading struct {
	ID      curlew.CandidateID `json:"-"`
	Reading int                `json:"reading" min:"1" max:"5"` // its number in the report, from 1
}

// Check says what is wrong with the command.
func (c ChooseCandidateReading) Check() curlew.Problems { return bounds(c) }

// ChooseCandidateReading deploys the source as the chosen reading reads it.
func (a *App) ChooseCandidateReading(ctx context.Context, who auth.Identity, c ChooseCandidateReading) (curlew.Candidate, error) {
	choose := verb{"chooseCandidateReading", auth.EditCandidates}
	return do(ctx, a, who, choose, c, func(ctx context.Context, tx *Tx) (none curlew.Candidate, err error) {
		tx.About(string(c.ID))
		tx.Detail(changed(c))
		if err := a.i.Onboard.Choose(ctx, who.Org, c.ID, c.Reading, who.Name); err != nil {
			return none, err
		}
		return tx.Candidates().Get(ctx, c.ID)
	})
}

// CandidateMoves are how a candidate came to its status, the oldest move first.
func (a *App) CandidateMoves(ctx context.Context, who auth.Identity, id curlew.CandidateID) ([]store.CandidateTransition, error) {
	return see(a, who, func(s store.Scope) ([]store.CandidateTransition, error) {
		if _, err := s.Candidates().Get(ctx, id); err != nil {
			return nil, err
		}
		return s.Candidates().Transitions(ctx, id)
	})
}
