package app

import (
	"context"

	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/work/heal"
	"github.com/curlew-data/curlew/internal/work/watch"
)

// EditSource changes what is known of a source; what is absent stays.
type EditSource struct {
	ID       curlew.SourceID `json:"-"`
	Name     *string         `json:"name,omitempty" maxlen:"200"`
	MinURLs  *int            `json:"min_urls,omitempty" min:"0" max:"10000000"` // fewer URLs than this is a failure, not a change
	Category *string         `json:"category,omitempty" maxlen:"100"`           // of everything that it lists
	Timezone *string         `json:"timezone,omitempty" maxlen:"60"`            // the default time zone, such as Europe/Oslo
	// Instructions are what a person knows of the site, for whoever learns it anew.
	Instructions *string `json:"instructions,omitempty" maxlen:"4000"`
	Archived     *bool   `json:"archived,omitempty"` // true archives it, false puts it back on probation
}

// Check says what is wrong with the command.
func (c EditSource) Check() curlew.Problems {
	all := bounds(c)
	if c.Name != nil {
		all.Add("name", curlew.NameProblem(*c.Name))
	}
	if c.Timezone != nil {
		all.Add("timezone", ZoneProblem(*c.Timezone))
	}
	return all
}

// EditSource changes what is known of a source.
func (a *App) EditSource(ctx context.Context, who auth.Identity, c EditSource) (curlew.Source, error) {
	return do(ctx, a.as(who), verb{"editSource", auth.EditSources}, c, func(ctx context.Context, tx *Tx) (curlew.Source, error) {
		tx.About(string(c.ID))
		tx.Detail(changed(c))
		source, err := tx.Sources().Lock(ctx, c.ID)
		if err != nil {
			return source, err
		}
		set(&source.Name, c.Name)
		set(&source.MinURLs, c.MinURLs)
		set(&source.Rules.Category, c.Category)
		set(&source.Rules.Zone, c.Timezone)
		set(&source.Rules.Instructions, c.Instructions)
		switch {
		case c.Archived == nil:
		case *c.Archived:
			source.Trust = curlew.TrustArchived
		case source.Trust == curlew.TrustArchived:
			source.Trust = curlew.TrustProbation
		}
		if err := tx.Sources().Save(ctx, source); err != nil {
			return source, err
		}
		return tx.Sources().Get(ctx, c.ID)
	})
}

// PauseSource stops reading a source and all of its watches.
func (a *App) PauseSource(ctx context.Context, who auth.Identity, id curlew.SourceID) (curlew.Source, error) {
	return a.steerSource(ctx, who, id, "pauseSource", watch.PauseSource)
}

// ResumeSource reads a source again that is paused or broken; it has to earn its trust anew.
func (a *App) ResumeSource(ctx context.Context, who auth.Identity, id curlew.SourceID) (curlew.Source, error) {
	return a.steerSource(ctx, who, id, "resumeSource", watch.ResumeSource)
}

// PromoteSource trusts a source before its probation is over.
func (a *App) PromoteSource(ctx context.Context, who auth.Identity, id curlew.SourceID) (curlew.Source, error) {
	return a.steerSource(ctx, who, id, "promoteSource", watch.PromoteSource)
}

func (a *App) steerSource(ctx context.Context, who auth.Identity, id curlew.SourceID, name string,
	step func(context.Context, store.WriteScope, curlew.SourceID, string) (curlew.Source, error)) (curlew.Source, error) {
	steer := verb{name, auth.EditSources}
	return do(ctx, a.as(who), steer, one[curlew.SourceID]{id}, func(ctx context.Context, tx *Tx) (curlew.Source, error) {
		before, err := tx.Sources().Get(ctx, id)
		if err != nil {
			return before, err
		}
		tx.About(string(id))
		after, err := step(ctx, tx.WriteScope, id, who.Name)
		if err != nil {
			return after, err
		}
		return after, a.notifySourcePaused(ctx, tx, before, after)
	})
}

// RollBackSource reads a source by an earlier version of its blueprint.
type RollBackSource struct {
	ID      curlew.SourceID `json:"-"`
	Version *int            `json:"version,omitempty" min:"1"` // to go back to; the one before by default
	Watch   curlew.WatchID  `json:"watch_id,omitempty"`        // whose blueprint to go back with, where the source reads several lists
	Switching
}

// Check says what is wrong with the command.
func (c RollBackSource) Check() curlew.Problems { return append(bounds(c), c.Switching.check()...) }

// RolledBack is what going back came to.
type RolledBack struct {
	heal.Rollback
	Shadows heal.Shadows `json:"shadows,omitempty"`
}

// RollBackSource goes back to an earlier blueprint. Where the shadow says that data would
// be lost, it fails and gives what the shadow says.
func (a *App) RollBackSource(ctx context.Context, who auth.Identity, c RollBackSource) (out RolledBack, err error) {
	v, to := verb{"rollbackSource", auth.EditSources}, heal.Earlier{Watch: c.Watch}
	set(&to.Version, c.Version)
	if err := v.may(who, c); err != nil {
		return out, err
	}
	if _, err := a.i.Store.Org(who.Org).Sources().Get(ctx, c.ID); err != nil {
		return out, err
	}
	out.Shadows, err = a.shadow(ctx, c.Switching, func(h heal.Heal) (heal.Shadows,
		error) {
		return h.ShadowRollback(ctx, who.Org, c.ID, to)
	})
	if err != nil {
		return out, err
	}
	out.Rollback, err = do(ctx, a.as(who), v, c, func(ctx context.Context, tx *Tx) (heal.Rollback, error) {
		tx.About(string(c.ID))
		tx.Detail(changed(c))
		return heal.RollBack(ctx, tx.WriteScope, c.ID, to)
	})
	return out, err
}

// HealSource learns anew how to read a source.
type HealSource struct {
	ID    curlew.SourceID `json:"-"`
	Watch curlew.WatchID  `json:"watch_id,omitempty"` // whose page to learn anew; the first of the source by default
}

// Check finds nothing: whether source and watch are there is found out by looking.
func (c HealSource) Check() curlew.Problems { return nil }

// HealSource starts a healing, which switches if its blueprint proves itself.
func (a *App) HealSource(ctx context.Context, who auth.Identity, c HealSource) (curlew.Run, error) {
	return do(ctx, a.as(who), verb{"healSource", auth.EditSources}, c, func(ctx context.Context, tx *Tx) (curlew.Run, error) {
		tx.About(string(c.ID))
		tx.Detail(changed(c))
		return heal.Now(ctx, a.i.Jobs, tx.WriteScope, heal.Asked{Source: c.ID, Watch: c.Watch, By: who.Name})
	})
}

// Scorecards are the quality scores of a source, the newest first.
func (a *App) Scorecards(ctx context.Context, who auth.Identity, id curlew.SourceID, limit int) ([]curlew.Scorecard, error) {
	return see(a, who, func(s store.Scope) ([]curlew.Scorecard, error) {
		if _, err := s.Sources().Get(ctx, id); err != nil {
			return nil, err
		}
		return s.Scorecards().List(ctx, id, limit)
	})
}

// Heals are the attempts to heal a source, or all sources, the newest first.
func (a *App) Heals(ctx context.Context, who auth.Identity, source curlew.SourceID, limit int) ([]curlew.Heal, error) {
	return see(a, who, func(s store.Scope) ([]curlew.Heal, error) {
		if source != "" {
			if _, err := s.Sources().Get(ctx, source); err != nil {
				return nil, err
			}
		}
		return s.Heals().List(ctx, source, limit)
	})
}
