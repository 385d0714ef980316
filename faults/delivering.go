package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// attended sets up a deployment over the two sites with one subscription for each sink,
// lets something be done with it, waits until all is delivered, and reckons.
func (t *target) attended(ctx context.Context, sinks []*sink, act func(v *deployment) (did string, err error)) (*outcome, error) {
	s, err := newStage(ctx, t.store, "shop", "concerts")
	if err != nil {
		return nil, err
	}
	defer s.close()
	for _, k := range sinks {
		defer k.close()
	}
	v, err := newDeployment(ctx, t, s, sinks, nil)
	if err != nil {
		return nil, err
	}
	if err := v.start(); err != nil {
		return nil, err
	}
	defer v.stop()
	did, err := act(v)
	if err != nil {
		return nil, err
	}
	v.hazard = nil
	if err := v.delivered(ctx, 5*time.Minute); err != nil {
		return nil, err
	}
	v.stop()
	v.calm = true
	r, err := v.summary(ctx)
	if err != nil {
		return nil, err
	}
	return r.outcome(did), nil
}

// outcome is the reckoning as a row of the table. What no undisturbed run would tell
// either is a matter of reading and not counted: here, one change in fifty.
func (r *summary) outcome(did string) *outcome {
	o := &outcome{did: did, jobs: r.deliveries, lost: r.lost, doubled: r.doubled, violations: r.violations, broken: r.broken,
		note: fmt.Sprintf("%d changes, %d deliveries came again", r.told, r.again)}
	untold := 0
	for _, n := range r.untold {
		untold += n
	}
	if untold > 0 && untold == r.lost && untold <= r.told/50 {
		o.lost, o.broken = 0, slices.DeleteFunc(o.broken, func(sentence string) bool { return strings.HasPrefix(sentence, neverTold) })
		o.note += fmt.Sprintf(", %d changes cannot be read from the pages", untold)
	}
	return o
}

// killWatch: the one process is killed at random while it watches, publishes and
// sends, at most twice a day, and
// half of the days at least: a job whose process dies three times in a row is
// quarantined, as promised.
func killWatch(ctx context.Context, t *target) (*outcome, error) {
	k, err := newSink(t.chance.Uint64(), moods{fail: 0.1, reset: 0.05, die: 0.05})
	if err != nil {
		return nil, err
	}
	kills := 0
	o, err := t.attended(ctx, []*sink{k}, func(v *deployment) (string, error) {
		day, today, next := -1, 0, time.Now()
		v.hazard = func() {
			if site, err := v.stage.web.Site("shop"); err == nil && site.State.Day != day {
				day, today = site.State.Day, 0
				next = time.Now().Add(t.moment(100*time.Millisecond, 2*time.Second))
			}
			if today < 2 && time.Now().After(next) {
				today++
				kills++
				next = time.Now().Add(shortLease + t.moment(0, 4*time.Second))
				v.kill()
			}
		}
		return "", v.days(ctx, 3)
	})
	switch {
	case err != nil:
		return nil, err
	case kills < 3:
		return nil, errTooLate
	}
	o.kills = kills
	return o, nil
}

// sinkDown: of two endpoints one refuses everything while days pass. The other one
// loses nothing by it, and the one that was down gets everything afterwards, in order.
func sinkDown(ctx context.Context, t *target) (*outcome, error) {
	var sinks []*sink
	for i := range 2 {
		k, err := newSink(t.chance.Uint64()+uint64(i), moods{})
		if err != nil {
			return nil, err
		}
		sinks = append(sinks, k)
	}
	return t.attended(ctx, sinks, func(v *deployment) (string, error) {
		sinks[0].down.Store(true)
		began := time.Now()
		if err := v.days(ctx, 2); err != nil {
			return "", err
		}
		scope := v.store.Org(curlew.DefaultOrg)
		err := v.until(ctx, "the other endpoint has everything", time.Minute, func() (bool, error) {
			backlog, err := scope.Deliveries().Backlog(ctx, sinks[1].sub)
			return backlog[curlew.DeliveryPending] == 0, err
		})
		if err != nil {
			return "", err
		}
		waiting, err := scope.Deliveries().Backlog(ctx, sinks[0].sub)
		if err != nil {
			return "", err
		}
		if waiting[curlew.DeliveryPending] == 0 || len(sinks[0].Ledger().IDs) > 0 {
			return "", fmt.Errorf("the sink was not down: %v", waiting)
		}
		sinks[0].down.Store(false)
		return fmt.Sprintf("down for %.0f s, 3 checks", time.Since(began).Seconds()), nil
	})
}

// restartWhileSending: Postgres goes away while deliveries are under way.
func restartWhileSending(ctx context.Context, t *target) (*outcome, error) {
	if t.engine == "sqlite" {
		return nil, nil // there is no server that could go away
	}
	k, err := newSink(t.chance.Uint64(), moods{fail: 0.2, die: 0.1})
	if err != nil {
		return nil, err
	}
	return t.attended(ctx, []*sink{k}, func(v *deployment) (string, error) {
		k.down.Store(true) // so that something waits
		if err := v.days(ctx, 1); err != nil {
			return "", err
		}
		k.down.Store(false)
		err := v.until(ctx, "the sending is under way", time.Minute, func() (bool, error) {
			n := len(k.arrivals())
			return n > 0, nil
		})
		if err != nil {
			return "", err
		}
		arrived := len(k.arrivals())
		v.calm = false
		for _, outage := range []string{"2", "5"} {
			if _, err := t.postgresScript("restart", outage); err != nil {
				return "", err
			}
			wait(ctx, time.Second)
		}
		return fmt.Sprintf("2 restarts, down 2 s and 5 s, after %d deliveries", arrived), nil
	})
}
