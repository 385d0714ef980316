package store

import (
	"context"
	"database/sql"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
)

// Reserve sets aside what a question to a model may cost, unless that would go
// beyond the limit together with what was spent since a time and what others have set
// aside. It says what counts as spent before it. Of two who ask together, the second
// sees the first.
func (s ModelCallsTx) Reserve(
	ctx context.Context, r curlew.ModelReservation, since time.Time, limit int64,
) (id curlew.ReservationID, spent int64, ok bool, err error) {
	rows, err := s.q.Query(ctx, `SELECT id FROM orgs WHERE id = ? {for_update}`, s.org) // one at a time
	if _, err = one(the(s, "org", string(s.org)), rows, err, func(r *sql.Rows) (id string, err error) { return id, r.Scan(&id) }); err != nil {
		return "", 0, false, err
	}
	if err := s.expireReservations(ctx); err != nil {
		return "", 0, false, err
	}
	if err := s.Tx.QueryRow(ctx, `SELECT coalesce((SELECT sum(cost_micros) FROM model_calls WHERE org_id = ? AND at >= ?), 0)
		+ coalesce((SELECT sum(most_micros) FROM model_reservations WHERE org_id = ?), 0)`, s.org, database.At(since),
		s.org).Scan(&spent); err != nil {
		return "", 0, false, err
	}
	if spent+r.MostMicros > limit {
		return "", spent, false, nil
	}
	id = curlew.Mint[curlew.ReservationID](s.store.ids)
	return id, spent, true, s.insert(ctx, "reservation", `INSERT INTO model_reservations (org_id, id, source_id, purpose, provider, model,
		input_tokens, ask_micros, most_micros, at, expires_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, {now}, {now} + ?)`,
		s.org, id, null(r.Source), r.Purpose, r.Provider, r.Model, r.InputTokens, r.AskMicros, r.MostMicros, r.For.Microseconds())
}

// expireReservations keeps calls for processes that died while they asked: what they
// sent was most likely paid for, what came back nobody knows.
func (s writing) expireReservations(ctx context.Context) error {
	if _, err := s.Tx.Exec(ctx, `INSERT INTO model_calls (org_id, id, source_id, purpose, provider, model, input_tokens, output_tokens,
		estimated, cost_micros, took_ms, outcome, fault_code, at)
		SELECT org_id, id, source_id, purpose, provider, model, input_tokens, 0, 1, ask_micros, 0, 'failed', 'process_died', at
		FROM model_reservations WHERE org_id = ? AND expires_at <= {now}`, s.org); err != nil {
		return err
	}
	_, err := s.Tx.Exec(ctx, `DELETE FROM model_reservations WHERE org_id = ? AND expires_at <= {now}`, s.org)
	return err
}

// Settle keeps a call, and frees what was set aside for it. A reservation that
// expired meanwhile was kept as a call of its own, whose place the real one takes.
func (s ModelCallsTx) Settle(ctx context.Context, id curlew.ReservationID, c curlew.ModelCall) error {
	for _, statement := range []string{`DELETE FROM model_reservations WHERE org_id = ? AND id = ?`,
		`DELETE FROM model_calls WHERE org_id = ? AND id = ?`} {
		if _, err := s.Tx.Exec(ctx, statement, s.org, id); err != nil {
			return err
		}
	}
	return s.Add(ctx, c)
}
