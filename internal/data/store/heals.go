package store

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
	"github.com/curlew-data/curlew/internal/ops/instrument"
)

const healColumns = `run_id, org_id, source_id, watch_id, outcome, from_blueprint, to_blueprint, report, began_at, ended_at`

func scanHeal(r *sql.Rows) (h curlew.Heal, err error) {
	var report database.JSON[curlew.HealReport]
	var began, ended database.Micros
	err = r.Scan(&h.Run, &h.Org, &h.Source, &h.Watch, &h.Outcome, &h.From, text[curlew.BlueprintID]{&h.To}, &report, &began, &ended)
	h.Report, h.BeganAt, h.EndedAt = report.Value, began.Time(), ended.Time()
	return h, err
}

// Add keeps an attempt to heal.
func (s HealsTx) Add(ctx context.Context, h curlew.Heal) error {
	s.Tx.AfterCommit(func() { instrument.Tell(ctx, instrument.Healed{Outcome: h.Outcome}) })
	return s.insert(ctx, "heal", `INSERT INTO heals (`+healColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, h.Run, s.org, h.Source,
		h.Watch, h.Outcome, h.From,
		null(h.To), database.AsJSON(h.Report), database.At(h.BeganAt), database.At(h.EndedAt))
}

// List lists the attempts to heal, of one source or of all, newest first.
func (s Heals) List(ctx context.Context, source curlew.SourceID, limit int) ([]curlew.Heal, error) {
	rows, err := s.narrow().is(`source_id`, string(source)).list(ctx, s.all(), listing{healColumns, `heals`, `began_at DESC, run_id DESC`},
		Window{Limit: limit}.limit())
	return many(s, rows, err, scanHeal)
}

// Get returns the attempt to heal that a run made.
func (s Heals) Get(ctx context.Context, run curlew.RunID) (curlew.Heal, error) {
	rows, err := s.q.Query(ctx, `SELECT `+healColumns+` FROM heals WHERE org_id = ? AND run_id = ?`, s.org, run)
	return one(the(s, "heal", string(run)), rows, err, scanHeal)
}

// Add keeps a quality score of a source.
func (s ScorecardsTx) Add(ctx context.Context, c curlew.Scorecard) error {
	return s.insert(ctx, "scorecard", `INSERT INTO scorecards (org_id, source_id, at, run_id, score, card) VALUES (?, ?, ?, ?, ?, ?)`,
		s.org, c.Source, database.At(c.At), c.Run, c.Score, rawOrNull(c.Card))
}

// List lists the quality scores of a source, newest first.
func (s Scorecards) List(ctx context.Context, source curlew.SourceID, limit int) ([]curlew.Scorecard, error) {
	rows, err := s.q.Query(ctx, `SELECT source_id, run_id, score, card, at FROM scorecards WHERE org_id = ? AND source_id = ?
		ORDER BY at DESC LIMIT ?`,
		s.org, source, Window{Limit: limit}.limit())
	return many(s, rows, err, func(r *sql.Rows) (c curlew.Scorecard, err error) {
		var card database.JSON[json.RawMessage]
		var at database.Micros
		err = r.Scan(&c.Source, &c.Run, &c.Score, &card, &at)
		c.Card, c.At = card.Value, at.Time()
		return c, err
	})
}
