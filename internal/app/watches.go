package app

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/change/schedule"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/web/urls"
	"github.com/curlew-data/curlew/internal/work/watch"
)

// WatchFields are what a person may say about a watch; what is nil stays as it is.
type WatchFields struct {
	Name *string `json:"name,omitempty" maxlen:"200"`
	// "adaptive", "every 15m", "daily at 07:30 Europe/Warsaw", or cron
	Schedule     *string          `json:"schedule,omitempty" maxlen:"200"`
	Timezone     *string          `json:"timezone,omitempty" maxlen:"60"` // the default time zone of the page
	Ranked       *bool            `json:"ranked,omitempty"`               // report changes of the order of the list
	StaleDays    *int             `json:"stale_days,omitempty" min:"0" max:"3650"`
	MaxPages     *int             `json:"max_pages,omitempty" min:"0" max:"100000"`
	RemovalShare *float64         `json:"removal_share,omitempty" min:"0" max:"1"` // more removals at once are held for review
	Only         *string          `json:"only,omitempty" maxlen:"200"`             // only entries with one of these words, separated by commas
	Upcoming     *bool            `json:"upcoming,omitempty"`                      // skip events that are over
	Delay        *curlew.Duration `json:"delay,omitempty"`                         // between requests; under a second only for allowed addresses
}

// longestDelay between two requests: with more, a run of a hundred pages takes days.
const longestDelay = curlew.Duration(time.Hour)

func (f WatchFields) check(all *curlew.Problems) {
	if f.Name != nil {
		all.Add("name", curlew.NameProblem(*f.Name))
	}
	if f.Schedule != nil {
		if _, err := schedule.Parse(*f.Schedule); err != nil {
			all.Add("schedule", curlew.AsFault(err).Sentence)
		}
	}
	if f.Timezone != nil {
		all.Add("timezone", ZoneProblem(*f.Timezone))
	}
	if f.Only != nil && *f.Only != "" && strings.Trim(*f.Only, ", ") == "" {
		all.Add("only", "give at least one word, or leave it empty to keep all entries")
	}
	all.Add("delay", DelayProblem(f.Delay))
}

// DelayProblem says what is wrong with a pause between requests; none is fine.
func DelayProblem(delay *curlew.Duration) string {
	if delay != nil && (*delay < 0 || *delay > longestDelay) {
		return "it must be from 0s to 1h"
	}
	return ""
}

// ZoneProblem says what is wrong with a time zone; none is fine.
func ZoneProblem(name string) string {
	if _, err := time.LoadLocation(name); err != nil || name == "Local" {
		return curlew.UnknownZone
	}
	return ""
}

// apply writes what was said into a watch.
func (f WatchFields) apply(w *curlew.Watch, shortest time.Duration) error {
	if f.Schedule != nil {
		s, err := schedule.Parse(*f.Schedule)
		if err == nil {
			err = s.Check(shortest)
		}
		if err != nil {
			return curlew.Wrong("schedule", err)
		}
		w.Schedule = s.String()
	}
	set(&w.Name, f.Name)
	set(&w.Settings.Zone, f.Timezone)
	set(&w.Settings.Ranked, f.Ranked)
	set(&w.Settings.StaleDays, f.StaleDays)
	set(&w.Settings.MaxPages, f.MaxPages)
	set(&w.Settings.RemovalShare, f.RemovalShare)
	set(&w.Settings.Only, f.Only)
	set(&w.Settings.Upcoming, f.Upcoming)
	if f.Delay != nil {
		w.Settings.Delay = f.Delay
	}
	return nil
}

// AddWatch watches an address by a blueprint that is there, or by one that was just
// learned for it, which becomes that of the site.
type AddWatch struct {
	Blueprint curlew.BlueprintID `json:"blueprint_id"`
	URL       string             `json:"url" min:"1" maxlen:"2000"`
	WatchFields

	Learned  *curlew.Blueprint  `json:"-"` // instead of Blueprint: rules without a source
	Site     curlew.SourceRules `json:"-"` // with Learned: what is known of the site, where it is no source yet
	SiteName string             `json:"-"` // with Learned: what the site is called, where it is no source yet
	Icon     *curlew.Picture    `json:"-"` // with Learned: of the site; nil leaves what is there
	CheckNow bool               `json:"-"` // begin the first run at once; otherwise it is due now
}

// Check says what is wrong with the command.
func (c AddWatch) Check() curlew.Problems {
	all := bounds(c)
	if c.URL != "" {
		all.Add("url", curlew.AddressProblem(c.URL))
	}
	if c.Blueprint == "" && c.Learned == nil {
		all.Add("blueprint_id", "it is missing")
	}
	c.check(&all)
	return all
}

// AddWatch adds a watch. Of two who add the same, the second is told of the first.
func (a *App) AddWatch(ctx context.Context, who auth.Identity, c AddWatch) (watch.AddedWatch, error) {
	return do(ctx, a.as(who), verb{"addWatch", auth.EditWatches}, c, func(ctx context.Context, tx *Tx) (added watch.AddedWatch, err error) {
		address, err := urls.Canonical(c.URL, "")
		if err != nil {
			return added, err
		}
		w := curlew.Watch{URL: address, Name: curlew.NameOf(address), Schedule: "adaptive", Status: curlew.WatchActive}
		if err := c.apply(&w, a.i.Config.Watch.Shortest); err != nil {
			return added, err
		}
		if c.Learned != nil {
			added, err = a.watchLearned(ctx, tx, w, c)
		} else {
			added.Watch, err = a.watchBy(ctx, tx, w, c.Blueprint)
		}
		tx.About(string(added.Watch.ID))
		tx.Detail(changed(c))
		return added, err
	})
}

// watchLearned keeps a source, where there is none yet, a blueprint and a watch.
func (a *App) watchLearned(ctx context.Context, tx *Tx, w curlew.Watch, c AddWatch) (watch.AddedWatch, error) {
	site, err := curlew.OriginOf(c.URL)
	if err != nil {
		return watch.AddedWatch{}, err
	}
	source := curlew.Source{Name: cmp.Or(c.SiteName, curlew.NameOf(site)), BaseURL: site, Trust: curlew.TrustProbation, Rules: c.Site}
	added, err := watch.Add(ctx, a.i.Jobs, tx.WriteScope, watch.NewWatch{Source: source, Blueprint: *c.Learned, Watch: w, Visit: c.CheckNow})
	if err != nil || c.Icon == nil {
		return added, err
	}
	return added, tx.Sources().SetPicture(ctx, added.Source.ID, *c.Icon)
}

// watchBy keeps a watch that reads by a blueprint of its site. It is due now.
func (a *App) watchBy(ctx context.Context, tx *Tx, w curlew.Watch, id curlew.BlueprintID) (curlew.Watch, error) {
	b, err := tx.Blueprints().Get(ctx, id)
	if err != nil {
		return w, err
	}
	source, err := tx.Sources().Lock(ctx, b.Source)
	if err != nil {
		return w, err
	}
	if err := sameOrigin(w.URL, source.BaseURL); err != nil {
		return w, err
	}
	now := a.now()
	w.Source, w.Blueprint, w.NextRunAt = source.ID, b.ID, &now
	if err := watch.WatchedAlready(ctx, tx.Scope, watch.PlaceOf(w, b), ""); err != nil {
		return w, err
	}
	return tx.Watches().Add(ctx, w)
}

// sameOrigin refuses an address of another origin: sources are known by theirs.
func sameOrigin(address, base string) error {
	own, err := curlew.OriginOf(address)
	if err != nil {
		return curlew.Wrong("url", err)
	}
	if site, err := curlew.OriginOf(base); err != nil || site != own {
		return curlew.Problems{{Field: "url", Sentence: own + " is another site than " + base + ": add it as a separate site"}}
	}
	return nil
}

// EditWatch changes a watch; a new schedule counts from now.
type EditWatch struct {
	ID  curlew.WatchID `json:"-"`
	URL *string        `json:"url,omitempty" min:"1" maxlen:"2000"` // another page of the same site
	WatchFields
}

// Check says what is wrong with the command.
func (c EditWatch) Check() curlew.Problems {
	all := bounds(c)
	if c.URL != nil && *c.URL != "" {
		all.Add("url", curlew.AddressProblem(*c.URL))
	}
	c.check(&all)
	return all
}

// EditWatch changes a watch.
func (a *App) EditWatch(ctx context.Context, who auth.Identity, c EditWatch) (curlew.Watch, error) {
	return do(ctx, a.as(who), verb{"editWatch", auth.EditWatches}, c, func(ctx context.Context, tx *Tx) (curlew.Watch, error) {
		tx.About(string(c.ID))
		tx.Detail(changed(c))
		return watch.Edit(ctx, tx.WriteScope, c.ID, func(w *curlew.Watch) error {
			if c.URL != nil && *c.URL != w.URL {
				if err := sameOrigin(*c.URL, w.URL); err != nil {
					return err
				}
				address, err := urls.Canonical(*c.URL, "")
				if err != nil {
					return curlew.Wrong("url", err)
				}
				w.URL = address
				b, err := tx.Blueprints().Get(ctx, w.Blueprint)
				if err != nil {
					return err
				}
				if err := watch.WatchedAlready(ctx, tx.Scope, watch.PlaceOf(*w, b), w.ID); err != nil {
					return err
				}
			}
			return c.apply(w, a.i.Config.Watch.Shortest)
		})
	})
}

// RemoveWatch forgets a watch. What it found, and its history, stay.
func (a *App) RemoveWatch(ctx context.Context, who auth.Identity, id curlew.WatchID) error {
	_, err := do(ctx, a.as(who), verb{"removeWatch", auth.EditWatches}, one[curlew.WatchID]{id},
		func(ctx context.Context, tx *Tx) (none struct{}, err error) {
			tx.About(string(id))
			return none, watch.Remove(ctx, tx.WriteScope, id)
		})
	return err
}

// PauseWatch stops checking until the watch is resumed.
func (a *App) PauseWatch(ctx context.Context, who auth.Identity, id curlew.WatchID) (curlew.Watch, error) {
	return a.steerWatch(ctx, who, id, "pauseWatch", watch.Pause)
}

// ResumeWatch lets a watch that is paused, or that stopped after failures, check again, now.
func (a *App) ResumeWatch(ctx context.Context, who auth.Identity, id curlew.WatchID) (curlew.Watch, error) {
	return a.steerWatch(ctx, who, id, "resumeWatch", watch.Resume)
}

// AcceptRemoval confirms that what is missing and held for review is gone.
func (a *App) AcceptRemoval(ctx context.Context, who auth.Identity, id curlew.WatchID) (curlew.Watch, error) {
	return a.steerWatch(ctx, who, id, "acceptRemoval", watch.AcceptRemoval)
}

func (a *App) steerWatch(ctx context.Context, who auth.Identity, id curlew.WatchID, name string,
	step func(context.Context, store.WriteScope, curlew.WatchID) (curlew.Watch, error)) (curlew.Watch, error) {
	return do(ctx, a.as(who), verb{name, auth.EditWatches}, one[curlew.WatchID]{id}, func(ctx context.Context, tx *Tx) (curlew.Watch, error) {
		before, err := tx.Watches().Get(ctx, id)
		if err != nil {
			return before, err
		}
		tx.About(string(id))
		after, err := step(ctx, tx.WriteScope, id)
		if err != nil {
			return after, err
		}
		return after, a.notifyWatchPaused(ctx, tx, before, after)
	})
}

// CheckWatch starts a run of a watch now.
type CheckWatch struct {
	ID      curlew.WatchID `json:"-"`
	Force   bool           `json:"force,omitempty"`   // publish although nothing has changed
	Archive bool           `json:"archive,omitempty"` // read the archived pages again and ask for none
}

// Check finds nothing: whether the watch is there is found out by looking.
func (c CheckWatch) Check() curlew.Problems { return nil }

// CheckWatch starts a run of a watch now.
func (a *App) CheckWatch(ctx context.Context, who auth.Identity, c CheckWatch) (curlew.Run, error) {
	return do(ctx, a.as(who), verb{"triggerWatch", auth.EditWatches}, c, func(ctx context.Context, tx *Tx) (curlew.Run, error) {
		plan := watch.Plan{Trigger: "manual", Force: c.Force, Archive: c.Archive}
		if c.Archive {
			plan.Trigger = "replay"
		}
		tx.About(string(c.ID))
		return watch.Start(ctx, a.i.Jobs, tx.WriteScope, c.ID, plan)
	})
}

// CheckOrFollow is CheckWatch for whoever follows the run: where one that does the same is
// under way already, that is the one.
func (a *App) CheckOrFollow(ctx context.Context, who auth.Identity, c CheckWatch) (run curlew.Run, underWay bool, err error) {
	run, err = a.CheckWatch(ctx, who, c)
	if !errors.Is(err, curlew.ErrRunActive) {
		return run, false, err
	}
	active, same, failed := a.activeCheck(ctx, who, c)
	if failed != nil || !same {
		return run, false, cmp.Or(failed, err)
	}
	return active, true, nil
}

// activeCheck is the run of a watch that is under way, and whether it does what a command
// asks for.
func (a *App) activeCheck(ctx context.Context, who auth.Identity, c CheckWatch) (curlew.Run, bool, error) {
	scope, err := a.Read(who)
	if err != nil {
		return curlew.Run{}, false, err
	}
	w, err := scope.Watches().Get(ctx, c.ID)
	if err != nil {
		return curlew.Run{}, false, err
	}
	run, err := scope.Runs().Active(ctx, watch.ScopeOf(w.Source))
	if err != nil {
		return run, false, curlew.IgnoreNotFound(err)
	}
	plan := watch.PlanOf(run)
	return run, plan.Watch == c.ID && plan.Archive == c.Archive, nil
}

// mostRunsSearched is how many runs of a source are searched for those of one watch.
const mostRunsSearched = 2000

// RunsOfWatch lists the runs of one watch, the newest first: its source is read by those
// of other watches too.
func RunsOfWatch(ctx context.Context, scope store.Scope, w curlew.Watch, most int) (all []curlew.Run, err error) {
	filter := store.RunFilter{Kind: curlew.RunWatch, Scope: watch.ScopeOf(w.Source)}
	window := store.Window{Limit: 200}
	for searched := 0; searched < mostRunsSearched; searched += window.Limit {
		some, err := scope.Runs().List(ctx, filter, window)
		if err != nil {
			return nil, err
		}
		for _, run := range some {
			window.After = string(run.ID)
			if watch.PlanOf(run).Watch == w.ID && len(all) < most {
				all = append(all, run)
			}
		}
		if len(some) < window.Limit || len(all) == most {
			break
		}
	}
	return all, nil
}
