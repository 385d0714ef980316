package main

import (
	"context"
	"fmt"
	"time"

	"github.com/curlew-data/curlew/bench/measure"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/work/queue"
)

// blocked measures how long a job takes to begin when many jobs stand before it
// whose limit is reached: the pages of one slow host, say.
func (b *bench) blocked(ctx context.Context, t *table) error {
	all, err := b.entrants(ctx, "blocked", false)
	if err != nil {
		return err
	}
	defer closeAll(all)
	free, behind := series{}, series{}
	for _, e := range all {
		b.Say("claim behind %s jobs of a limit that is reached, %s", measure.Thousands(b.sizes.blocked), e.column)
		if err := b.probe(ctx, e, free); err != nil {
			return err
		}
		if err := b.crowd(ctx, e); err != nil {
			return err
		}
		if err := b.probe(ctx, e, behind); err != nil {
			return err
		}
	}
	t.add(informative("insert to begin of one job", "ms", free))
	t.add(informative(fmt.Sprintf("the same behind %s of a full limit", measure.Thousands(b.sizes.blocked)), "ms", behind))
	return nil
}

const (
	crowdKind = "crowd"
	probeKind = "probe"
)

// crowd inserts the jobs that stand in front.
func (b *bench) crowd(ctx context.Context, e entrant) error {
	c := e.contender.(*curlewQueue)
	some := make([]queue.NewJob, b.sizes.batch)
	for i := range some {
		some[i] = queue.NewJob{Org: org, Kind: crowdKind, Args: noop{i}, LimitKey: "slow.example"}
	}
	for done := 0; done < b.sizes.blocked; done += b.sizes.batch {
		if _, err := c.queue.InsertNow(ctx, some...); err != nil {
			return err
		}
	}
	return e.Tidy(ctx, false)
}

// probe inserts one job after the other and takes the time until each begins.
func (b *bench) probe(ctx context.Context, e entrant, s series) error {
	c, err := openLimited(ctx, e.address, queue.Limits{PerKey: 2})
	if err != nil {
		return err
	}
	defer c.Close()
	began := make(chan time.Time, b.sizes.probes)
	work, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		c.queue.Work(work, queue.WorkerOptions{
			Name: "probe", Concurrency: growthAtOnce, Timeout: time.Hour, Drain: time.Second,
			Handlers: map[string]queue.Handler{
				crowdKind: func(ctx context.Context, _ *queue.Lease) error { <-ctx.Done(); return ctx.Err() },
				probeKind: func(context.Context, *queue.Lease) error { began <- time.Now(); return nil },
			},
			Policy: func(*curlew.Fault, int) (bool, time.Duration) { return true, 0 },
		})
	}()
	defer func() { cancel(); <-done }()
	for i := range b.sizes.probes + 1 {
		inserted := time.Now()
		if _, err := c.queue.InsertNow(ctx, queue.NewJob{Org: org, Kind: probeKind, Args: noop{i}, LimitKey: "quick.example"}); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Minute):
			return fmt.Errorf("%s: a job did not begin within a minute", e.column)
		case at := <-began:
			if i > 0 { // the first one waits for the worker to be there
				s.add(e.column, float64(at.Sub(inserted).Microseconds())/1000)
			}
		}
	}
	return nil
}
