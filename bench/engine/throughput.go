package main

import (
	"context"
	"fmt"
	"time"

	"github.com/curlew-data/curlew/bench/measure"
)

// throughput measures how fast jobs are inserted and worked, and the memory that
// takes.
func (b *bench) throughput(ctx context.Context, t *table) error {
	all, err := b.entrants(ctx, "throughput", true)
	if err != nil {
		return err
	}
	defer closeAll(all)
	batches, singles, err := b.inserts(ctx, all)
	if err != nil {
		return err
	}
	var rates, peaks []row
	for _, c := range b.sizes.crews {
		rate, peak, err := b.works(ctx, all, batches, c)
		if err != nil {
			return err
		}
		rates = append(rates, besideRiver(fmt.Sprintf("work %s, %s", measure.Thousands(b.sizes.jobs), c), "jobs/s", rate))
		peaks = append(peaks, informative(fmt.Sprintf("memory, %s", c), "MB each", peak))
	}
	t.add(besideRiver(fmt.Sprintf("insert %s, %s at a time", measure.Thousands(b.sizes.jobs), measure.Thousands(b.sizes.batch)), "jobs/s",
		batches))
	t.add(besideRiver(fmt.Sprintf("insert %s, one by one", measure.Thousands(b.sizes.single)), "jobs/s", singles))
	t.add(append(rates, peaks...)...)
	return nil
}

// inserts measures inserts one by one; those in batches are measured with each
// round of work.
func (b *bench) inserts(ctx context.Context, all []entrant) (batches, singles series, err error) {
	batches, singles = series{}, series{}
	for round := range b.sizes.rounds {
		for _, e := range all {
			b.Say("round %d: insert one by one, %s", round+1, e.column)
			if err := e.Tidy(ctx, true); err != nil {
				return nil, nil, err
			}
			began := time.Now()
			if err := e.Insert(ctx, b.sizes.single, 1); err != nil {
				return nil, nil, err
			}
			singles.add(e.column, float64(b.sizes.single)/time.Since(began).Seconds())
		}
	}
	return batches, singles, nil
}

func (b *bench) works(ctx context.Context, all []entrant, batches series, c crew) (rates, peaks series, err error) {
	rates, peaks = series{}, series{}
	for round := range b.sizes.rounds {
		for _, e := range all {
			if err := e.Tidy(ctx, true); err != nil {
				return nil, nil, err
			}
			began := time.Now()
			if err := e.Insert(ctx, b.sizes.jobs, b.sizes.batch); err != nil {
				return nil, nil, err
			}
			batches.add(e.column, float64(b.sizes.jobs)/time.Since(began).Seconds())
			took, peak, err := b.workOff(ctx, e, b.sizes.jobs, c)
			if err != nil {
				return nil, nil, fmt.Errorf("%s: %w", e.column, err)
			}
			rate := float64(b.sizes.jobs) / took.Seconds()
			b.Say("round %d: %s, %s: %.0f jobs/s", round+1, c, e.column, rate)
			rates.add(e.column, rate)
			peaks.add(e.column, peak)
		}
	}
	return rates, peaks, nil
}

// workOff lets processes work off the jobs that wait. They are started and
// connected before the clock starts.
func (b *bench) workOff(ctx context.Context, e entrant, jobs int, c crew) (took time.Duration, peak float64, err error) {
	if err := e.Tidy(ctx, false); err != nil {
		return 0, 0, err
	}
	before, err := e.Finished(ctx)
	if err != nil {
		return 0, 0, err
	}
	f, err := startFleet(ctx, c.processes, e.options(c.atOnce))
	if err != nil {
		return 0, 0, err
	}
	defer f.end()
	if took, err = f.work(ctx, jobs); err != nil {
		return 0, 0, err
	}
	after, err := e.Finished(ctx)
	if err == nil && after-before != jobs {
		err = fmt.Errorf("the workers say they ended %d jobs, the table says %d", jobs, after-before)
	}
	if err != nil {
		return 0, 0, err
	}
	peak, err = f.peak()
	return took, peak, err
}
