-- Accounts. A person belongs to no single org: users, their sign-ins, links and
-- failed attempts are rows of the org that owns upkeep ('system'). What a person
-- is in an org, its keys and its audit log are the org's own.

CREATE TABLE users (
	org_id       TEXT NOT NULL REFERENCES orgs (id),
	id           TEXT NOT NULL,
	email        TEXT NOT NULL,
	name         TEXT NOT NULL,
	password     TEXT NOT NULL DEFAULT '',
	issuer       TEXT NOT NULL DEFAULT '',
	subject      TEXT NOT NULL DEFAULT '',
	created_at   BIGINT NOT NULL,
	signed_in_at BIGINT,
	PRIMARY KEY (org_id, id)
);
CREATE UNIQUE INDEX users_email ON users (org_id, email);
CREATE UNIQUE INDEX users_subject ON users (org_id, issuer, subject) WHERE subject <> '';

-- The user is a row of 'system', which no reference of another org can name; fsck looks.
CREATE TABLE memberships (
	org_id     TEXT NOT NULL REFERENCES orgs (id),
	user_id    TEXT NOT NULL,
	role       TEXT NOT NULL CHECK (role IN ('owner', 'editor', 'viewer')),
	created_at BIGINT NOT NULL,
	PRIMARY KEY (org_id, user_id)
);
CREATE INDEX memberships_user ON memberships (user_id);

-- Of tokens only the SHA-256 is kept.
CREATE TABLE sessions (
	org_id      TEXT NOT NULL,
	id          TEXT NOT NULL,
	hash        TEXT NOT NULL,
	user_id     TEXT NOT NULL,
	current_org TEXT NOT NULL,
	address     TEXT NOT NULL,
	agent       TEXT NOT NULL,
	created_at  BIGINT NOT NULL,
	seen_at     BIGINT NOT NULL,
	expires_at  BIGINT NOT NULL,
	PRIMARY KEY (org_id, id),
	FOREIGN KEY (org_id, user_id) REFERENCES users (org_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX sessions_hash ON sessions (org_id, hash);
CREATE INDEX sessions_user ON sessions (org_id, user_id);

CREATE TABLE sign_in_links (
	org_id     TEXT NOT NULL REFERENCES orgs (id),
	hash       TEXT NOT NULL,
	purpose    TEXT NOT NULL CHECK (purpose IN ('first', 'password')),
	user_id    TEXT,
	created_at BIGINT NOT NULL,
	expires_at BIGINT NOT NULL,
	PRIMARY KEY (org_id, hash),
	FOREIGN KEY (org_id, user_id) REFERENCES users (org_id, id) ON DELETE CASCADE
);
CREATE INDEX sign_in_links_user ON sign_in_links (org_id, user_id);

-- Attempts to sign in, counted per subject (a hash of account, address or both).
CREATE TABLE sign_in_attempts (
	org_id  TEXT NOT NULL REFERENCES orgs (id),
	subject TEXT NOT NULL,
	n       BIGINT NOT NULL,
	since   BIGINT NOT NULL,
	until   BIGINT NOT NULL,
	PRIMARY KEY (org_id, subject)
);

CREATE TABLE api_keys (
	org_id     TEXT NOT NULL REFERENCES orgs (id),
	id         TEXT NOT NULL,
	name       TEXT NOT NULL,
	hash       TEXT NOT NULL,
	scopes     {json} NOT NULL,
	created_by TEXT NOT NULL,
	created_at BIGINT NOT NULL,
	expires_at BIGINT,
	used_at    BIGINT,
	revoked_at BIGINT,
	PRIMARY KEY (org_id, id)
);
CREATE UNIQUE INDEX api_keys_id ON api_keys (id);

-- Who did what to which thing. Nothing in Curlew changes or removes a line.
CREATE TABLE audit_log (
	org_id   TEXT NOT NULL REFERENCES orgs (id),
	sequence BIGINT NOT NULL,
	at       BIGINT NOT NULL,
	actor    TEXT NOT NULL,
	name     TEXT NOT NULL,
	action   TEXT NOT NULL,
	thing    TEXT NOT NULL,
	address  TEXT NOT NULL,
	details  {json} NOT NULL,
	PRIMARY KEY (org_id, sequence)
);
CREATE TABLE audit_counters (
	org_id        TEXT NOT NULL REFERENCES orgs (id),
	last_sequence BIGINT NOT NULL,
	PRIMARY KEY (org_id)
);
