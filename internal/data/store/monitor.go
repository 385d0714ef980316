package store

import (
	"context"
	"database/sql"
	"slices"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
)

// Unfinished lists the runs that wait, run or rest, the newest first. Naming the
// scope leads both engines to the index of such runs, however many have ended.
func (s Runs) Unfinished(ctx context.Context, limit int) ([]curlew.Run, error) {
	rows, err := s.q.Query(ctx, `SELECT `+runColumns+` FROM runs WHERE org_id = ? AND scope > ''
		AND state IN ('pending', 'running', 'paused') ORDER BY id || '' DESC LIMIT ?`, s.org, Window{Limit: limit}.limit())
	return many(s, rows, err, scanRunRow)
}

// LogTail is the end of a run's log, in the order of its lines.
func (s Runs) LogTail(ctx context.Context, id curlew.RunID, limit int) ([]curlew.LogLine, error) {
	rows, err := s.q.Query(ctx, `SELECT seq, at, level, text FROM run_log WHERE org_id = ? AND run_id = ? ORDER BY seq DESC LIMIT ?`,
		s.org, id, Window{Limit: limit}.limit())
	lines, err := many(s, rows, err, func(r *sql.Rows) (line curlew.LogLine, err error) {
		var at database.Micros
		err = r.Scan(&line.Seq, &at, &line.Level, &line.Text)
		line.Run, line.At = id, at.Time()
		return line, err
	})
	slices.Reverse(lines)
	return lines, err
}

// Scores lists the quality scores of a source, newest first, without what they say.
func (s Scorecards) Scores(ctx context.Context, source curlew.SourceID, limit int) ([]curlew.Scorecard, error) {
	rows, err := s.q.Query(ctx, `SELECT source_id, run_id, score, at FROM scorecards WHERE org_id = ? AND source_id = ? ORDER BY at DESC
		LIMIT ?`,
		s.org, source, Window{Limit: limit}.limit())
	return many(s, rows, err, func(r *sql.Rows) (c curlew.Scorecard, err error) {
		var at database.Micros
		err = r.Scan(&c.Source, &c.Run, &c.Score, &at)
		c.At = at.Time()
		return c, err
	})
}

// RunFault is why runs failed, and how many.
type RunFault struct {
	Code, Sentence string // the sentence of one of them
	Count          int64
}

// Faults counts why the runs that changed after a time failed, the most frequent
// first.
func (s Runs) Faults(ctx context.Context, since time.Time, limit int) ([]RunFault, error) {
	rows, err := s.q.Query(ctx, `SELECT fault_code, max(fault_sentence), count(*) FROM runs WHERE org_id = ? AND changed_at >= ?
		AND fault_code <> ''
		GROUP BY fault_code ORDER BY count(*) DESC, fault_code LIMIT ?`, s.org, database.At(since), Window{Limit: limit}.limit())
	return many(s, rows, err, func(r *sql.Rows) (f RunFault, err error) {
		err = r.Scan(&f.Code, &f.Sentence, &f.Count)
		return f, err
	})
}

// Recent lists what was asked for after a time, the newest first: where, what came
// of it, and how long it took. The other fields of the pages are left empty.
func (s Pages) Recent(ctx context.Context, since time.Time, limit int) ([]curlew.Page, error) {
	rows, err := s.q.Query(ctx, `SELECT id, url, status, outcome, block, why, bytes, took_ms FROM pages WHERE org_id = ? AND id > ?
		ORDER BY id DESC LIMIT ?`,
		s.org, firstPage(since), Window{Limit: limit}.limit())
	return many(s, rows, err, func(r *sql.Rows) (p curlew.Page, err error) {
		p.Org = s.org
		err = r.Scan(&p.ID, &p.URL, &p.Status, &p.Outcome, &p.Block, &p.Why, &p.Bytes, &p.TookMillis)
		return p, err
	})
}

// CountBetween counts what was asked for from each time to the next. It reads
// nothing but the ids.
func (s Pages) CountBetween(ctx context.Context, times []time.Time) ([]int64, error) {
	if len(times) < 2 {
		return nil, nil
	}
	parts, values := make([]string, 0, len(times)), make([]any, 0, 4*len(times))
	for i := range times[1:] {
		parts = append(parts, `SELECT CAST(? AS BIGINT) AS n, count(*) FROM pages WHERE org_id = ? AND id > ? AND id <= ?`)
		values = append(values, i, s.org, firstPage(times[i]), firstPage(times[i+1]))
	}
	type count struct{ at, n int64 }
	rows, err := s.q.Query(ctx, strings.Join(parts, " UNION ALL "), values...)
	all, err := many(s, rows, err, func(r *sql.Rows) (c count, err error) {
		err = r.Scan(&c.at, &c.n)
		return c, err
	})
	counts := make([]int64, len(times)-1)
	for _, c := range all {
		counts[c.at] = c.n
	}
	return counts, err
}

// CandidateOutcome is a candidate and the last move it made.
type CandidateOutcome struct {
	curlew.Candidate
	Last CandidateTransition
}

// Outcomes lists the candidates that moved after a time, each with its last
// move, the newest first and without their reports.
func (s Candidates) Outcomes(ctx context.Context, since time.Time, limit int) ([]CandidateOutcome, error) {
	rows, err := s.q.Query(ctx, `SELECT c.id, c.name, c.url, c.status, c.feasibility_score, c.quality_score, c.strategy, c.attempts,
		c.review, c.last_error, t.seq, t.at, t.from_status, t.to_status, t.why
		FROM candidate_transitions AS t JOIN candidates AS c ON c.org_id = t.org_id AND c.id = t.candidate_id
		WHERE t.org_id = ? AND t.at >= ? AND t.seq = (SELECT max(seq) FROM candidate_transitions AS m WHERE m.org_id = t.org_id
		AND m.candidate_id = t.candidate_id)
		ORDER BY t.at DESC, c.id DESC LIMIT ?`, s.org, database.At(since), Window{Limit: limit}.limit())
	return many(s, rows, err, func(r *sql.Rows) (o CandidateOutcome, err error) {
		var at database.Micros
		var review int
		o.Org = s.org
		err = r.Scan(&o.ID, &o.Name, &o.URL, &o.Status, &o.Feasibility, &o.Quality, &o.Strategy, &o.Attempts, &review, &o.LastError,
			&o.Last.Seq, &at, &o.Last.From, &o.Last.To, &o.Last.Why)
		o.Review, o.Last.At = review != 0, at.Time()
		return o, err
	})
}

// OnboardingTally is how often candidates came to an outcome.
type OnboardingTally struct{ Analyzed, Deployed, Rejected, Failed, Broken, Healed int64 }

// Tally counts outcomes since a time.
func (s Candidates) Tally(ctx context.Context, since time.Time) (n OnboardingTally, err error) {
	rows, err := s.q.Query(ctx, `SELECT
		coalesce(sum(CASE WHEN from_status IN ('analyzing', 're_analyzing') THEN 1 ELSE 0 END), 0),
		coalesce(sum(CASE WHEN to_status = 'deployed' THEN 1 ELSE 0 END), 0),
		coalesce(sum(CASE WHEN to_status = 'rejected' THEN 1 ELSE 0 END), 0),
		coalesce(sum(CASE WHEN to_status = 'failed' THEN 1 ELSE 0 END), 0),
		coalesce(sum(CASE WHEN to_status = 'broken' THEN 1 ELSE 0 END), 0),
		(SELECT count(*) FROM heals WHERE org_id = ? AND outcome = 'healed' AND ended_at >= ?)
		FROM candidate_transitions WHERE org_id = ? AND at >= ?`, s.org, database.At(since), s.org, database.At(since))
	return one(the(s, "org", string(s.org)), rows, err, func(r *sql.Rows) (n OnboardingTally, err error) {
		err = r.Scan(&n.Analyzed, &n.Deployed, &n.Rejected, &n.Failed, &n.Broken, &n.Healed)
		return n, err
	})
}

// OnboardingPace is how the candidates that were deployed came there.
type OnboardingPace struct {
	Attempts   float64       // on the average
	Took       time.Duration // on the average, from being proposed to being deployed
	Strategies map[string]int64
}

// Pace sums up all deployments.
func (s Candidates) Pace(ctx context.Context) (OnboardingPace, error) {
	type row struct {
		strategy       string
		n              int64
		attempts, took float64
	}
	rows, err := s.q.Query(ctx, `SELECT c.strategy, count(*), coalesce(sum(c.attempts + 1), 0), coalesce(sum(t.at - c.created_at), 0)
		FROM candidates AS c JOIN candidate_transitions AS t ON t.org_id = c.org_id AND t.candidate_id = c.id
		WHERE c.org_id = ? AND t.to_status = 'deployed' GROUP BY c.strategy`, s.org)
	all, err := many(s, rows, err, func(r *sql.Rows) (x row, err error) {
		err = r.Scan(&x.strategy, &x.n, &x.attempts, &x.took)
		return x, err
	})
	p, sum, attempts, took := OnboardingPace{Strategies: map[string]int64{}}, 0.0, 0.0, 0.0
	for _, x := range all {
		p.Strategies[x.strategy] += x.n
		sum, attempts, took = sum+float64(x.n), attempts+x.attempts, took+x.took
	}
	if sum > 0 {
		p.Attempts, p.Took = attempts/sum, time.Duration(took/sum)*time.Microsecond
	}
	return p, err
}
