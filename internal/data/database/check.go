package database

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/curlew-data/curlew/internal/curlew"
)

// Check is an invariant as a query for its violations. The query gives the org,
// what it is about, and a detail; the sentence takes the last two.
type Check struct{ Invariant, Sentence, Query string }

// checkMost bounds how many violations of one kind are told.
const checkMost = 20

// Violations asks every check.
func (db *DB) Violations(ctx context.Context, checks []Check) ([]curlew.Violation, error) {
	var all []curlew.Violation
	for _, c := range checks {
		rows, err := db.Query(ctx, c.Query+fmt.Sprintf(" LIMIT %d", checkMost))
		some, err := Collect(rows, err, func(r *sql.Rows) (v curlew.Violation, err error) {
			var detail string
			err = r.Scan(&v.Org, &v.Ref, &detail)
			v.Invariant, v.Sentence = c.Invariant, fmt.Sprintf(c.Sentence, v.Ref, detail)
			return v, err
		})
		if err != nil {
			return nil, db.Explain(err)
		}
		all = append(all, some...)
	}
	return all, nil
}
