package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
	"github.com/curlew-data/curlew/internal/ops/instrument"
)

const candidateColumns = `id, org_id, url, name, instructions, priority, auto_deploy, status, feasibility_score, quality_score,
	strategy, report, attempts, last_error, fingerprint, source_id, created_at, updated_at, review, watch_id`

func scanCandidate(r *sql.Rows) (c curlew.Candidate, err error) {
	var report database.JSON[json.RawMessage]
	var created, updated database.Micros
	err = r.Scan(&c.ID, &c.Org, &c.URL, &c.Name, &c.Instructions, &c.Priority, &c.AutoDeploy, &c.Status, &c.Feasibility, &c.Quality,
		&c.Strategy, &report, &c.Attempts, &c.LastError, &c.Fingerprint, text[curlew.SourceID]{&c.Source}, &created, &updated, &c.Review,
		&c.Watch)
	c.Report, c.CreatedAt, c.UpdatedAt = report.Value, created.Time(), updated.Time()
	return c, err
}

// Add keeps a new candidate, whose analysis is pending, and returns it
// with its id.
func (s CandidatesTx) Add(ctx context.Context, c curlew.Candidate) (curlew.Candidate, error) {
	c.ID = curlew.Mint[curlew.CandidateID](s.store.ids)
	err := s.insert(ctx, "candidate", `INSERT INTO candidates (`+candidateColumns+`)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, {now}, {now}, ?, ?)`,
		c.ID, s.org, c.URL, c.Name, c.Instructions, c.Priority, flag(c.AutoDeploy), curlew.CandidatePending, c.Feasibility, c.Quality,
		c.Strategy, database.RawJSON(c.Report), c.Attempts, c.LastError, c.Fingerprint, null(c.Source), flag(c.Review), c.Watch)
	if err != nil {
		return curlew.Candidate{}, err
	}
	return s.Get(ctx, c.ID)
}

// Get returns one candidate.
func (s Candidates) Get(ctx context.Context, id curlew.CandidateID) (curlew.Candidate, error) {
	rows, err := s.q.Query(ctx, `SELECT `+candidateColumns+` FROM candidates WHERE org_id = ? AND id = ?`, s.org, id)
	return one(the(s, "candidate", string(id)), rows, err, scanCandidate)
}

// Lock returns one candidate and makes others who move it wait.
func (s CandidatesTx) Lock(ctx context.Context, id curlew.CandidateID) (curlew.Candidate, error) {
	rows, err := s.q.Query(ctx, `SELECT `+candidateColumns+` FROM candidates WHERE org_id = ? AND id = ? {for_update}`, s.org, id)
	return one(the(s, "candidate", string(id)), rows, err, scanCandidate)
}

// At returns the candidate of an address that was neither rejected nor failed.
func (s Candidates) At(ctx context.Context, address string) (curlew.Candidate, error) {
	rows, err := s.q.Query(ctx, `SELECT `+candidateColumns+` FROM candidates
		WHERE org_id = ? AND url = ? AND status NOT IN ('rejected', 'failed') ORDER BY id DESC LIMIT 1`, s.org, address)
	return one(the(s, "candidate of", address), rows, err, scanCandidate)
}

// RefusedAt returns the newest candidate of an address that was rejected or failed.
func (s Candidates) RefusedAt(ctx context.Context, address string) (curlew.Candidate, error) {
	rows, err := s.q.Query(ctx, `SELECT `+candidateColumns+` FROM candidates
		WHERE org_id = ? AND url = ? AND status IN ('rejected', 'failed') ORDER BY id DESC LIMIT 1`, s.org, address)
	return one(the(s, "candidate of", address), rows, err, scanCandidate)
}

// CandidateFilter narrows a listing of candidates; empty fields do not.
type CandidateFilter struct {
	Status curlew.CandidateStatus
	Source curlew.SourceID
}

// List lists candidates, oldest first.
func (s Candidates) List(ctx context.Context, filter CandidateFilter, window Window) ([]curlew.Candidate, error) {
	rows, err := s.narrow().is(`status`, string(filter.Status)).is(`source_id`, string(filter.Source)).and(`id > ?`, window.After).
		list(ctx, s.all(), listing{candidateColumns, `candidates`, `id`}, window.limit())
	return many(s, rows, err, scanCandidate)
}

// Move moves a candidate to another status, if that is legal from
// where it stands, keeps the move and returns the candidate as it is then. Of
// two that move it at once the second meets the status that the first one set.
func (s CandidatesTx) Move(ctx context.Context, id curlew.CandidateID, to curlew.CandidateStatus, why string) (curlew.Candidate, error) {
	c, err := s.Lock(ctx, id)
	if err != nil {
		return curlew.Candidate{}, err
	}
	if err := c.Status.Move(to); err != nil {
		return curlew.Candidate{}, err
	}
	err = s.insert(ctx, "transition", `INSERT INTO candidate_transitions (org_id, candidate_id, seq, at, from_status, to_status, why)
		SELECT ?, ?, coalesce(max(seq), 0) + 1, {now}, ?, ?, ? FROM candidate_transitions WHERE org_id = ? AND candidate_id = ?`,
		s.org, id, c.Status, to, why, s.org, id)
	if err != nil {
		return curlew.Candidate{}, err
	}
	err = s.update(ctx, "candidate", string(id), `UPDATE candidates SET status = ?, updated_at = {now} WHERE org_id = ? AND id = ?`,
		to, s.org, id)
	if err != nil {
		return curlew.Candidate{}, err
	}
	s.Tx.AfterCommit(func() { instrument.Tell(ctx, instrument.CandidateMoved{To: to}) })
	return s.Get(ctx, id)
}

// CandidateTransition is one move of a candidate.
type CandidateTransition struct {
	Seq  int64                  `json:"seq"`
	At   time.Time              `json:"at"`
	From curlew.CandidateStatus `json:"from_status"`
	To   curlew.CandidateStatus `json:"to_status"`
	Why  string                 `json:"why"`
}

// Transitions lists the moves of a candidate, oldest first.
func (s Candidates) Transitions(ctx context.Context, id curlew.CandidateID) ([]CandidateTransition, error) {
	rows, err := s.q.Query(ctx, `SELECT seq, at, from_status, to_status, why FROM candidate_transitions
		WHERE org_id = ? AND candidate_id = ? ORDER BY seq`, s.org, id)
	return many(s, rows, err, func(r *sql.Rows) (t CandidateTransition, err error) {
		var at database.Micros
		err = r.Scan(&t.Seq, &at, &t.From, &t.To, &t.Why)
		t.At = at.Time()
		return t, err
	})
}

// Save writes what was found out about a candidate; its status moves with
// MoveCandidate.
func (s CandidatesTx) Save(ctx context.Context, c curlew.Candidate) error {
	return s.update(ctx, "candidate", string(c.ID), `UPDATE candidates SET name = ?, instructions = ?, priority = ?, auto_deploy = ?,
		feasibility_score = ?, quality_score = ?, strategy = ?, report = ?, attempts = ?, last_error = ?, fingerprint = ?, source_id = ?,
		review = ?, watch_id = ?,
		updated_at = {now}
		WHERE org_id = ? AND id = ?`, c.Name, c.Instructions, c.Priority, flag(c.AutoDeploy), c.Feasibility, c.Quality, c.Strategy,
		database.RawJSON(c.Report),
		c.Attempts, c.LastError, c.Fingerprint, null(c.Source), flag(c.Review), c.Watch, s.org, c.ID)
}

// OfSource returns the candidate from which a source came.
func (s Candidates) OfSource(ctx context.Context, source curlew.SourceID) (curlew.Candidate, error) {
	rows, err := s.q.Query(ctx, `SELECT `+candidateColumns+` FROM candidates WHERE org_id = ? AND source_id = ? ORDER BY id DESC LIMIT 1`,
		s.org, source)
	return one(the(s, "candidate of", string(source)), rows, err, scanCandidate)
}
