package store

import (
	"context"
	"database/sql"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
	"github.com/curlew-data/curlew/internal/ops/instrument"
)

// Add keeps what asking a model came to.
func (s ModelCallsTx) Add(ctx context.Context, c curlew.ModelCall) error {
	code := ""
	if c.Fault != nil {
		code = string(c.Fault.Code)
	}
	s.Tx.AfterCommit(func() { instrument.Tell(ctx, instrument.ModelAsked{ModelUsage: c.ModelUsage}) })
	return s.insert(ctx, "model call", `INSERT INTO model_calls (org_id, id, source_id, purpose, provider, model, input_tokens,
		output_tokens, estimated, cost_micros, took_ms, outcome, fault_code, at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, coalesce(?, {now}))`,
		s.org, curlew.Mint[curlew.ModelCallID](s.store.ids), null(c.Source), c.Purpose, c.Provider, c.Model, c.InputTokens, c.OutputTokens,
		flag(c.Estimated),
		c.CostMicros, c.Took.Milliseconds(), c.Outcome, code, database.AtOrNull(&c.At))
}

// ModelCost is what asking models cost, by purpose and source.
type ModelCost struct {
	Source       curlew.SourceID     `json:"source_id,omitempty"`
	Purpose      curlew.ModelPurpose `json:"purpose"`
	Calls        int64               `json:"calls"`
	InputTokens  int64               `json:"input_tokens"`
	OutputTokens int64               `json:"output_tokens"`
	CostMicros   int64               `json:"cost_micros"`
}

// Costs sums up what models cost from a time until another; none is no end.
func (s ModelCalls) Costs(ctx context.Context, since, until time.Time) ([]ModelCost, error) {
	if until.IsZero() {
		until = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	rows, err := s.q.Query(ctx, `SELECT coalesce(source_id, ''), purpose, count(*), sum(input_tokens), sum(output_tokens), sum(cost_micros)
		FROM model_calls
		WHERE org_id = ? AND at >= ? AND at < ? GROUP BY coalesce(source_id, ''), purpose ORDER BY sum(cost_micros) DESC, purpose`, s.org,
		database.At(since), database.At(until))
	return many(s, rows, err, func(r *sql.Rows) (c ModelCost, err error) {
		err = r.Scan(&c.Source, &c.Purpose, &c.Calls, &c.InputTokens, &c.OutputTokens, &c.CostMicros)
		return c, err
	})
}
