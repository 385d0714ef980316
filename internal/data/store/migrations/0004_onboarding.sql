-- What onboarding, quality and healing keep.

ALTER TABLE sources ADD COLUMN probation_until BIGINT;
ALTER TABLE sources ADD COLUMN good_runs INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sources ADD COLUMN heal_failures INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sources ADD COLUMN quality INTEGER;
ALTER TABLE sources ADD COLUMN why TEXT NOT NULL DEFAULT '';
ALTER TABLE sources ADD COLUMN rules TEXT NOT NULL DEFAULT 'null';

ALTER TABLE watches ADD COLUMN fingerprint TEXT NOT NULL DEFAULT '';

ALTER TABLE candidates ADD COLUMN review INTEGER NOT NULL DEFAULT 0;

-- One quality score of a source, at a time.
CREATE TABLE scorecards (
	org_id    TEXT NOT NULL,
	source_id TEXT NOT NULL,
	at        BIGINT NOT NULL,
	run_id    TEXT NOT NULL,
	score     INTEGER NOT NULL,
	card      {json} NOT NULL,
	PRIMARY KEY (org_id, source_id, at),
	FOREIGN KEY (org_id, source_id) REFERENCES sources (org_id, id)
);

-- One attempt to heal a source, with all that a person needs to believe it. It
-- outlives its run and its watch.
CREATE TABLE heals (
	org_id         TEXT NOT NULL,
	run_id         TEXT NOT NULL,
	source_id      TEXT NOT NULL,
	watch_id       TEXT NOT NULL,
	outcome        TEXT NOT NULL CHECK (outcome IN ('healed', 'failed', 'kept')),
	from_blueprint TEXT NOT NULL,
	to_blueprint   TEXT,
	report         {json} NOT NULL,
	began_at       BIGINT NOT NULL,
	ended_at       BIGINT NOT NULL,
	PRIMARY KEY (org_id, run_id),
	FOREIGN KEY (org_id, source_id) REFERENCES sources (org_id, id),
	FOREIGN KEY (org_id, from_blueprint) REFERENCES blueprints (org_id, id),
	FOREIGN KEY (org_id, to_blueprint) REFERENCES blueprints (org_id, id)
);
CREATE INDEX heals_source ON heals (org_id, source_id, began_at);

-- What models were asked, and what that cost.
CREATE TABLE model_calls (
	org_id        TEXT NOT NULL REFERENCES orgs (id),
	id            TEXT NOT NULL,
	source_id     TEXT,
	purpose       TEXT NOT NULL,
	provider      TEXT NOT NULL,
	model         TEXT NOT NULL,
	input_tokens  BIGINT NOT NULL,
	output_tokens BIGINT NOT NULL,
	estimated     INTEGER NOT NULL,
	cost_micros   BIGINT NOT NULL,
	took_ms       BIGINT NOT NULL,
	outcome       TEXT NOT NULL,
	fault_code    TEXT NOT NULL DEFAULT '',
	at            BIGINT NOT NULL,
	PRIMARY KEY (org_id, id),
	FOREIGN KEY (org_id, source_id) REFERENCES sources (org_id, id)
);
CREATE INDEX model_calls_at ON model_calls (org_id, at);
