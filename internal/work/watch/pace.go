package watch

import (
	"context"
	"sync"
	"time"

	"github.com/curlew-data/curlew/internal/change/schedule"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

// paceShare is how much of a day's budget of requests adaptive watches plan to use: the
// rest is for people, for candidates and for what comes of a surprise.
const paceShare = 0.8

// keepPace is how long a pace holds before the watches that share it are counted again.
const keepPace = 10 * time.Minute

// Paces knows how often the adaptive watches of an org may look so that its budget of
// requests lasts the day: all of them look less often then, those that change most
// still the most often. Without a budget they keep their usual pace.
type Paces struct {
	mu    sync.Mutex
	known map[curlew.OrgID]pace
}

type pace struct {
	value schedule.Pace
	until time.Time
}

// paceNow is the pace at which the watch goes on.
func (r *checkStep) paceNow(ctx context.Context) (schedule.Pace, error) {
	if r.Paces == nil || r.Defaults.Budgets == nil {
		return 0, nil
	}
	return r.Paces.Of(ctx, r.scope, r.watch, r.Defaults.Budgets(r.run.Org, r.watch.Source), r.Wall())
}

// Of is the pace of a watch that may use these budgets; zero is the usual one.
func (p *Paces) Of(
	ctx context.Context, scope store.Scope, watch curlew.Watch, budgets []curlew.DayBudget, now time.Time,
) (schedule.Pace, error) {
	slowest := schedule.Pace(0)
	for _, b := range budgets {
		if b.Most <= 0 {
			continue
		}
		found := schedule.Pace(0)
		var err error
		if b.Subject == "" {
			found, err = p.ofOrg(ctx, scope, b.Most, now)
		} else {
			found, err = paceOf(ctx, scope, store.WatchFilter{Source: watch.Source, Status: curlew.WatchActive}, b.Most)
		}
		if err != nil {
			return 0, err
		}
		slowest = max(slowest, found)
	}
	return slowest, nil
}

func (p *Paces) ofOrg(ctx context.Context, scope store.Scope, most int64, now time.Time) (schedule.Pace, error) {
	p.mu.Lock()
	known, ok := p.known[scope.Org()]
	p.mu.Unlock()
	if ok && now.Before(known.until) {
		return known.value, nil
	}
	found, err := paceOf(ctx, scope, store.WatchFilter{Status: curlew.WatchActive}, most)
	if err != nil {
		return 0, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.known == nil {
		p.known = map[curlew.OrgID]pace{}
	}
	p.known[scope.Org()] = pace{found, now.Add(keepPace)}
	return found, nil
}

// paceOf is the pace at which the watches of a listing keep within a day's requests,
// never faster than the usual one.
func paceOf(ctx context.Context, scope store.Scope, filter store.WatchFilter, most int64) (schedule.Pace, error) {
	var fleet []schedule.FleetWatch
	for window := (store.Window{Limit: 500}); ; {
		watches, err := scope.Watches().List(ctx, filter, window)
		if err != nil {
			return 0, err
		}
		for _, w := range watches {
			s, err := schedule.Parse(w.Schedule)
			if err != nil {
				continue // whoever visits it says so
			}
			if adaptive, ok := s.For(string(w.ID)).Adaptive(); ok {
				fleet = append(fleet, schedule.FleetWatch{Adaptive: adaptive, Rhythm: w.Rhythm})
			}
		}
		if len(watches) < window.Limit {
			break
		}
		window.After = string(watches[len(watches)-1].ID)
	}
	return max(schedule.DefaultPace, schedule.PaceWithin(fleet, paceShare*float64(most))), nil
}
