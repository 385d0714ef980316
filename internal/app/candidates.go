package app

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/web/urls"
	"github.com/curlew-data/curlew/internal/work/onboard"
)

// ProposeCandidate proposes a URL: it is analysed, tested and deployed in the background.
type ProposeCandidate struct {
	URL          string          `json:"url" min:"1" maxlen:"2000"`
	Name         string          `json:"name,omitempty" maxlen:"200"`          // of the source; the site's own name by default
	Instructions string          `json:"instructions,omitempty" maxlen:"4000"` // what to look for, in plain words
	Kind         string          `json:"kind,omitempty" maxlen:"100"`          // what the page lists; "" finds out
	Region       string          `json:"region,omitempty" maxlen:"1000"`       // of the kind page: the CSS selector of the part that is read
	Priority     curlew.Priority `json:"priority,omitempty" min:"1" max:"3"`   // 1 first, 3 last; 2 by default
	AutoDeploy   *bool           `json:"auto_deploy,omitempty"`                // true by default; false waits for a person
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
	checkRegion(&all, c.Kind, c.Region)
	return all
}

// checkRegion says what is wrong with the part of a page that somebody points at; none is
// fine.
func checkRegion(all *curlew.Problems, kind, region string) {
	switch {
	case region == "":
	case kind != "" && kind != string(curlew.SchemaPage):
		all.Add("region", "it is for the kind page: of lists, the instructions name a selector")
	case strings.ContainsAny(region, "`\n\r"):
		all.Add("region", "it must be one line without backquotes")
	default:
		if _, err := blueprint.Compile(onboard.TextOf(region)); err != nil {
			all.Add("region", "it is no CSS selector")
		}
	}
}

// knowsKind says that there is no such kind; none is fine.
func knowsKind(ctx context.Context, s store.Scope, kind string) error {
	if kind == "" {
		return nil
	}
	all, err := s.Kinds().All(ctx)
	if err != nil {
		return err
	}
	_, err = all.ByName(curlew.SchemaName(kind))
	return curlew.Wrong("kind", err)
}

// withRegion puts the part of a page into instructions.
func withRegion(region, instructions string) string {
	return withKind(string(curlew.SchemaPage), "selector: `"+region+"`\n"+instructions)
}

// withKind puts a kind into instructions.
func withKind(kind, instructions string) string {
	if kind == "" {
		return instructions
	}
	return strings.TrimSpace("kind: " + kind + "\n" + instructions)
}

// candidate is what is proposed.
func (c ProposeCandidate) candidate(org curlew.OrgID) (curlew.Candidate, error) {
	address, err := urls.Canonical(c.URL, "") // a fragment or a mark of an advertisement makes no other page
	if err != nil {
		return curlew.Candidate{}, err
	}
	site, err := curlew.OriginOf(address)
	candidate := curlew.Candidate{Org: org, URL: address, Name: cmp.Or(c.Name, curlew.NameOf(site)), AutoDeploy: true,
		Instructions: withKind(c.Kind, c.Instructions), Priority: cmp.Or(c.Priority, curlew.PriorityNormal)}
	if c.Region != "" {
		candidate.Instructions = withRegion(c.Region, c.Instructions)
	}
	set(&candidate.AutoDeploy, c.AutoDeploy)
	return candidate, err
}

// PreviewCandidate tells what would become of a candidate. Nothing is kept.
func (a *App) PreviewCandidate(ctx context.Context, who auth.Identity, c ProposeCandidate) (onboard.Offer, error) {
	if err := (verb{"previewCandidate", auth.EditCandidates}).may(who, c); err != nil {
		return onboard.Offer{}, err
	}
	if _, err := a.kindNamed(ctx, who.Org, curlew.SchemaName(c.Kind)); err != nil {
		return onboard.Offer{}, err
	}
	candidate, err := c.candidate(who.Org)
	if err != nil {
		return onboard.Offer{}, err
	}
	return a.i.Onboard.Preview(ctx, candidate, "")
}

// ProposeCandidate keeps a candidate and starts its onboarding. An address is proposed
// once; one that was rejected or failed before is tried again. Of a page that is watched already it gives what is there.
func (a *App) ProposeCandidate(ctx context.Context, who auth.Identity, c ProposeCandidate) (curlew.Candidate, error) {
	candidate, err := a.propose(ctx, who, c)
	if errors.Is(err, curlew.ErrWatchedAlready) {
		return a.deployedBefore(ctx, who.Org, err)
	}
	return candidate, err
}

// ProposedBefore is the candidate that a refusal of a proposal names: whoever proposes follows it instead.
func (a *App) ProposedBefore(ctx context.Context, who auth.Identity, refusal error) (curlew.Candidate, error) {
	scope, err := a.Read(who)
	if err != nil {
		return curlew.Candidate{}, err
	}
	return scope.Candidates().Get(ctx, curlew.CandidateID(curlew.AsFault(refusal).ID))
}

// NotDeployed says why an onboarding that is over deployed nothing; nothing where a person is to choose. Of a page that is watched
// already it gives the watch instead, unless that is paused or has stopped.
func (a *App) NotDeployed(ctx context.Context, who auth.Identity, c curlew.Candidate) (watched curlew.WatchID, err error) {
	scope, err := a.Read(who)
	if err != nil || c.Review {
		return "", err
	}
	moves, err := scope.Candidates().Transitions(ctx, c.ID)
	if err != nil {
		return "", err
	}
	why := c.LastError
	if n := len(moves); n > 0 && why == "" {
		why = moves[n-1].Why
	}
	switch c.Status {
	case curlew.CandidatePending:
		return "", curlew.Temporary("tried_again_later", "%s: %s; a server tries again in a few minutes, \"curlew candidates retry %s\" at once",
			c.URL, why, c.ID)
	case curlew.CandidateFailed:
		return "", curlew.Permanent("onboarding_failed", "%s could not be added: %s", c.URL, why)
	}
	report := onboard.ReportOf(c)
	if report.Analysis != nil && !report.Analysis.Report.Robots.Allowed {
		return "", curlew.Refused(onboard.ErrRobotsDisallowed, "%s is rejected: %s", c.URL, why)
	}
	runs, err := scope.Runs().List(ctx, store.RunFilter{Kind: curlew.RunOnboard, Scope: "candidate:" + string(c.ID)}, store.Window{Limit: 1})
	if err != nil || len(runs) == 0 || runs[0].Fault == nil || runs[0].Fault.Kind != curlew.KindRefused {
		return "", cmp.Or(err, error(curlew.Permanent(curlew.ErrNotFeasible, "%s is rejected: %s", c.URL, why)))
	}
	refusal := runs[0].Fault.About(string(report.Watched))
	if !errors.Is(refusal, curlew.ErrWatchedAlready) {
		return "", refusal
	}
	there, err := a.deployedBefore(ctx, who.Org, refusal)
	return there.Watch, err
}

// deployedBefore is the candidate that became the watch which a refusal names, or, of a watch that was added without one, a candidate
// without an id. It stays refused where the watch is paused or has stopped: nobody would read the page.
func (a *App) deployedBefore(ctx context.Context, org curlew.OrgID, refusal error) (curlew.Candidate, error) {
	scope := a.i.Store.Org(org)
	w, err := scope.Watches().Get(ctx, curlew.WatchID(curlew.AsFault(refusal).ID))
	if err != nil || w.Status != curlew.WatchActive {
		return curlew.Candidate{}, errors.Join(refusal, curlew.IgnoreNotFound(err))
	}
	candidate, err := scope.Candidates().At(ctx, w.URL)
	if err == nil && candidate.Watch == w.ID {
		return candidate, nil
	}
	return curlew.Candidate{Org: org, URL: w.URL, Name: w.Name, Priority: curlew.PriorityNormal, Status: curlew.CandidateDeployed,
		Source: w.Source, Watch: w.ID, CreatedAt: w.CreatedAt, UpdatedAt: w.CreatedAt}, curlew.IgnoreNotFound(err)
}

func (a *App) propose(ctx context.Context, who auth.Identity, c ProposeCandidate) (curlew.Candidate, error) {
	return do(ctx, a.as(who), verb{"proposeCandidate", auth.EditCandidates}, c, func(ctx context.Context, tx *Tx) (curlew.Candidate, error) {
		if err := knowsKind(ctx, tx.Scope, c.Kind); err != nil {
			return curlew.Candidate{}, err
		}
		candidate, err := c.candidate(who.Org)
		if err != nil {
			return candidate, err
		}
		candidate, err = a.i.Onboard.Propose(ctx, who.Org, candidate)
		tx.About(string(candidate.ID))
		tx.Detail(changed(c))
		return candidate, err
	})
}

// mayPropose says why propose would refuse a candidate, and keeps nothing.
func (a *App) mayPropose(ctx context.Context, who auth.Identity, c ProposeCandidate) error {
	scope := a.i.Store.Org(who.Org)
	if err := knowsKind(ctx, scope, c.Kind); err != nil {
		return err
	}
	candidate, err := c.candidate(who.Org)
	if err != nil {
		return err
	}
	return onboard.Free(ctx, scope, candidate)
}

// CandidateDecision is what a person decides about a candidate.
type CandidateDecision string

const (
	Approve CandidateDecision = "approve" // deploy it
	Reject  CandidateDecision = "reject"
	Retry   CandidateDecision = "retry" // analyse it again after a failure
)

// DecideCandidate is what a person decides about a candidate, and why.
type DecideCandidate struct {
	ID       curlew.CandidateID `json:"-"`
	Decision CandidateDecision  `json:"-"`
	Why      string             `json:"why,omitempty" maxlen:"1000"` // for the records; a rejection needs it
}

// Check says what is wrong with the command.
func (c DecideCandidate) Check() curlew.Problems {
	all := bounds(c)
	if c.Decision == Reject && strings.TrimSpace(c.Why) == "" {
		all.Add("why", "give a reason")
	}
	return all
}

// DecideCandidate deploys a candidate that waits for review, ends one, or tries one again.
func (a *App) DecideCandidate(ctx context.Context, who auth.Identity, c DecideCandidate) (curlew.Candidate, error) {
	return do(ctx, a.as(who), verb{string(c.Decision) + "Candidate", auth.EditCandidates}, c,
		func(ctx context.Context, tx *Tx) (none curlew.Candidate, err error) {
			tx.About(string(c.ID))
			tx.Detail(changed(c))
			switch c.Decision {
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
	Reading int                `json:"reading" min:"1"` // its number in the report, from 1
	// Kind reads the page again as things of this kind; a new name makes one of the reading's fields.
	Kind   string            `json:"kind,omitempty" maxlen:"40"`
	Fields map[string]string `json:"fields,omitempty"` // names in the new kind, by those in the reading
}

// Check says what is wrong with the command.
func (c ChooseCandidateReading) Check() curlew.Problems {
	all := bounds(c)
	if c.Kind == "" && len(c.Fields) > 0 {
		all.Add("kind", "name the kind that is to have these fields")
	}
	return all
}

// ChooseCandidateReading deploys the source as the chosen reading reads it.
func (a *App) ChooseCandidateReading(ctx context.Context, who auth.Identity, c ChooseCandidateReading) (curlew.Candidate, error) {
	if c.Kind != "" {
		return a.chooseAsKind(ctx, who, c)
	}
	choose := verb{"chooseCandidateReading", auth.EditCandidates}
	return do(ctx, a.as(who), choose, c, func(ctx context.Context, tx *Tx) (none curlew.Candidate, err error) {
		tx.About(string(c.ID))
		tx.Detail(changed(c))
		if err := a.i.Onboard.Choose(ctx, who.Org, c.ID, c.Reading, who.Name); err != nil {
			return none, err
		}
		return tx.Candidates().Get(ctx, c.ID)
	})
}

// EditCandidate changes a candidate; what is absent stays. Other instructions or another kind
// analyse a candidate again that waits for a person, and count from the next analysis of others.
type EditCandidate struct {
	ID           curlew.CandidateID `json:"-"`
	Name         *string            `json:"name,omitempty" maxlen:"200"`
	Instructions *string            `json:"instructions,omitempty" maxlen:"4000"`
	Kind         *string            `json:"kind,omitempty" maxlen:"100"`        // what the page lists; "" finds out
	Priority     *curlew.Priority   `json:"priority,omitempty" min:"1" max:"3"` // 1 first, 3 last
	AutoDeploy   *bool              `json:"auto_deploy,omitempty"`              // false waits for a person
}

// Check says what is wrong with the command.
func (c EditCandidate) Check() curlew.Problems {
	all := bounds(c)
	if c.Name != nil {
		all.Add("name", curlew.NameProblem(*c.Name))
	}
	return all
}

func (c EditCandidate) apply(to *curlew.Candidate) {
	kind, rest := onboard.KindIn(to.Instructions)
	if c.Instructions != nil {
		var named string
		if named, rest = onboard.KindIn(*c.Instructions); named != "" {
			kind = named
		}
	}
	set(&kind, c.Kind)
	to.Instructions = withKind(kind, rest)
	set(&to.Name, c.Name)
	set(&to.Priority, c.Priority)
	set(&to.AutoDeploy, c.AutoDeploy)
}

// EditCandidate changes a candidate that is neither being analysed nor a source.
func (a *App) EditCandidate(ctx context.Context, who auth.Identity, c EditCandidate) (curlew.Candidate, error) {
	return do(ctx, a.as(who), verb{"editCandidate", auth.EditCandidates}, c, func(ctx context.Context, tx *Tx) (curlew.Candidate, error) {
		tx.About(string(c.ID))
		tx.Detail(changed(c))
		candidate, err := idle(ctx, tx, c.ID)
		if err == nil && c.Kind != nil {
			err = knowsKind(ctx, tx.Scope, *c.Kind)
		}
		if err != nil {
			return candidate, err
		}
		before := candidate.Instructions
		c.apply(&candidate)
		if err := tx.Candidates().Save(ctx, candidate); err != nil {
			return candidate, err
		}
		if candidate.Review && candidate.Source == "" && candidate.Instructions != before { // its readings are of what was wanted before
			if err := a.i.Onboard.Retry(ctx, who.Org, c.ID, who.Name); err != nil {
				return candidate, err
			}
		}
		return tx.Candidates().Get(ctx, c.ID)
	})
}

var errDeployed = curlew.Refused("candidate_deployed", "the candidate is a source already: edit or archive its source")

// idle locks a candidate that nothing works on and that is no source.
func idle(ctx context.Context, tx *Tx, id curlew.CandidateID) (curlew.Candidate, error) {
	c, err := tx.Candidates().Lock(ctx, id)
	if err != nil {
		return c, err
	}
	switch {
	case c.Status == curlew.CandidateDeployed, c.Status == curlew.CandidateBroken, c.Status == curlew.CandidateReanalyzing:
		return c, errDeployed
	case c.Status == curlew.CandidatePending, c.Status == curlew.CandidateRejected, c.Status == curlew.CandidateFailed, c.Review:
		return c, nil
	}
	return c, curlew.Refused(curlew.ErrRunActive, "the candidate is being analysed: try again when that has ended")
}

// DeleteCandidate deletes a candidate that never became a source, and stops its onboarding
// if that has not begun.
func (a *App) DeleteCandidate(ctx context.Context, who auth.Identity, id curlew.CandidateID) error {
	_, err := do(ctx, a.as(who), verb{"deleteCandidate", auth.EditCandidates}, one[curlew.CandidateID]{id},
		func(ctx context.Context, tx *Tx) (none struct{}, err error) {
			tx.About(string(id))
			c, err := idle(ctx, tx, id)
			if err != nil {
				return none, err
			}
			if c.Source != "" {
				return none, errDeployed
			}
			tx.Detail(map[string]any{"url": c.URL, "name": c.Name})
			run, err := tx.Runs().Active(ctx, "candidate:"+string(id))
			if err == nil {
				err = a.i.Jobs.Stop(ctx, who.Org, run.ID, who.Name)
			}
			if err := curlew.IgnoreNotFound(err); err != nil {
				return none, err
			}
			return none, tx.Candidates().Remove(ctx, id)
		})
	return err
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
