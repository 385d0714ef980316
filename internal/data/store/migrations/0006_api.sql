-- When a run last changed, for those who look on.
ALTER TABLE runs ADD COLUMN changed_at BIGINT NOT NULL DEFAULT 0;
CREATE INDEX runs_changed ON runs (org_id, changed_at);

-- Requests that somebody may send again without their being done again. The status
-- is 0 while the first one is being answered.
CREATE TABLE idempotency_keys (
	org_id     TEXT NOT NULL REFERENCES orgs (id),
	key        TEXT NOT NULL,
	request    TEXT NOT NULL,
	status     INTEGER NOT NULL DEFAULT 0,
	answer     TEXT NOT NULL DEFAULT '',
	created_at BIGINT NOT NULL,
	PRIMARY KEY (org_id, key)
);
