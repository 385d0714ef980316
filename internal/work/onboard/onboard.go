// Package onboard leads from the address of a site to a source that is read: it inspects
// the site, proposes ways to read it, tests them and deploys the best. People and healing
// use its parts as well.
package onboard

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/learn/quality"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/work/outbox"
	"github.com/curlew-data/curlew/internal/work/pages"
	"github.com/curlew-data/curlew/internal/work/queue"
	"github.com/curlew-data/curlew/internal/work/runs"
	"github.com/curlew-data/curlew/internal/work/watch"
)

// Onboard works off onboardings: a candidate is analysed, ways to read it are
// generated and tested, and what is good enough is deployed. Every move of the
// candidate commits with what led to it.
type Onboard struct {
	Store    *store.Store
	Queue    *queue.Queue
	Web      pages.PageSource
	Outbox   *outbox.Outbox
	Now      func() time.Time // of the pages
	Wall     func() time.Time
	Schedule string         // of new watches
	Delay    *time.Duration // between requests, of new watches; nil means the pace
	Asks     func(string)   // summaryOf before each request; nil for nobody
	Teacher  Teachers       // asked when nothing else does; nil for nobody
	Recent   *Recent        // nil reads every page again
}

// Teachers give the teacher that an org may ask on behalf of a source, "" where there is
// none yet.
type Teachers func(org curlew.OrgID, source curlew.SourceID) Teacher

func (t Teachers) Of(org curlew.OrgID, source curlew.SourceID) Teacher {
	if t == nil {
		return nil
	}
	return t(org, source)
}

// OnboardPlan names the candidate.
type OnboardPlan struct {
	Candidate curlew.CandidateID `json:"candidate_id"`
}

// onboardProgress is where an onboarding stands.
type onboardProgress struct {
	Read     bool      `json:"read,omitempty"` // the page: its readings can be seen
	Analysis *Analysis `json:"analysis,omitempty"`
}

// CandidateReport is what a candidate keeps of its onboarding.
type CandidateReport struct {
	Read     []Finding `json:"readings,omitempty"` // of the page, while its analysis goes on
	Analysis *Analysis `json:"analysis,omitempty"`
	Trials   []Trial   `json:"trials,omitempty"`
	Choices  []Choice  `json:"choices,omitempty"` // that wait for a person
	Why      string    `json:"why,omitempty"`     // what was decided

	Watched curlew.WatchID `json:"watched_by,omitempty"` // the watch that reads the page already

	Picture *curlew.Picture `json:"picture,omitempty"` // of the site
}

// Findings are what the page can be read as, as far as is known.
func (r CandidateReport) Findings() (all []Finding) {
	for _, c := range r.Choices {
		all = append(all, c.Found())
	}
	if len(all) == 0 && r.Analysis != nil {
		return r.Analysis.Read
	}
	return append(all, r.Read...)
}

// Propose keeps a candidate and starts its onboarding, in one transaction. An address
// is proposed once; one that was rejected or failed before, or waits while other things are wanted of it now, is tried again.
func (o Onboard) Propose(ctx context.Context, org curlew.OrgID, c curlew.Candidate) (curlew.Candidate, error) {
	err := o.Store.Write(ctx, org, func(w store.WriteScope) (err error) {
		if err := Free(ctx, w.Scope, c); err != nil {
			return err
		}
		known, err := proposedBefore(ctx, w.Scope, c)
		switch {
		case err == nil:
			if site, _ := curlew.OriginOf(c.URL); c.Name != curlew.NameOf(site) {
				known.Name = c.Name // a person named it
			}
			known.Instructions, known.Priority, known.AutoDeploy = c.Instructions, c.Priority, c.AutoDeploy
			c, err = o.again(ctx, w, known, "proposed again")
			return err
		case !errors.Is(err, curlew.ErrNotFound):
			return err
		}
		if c, err = w.Candidates().Add(ctx, c); err != nil {
			return err
		}
		return o.start(ctx, w, c, 0)
	})
	return c, err
}

// start begins the onboarding of a pending candidate.
func (o Onboard) start(ctx context.Context, w store.WriteScope, c curlew.Candidate, after time.Duration) error {
	return runs.StartOnce(ctx, w, o.Queue, runs.NewRun{Kind: curlew.RunOnboard, Scope: scopeOf(c.ID), Plan: OnboardPlan{c.ID}, Total: 3,
		Priority: c.Priority, LimitKey: runs.HostOf(c.URL)}, after)
}

// Step does the next part of an onboarding.
func (o Onboard) Step(ctx context.Context, run curlew.Run) (runs.Step, error) {
	var plan OnboardPlan
	if err := json.Unmarshal(run.Plan, &plan); err != nil {
		return runs.Step{}, curlew.Permanent("bad_plan", "the plan of the onboarding cannot be read").Because(err)
	}
	var progress onboardProgress
	if err := json.Unmarshal(run.Progress, &progress); err != nil {
		return runs.Step{}, curlew.Permanent("bad_progress", "the progress of the onboarding cannot be read").Because(err)
	}
	c, err := o.Store.Org(run.Org).Candidates().Get(ctx, plan.Candidate)
	if err != nil {
		return runs.Step{}, err
	}
	switch c.Status {
	case curlew.CandidatePending:
		return o.moving(c, curlew.CandidateAnalyzing, "analysis started", progress), nil
	case curlew.CandidateBroken:
		return o.moving(c, curlew.CandidateReanalyzing, "it is analysed again", progress), nil
	case curlew.CandidateAnalyzing, curlew.CandidateReanalyzing:
		if c.Source == "" && !progress.Read {
			return o.read(ctx, c)
		}
		return o.analyse(ctx, c)
	case curlew.CandidateFeasible:
		return o.moving(c, curlew.CandidateGenerating, "the site is feasible", progress), nil
	case curlew.CandidateGenerating, curlew.CandidateTesting:
		return o.generate(ctx, run, c, progress)
	}
	nothing := runs.Info("the candidate is %s: there is nothing to do", curlew.CodeWords(c.Status))
	return runs.Step{Progress: progress, Done: true, Log: []curlew.LogLine{nothing}}, nil
}

func (o Onboard) moving(c curlew.Candidate, to curlew.CandidateStatus, why string, p onboardProgress) runs.Step {
	move := func(ctx context.Context, w store.WriteScope) error {
		_, err := w.Candidates().Move(ctx, c.ID, to, why)
		return err
	}
	return runs.Step{Progress: p, Log: []curlew.LogLine{runs.Info("%s: %s", curlew.CodeWords(to), why)}, Effect: move}
}

func (o Onboard) onboarding(ctx context.Context, c curlew.Candidate) (Onboarding, Instructions, error) {
	own, err := o.Store.Org(c.Org).Kinds().Own(ctx)
	in := o.Recent.interpretedFor(c, func() Instructions {
		return InterpretInstructions(ctx, o.Teacher.Of(c.Org, c.Source), c.Instructions, own)
	})
	if err != nil {
		return Onboarding{}, in, err
	}
	options, err := pages.Options(ctx, o.Store.Org(c.Org), curlew.Schema{})
	return Onboarding{Proposing: Proposing{Web: o.Web, Now: o.Now, Step: o.Asks, Options: options}}, in, err
}

// read keeps what the readers made of the page before anything else of the site is asked
// for: whoever waits sees it at once.
func (o Onboard) read(ctx context.Context, c curlew.Candidate) (runs.Step, error) {
	onboarding, in, err := o.onboarding(ctx, c)
	if err != nil {
		return runs.Step{}, err
	}
	a, err := onboarding.Read(ctx, c.URL, in)
	if err != nil {
		return runs.Step{}, err
	}
	o.Recent.keep(c, a, o.Wall())
	c.Name = nameOf(c, a)
	if c.Report, err = json.Marshal(CandidateReport{Read: a.Read}); err != nil {
		return runs.Step{}, fmt.Errorf("report of a candidate: %w", err)
	}
	step := runs.Step{Progress: onboardProgress{Read: true}, Counters: curlew.Counters{curlew.CountSteps: 1}}
	for _, f := range a.Read {
		step.Log = append(step.Log, runs.Info("read as %s from %s: %s", f.Kind, curlew.ReadFrom(f.Tier), curlew.Counted(f.Count, "record")))
	}
	step.Effect = func(ctx context.Context, w store.WriteScope) error {
		if is, err := w.Candidates().Lock(ctx, c.ID); err != nil || is.Status != c.Status {
			return err // somebody decided meanwhile: the next step says so
		}
		return w.Candidates().Save(ctx, c)
	}
	return step, nil
}

// analyse judges whether the site can be read.
func (o Onboard) analyse(ctx context.Context, c curlew.Candidate) (runs.Step, error) {
	onboarding, in, err := o.onboarding(ctx, c)
	if err != nil {
		return runs.Step{}, err
	}
	onboarding.Inspected = o.Recent.take(c, o.Wall())
	a, err := onboarding.Analyse(ctx, c.URL, in)
	if err != nil {
		return runs.Step{}, err
	}
	if c.Source == "" && o.Teacher == nil {
		a = onboarding.elseOffered(ctx, a, in)
	}
	if page := a.inspected.Home.URL; c.Source == "" && page != "" && page != c.URL { // it led to another one
		if err := watch.WatchedAlready(ctx, o.Store.Org(c.Org), placeOf(c, page), ""); err != nil {
			return runs.Step{}, err
		}
	}
	o.Recent.keep(c, a, o.Wall())
	score := a.Report.Score
	c.Feasibility, c.Strategy, c.LastError, c.Fingerprint = &score, string(a.Report.Strategy), "", a.Sketch
	c.Name = nameOf(c, a)
	if c.Report, err = json.Marshal(CandidateReport{Analysis: &a}); err != nil {
		return runs.Step{}, fmt.Errorf("report of a candidate: %w", err)
	}
	to, why, err := o.judge(c, a, in)
	if err != nil {
		return runs.Step{}, err
	}
	step := runs.Step{Progress: onboardProgress{Analysis: &a}, Counters: curlew.Counters{curlew.CountSteps: 1}}
	step.Done = to == curlew.CandidateRejected
	if a.Understood != "" {
		step.Log = append(step.Log, runs.Info("%s", a.Understood))
	}
	step.Log = append(step.Log, runs.Info("%s: %s", curlew.CodeWords(to), why))
	step.Effect = func(ctx context.Context, w store.WriteScope) error {
		if err := w.Candidates().Save(ctx, c); err != nil {
			return err
		}
		_, err := w.Candidates().Move(ctx, c.ID, to, why)
		return err
	}
	return step, nil
}

// judge says what an analysis means for a candidate, and why. A deployed source is not rejected: it may
// be feasible again another day.
func (o Onboard) judge(c curlew.Candidate, a Analysis, in Instructions) (to curlew.CandidateStatus, why string, err error) {
	why = fmt.Sprintf("feasibility %d: %s", a.Report.Score, a.Report.Reason)
	switch {
	case a.Feasible():
	case c.Source != "":
		return "", "", curlew.Permanent(curlew.ErrNotFeasible, "%s", why)
	case o.Teacher != nil && a.leftToTeacher(in):
		why += " A model is asked."
	default:
		return curlew.CandidateRejected, why, nil
	}
	return curlew.CandidateFeasible, why, nil
}

// outcome is what the trials of a candidate came to.
type outcome struct {
	best    Trial
	verdict quality.Verdict
	why     string
	in      Instructions
}

// generate tries the ways to read the site, and deploys the best if it is good.
func (o Onboard) generate(ctx context.Context, run curlew.Run, c curlew.Candidate, p onboardProgress) (runs.Step, error) {
	if p.Analysis == nil {
		if p.Analysis = ReportOf(c).Analysis; p.Analysis == nil {
			return runs.Step{}, curlew.Permanent("no_analysis", "the candidate has no analysis: propose it again")
		}
	}
	onboarding, in, err := o.generating(ctx, c)
	if err != nil {
		return runs.Step{}, err
	}
	p.Analysis.inspected = o.Recent.take(c, o.Wall())
	auto := c.AutoDeploy
	if p.Analysis.Missed != "" {
		in, auto = in.ofAnyKind(), false
	}
	offer, err := onboarding.Offer(ctx, *p.Analysis, in, auto)
	if err != nil {
		return runs.Step{}, err
	}
	best, verdict, why := offer.Best, offer.Verdict, strings.TrimSpace(p.Analysis.Missed+" "+offer.Why)
	c.Quality = &best.Score
	c.Strategy = string(best.Tier)
	choices, err := offer.Choices()
	if err != nil {
		return runs.Step{}, err
	}
	report := CandidateReport{Analysis: p.Analysis, Trials: offer.Trials, Choices: choices, Why: why, Picture: best.Proposal.Icon(ctx)}
	if c.Report, err = json.Marshal(report); err != nil {
		return runs.Step{}, fmt.Errorf("report of a candidate: %w", err)
	}
	step := runs.Step{Progress: p, Done: true, Counters: curlew.Counters{curlew.CountSteps: 1}}
	for _, t := range offer.Trials {
		step.Log = append(step.Log, runs.Info("attempt %d, %s from %s: quality %d", t.Iteration, t.What, curlew.ReadFrom(t.Tier), t.Score))
		for _, f := range t.Feedback {
			step.Log = append(step.Log, runs.Info("  %s", f))
		}
	}
	if verdict != quality.VerdictReview && c.Source == "" { // another page may have led to the same endpoint
		at := watch.Place{URL: best.Proposal.URL, Kind: best.Proposal.Schema, Region: regionNamed(c)}
		if err := watch.WatchedAlready(ctx, o.Store.Org(c.Org), at, ""); err != nil {
			return runs.Step{}, err
		}
	}
	step.Log = append(step.Log, runs.Info("%s: %s", curlew.CodeWords(verdict), why))
	if more := best.Proposal.Over; more != "" {
		why += "; " + more
		step.Log = append(step.Log, curlew.LogLine{Level: curlew.LogWarn, Text: more})
	}
	step.Effect = func(ctx context.Context, w store.WriteScope) error {
		return o.conclude(ctx, w, run, c, outcome{best, verdict, why, in})
	}
	return step, nil
}

// relatives are the deployed sources of the org, other than the candidate's own.
func (o Onboard) relatives(ctx context.Context, org curlew.OrgID, own curlew.SourceID) ([]Relative, error) {
	deployed, err := o.Store.Org(org).Blueprints().Deployed(ctx, mostRelatives)
	var all []Relative
	for _, d := range deployed {
		if d.Blueprint.Source != own {
			b := d.Blueprint
			all = append(all, Relative{Source: b.Source, Schema: b.Schema, Tier: b.Tier, Sketch: d.Fingerprint, Rules: b.Rules})
		}
	}
	return all, err
}

// mostRelatives bounds how many sources, the newest, a new one is compared with.
const mostRelatives = 1000

// conclude writes down what became of the candidate; a good one is deployed in the
// same transaction.
func (o Onboard) conclude(ctx context.Context, w store.WriteScope, run curlew.Run, c curlew.Candidate, is outcome) error {
	c.Review = is.verdict == quality.VerdictReview
	if err := unmoved(ctx, w, c); err != nil {
		return err
	}
	if c.Status == curlew.CandidateGenerating {
		if _, err := w.Candidates().Move(ctx, c.ID, curlew.CandidateTesting, fmt.Sprintf("tested: quality %d", is.best.Score)); err != nil {
			return err
		}
	}
	c.LastError = ""
	if c.Review && c.Source == "" {
		return w.Candidates().Save(ctx, c)
	}
	var err error
	if c.Source != "" {
		err = o.reregister(ctx, w, run, c, is.best)
	} else if c, err = o.register(ctx, w, c, is.best.Proposal, is.in); err == nil {
		err = o.keepCard(ctx, w, run.ID, c.Source, is.best)
	}
	if err != nil {
		return err
	}
	if err := w.Candidates().Save(ctx, c); err != nil || c.Review {
		return err
	}
	return o.deploy(ctx, w, c, is.why)
}

// unmoved locks a candidate, and refuses where somebody decided about it meanwhile.
func unmoved(ctx context.Context, w store.WriteScope, c curlew.Candidate) error {
	is, err := w.Candidates().Lock(ctx, c.ID)
	if err != nil {
		return err
	}
	if is.Status != c.Status || is.Review || is.Source != c.Source {
		return curlew.Permanent("illegal_transition", "the candidate was %s when its test began, and is %s now", curlew.CodeWords(c.Status),
			curlew.CodeWords(is.Status))
	}
	return nil
}

// Approve deploys a candidate that waits for a person.
func (o Onboard) Approve(ctx context.Context, org curlew.OrgID, id curlew.CandidateID, who string) error {
	return o.Store.Write(ctx, org, func(w store.WriteScope) error {
		c, err := w.Candidates().Get(ctx, id)
		if err != nil {
			return err
		}
		if c.Source == "" {
			return o.choose(ctx, w, c, 1, "approved by "+who)
		}
		if c.Status != curlew.CandidateTesting {
			return nothingToChoose(c)
		}
		return o.deploy(ctx, w, c, "approved by "+who)
	})
}

// Choose deploys one of the readings of a candidate that waits for a person; they count
// from 1.
func (o Onboard) Choose(ctx context.Context, org curlew.OrgID, id curlew.CandidateID, number int, who string) error {
	return o.Store.Write(ctx, org, func(w store.WriteScope) error {
		c, err := w.Candidates().Lock(ctx, id)
		if err != nil {
			return err
		}
		return o.choose(ctx, w, c, number, fmt.Sprintf("reading %d chosen by %s", number, who))
	})
}

func nothingToChoose(c curlew.Candidate) error {
	return curlew.Refused("nothing_to_approve", "the candidate is %s: only one that was tested and waits for review can be approved",
		curlew.CodeWords(c.Status))
}

func (o Onboard) choose(ctx context.Context, w store.WriteScope, c curlew.Candidate, number int, why string) error {
	report := ReportOf(c)
	if c.Status != curlew.CandidateTesting || c.Source != "" || len(report.Choices) == 0 {
		return nothingToChoose(c)
	}
	if number < 1 || number > len(report.Choices) {
		return curlew.Refused("no_such_reading", "the candidate has %s: choose a number from 1 to %d",
			text.Plural(len(report.Choices), "reading", "readings"), len(report.Choices))
	}
	chosen := report.Choices[number-1]
	b, err := blueprint.Parse(chosen.Rules)
	if err != nil {
		return err
	}
	p := Proposal{URL: chosen.URL, Schema: chosen.Kind, Tier: chosen.Tier, Blueprint: b}
	if c, err = o.register(ctx, w, c, p, ReadInstructions(c.Instructions)); err != nil {
		return err
	}
	c.Strategy = string(chosen.Tier)
	return o.deploy(ctx, w, c, why)
}

// Reject ends a candidate by a person's word.
func (o Onboard) Reject(ctx context.Context, org curlew.OrgID, id curlew.CandidateID, who, why string) error {
	return o.Store.Write(ctx, org, func(w store.WriteScope) error {
		c, err := w.Candidates().Move(ctx, id, curlew.CandidateRejected, fmt.Sprintf("by %s: %s", who, why))
		if err != nil {
			return err
		}
		c.Review = false
		return w.Candidates().Save(ctx, c)
	})
}

// Failed writes down that an onboarding failed. What may pass by itself is tried again,
// a few times and later each time.
func (o Onboard) Failed(ctx context.Context, w store.WriteScope, run curlew.Run, fault *curlew.Fault) error {
	var plan OnboardPlan
	if err := json.Unmarshal(run.Plan, &plan); err != nil {
		return nil
	}
	c, err := w.Candidates().Get(ctx, plan.Candidate)
	if err != nil {
		return err
	}
	if c.Status == curlew.CandidateReanalyzing {
		return o.unwell(ctx, w, c, fault.Sentence)
	}
	c.Attempts++
	c.LastError = fault.Sentence
	if c.Report, err = namingWatch(c, fault); err != nil {
		return err
	}
	if err := w.Candidates().Save(ctx, c); err != nil {
		return err
	}
	to := curlew.CandidateFailed
	if (fault.Kind == curlew.KindRefused || errors.Is(fault, curlew.ErrNotFeasible)) && c.Source == "" {
		to = curlew.CandidateRejected
	}
	if c.Status.Move(to) != nil {
		return nil // it never began, or is past failing
	}
	if c, err = w.Candidates().Move(ctx, c.ID, to, fault.Sentence); err != nil || to == curlew.CandidateRejected {
		return err
	}
	if fault.Kind != curlew.KindTemporary || c.Attempts >= curlew.MaxCandidateAttempts {
		return nil
	}
	later := time.Duration(1<<c.Attempts) * time.Minute
	why := "this may be temporary: the next attempt is in " + curlew.Duration(later).Brief()
	if c, err = w.Candidates().Move(ctx, c.ID, curlew.CandidatePending, why); err != nil {
		return err
	}
	return o.start(ctx, w, c, later)
}
