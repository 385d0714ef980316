-- What all workers and orgs share about the hosts they read belongs to the org
-- that owns upkeep ('system'): a host is one host, whoever asks for it.

-- The next moment at which a host may be asked again.
CREATE TABLE host_slots (
	org_id  TEXT NOT NULL REFERENCES orgs (id),
	host    TEXT NOT NULL,
	next_at BIGINT NOT NULL,
	why     TEXT NOT NULL DEFAULT '',
	PRIMARY KEY (org_id, host)
);

-- robots.txt as it was last read, for at most a day.
CREATE TABLE robots_files (
	org_id     TEXT NOT NULL REFERENCES orgs (id),
	origin     TEXT NOT NULL,
	status     INTEGER NOT NULL,
	body       TEXT NOT NULL,
	fetched_at BIGINT NOT NULL,
	expires_at BIGINT NOT NULL,
	PRIMARY KEY (org_id, origin)
);

-- Requests per day, for budgets. The subject is '' for the whole org, or a scope.
CREATE TABLE request_counts (
	org_id  TEXT NOT NULL REFERENCES orgs (id),
	day     TEXT NOT NULL,
	subject TEXT NOT NULL,
	n       BIGINT NOT NULL,
	PRIMARY KEY (org_id, day, subject)
);

-- Every URL that a scope (a source, a crawl) has ever found.
CREATE TABLE url_log (
	org_id        TEXT NOT NULL REFERENCES orgs (id),
	scope         TEXT NOT NULL,
	key           TEXT NOT NULL,
	url           TEXT NOT NULL,
	found_on      TEXT NOT NULL,
	depth         INTEGER NOT NULL,
	lastmod       BIGINT,
	first_seen_at BIGINT NOT NULL,
	last_seen_at  BIGINT NOT NULL,
	active        INTEGER NOT NULL DEFAULT 1,
	fetched_at    BIGINT,
	outcome       TEXT NOT NULL DEFAULT '',
	status        INTEGER NOT NULL DEFAULT 0,
	etag          TEXT NOT NULL DEFAULT '',
	last_modified TEXT NOT NULL DEFAULT '',
	digest        TEXT NOT NULL DEFAULT '',
	page_id       TEXT,
	PRIMARY KEY (org_id, scope, key),
	FOREIGN KEY (org_id, page_id) REFERENCES pages (org_id, id)
);

-- The URLs of one run: what waits, and what became of the rest. It makes a crawl
-- go on after kill -9 exactly where it was.
CREATE TABLE frontier (
	org_id   TEXT NOT NULL,
	run_id   TEXT NOT NULL,
	key      TEXT NOT NULL,
	seq      BIGINT NOT NULL,
	url      TEXT NOT NULL,
	found_on TEXT NOT NULL,
	depth    INTEGER NOT NULL,
	lastmod  BIGINT,
	state    TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'done', 'skipped', 'failed')),
	reason   TEXT NOT NULL DEFAULT '',
	PRIMARY KEY (org_id, run_id, key),
	FOREIGN KEY (org_id, run_id) REFERENCES runs (org_id, id) ON DELETE CASCADE
);
CREATE INDEX frontier_waiting ON frontier (org_id, run_id, depth, seq) WHERE state = 'waiting';
