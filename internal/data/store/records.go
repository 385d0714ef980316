package store

import (
	"context"
	"database/sql"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
)

const recordColumns = `id, org_id, source_id, run_id, page_id, blueprint_id, schema, external_id, url, fields, provenance, record_hash,
	created_at`

func scanRecord(r *sql.Rows) (rec curlew.Record, err error) {
	var fields database.JSON[curlew.Values]
	var provenance database.JSON[map[string]curlew.Evidence]
	var created database.Micros
	err = r.Scan(&rec.ID, &rec.Org, &rec.Source, &rec.Run, &rec.Page, &rec.Blueprint, &rec.Schema, &rec.ExternalID, &rec.URL,
		&fields, &provenance, &rec.Hash, &created)
	rec.Fields, rec.Provenance, rec.CreatedAt = fields.Value, provenance.Value, created.Time()
	return rec, err
}

// Add keeps a new record and returns it with its id.
func (s RecordsTx) Add(ctx context.Context, r curlew.Record) (curlew.Record, error) {
	r.ID = curlew.Mint[curlew.RecordID](s.store.ids)
	err := s.insert(ctx, "record", `INSERT INTO records (`+recordColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, {now})`,
		r.ID, s.org, r.Source, r.Run, r.Page, r.Blueprint, r.Schema, r.ExternalID, r.URL,
		database.AsJSON(r.Fields), database.AsJSON(r.Provenance), r.Hash)
	if err != nil {
		return curlew.Record{}, err
	}
	return s.Get(ctx, r.ID)
}

// AddAll keeps new records that have their ids.
func (s RecordsTx) AddAll(ctx context.Context, records []curlew.Record) error {
	return inChunks(records, func(some []curlew.Record) error {
		values := make([]any, 0, 12*len(some))
		for _, r := range some {
			values = append(values, r.ID, s.org, r.Source, r.Run, r.Page, r.Blueprint, r.Schema, r.ExternalID, r.URL,
				database.AsJSON(r.Fields), database.AsJSON(r.Provenance), r.Hash)
		}
		return s.insert(ctx, "record", `INSERT INTO records (`+recordColumns+`) VALUES `+placeholders(len(some),
			`(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, {now})`), values...)
	})
}

// Get returns one record.
func (s Records) Get(ctx context.Context, id curlew.RecordID) (curlew.Record, error) {
	rows, err := s.q.Query(ctx, `SELECT `+recordColumns+` FROM records WHERE org_id = ? AND id = ?`, s.org, id)
	return one(the(s, "record", string(id)), rows, err, scanRecord)
}

// ByIDs lists these records.
func (s Records) ByIDs(ctx context.Context, ids []curlew.RecordID) ([]curlew.Record, error) {
	rows, err := s.q.Query(ctx, `SELECT `+recordColumns+` FROM records WHERE org_id = ? AND id {in ?} ORDER BY id`, s.org,
		database.AsList(ids))
	return many(s, rows, err, scanRecord)
}

// List lists the records of a run, oldest first.
func (s Records) List(ctx context.Context, run curlew.RunID, window Window) ([]curlew.Record, error) {
	rows, err := s.q.Query(ctx, `SELECT `+recordColumns+` FROM records WHERE org_id = ? AND run_id = ? AND id > ? ORDER BY id LIMIT ?`,
		s.org, run, window.After, window.limit())
	return many(s, rows, err, scanRecord)
}
