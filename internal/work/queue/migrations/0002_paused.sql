-- Orgs whose jobs are not claimed: they are being moved to another database.
CREATE TABLE paused_orgs (
	org_id    TEXT NOT NULL PRIMARY KEY,
	paused_at BIGINT NOT NULL
);
