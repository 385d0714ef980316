-- On which database the rows of an org are, where they are not in the first one of the installation, and from where or to where they
-- are being moved. Only the first database has rows here.
CREATE TABLE org_shards (
	org_id    TEXT NOT NULL PRIMARY KEY REFERENCES orgs (id),
	shard     TEXT NOT NULL,
	moving_to TEXT NOT NULL DEFAULT '',
	leaving   TEXT NOT NULL DEFAULT ''
);

-- What a database is called among the shards of an installation: the first one knows all of them, another one itself. Jobs are
-- numbered from a multiple of the number, so that no two shards number a job alike.
CREATE TABLE shard_names (
	org_id       TEXT NOT NULL REFERENCES orgs (id),
	name         TEXT NOT NULL,
	number       BIGINT NOT NULL,
	installation TEXT NOT NULL,
	PRIMARY KEY (org_id, name)
);
