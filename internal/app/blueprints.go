package app

import (
	"cmp"
	"context"
	"encoding/json"

	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/work/heal"
)

// AddBlueprint keeps rules as the next version of a source's blueprint, a draft.
type AddBlueprint struct {
	Source  curlew.SourceID `json:"source_id"`
	Rules   json.RawMessage `json:"rules"`                            // a blueprint, as docs/blueprints.md describes it
	TestURL string          `json:"test_url,omitempty" maxlen:"2000"` // a page that it reads
}

// Check says what is wrong with the command.
func (c AddBlueprint) Check() curlew.Problems {
	all := bounds(c)
	if c.TestURL != "" {
		all.Add("test_url", curlew.AddressProblem(c.TestURL))
	}
	checkRules(&all, "rules", c.Rules)
	return all
}

// AddBlueprint keeps a blueprint as a draft, in its one spelling.
func (a *App) AddBlueprint(ctx context.Context, who auth.Identity, c AddBlueprint) (curlew.Blueprint, error) {
	add := verb{"addBlueprint", auth.EditBlueprints}
	return do(ctx, a.as(who), add, c, func(ctx context.Context, tx *Tx) (kept curlew.Blueprint, err error) {
		source, err := tx.Sources().Get(ctx, c.Source)
		if err != nil {
			return kept, err
		}
		b, err := blueprint.Parse(c.Rules)
		if err != nil {
			return kept, err
		}
		kind, err := a.kindNamed(ctx, who.Org, b.Schema)
		if err != nil {
			return kept, err
		}
		b.Define(kind, nil)
		rules, err := blueprint.Marshal(b)
		if err != nil {
			return kept, err
		}
		kept, err = tx.Blueprints().Add(ctx, curlew.Blueprint{Source: c.Source, Schema: b.Schema, PageType: b.Page, Tier: b.Tier, Rules: rules,
			TestURL: cmp.Or(c.TestURL, b.URL, source.BaseURL)})
		tx.About(string(kept.ID))
		tx.Detail(map[string]any{"source_id": c.Source, "version": kept.Version})
		return kept, err
	})
}

// Switching says what has to be seen before a version takes over.
type Switching struct {
	// compare it with the active version first, and refuse with 409 (would_lose_data) if data would be lost
	Shadow bool `json:"shadow,omitempty"`
	Force  bool `json:"force,omitempty"` // with shadow: switch even if data would be lost
}

func (s Switching) check() (all curlew.Problems) {
	if s.Force && !s.Shadow {
		all.Add("force", "force overrides what shadow says: leave it out, or set shadow")
	}
	return all
}

// shadow lets a version read in the shadow where somebody asks for it, and fails where
// it would lose data and nobody insists. It asks a website, so it stands before the
// transaction.
func (a *App) shadow(ctx context.Context, s Switching, try func(heal.Heal) (heal.Shadows, error)) (heal.Shadows, error) {
	if !s.Shadow {
		return nil, nil
	}
	if a.i.Reading == nil {
		if err := a.i.OpenReading(ctx, a.i.Config.Archive.Location); err != nil {
			return nil, err
		}
	}
	heal, err := a.i.Healing()
	if err != nil {
		return nil, err
	}
	all, err := try(heal)
	if err == nil && !s.Force {
		err = all.Refusal()
	}
	return all, err
}

// ActivateBlueprint uses a version from now on.
type ActivateBlueprint struct {
	ID    curlew.BlueprintID `json:"-"`
	Watch curlew.WatchID     `json:"watch_id,omitempty"` // only this watch; else all that read by another version
	Switching
}

// Check says what is wrong with the command.
func (c ActivateBlueprint) Check() curlew.Problems { return c.Switching.check() }

// Activated is the blueprint that is active now, the watches that follow, and how it
// read in the shadow.
type Activated struct {
	Blueprint curlew.Blueprint
	Watches   []curlew.Watch
	Shadows   heal.Shadows
}

// ActivateBlueprint makes a version the active one. Where the shadow says that data would
// be lost, it fails and gives what the shadow says.
func (a *App) ActivateBlueprint(ctx context.Context, who auth.Identity, c ActivateBlueprint) (out Activated, err error) {
	v := verb{"activateBlueprint", auth.EditBlueprints}
	if err := v.may(who, c); err != nil {
		return out, err
	}
	if c.Watch != "" {
		if _, err := a.i.Store.Org(who.Org).Watches().Get(ctx, c.Watch); err != nil {
			return out, err
		}
	}
	shadows, err := a.shadow(ctx, c.Switching, func(h heal.Heal) (heal.Shadows, error) { return h.ShadowVersion(ctx, who.Org, c.ID, c.Watch) })
	if err != nil {
		return Activated{Shadows: shadows}, err
	}
	out, err = do(ctx, a.as(who), v, c, func(ctx context.Context, tx *Tx) (done Activated, err error) {
		tx.About(string(c.ID))
		tx.Detail(changed(c))
		done.Blueprint, done.Watches, err = heal.Activate(ctx, tx.WriteScope, c.ID, c.Watch)
		return done, err
	})
	out.Shadows = shadows
	return out, err
}
