package store

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
)

// Append writes the next line of the org's audit log and returns its
// number. Nothing changes or removes a line; numbers have no gaps, so one that
// somebody removed from the database is missed by fsck.
func (s AuditTx) Append(ctx context.Context, e curlew.AuditEntry) (int64, error) {
	if done, err := s.appendElsewhere(ctx, e); done || err != nil {
		return 0, err
	}
	rows, err := s.q.Query(ctx, `INSERT INTO audit_counters (org_id, last_sequence) VALUES (?, 1)
		ON CONFLICT (org_id) DO UPDATE SET last_sequence = audit_counters.last_sequence + 1 RETURNING last_sequence`, s.org)
	n, err := one(the(s, "org", string(s.org)), rows, err, scanNumber)
	if err != nil {
		return 0, s.explainInsert("audit entry", err)
	}
	return n, s.insert(ctx, "audit entry", `INSERT INTO audit_log (org_id, sequence, at, actor, name, action, thing, address, details)
		VALUES (?, ?, coalesce(?, {now}), ?, ?, ?, ?, ?, ?)`,
		s.org, n, database.AtOrNull(&e.At), e.Actor, e.Name, e.Action, e.Thing, e.Address, rawOrNull(e.Details))
}

// AuditFilter chooses lines of the audit log; what is empty does not matter.
type AuditFilter struct {
	Actor  string
	Action string
	Thing  string
	Before int64 // lines with a smaller number
	Limit  int
}

// List lists lines of the audit log, newest first.
func (s Audit) List(ctx context.Context, f AuditFilter) ([]curlew.AuditEntry, error) {
	rows, err := s.q.Query(ctx, `SELECT org_id, sequence, at, actor, name, action, thing, address, details FROM audit_log
		WHERE org_id = ? AND (? = '' OR actor = ?) AND (? = '' OR action = ?) AND (? = '' OR thing = ?) AND (? = 0 OR sequence < ?)
		ORDER BY sequence DESC LIMIT ?`,
		s.org, f.Actor, f.Actor, f.Action, f.Action, f.Thing, f.Thing, f.Before, f.Before, Window{Limit: f.Limit}.limit())
	return many(s, rows, err, func(r *sql.Rows) (e curlew.AuditEntry, err error) {
		var at database.Micros
		var details database.JSON[json.RawMessage]
		err = r.Scan(&e.Org, &e.Sequence, &at, &e.Actor, &e.Name, &e.Action, &e.Thing, &e.Address, &details)
		e.At = at.Time()
		if string(details.Value) != "null" {
			e.Details = details.Value
		}
		return e, err
	})
}
