package main

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"sync"
	"time"

	"github.com/curlew-data/curlew/bench/measure"
	"github.com/curlew-data/curlew/internal/data/database"
	"github.com/curlew-data/curlew/internal/ops/setup"
	"github.com/jackc/pgx/v5"
)

// day is one day of many watches.
type day struct {
	plan
	measure.Progress
	clock     *clock
	web       *web
	conn      *pgx.Conn // of the benchmark itself
	addresses []*database.DB
	workers   []*worker
	log       *slog.Logger
	until     time.Time

	mu     sync.Mutex
	checks int
}

// measureDay fills a database of its own, lets the day pass and counts.
func measureDay(ctx context.Context, server string, p plan, say measure.Progress) (f figures, err error) {
	address, drop, err := makeDatabase(ctx, server)
	if err != nil {
		return f, err
	}
	defer drop()
	d := &day{plan: p, Progress: say, clock: &clock{}}
	d.log = slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	d.web = newWeb(p, d.clock)
	if d.conn, err = pgx.Connect(ctx, address); err != nil {
		return f, err
	}
	defer d.conn.Close(context.WithoutCancel(ctx))
	for range p.Workers {
		db, err := database.Open(ctx, database.Options{URL: address})
		if err != nil {
			return f, err
		}
		defer db.Close()
		d.addresses = append(d.addresses, db)
		if _, err := db.Migrate(ctx, setup.Tables()...); err != nil {
			return f, err
		}
	}
	if err := d.fill(ctx); err != nil {
		return f, fmt.Errorf("fill: %w", err)
	}
	for _, db := range d.addresses {
		d.workers = append(d.workers, d.newWorker(db, nil))
	}
	d.checks, d.web.asked, d.web.spared = 0, 0, 0
	forgetPeak()
	before, err := d.standing(ctx)
	if err != nil {
		return f, err
	}
	if err := d.pass(ctx); err != nil {
		return f, err
	}
	return d.figures(ctx, before)
}

// pass lets the day pass.
func (d *day) pass(ctx context.Context) error {
	d.until = d.clock.now().Add(time.Duration(d.Hours) * time.Hour)
	working, stop := context.WithCancel(ctx)
	var ended sync.WaitGroup
	for _, w := range d.workers {
		ended.Go(func() { w.work(working) })
	}
	defer func() { stop(); ended.Wait() }()
	if _, err := d.workers[0].queue.Tick(ctx, d.workers[0].jobs.Periodic()); err != nil { // there are ticks from now on
		return err
	}
	hour := d.clock.now().Add(time.Hour)
	for ctx.Err() == nil && d.clock.now().Before(d.until) {
		if err := d.step(ctx); err != nil {
			return err
		}
		if now := d.clock.now(); now.After(hour) {
			d.mu.Lock()
			d.Say("hour %d: %s checks", d.Hours-int(d.until.Sub(now).Hours()), measure.Thousands(d.checks))
			d.mu.Unlock()
			hour = hour.Add(time.Hour)
		}
	}
	return ctx.Err()
}

// patience is how long the workers are left alone before it is looked again whether they are done.
const patience = time.Millisecond

// step skips what time there is nothing to do in. Everything that waits for nothing but this machine is
// waited for: handlers, ends of jobs that are not durable yet, jobs that a free slot can take.
func (d *day) step(ctx context.Context) error {
	awake, asleep, wakes := d.clock.standing()
	if awake > 0 {
		time.Sleep(patience)
		return nil
	}
	var running int
	var claimable bool
	var job, tick *int64
	err := d.conn.QueryRow(ctx, `SELECT /* claimable */ (SELECT count(*) FROM jobs WHERE state = 'running'),
		EXISTS (SELECT 1 FROM jobs p WHERE p.state = 'pending' AND p.run_at <= $1 AND (p.limit_key = ''
			OR NOT EXISTS (SELECT 1 FROM jobs r WHERE r.state = 'running' AND r.limit_key = p.limit_key))),
		(SELECT min(run_at) FROM jobs WHERE state = 'pending' AND run_at > $1), (SELECT min(next_at) FROM job_schedules)`,
		d.clock.now().UnixMicro()).Scan(&running, &claimable, &job, &tick)
	if err != nil {
		return err
	}
	const slots = 8 // of a worker
	if running != asleep || claimable && asleep < slots*d.Workers {
		time.Sleep(patience)
		return nil
	}
	next := d.until
	if !wakes.IsZero() && wakes.Before(next) {
		next = wakes
	}
	if job != nil && time.UnixMicro(*job).Before(next) {
		next = time.UnixMicro(*job)
	}
	ticks := false
	if tick != nil { // every worker looks for ticks about once a second
		at := time.UnixMicro(*tick).Add(rand.N(time.Second / time.Duration(d.Workers)))
		if ticks = at.Before(next); ticks {
			next = at
		}
	}
	if err := d.skipTo(ctx, next); err != nil {
		return err
	}
	if ticks {
		_, err = d.workers[0].queue.Tick(ctx, d.workers[0].jobs.Periodic())
	}
	return err
}

// skipTo moves the clocks of the database and of this process, and wakes the workers.
func (d *day) skipTo(ctx context.Context, next time.Time) error {
	by := next.Sub(d.clock.now())
	if by > 0 {
		by = by.Truncate(time.Microsecond) + time.Microsecond
		_, err := d.conn.Exec(ctx, `SELECT setval('simulated.skipped', (SELECT last_value FROM simulated.skipped) + $1::bigint)`,
			by.Microseconds())
		if err != nil {
			return err
		}
		d.clock.skip(by)
	}
	_, err := d.conn.Exec(ctx, `NOTIFY curlew_jobs`)
	return err
}

// ended is told of each check that has ended, and when the watch is due again.
func (d *day) ended(address string, next time.Time) {
	d.mu.Lock()
	d.checks++
	d.mu.Unlock()
	if _, watch, ok := placeOf(address); ok && watch < d.Watches {
		d.web.mu.Lock()
		d.web.pages[watch].due = next
		d.web.mu.Unlock()
	}
}
