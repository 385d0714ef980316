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
	{Invariant: "I1", Sentence: "entity %s has more than one change for version %s",
		Query: `SELECT org_id, entity_id, version FROM changes WHERE entity_id IS NOT NULL AND version IS NOT NULL
			GROUP BY org_id, entity_id, version HAVING count(*) > 1`},
	{Invariant: "I2", Sentence: "change %s has more than one delivery for subscription %s",
		Query: `SELECT org_id, change_id, subscription_id FROM deliveries
			GROUP BY org_id, change_id, subscription_id HAVING count(*) > 1`},
	{Invariant: "I4", Sentence: "delivery %s belongs to change %s, which does not exist in its org",
		Query: `SELECT d.org_id, d.id, d.change_id FROM deliveries AS d
			LEFT JOIN changes AS c ON c.org_id = d.org_id AND c.id = d.change_id WHERE c.id IS NULL`},
	{Invariant: "I4", Sentence: "run %s belongs to the org %s, which does not exist",
		Query: `SELECT runs.org_id, runs.id, runs.org_id FROM runs LEFT JOIN orgs ON orgs.id = runs.org_id WHERE orgs.id IS NULL`},
	{Invariant: "I4", Sentence: "the log of run %s has %s lines, fewer or more than the run says",
		Query: `SELECT runs.org_id, runs.id, count(run_log.seq) FROM runs
			LEFT JOIN run_log ON run_log.org_id = runs.org_id AND run_log.run_id = runs.id
			GROUP BY runs.org_id, runs.id, runs.log_lines
			HAVING count(run_log.seq) <> runs.log_lines OR coalesce(max(run_log.seq), 0) <> runs.log_lines`},
	{Invariant: "D4", Sentence: "the scope %s has %s active runs",
		Query: `SELECT org_id, scope, count(*) FROM runs WHERE state IN ('pending', 'running', 'paused')
			GROUP BY org_id, scope HAVING count(*) > 1`},
}

// Check looks for broken invariants, over all orgs.
func (s *Store) Check(ctx context.Context) ([]curlew.Violation, error) {
	return s.db.Violations(ctx, checks)
}
