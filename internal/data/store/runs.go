package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
)

const runColumns = `id, org_id, kind, scope, state, plan, progress, total, counters, slices, summary,
	fault_kind, fault_code, fault_sentence, created_at, started_at, finished_at`

// row is where columns come from.
type row interface{ Scan(into ...any) error }

func scanRun(r row) (run curlew.Run, err error) {
	var plan, progress string
	var counters database.JSON[curlew.Counters]
	var fault curlew.Fault
	var created, started, finished database.Micros
	err = r.Scan(&run.ID, &run.Org, &run.Kind, &run.Scope, &run.State, &plan, &progress, &run.Total, &counters, &run.Slices,
		&run.Summary, &fault.Kind, &fault.Code, &fault.Sentence, &created, &started, &finished)
	run.Plan, run.Progress, run.Counters = json.RawMessage(plan), json.RawMessage(progress), counters.Value
	if fault.Kind != "" {
		run.Fault = &fault
	}
	run.CreatedAt, run.StartedAt, run.FinishedAt = created.Time(), started.TimeOrNil(), finished.TimeOrNil()
	return run, err
}

func scanRunRow(r *sql.Rows) (curlew.Run, error) { return scanRun(r) }

// Add keeps a new, pending run and returns it with its id. While another run
// of the same scope is active it refuses.
func (s RunsTx) Add(ctx context.Context, run curlew.Run) (curlew.Run, error) {
	run.ID = curlew.Mint[curlew.RunID](s.store.ids)
	n, err := s.insertIfNew(ctx, "run", `INSERT INTO runs (org_id, id, kind, scope, state, plan, progress, total, counters, created_at,
		changed_at)
		VALUES (?, ?, ?, ?, 'pending', ?, 'null', ?, ?, {now}, {now})
		ON CONFLICT (org_id, scope) WHERE state IN ('pending', 'running', 'paused') DO NOTHING`,
		s.org, run.ID, run.Kind, run.Scope, rawOrNull(run.Plan), run.Total, database.AsJSON(curlew.Counters{}))
	if err != nil {
		return curlew.Run{}, err
	}
	if n > 0 {
		return s.Get(ctx, run.ID)
	}
	active, err := s.Active(ctx, run.Scope)
	if errors.Is(err, curlew.NotFound("", "")) {
		return s.Add(ctx, run) // the other one ended in between
	}
	if err != nil {
		return curlew.Run{}, err
	}
	return curlew.Run{}, curlew.Refused(curlew.ErrRunActive, "the run %s of %s is %s already: wait for it, or stop it first",
		active.ID, active.Scope, active.State)
}

func rawOrNull(raw json.RawMessage) string {
	if len(raw) == 0 {
		return "null"
	}
	return string(raw)
}

// Active returns the run of a scope that has not ended.
func (s Runs) Active(ctx context.Context, scope string) (curlew.Run, error) {
	rows, err := s.q.Query(ctx, `SELECT `+runColumns+` FROM runs
		WHERE org_id = ? AND scope = ? AND state IN ('pending', 'running', 'paused')`, s.org, scope)
	return one(the(s, "active run of", scope), rows, err, scanRunRow)
}

// GoingRuns are the runs of all orgs that wait for a slice or have one.
func (s *Store) GoingRuns(ctx context.Context) ([]curlew.Run, error) {
	rows, err := s.db.Query(ctx, `SELECT `+runColumns+` FROM runs WHERE state IN ('pending', 'running', 'paused') AND state <> 'paused'`)
	all, err := database.Collect(rows, err, scanRunRow)
	return all, s.db.Explain(err)
}

// Get returns one run.
func (s Runs) Get(ctx context.Context, id curlew.RunID) (curlew.Run, error) {
	rows, err := s.q.Query(ctx, `SELECT `+runColumns+` FROM runs WHERE org_id = ? AND id = ?`, s.org, id)
	return one(the(s, "run", string(id)), rows, err, scanRunRow)
}

// Lock returns one run whose row nobody else can change until the
// transaction ends.
func (s RunsTx) Lock(ctx context.Context, id curlew.RunID) (curlew.Run, error) {
	rows, err := s.q.Query(ctx, `SELECT `+runColumns+` FROM runs WHERE org_id = ? AND id = ? {for_update}`, s.org, id)
	return one(the(s, "run", string(id)), rows, err, scanRunRow)
}

// RunFilter narrows a listing of runs; empty fields do not.
type RunFilter struct {
	Kind  curlew.RunKind  `query:"kind"`               // only runs of this kind
	State curlew.RunState `query:"state"`              // only runs in this state
	Scope string          `query:"scope" maxlen:"300"` // only runs of this scope, such as source:src_…
}

// List lists runs, newest first.
func (s Runs) List(ctx context.Context, filter RunFilter, window Window) ([]curlew.Run, error) {
	rows, err := s.narrow().is(`kind`, string(filter.Kind)).is(`state`, string(filter.State)).is(`scope`, filter.Scope).before(window).
		list(ctx, s.all(), listing{runColumns, `runs`, `id DESC`}, window.limit())
	return many(s, rows, err, scanRunRow)
}

// Save keeps what changes about a run: state, progress, figures, end. The
// caller has locked it and checked the move. A run that ends before its first
// slice has never started.
func (s RunsTx) Save(ctx context.Context, run curlew.Run) error {
	fault := run.Fault
	if fault == nil {
		fault = &curlew.Fault{}
	}
	return s.update(ctx, "run", string(run.ID), `UPDATE runs SET state = ?, progress = ?, total = ?, counters = ?, slices = ?,
		summary = ?, fault_kind = ?, fault_code = ?, fault_sentence = ?,
		started_at = CASE WHEN ? = 'running' OR ? > 0 THEN coalesce(started_at, {now}) ELSE started_at END,
		finished_at = CASE WHEN ? IN ('succeeded', 'failed', 'cancelled') THEN coalesce(finished_at, {now}) ELSE NULL END,
		changed_at = {now} WHERE org_id = ? AND id = ?`,
		run.State, rawOrNull(run.Progress), run.Total, database.AsJSON(run.Counters), run.Slices,
		run.Summary, fault.Kind, fault.Code, fault.Sentence, run.State, run.Slices, run.State, s.org, run.ID)
}

// AppendLog adds lines to the log of a run, in order.
func (s RunsTx) AppendLog(ctx context.Context, id curlew.RunID, lines ...curlew.LogLine) error {
	if len(lines) == 0 {
		return nil
	}
	rows, err := s.q.Query(ctx, `UPDATE runs SET log_lines = log_lines + ? WHERE org_id = ? AND id = ? RETURNING log_lines`,
		len(lines), s.org, id)
	last, err := one(the(s, "run", string(id)), rows, err, scanNumber)
	if err != nil {
		return err
	}
	seq := last - int64(len(lines))
	return inChunks(lines, func(some []curlew.LogLine) error {
		values := make([]any, 0, 5*len(some))
		for _, line := range some {
			seq++
			values = append(values, s.org, id, seq, line.Level, line.Text)
		}
		_, err := s.Tx.Exec(ctx, `INSERT INTO run_log (org_id, run_id, seq, at, level, text) VALUES `+
			placeholders(len(some), `(?, ?, ?, {now}, ?, ?)`), values...)
		return err
	})
}

// Log returns the lines of a run after a sequence number, oldest first.
func (s Runs) Log(ctx context.Context, id curlew.RunID, after int64, limit int) ([]curlew.LogLine, error) {
	rows, err := s.q.Query(ctx, `SELECT seq, at, level, text FROM run_log
		WHERE org_id = ? AND run_id = ? AND seq > ? ORDER BY seq LIMIT ?`, s.org, id, after, Window{Limit: limit}.limit())
	return many(s, rows, err, func(r *sql.Rows) (line curlew.LogLine, err error) {
		var at database.Micros
		err = r.Scan(&line.Seq, &at, &line.Level, &line.Text)
		line.Run, line.At = id, at.Time()
		return line, err
	})
}

// AddAll keeps new runs that have their ids, those whose scope has no active one, and
// returns the ids of these.
func (s RunsTx) AddAll(ctx context.Context, runs []curlew.Run) ([]curlew.RunID, error) {
	var added []curlew.RunID
	err := inChunks(runs, func(some []curlew.Run) error {
		values := make([]any, 0, 7*len(some))
		for _, run := range some {
			values = append(values, s.org, run.ID, run.Kind, run.Scope, rawOrNull(run.Plan), run.Total, database.AsJSON(curlew.Counters{}))
		}
		rows, err := s.Tx.Query(ctx, `INSERT INTO runs (org_id, id, kind, scope, state, plan, progress, total, counters, created_at,
			changed_at) VALUES `+
			placeholders(len(some), `(?, ?, ?, ?, 'pending', ?, 'null', ?, ?, {now}, {now})`)+`
			ON CONFLICT (org_id, scope) WHERE state IN ('pending', 'running', 'paused') DO NOTHING RETURNING id`, values...)
		ids, err := database.Collect(rows, err, func(r *sql.Rows) (id curlew.RunID, err error) {
			err = r.Scan(&id)
			return id, err
		})
		added = append(added, ids...)
		return s.explainInsert("run", err)
	})
	return added, err
}

// Clear forgets the ended runs of an org, with their logs, that finished longer ago than the given age, at most limit of them, and
// returns how many. A run that pages, records or publications still refer to stays.
func (s RunsTx) Clear(ctx context.Context, age time.Duration, limit int) (int64, error) {
	return s.Tx.Exec(ctx, `DELETE FROM runs WHERE org_id = ? AND id IN (SELECT id FROM runs
		WHERE org_id = ? AND finished_at IS NOT NULL AND finished_at <= {now} - ?
		AND NOT EXISTS (SELECT 1 FROM pages WHERE pages.org_id = runs.org_id AND pages.run_id = runs.id)
		AND NOT EXISTS (SELECT 1 FROM records WHERE records.org_id = runs.org_id AND records.run_id = runs.id)
		AND NOT EXISTS (SELECT 1 FROM publications WHERE publications.org_id = runs.org_id AND publications.run_id = runs.id)
		ORDER BY finished_at LIMIT ?)`, s.org, s.org, age.Microseconds(), limit)
}
