-- Every combination of filters of a listing finds an index that has its rows in their
-- order. Columns after the order let rows be passed over without being read.

CREATE INDEX entities_source ON entities (org_id, source_id, id, status, schema);
CREATE INDEX entities_status ON entities (org_id, status, id, schema);
CREATE INDEX entities_schema ON entities (org_id, schema, id, status);

DROP INDEX changes_source;
CREATE INDEX changes_source ON changes (org_id, source_id, sequence, kind);
CREATE INDEX changes_kind ON changes (org_id, kind, sequence);
CREATE INDEX changes_watch ON changes (org_id, watch_id, sequence, kind);

DROP INDEX deliveries_subscription;
CREATE INDEX deliveries_subscription ON deliveries (org_id, subscription_id, id, status);
CREATE INDEX deliveries_status ON deliveries (org_id, status, id) WHERE status <> 'delivered';

CREATE INDEX runs_state ON runs (org_id, state, id, kind);
CREATE INDEX runs_kind ON runs (org_id, kind, id, state);
CREATE INDEX runs_scope ON runs (org_id, scope, id);

CREATE INDEX publications_scope ON publications (org_id, scope, id);
DROP INDEX heals_source;
CREATE INDEX heals_source ON heals (org_id, source_id, began_at, run_id);
CREATE INDEX heals_began ON heals (org_id, began_at, run_id);
CREATE INDEX scorecards_trend ON scorecards (org_id, source_id, at, score, run_id);
CREATE INDEX candidate_transitions_at ON candidate_transitions (org_id, at);
CREATE INDEX watches_source ON watches (org_id, source_id, id);

-- How many changes each day (in UTC, counted from 1970) had, and the first of them.
CREATE TABLE change_days (
	org_id         TEXT NOT NULL REFERENCES orgs (id),
	day            BIGINT NOT NULL,
	n              BIGINT NOT NULL,
	first_sequence BIGINT NOT NULL,
	PRIMARY KEY (org_id, day)
);
INSERT INTO change_days (org_id, day, n, first_sequence)
	SELECT org_id, occurred_at / 86400000000, count(*), min(sequence) FROM changes GROUP BY org_id, occurred_at / 86400000000;
