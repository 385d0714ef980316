package store

import (
	"context"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
)

// checks are the store's invariants, each as a query for its violations. Most
// are constraints of the tables too: a check that finds something means that the
// database itself is damaged.
var checks = []database.Check{
	{Invariant: "I1", Sentence: "entity %s has more than one change for version %s",
		Query: `SELECT org_id, entity_id, version FROM changes WHERE entity_id IS NOT NULL AND version IS NOT NULL
			GROUP BY org_id, entity_id, version HAVING count(*) > 1`},
	{Invariant: "I1", Sentence: "entity %s has another version than its newest change, which is of version %s",
		Query: `SELECT e.org_id, e.id, coalesce(max(c.version), 0) FROM entities AS e
			LEFT JOIN changes AS c ON c.org_id = e.org_id AND c.entity_id = e.id
			GROUP BY e.org_id, e.id, e.version HAVING coalesce(max(c.version), 0) <> e.version`},
	{Invariant: "I1", Sentence: "entity %s has %s changes, fewer than its versions from the first that is kept to the last",
		Query: `SELECT org_id, entity_id, count(*) FROM changes WHERE entity_id IS NOT NULL AND version IS NOT NULL
			GROUP BY org_id, entity_id HAVING count(DISTINCT version) <> max(version) - min(version) + 1`},
	{Invariant: "I2", Sentence: "change %s has more than one delivery for subscription %s and one receiver",
		Query: `SELECT org_id, change_id, subscription_id FROM deliveries
			GROUP BY org_id, change_id, subscription_id, receiver HAVING count(*) > 1`},
	{Invariant: "I4", Sentence: "delivery %s belongs to change %s, which does not exist in its org",
		Query: `SELECT d.org_id, d.id, d.change_id FROM deliveries AS d
			LEFT JOIN changes AS c ON c.org_id = d.org_id AND c.id = d.change_id WHERE c.id IS NULL`},
	{Invariant: "I4", Sentence: "delivery %s has another sequence or another entity than its change %s",
		Query: `SELECT d.org_id, d.id, d.change_id FROM deliveries AS d JOIN changes AS c ON c.org_id = d.org_id AND c.id = d.change_id
			WHERE d.sequence <> c.sequence OR d.entity_id <> coalesce(c.entity_id, '')`},
	{Invariant: "I4", Sentence: "entity %s was sighted by watch %s, which is of another source",
		Query: `SELECT s.org_id, s.entity_id, s.watch_id FROM sightings AS s
			JOIN entities AS e ON e.org_id = s.org_id AND e.id = s.entity_id
			JOIN watches AS w ON w.org_id = s.org_id AND w.id = s.watch_id WHERE w.source_id <> e.source_id`},
	{Invariant: "I4", Sentence: "publication %s supersedes %s, which is of another scope, is itself, or does not exist",
		Query: `SELECT p.org_id, p.id, p.supersedes FROM publications AS p
			LEFT JOIN publications AS before ON before.org_id = p.org_id AND before.id = p.supersedes
			WHERE p.supersedes IS NOT NULL AND (before.id IS NULL OR before.scope <> p.scope OR before.id = p.id)`},
	{Invariant: "I4", Sentence: "the publications of %s form no single line: %s of them supersede none",
		Query: `SELECT org_id, scope, sum(CASE WHEN supersedes IS NULL THEN 1 ELSE 0 END) FROM publications
			GROUP BY org_id, scope HAVING sum(CASE WHEN supersedes IS NULL THEN 1 ELSE 0 END) <> 1`},
	{Invariant: "I4", Sentence: "publication %s is superseded by %s others",
		Query: `SELECT org_id, supersedes, count(*) FROM publications WHERE supersedes IS NOT NULL
			GROUP BY org_id, supersedes HAVING count(*) > 1`},
	{Invariant: "I4", Sentence: "run %s belongs to the org %s, which does not exist",
		Query: `SELECT runs.org_id, runs.id, runs.org_id FROM runs LEFT JOIN orgs ON orgs.id = runs.org_id WHERE orgs.id IS NULL`},
	{Invariant: "I4", Sentence: "the log of run %s has %s lines, fewer or more than the run says",
		Query: `SELECT runs.org_id, runs.id, count(run_log.seq) FROM runs
			LEFT JOIN run_log ON run_log.org_id = runs.org_id AND run_log.run_id = runs.id
			GROUP BY runs.org_id, runs.id, runs.log_lines
			HAVING count(run_log.seq) <> runs.log_lines OR coalesce(max(run_log.seq), 0) <> runs.log_lines`},
	{Invariant: "I4", Sentence: "membership refers to missing user %[1]s",
		Query: `SELECT m.org_id, m.user_id, m.role FROM memberships AS m
			LEFT JOIN users AS u ON u.org_id = 'system' AND u.id = m.user_id WHERE u.id IS NULL`},
	{Invariant: "I4", Sentence: "the audit log has %s lines and should have %s: some were removed",
		Query: `SELECT c.org_id, count(l.sequence), c.last_sequence FROM audit_counters AS c
			LEFT JOIN audit_log AS l ON l.org_id = c.org_id GROUP BY c.org_id, c.last_sequence HAVING count(l.sequence) <> c.last_sequence`},
	{Invariant: "I4", Sentence: "day %[1]s since 1970: the stored count or first change does not match the changes",
		Query: `SELECT c.org_id, c.day, coalesce(d.n, 0) FROM (SELECT org_id, occurred_at / 86400000000 AS day, count(*) AS n,
			min(sequence) AS first
				FROM changes GROUP BY org_id, occurred_at / 86400000000) AS c
			LEFT JOIN change_days AS d ON d.org_id = c.org_id AND d.day = c.day WHERE d.day IS NULL OR d.n <> c.n OR d.first_sequence > c.first`},
	{Invariant: "D4", Sentence: "the scope %s has %s active runs",
		Query: `SELECT org_id, scope, count(*) FROM runs WHERE state IN ('pending', 'running', 'paused')
			GROUP BY org_id, scope HAVING count(*) > 1`},
}

// Check looks for broken invariants, over all orgs.
func (s *Store) Check(ctx context.Context) ([]curlew.Violation, error) {
	found, err := s.db.Violations(ctx, checks)
	if err != nil {
		return nil, err
	}
	wrong, err := s.checkWords(ctx)
	return append(found, wrong...), err
}
