package tenancy

import (
	"context"
	"time"

	"curlew/internal/curlew"
	"curlew/internal/data/store"
	"curlew/internal/door/rest"
	"curlew/internal/read/blueprint"
	"curlew/internal/work/runs"
)

type tenantCandidates struct{ tenant }

// List lists candidates.
func (t tenantCandidates) List(ctx context.Context, status curlew.CandidateStatus, w rest.Window) ([]curlew.Candidate, error) {
	return t.scope.Candidates().List(ctx, store.CandidateFilter{Status: status}, store.Window(w))
}

// Get returns one.
func (t tenantCandidates) Get(ctx context.Context, id curlew.CandidateID) (curlew.Candidate, error) {
	return t.scope.Candidates().Get(ctx, id)
}

// Moves lists how it came to where it stands.
func (t tenantCandidates) Moves(ctx context.Context, id curlew.CandidateID) ([]rest.CandidateMove, error) {
	moves, err := t.scope.Candidates().Transitions(ctx, id)
	all := make([]rest.CandidateMove, len(moves))
	for i, m := range moves {
		all[i] = rest.CandidateMove(m)
	}
	return all, err
}

// Propose takes a URL.
func (t tenantCandidates) Propose(ctx context.Context, c curlew.Candidate) (curlew.Candidate, error) {
	if _, err := curlew.SiteOf(c.URL); err != nil {
		return c, rest.Invalid("/url", err)
	}
	return t.i.Onboard.Propose(ctx, t.org(), c)
}

// Decide does what a person wants with a candidate.
func (t tenantCandidates) Decide(ctx context.Context, id curlew.CandidateID, v rest.Verdict, why string) (curlew.Candidate, error) {
	var err error
	switch v {
	case rest.Approve:
		err = t.i.Onboard.Approve(ctx, t.org(), id, t.who)
	case rest.Reject:
		err = t.i.Onboard.Reject(ctx, t.org(), id, t.who, why)
	default:
		err = t.i.Onboard.Retry(ctx, t.org(), id, t.who)
	}
	if err != nil {
		return curlew.Candidate{}, err
	}
	return t.scope.Candidates().Get(ctx, id)
}

type tenantSources struct{ tenant }

// List lists sources.
func (t tenantSources) List(ctx context.Context, w rest.Window) ([]curlew.Source, error) {
	return t.scope.Sources().List(ctx, store.Window(w))
}

// Get returns one.
func (t tenantSources) Get(ctx context.Context, id curlew.SourceID) (curlew.Source, error) {
	return t.scope.Sources().Get(ctx, id)
}

// Edit changes what is known of a source.
func (t tenantSources) Edit(ctx context.Context, id curlew.SourceID, e rest.SourceEdit) (source curlew.Source, err error) {
	if e.Timezone != nil {
		if err := knownZone(*e.Timezone); err != nil {
			return source, err
		}
	}
	err = t.write(ctx, func(w store.WriteScope) error {
		if source, err = w.Sources().Lock(ctx, id); err != nil {
			return err
		}
		set(&source.Name, e.Name)
		set(&source.MinURLs, e.MinURLs)
		set(&source.Rules.Category, e.Category)
		set(&source.Rules.Zone, e.Timezone)
		set(&source.Rules.Instructions, e.Instructions)
		switch {
		case e.Archived != nil && *e.Archived:
			source.Trust = curlew.TrustArchived
		case e.Archived != nil && source.Trust == curlew.TrustArchived:
			source.Trust = curlew.TrustProbation
		}
		if err := w.Sources().Save(ctx, source); err != nil {
			return err
		}
		source, err = w.Sources().Get(ctx, id)
		return err
	})
	return source, err
}

func knownZone(name string) error {
	if _, err := time.LoadLocation(name); err != nil {
		return rest.Invalid("/timezone", curlew.Permanent("bad_zone", "nobody knows the time zone %q: write it as Europe/Warsaw", name))
	}
	return nil
}

// set changes what somebody said something about.
func set[T any](into *T, value *T) {
	if value != nil {
		*into = *value
	}
}

type sourceControl struct{ tenant }

// Steer pauses, resumes and promotes a source.
func (t sourceControl) Steer(ctx context.Context, id curlew.SourceID, s rest.SourceStep) (curlew.Source, error) {
	do := map[rest.SourceStep]func(context.Context, curlew.OrgID, curlew.SourceID, string) (curlew.Source, error){
		rest.PauseSource: t.i.Jobs.PauseSource, rest.ResumeSource: t.i.Jobs.ResumeSource, rest.PromoteSource: t.i.Jobs.PromoteSource}[s]
	return do(ctx, t.org(), id, t.who)
}

// Rollback goes back to an earlier blueprint.
func (t sourceControl) Rollback(ctx context.Context, id curlew.SourceID, r rest.Rollback) (rest.RolledBack, error) {
	if _, err := t.scope.Sources().Get(ctx, id); err != nil {
		return rest.RolledBack{}, err
	}
	shadows, err := t.shadow(r.Switching, func(h runs.Heal) (runs.Shadows, error) {
		return h.ShadowRollback(ctx, t.org(), id, r.Version)
	})
	if err != nil {
		return rest.RolledBack{}, err
	}
	done, err := t.i.Jobs.RollbackSource(ctx, t.org(), id, r.Version)
	return rest.RolledBack{From: done.From.ID, To: done.To.ID, Version: done.To.Version, Watches: len(done.Watches), Shadows: shadows}, err
}

// shadow lets a version read in the shadow where somebody asks for it, and fails where
// it would lose data and nobody insists.
func (t tenant) shadow(s rest.Switching, do func(runs.Heal) (runs.Shadows, error)) ([]rest.Shadowed, error) {
	switch {
	case s.Force && !s.Shadow:
		return nil, rest.Invalid("/force", curlew.Permanent("bad_request", "force insists against what shadow says: without shadow nothing stands in the way"))
	case !s.Shadow:
		return nil, nil
	}
	heal, err := t.i.Healing()
	if err != nil {
		return nil, err
	}
	all, err := do(heal)
	if err == nil && !s.Force {
		err = all.Objection()
	}
	if err != nil {
		return nil, err
	}
	var told []rest.Shadowed
	for _, one := range all {
		told = append(told, rest.Shadowed(one))
	}
	return told, nil
}

// Heal learns a source anew.
func (t sourceControl) Heal(ctx context.Context, id curlew.SourceID, watch curlew.WatchID) (curlew.Run, error) {
	return t.i.Jobs.HealNow(ctx, t.org(), id, watch, t.who)
}

// Scorecards lists quality scores.
func (t tenantSources) Scorecards(ctx context.Context, id curlew.SourceID, limit int) ([]curlew.Scorecard, error) {
	return t.scope.Scorecards().List(ctx, id, limit)
}

// Heals lists attempts to heal.
func (t tenantSources) Heals(ctx context.Context, id curlew.SourceID, limit int) ([]curlew.Heal, error) {
	return t.scope.Heals().List(ctx, id, limit)
}

type tenantBlueprints struct{ tenant }

// List lists blueprints.
func (t tenantBlueprints) List(ctx context.Context, source curlew.SourceID, w rest.Window) ([]curlew.Blueprint, error) {
	return t.scope.Blueprints().List(ctx, store.BlueprintFilter{Source: source}, store.Window(w))
}

// Get returns one.
func (t tenantBlueprints) Get(ctx context.Context, id curlew.BlueprintID) (curlew.Blueprint, error) {
	return t.scope.Blueprints().Get(ctx, id)
}

// Add keeps a blueprint as a draft, in its one spelling.
func (t tenantBlueprints) Add(ctx context.Context, n rest.NewBlueprint) (kept curlew.Blueprint, err error) {
	source, err := t.scope.Sources().Get(ctx, n.Source)
	if err != nil {
		return kept, err
	}
	b, err := blueprint.Parse(n.Rules)
	if err != nil {
		return kept, badRules(err)
	}
	rules, err := blueprint.Marshal(b)
	if err != nil {
		return kept, err
	}
	for _, test := range []string{b.URL, source.BaseURL} {
		if n.TestURL == "" {
			n.TestURL = test
		}
	}
	err = t.write(ctx, func(w store.WriteScope) error {
		kept, err = w.Blueprints().Add(ctx, curlew.Blueprint{Source: n.Source, Schema: b.Schema, PageType: b.Page, Tier: b.Tier, Rules: rules, TestURL: n.TestURL})
		return err
	})
	return kept, err
}

// badRules says what is wrong with a blueprint, and where in the body.
func badRules(err error) error {
	var all []rest.Mistake
	for _, p := range blueprint.Defects(err) {
		all = append(all, rest.Mistake{Place: "/rules" + p.Place, Sentence: p.Sentence})
	}
	if len(all) == 0 {
		return rest.Invalid("/rules", err)
	}
	return rest.Mistaken(all)
}

// Activate reads by a version from now on.
func (t tenantBlueprints) Activate(ctx context.Context, id curlew.BlueprintID, a rest.Activation) (rest.Activated, error) {
	if a.Watch != "" {
		if _, err := t.scope.Watches().Get(ctx, a.Watch); err != nil {
			return rest.Activated{}, err
		}
	}
	shadows, err := t.shadow(a.Switching, func(h runs.Heal) (runs.Shadows, error) { return h.ShadowVersion(ctx, t.org(), id, a.Watch) })
	if err != nil {
		return rest.Activated{}, err
	}
	b, _, err := t.i.Jobs.ActivateBlueprint(ctx, t.org(), id, a.Watch)
	return rest.Activated{Blueprint: b, Shadows: shadows}, err
}
