package store

import (
	"context"

	"curlew/internal/curlew"
	"curlew/internal/database"
)

// checks are the store's invariants, each as a query for its violations. Most
// are constraints of the tables too: a check that finds something means that the
// database itself is damaged.
var checks = []database.Check{
	{"I1", "entity %s has more than one change for version %s",
		`SELECT org_id, entity_id, version FROM changes WHERE entity_id IS NOT NULL AND version IS NOT NULL
			GROUP BY org_id, entity_id, version HAVING count(*) > 1`},
	{"I2", "change %s has more than one delivery for subscription %s",
		`SELECT org_id, change_id, subscription_id FROM deliveries
			GROUP BY org_id, change_id, subscription_id HAVING count(*) > 1`},
	{"I4", "delivery %s belongs to change %s, which does not exist in its org",
		`SELECT d.org_id, d.id, d.change_id FROM deliveries AS d
			LEFT JOIN changes AS c ON c.org_id = d.org_id AND c.id = d.change_id WHERE c.id IS NULL`},
	{"I4", "run %s belongs to the org %s, which does not exist",
		`SELECT runs.org_id, runs.id, runs.org_id FROM runs LEFT JOIN orgs ON orgs.id = runs.org_id WHERE orgs.id IS NULL`},
	{"I4", "the log of run %s has %s lines, fewer or more than the run says",
		`SELECT runs.org_id, runs.id, count(run_log.seq) FROM runs
			LEFT JOIN run_log ON run_log.org_id = runs.org_id AND run_log.run_id = runs.id
			GROUP BY runs.org_id, runs.id, runs.log_lines
			HAVING count(run_log.seq) <> runs.log_lines OR coalesce(max(run_log.seq), 0) <> runs.log_lines`},
	{"D4", "the scope %s has %s active runs",
		`SELECT org_id, scope, count(*) FROM runs WHERE state IN ('pending', 'running', 'paused')
			GROUP BY org_id, scope HAVING count(*) > 1`},
}

// Check looks for broken invariants, over all orgs.
func (s *Store) Check(ctx context.Context) ([]curlew.Violation, error) {
	return s.db.Violations(ctx, checks)
}
