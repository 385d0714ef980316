-- Every table carries org_id, and every reference between tables carries it too,
-- so that a row can never point into another org. Times are microseconds since
-- 1970. Text that may be absent is '', a reference that may be absent is NULL.

CREATE TABLE orgs (
	id         TEXT PRIMARY KEY,
	name       TEXT NOT NULL,
	created_at BIGINT NOT NULL
);

CREATE TABLE sources (
	org_id     TEXT NOT NULL REFERENCES orgs (id),
	id         TEXT NOT NULL,
	name       TEXT NOT NULL,
	base_url   TEXT NOT NULL,
	trust      TEXT NOT NULL CHECK (trust IN ('probation', 'stable', 'paused', 'broken', 'archived')),
	min_urls   INTEGER NOT NULL DEFAULT 0,
	created_at BIGINT NOT NULL,
	updated_at BIGINT NOT NULL,
	PRIMARY KEY (org_id, id)
);

CREATE TABLE candidates (
	org_id            TEXT NOT NULL REFERENCES orgs (id),
	id                TEXT NOT NULL,
	url               TEXT NOT NULL,
	name              TEXT NOT NULL,
	instructions      TEXT NOT NULL,
	priority          INTEGER NOT NULL,
	auto_deploy       INTEGER NOT NULL,
	status            TEXT NOT NULL,
	feasibility_score INTEGER,
	quality_score     INTEGER,
	strategy          TEXT NOT NULL,
	report            {json},
	attempts          INTEGER NOT NULL DEFAULT 0,
	last_error        TEXT NOT NULL DEFAULT '',
	fingerprint       TEXT NOT NULL DEFAULT '',
	source_id         TEXT,
	created_at        BIGINT NOT NULL,
	updated_at        BIGINT NOT NULL,
	PRIMARY KEY (org_id, id),
	FOREIGN KEY (org_id, source_id) REFERENCES sources (org_id, id)
);
CREATE INDEX candidates_status ON candidates (org_id, status, id);

CREATE TABLE candidate_transitions (
	org_id       TEXT NOT NULL,
	candidate_id TEXT NOT NULL,
	seq          INTEGER NOT NULL,
	at           BIGINT NOT NULL,
	from_status  TEXT NOT NULL,
	to_status    TEXT NOT NULL,
	why          TEXT NOT NULL,
	PRIMARY KEY (org_id, candidate_id, seq),
	FOREIGN KEY (org_id, candidate_id) REFERENCES candidates (org_id, id) ON DELETE CASCADE
);

CREATE TABLE blueprints (
	org_id     TEXT NOT NULL,
	id         TEXT NOT NULL,
	source_id  TEXT NOT NULL,
	schema     TEXT NOT NULL,
	page_type  TEXT NOT NULL CHECK (page_type IN ('list', 'single')),
	tier       TEXT NOT NULL,
	version    INTEGER NOT NULL,
	status     TEXT NOT NULL CHECK (status IN ('draft', 'active', 'failed', 'archived')),
	rules      {json} NOT NULL,
	test_url   TEXT NOT NULL,
	created_at BIGINT NOT NULL,
	PRIMARY KEY (org_id, id),
	UNIQUE (org_id, source_id, schema, page_type, version),
	FOREIGN KEY (org_id, source_id) REFERENCES sources (org_id, id)
);
-- One active blueprint for a page type.
CREATE UNIQUE INDEX blueprints_active ON blueprints (org_id, source_id, schema, page_type) WHERE status = 'active';

CREATE TABLE watches (
	org_id               TEXT NOT NULL,
	id                   TEXT NOT NULL,
	source_id            TEXT NOT NULL,
	blueprint_id         TEXT NOT NULL,
	url                  TEXT NOT NULL,
	schedule             TEXT NOT NULL,
	status               TEXT NOT NULL CHECK (status IN ('active', 'paused', 'error')),
	last_run_at          BIGINT,
	next_run_at          BIGINT,
	last_error           TEXT NOT NULL DEFAULT '',
	consecutive_failures INTEGER NOT NULL DEFAULT 0,
	created_at           BIGINT NOT NULL,
	PRIMARY KEY (org_id, id),
	FOREIGN KEY (org_id, source_id) REFERENCES sources (org_id, id),
	FOREIGN KEY (org_id, blueprint_id) REFERENCES blueprints (org_id, id)
);
CREATE INDEX watches_due ON watches (next_run_at) WHERE status = 'active';

CREATE TABLE runs (
	org_id         TEXT NOT NULL REFERENCES orgs (id),
	id             TEXT NOT NULL,
	kind           TEXT NOT NULL,
	scope          TEXT NOT NULL,
	state          TEXT NOT NULL CHECK (state IN ('pending', 'running', 'paused', 'succeeded', 'failed', 'cancelled')),
	plan           TEXT NOT NULL,
	progress       TEXT NOT NULL,
	total          BIGINT NOT NULL DEFAULT 0,
	counters       TEXT NOT NULL,
	slices         INTEGER NOT NULL DEFAULT 0,
	log_lines      BIGINT NOT NULL DEFAULT 0,
	summary        TEXT NOT NULL DEFAULT '',
	fault_kind     TEXT NOT NULL DEFAULT '',
	fault_code     TEXT NOT NULL DEFAULT '',
	fault_sentence TEXT NOT NULL DEFAULT '',
	created_at     BIGINT NOT NULL,
	started_at     BIGINT,
	finished_at    BIGINT,
	PRIMARY KEY (org_id, id)
);
-- One active run per scope, whoever asks.
CREATE UNIQUE INDEX runs_active ON runs (org_id, scope) WHERE state IN ('pending', 'running', 'paused');
CREATE INDEX runs_finished ON runs (finished_at) WHERE finished_at IS NOT NULL;

CREATE TABLE run_log (
	org_id TEXT NOT NULL,
	run_id TEXT NOT NULL,
	seq    BIGINT NOT NULL,
	at     BIGINT NOT NULL,
	level  TEXT NOT NULL CHECK (level IN ('info', 'warn', 'error')),
	text   TEXT NOT NULL,
	PRIMARY KEY (org_id, run_id, seq),
	FOREIGN KEY (org_id, run_id) REFERENCES runs (org_id, id) ON DELETE CASCADE
);

CREATE TABLE pages (
	org_id       TEXT NOT NULL REFERENCES orgs (id),
	id           TEXT NOT NULL,
	source_id    TEXT,
	run_id       TEXT,
	url          TEXT NOT NULL,
	final_url    TEXT NOT NULL,
	redirects    TEXT NOT NULL,
	status       INTEGER NOT NULL,
	outcome      TEXT NOT NULL CHECK (outcome IN ('fetched', 'not_modified', 'gone', 'blocked', 'damaged', 'failed')),
	block        TEXT NOT NULL,
	why          TEXT NOT NULL,
	adapter      TEXT NOT NULL,
	fallback_why TEXT NOT NULL,
	content_type TEXT NOT NULL,
	charset      TEXT NOT NULL,
	etag         TEXT NOT NULL,
	last_modified TEXT NOT NULL,
	bytes        BIGINT NOT NULL,
	complete     INTEGER NOT NULL,
	digest       TEXT NOT NULL,
	html_hash    TEXT NOT NULL,
	archive_ref  TEXT NOT NULL,
	took_ms      BIGINT NOT NULL,
	fetched_at   BIGINT NOT NULL,
	PRIMARY KEY (org_id, id),
	FOREIGN KEY (org_id, source_id) REFERENCES sources (org_id, id),
	FOREIGN KEY (org_id, run_id) REFERENCES runs (org_id, id)
);
CREATE INDEX pages_url ON pages (org_id, url, fetched_at);
CREATE INDEX pages_run ON pages (org_id, run_id);
-- Where a payload was archived first, so that it is not archived again.
CREATE INDEX pages_digest ON pages (digest) WHERE digest <> '';

CREATE TABLE records (
	org_id       TEXT NOT NULL,
	id           TEXT NOT NULL,
	source_id    TEXT NOT NULL,
	run_id       TEXT NOT NULL,
	page_id      TEXT NOT NULL,
	blueprint_id TEXT NOT NULL,
	schema       TEXT NOT NULL,
	external_id  TEXT NOT NULL,
	url          TEXT NOT NULL,
	fields       {json} NOT NULL,
	provenance   {json} NOT NULL,
	record_hash  TEXT NOT NULL,
	created_at   BIGINT NOT NULL,
	PRIMARY KEY (org_id, id),
	FOREIGN KEY (org_id, source_id) REFERENCES sources (org_id, id),
	FOREIGN KEY (org_id, run_id) REFERENCES runs (org_id, id),
	FOREIGN KEY (org_id, page_id) REFERENCES pages (org_id, id),
	FOREIGN KEY (org_id, blueprint_id) REFERENCES blueprints (org_id, id)
);
CREATE INDEX records_run ON records (org_id, run_id, id);

CREATE TABLE entities (
	org_id        TEXT NOT NULL,
	id            TEXT NOT NULL,
	source_id     TEXT NOT NULL,
	schema        TEXT NOT NULL,
	external_id   TEXT NOT NULL,
	status        TEXT NOT NULL CHECK (status IN ('active', 'stale', 'removed', 'finished')),
	version       INTEGER NOT NULL,
	fields        {json} NOT NULL,
	record_hash   TEXT NOT NULL,
	first_seen_at BIGINT NOT NULL,
	last_seen_at  BIGINT NOT NULL,
	PRIMARY KEY (org_id, id),
	UNIQUE (org_id, source_id, schema, external_id),
	FOREIGN KEY (org_id, source_id) REFERENCES sources (org_id, id)
);

CREATE TABLE publications (
	org_id          TEXT NOT NULL,
	id              TEXT NOT NULL,
	run_id          TEXT NOT NULL,
	scope           TEXT NOT NULL,
	decision        TEXT NOT NULL,
	class           TEXT NOT NULL,
	snapshot_hash   TEXT NOT NULL,
	normalized_hash TEXT NOT NULL,
	envelope_hash   TEXT NOT NULL,
	supersedes      TEXT,
	published_at    BIGINT NOT NULL,
	PRIMARY KEY (org_id, id),
	FOREIGN KEY (org_id, run_id) REFERENCES runs (org_id, id),
	FOREIGN KEY (org_id, supersedes) REFERENCES publications (org_id, id)
);
CREATE INDEX publications_latest ON publications (org_id, scope, published_at);
CREATE INDEX publications_run ON publications (org_id, run_id);
-- One line of publications for a scope: two runs can neither both be the first
-- nor both follow one.
CREATE UNIQUE INDEX publications_lineage ON publications (org_id, scope, coalesce(supersedes, ''));

-- The last sequence given to a change of the org.
CREATE TABLE change_counters (
	org_id        TEXT NOT NULL REFERENCES orgs (id),
	last_sequence BIGINT NOT NULL,
	PRIMARY KEY (org_id)
);

CREATE TABLE changes (
	org_id      TEXT NOT NULL REFERENCES orgs (id),
	id          TEXT NOT NULL,
	sequence    BIGINT NOT NULL,
	kind        TEXT NOT NULL,
	source_id   TEXT,
	watch_id    TEXT,
	entity_id   TEXT,
	version     INTEGER,
	payload     {json} NOT NULL,
	occurred_at BIGINT NOT NULL,
	PRIMARY KEY (org_id, id),
	UNIQUE (org_id, sequence),
	UNIQUE (org_id, entity_id, version),
	FOREIGN KEY (org_id, source_id) REFERENCES sources (org_id, id),
	FOREIGN KEY (org_id, watch_id) REFERENCES watches (org_id, id),
	FOREIGN KEY (org_id, entity_id) REFERENCES entities (org_id, id)
);

CREATE TABLE subscriptions (
	org_id     TEXT NOT NULL REFERENCES orgs (id),
	id         TEXT NOT NULL,
	name       TEXT NOT NULL,
	kinds      TEXT NOT NULL,
	filter     {json},
	source_id  TEXT,
	watch_id   TEXT,
	channel    TEXT NOT NULL CHECK (channel IN ('webhook', 'slack', 'email')),
	target     {json} NOT NULL,
	status     TEXT NOT NULL CHECK (status IN ('active', 'paused', 'disabled')),
	created_at BIGINT NOT NULL,
	PRIMARY KEY (org_id, id),
	FOREIGN KEY (org_id, source_id) REFERENCES sources (org_id, id),
	FOREIGN KEY (org_id, watch_id) REFERENCES watches (org_id, id)
);

CREATE TABLE deliveries (
	org_id          TEXT NOT NULL,
	id              TEXT NOT NULL,
	change_id       TEXT NOT NULL,
	subscription_id TEXT NOT NULL,
	status          TEXT NOT NULL CHECK (status IN ('pending', 'delivered', 'dead')),
	attempts        INTEGER NOT NULL DEFAULT 0,
	last_error      TEXT NOT NULL DEFAULT '',
	next_retry_at   BIGINT,
	delivered_at    BIGINT,
	created_at      BIGINT NOT NULL,
	PRIMARY KEY (org_id, id),
	UNIQUE (org_id, change_id, subscription_id),
	FOREIGN KEY (org_id, change_id) REFERENCES changes (org_id, id),
	FOREIGN KEY (org_id, subscription_id) REFERENCES subscriptions (org_id, id)
);
CREATE INDEX deliveries_due ON deliveries (next_retry_at) WHERE status = 'pending';

-- The org of a fresh installation, and the one that owns upkeep.
INSERT INTO orgs (id, name, created_at) VALUES ('default', 'Default', {now});
INSERT INTO orgs (id, name, created_at) VALUES ('system', 'System', {now});
