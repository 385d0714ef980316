package main

import (
	"context"
	"fmt"

	"github.com/curlew-data/curlew/bench/measure"
	"github.com/curlew-data/curlew/internal/data/database"
)

// growthMost is how much longer work may take beside a million finished jobs.
const growthMost = 1.5

// growthAtOnce jobs run at once: each claim takes about that many.
const growthAtOnce = 100

// growth compares work on an empty table with work on one full of finished jobs.
// The two are databases of their own, so that rounds can alternate.
func (b *bench) growth(ctx context.Context, t *table) error {
	empty, err := b.entrants(ctx, "empty", false)
	if err != nil {
		return err
	}
	defer closeAll(empty)
	grown, err := b.entrants(ctx, "grown", false)
	if err != nil {
		return err
	}
	defer closeAll(grown)
	onEmpty, onGrown := series{}, series{}
	for i := range empty {
		b.Say("fill with %s finished jobs, %s", measure.Thousands(b.sizes.growth), grown[i].column)
		if err := fill(ctx, grown[i], b.sizes.growth); err != nil {
			return fmt.Errorf("fill %s: %w", grown[i].column, err)
		}
		for round := range b.sizes.growthRun {
			b.Say("round %d: work beside them and without, %s", round+1, grown[i].column)
			if err := empty[i].Tidy(ctx, true); err != nil {
				return err
			}
			if err := b.growthRound(ctx, empty[i], onEmpty); err != nil {
				return err
			}
			if err := b.growthRound(ctx, grown[i], onGrown); err != nil {
				return err
			}
		}
	}
	jobs := measure.Thousands(b.sizes.growthJobs)
	t.add(informative("work "+jobs+" on an empty table", "ms", onEmpty))
	t.add(informative("work "+jobs+" beside "+measure.Thousands(b.sizes.growth)+" finished", "ms", onGrown))
	ratios := map[column]float64{}
	verdict := measure.OK
	for c := range onEmpty {
		ratios[c] = seriesRatio(onGrown[c], onEmpty[c])
		if ratios[c] > growthMost {
			verdict = measure.Missed
		}
	}
	t.add(row{Measure: fmt.Sprintf("growth (at most %.1f)", growthMost), Unit: "×", Values: ratios, Verdict: verdict})
	return nil
}

func seriesRatio(of, to []float64) float64 {
	return series{"of": of, "to": to}.ratio("of", "to")
}

func (b *bench) growthRound(ctx context.Context, e entrant, s series) error {
	if err := e.Insert(ctx, b.sizes.growthJobs, b.sizes.batch); err != nil {
		return err
	}
	took, _, err := b.workOff(ctx, e, b.sizes.growthJobs, crew{1, growthAtOnce})
	s.add(e.column, float64(took.Microseconds())/1000)
	return err
}

// fill adds finished jobs, with their transitions, as if they had been worked
// over the past days.
func fill(ctx context.Context, e entrant, jobs int) error {
	c := e.contender.(*curlewQueue)
	numbers := `(WITH RECURSIVE counting(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counting WHERE n < %d) SELECT n FROM counting) AS numbers`
	if c.db.Engine() == database.Postgres {
		numbers = `generate_series(1, %d::bigint) AS numbers(n)`
	}
	statements := []string{
		`INSERT INTO jobs (org_id, kind, state, priority, run_at, args, subject, limit_key, unique_key,
			attempt, max_attempts, fence, claimed_at, created_at, finished_at)
			SELECT 'bench', 'noop', 'succeeded', 2, moment, '[]', '', '', '', 1, 5, 2, moment, moment, moment
			FROM (SELECT {now} - 500000 * n AS moment FROM ` + fmt.Sprintf(numbers, jobs) + `) AS moments`,
		transitionsOf(1, "pending", "running"),
		transitionsOf(2, "running", "succeeded"),
	}
	if c.db.Engine() == database.Postgres { // no need to look each job up
		statements = append([]string{`SET LOCAL session_replication_role = replica`}, statements...)
	}
	return c.db.Write(ctx, func(tx *database.Tx) error {
		for _, s := range statements {
			if _, err := tx.Exec(ctx, s); err != nil {
				return err
			}
		}
		return nil
	})
}

func transitionsOf(fence int, from, to string) string {
	return fmt.Sprintf(`INSERT INTO job_transitions (org_id, job_id, fence, at, from_state, to_state, who, why)
		SELECT org_id, id, %d, finished_at, '%s', '%s', 'bench', '' FROM jobs`, fence, from, to)
}
