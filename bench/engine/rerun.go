package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// rerun measures how long a job waits whose worker process was killed (-9) until
// another process runs it again. The waits are idle, so all contenders wait at
// the same time.
func (b *bench) rerun(ctx context.Context, t *table) error {
	if b.sizes.rerunLimit == 0 {
		return nil
	}
	all, err := b.entrants(ctx, "rerun", true)
	if err != nil {
		return err
	}
	defer closeAll(all)
	b.Say("rerun after kill -9, all at the same time")
	var mu sync.Mutex
	var errs []error
	waits := series{}
	var waiting sync.WaitGroup
	for _, e := range all {
		waiting.Go(func() {
			took, err := b.rerunOne(ctx, e)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				errs = append(errs, fmt.Errorf("rerun, %s: %w", e.column, err))
				return
			}
			b.Say("rerun after kill -9, %s: %.1f s", e.column, took.Seconds())
			waits.add(e.column, took.Seconds())
		})
	}
	waiting.Wait()
	t.add(informative("rerun after kill -9", "s", waits))
	t.note("Rerun: Curlew with its defaults (lease 8 s). River with JobTimeout and RescueStuckJobsAfter of 1 s (it refuses" +
		" less than the former for the latter, and real jobs need more), and retries at once.")
	return errors.Join(errs...)
}

func (b *bench) rerunOne(ctx context.Context, e entrant) (time.Duration, error) {
	o := e.options(1)
	o.hold = true
	f, err := startFleet(ctx, 2, o)
	if err != nil {
		return 0, err
	}
	defer func() {
		for _, p := range f {
			p.kill()
		}
	}()
	victim, heir := f[0], f[1]
	if err := e.Insert(ctx, 1, 1); err != nil {
		return 0, err
	}
	if err := errors.Join(victim.release(), victim.await(ctx, "held")); err != nil {
		return 0, err
	}
	if err := heir.release(); err != nil {
		return 0, err
	}
	time.Sleep(time.Second) // for the heir to settle in
	victim.kill()
	killed := time.Now()
	ctx, cancel := context.WithTimeout(ctx, b.sizes.rerunLimit)
	defer cancel()
	err = heir.await(ctx, "held")
	return time.Since(killed), err
}
