-- What watching and telling need. Runs are cleared after a while; what refers to
-- one for the record only (changes) does so without holding it.

ALTER TABLE watches ADD COLUMN name TEXT NOT NULL DEFAULT '';
ALTER TABLE watches ADD COLUMN settings TEXT NOT NULL DEFAULT 'null';
ALTER TABLE watches ADD COLUMN held TEXT NOT NULL DEFAULT 'null';
ALTER TABLE watches ADD COLUMN rhythm TEXT NOT NULL DEFAULT 'null';
ALTER TABLE watches ADD COLUMN snapshot_hash TEXT NOT NULL DEFAULT '';
ALTER TABLE watches ADD COLUMN rules_hash TEXT NOT NULL DEFAULT '';
CREATE UNIQUE INDEX watches_url ON watches (org_id, source_id, url, blueprint_id);

ALTER TABLE entities ADD COLUMN url TEXT NOT NULL DEFAULT '';
ALTER TABLE entities ADD COLUMN record_id TEXT NOT NULL DEFAULT '';
ALTER TABLE entities ADD COLUMN stale_said INTEGER NOT NULL DEFAULT 0;

-- Other external ids by which an entity was known.
CREATE TABLE entity_aliases (
	org_id      TEXT NOT NULL,
	source_id   TEXT NOT NULL,
	schema      TEXT NOT NULL,
	external_id TEXT NOT NULL,
	entity_id   TEXT NOT NULL,
	confidence  DOUBLE PRECISION NOT NULL,
	why         TEXT NOT NULL,
	created_at  BIGINT NOT NULL,
	PRIMARY KEY (org_id, source_id, schema, external_id),
	FOREIGN KEY (org_id, source_id) REFERENCES sources (org_id, id),
	FOREIGN KEY (org_id, entity_id) REFERENCES entities (org_id, id)
);
CREATE INDEX entity_aliases_entity ON entity_aliases (org_id, entity_id);

-- How each watch last saw each entity.
CREATE TABLE sightings (
	org_id    TEXT NOT NULL,
	watch_id  TEXT NOT NULL,
	entity_id TEXT NOT NULL,
	seen_at   BIGINT NOT NULL,
	misses    INTEGER NOT NULL DEFAULT 0,
	missed_at BIGINT,
	position  INTEGER NOT NULL DEFAULT 0,
	listed    TEXT NOT NULL DEFAULT '',
	detail_at BIGINT,
	detail    TEXT NOT NULL DEFAULT 'null',
	PRIMARY KEY (org_id, watch_id, entity_id),
	FOREIGN KEY (org_id, watch_id) REFERENCES watches (org_id, id),
	FOREIGN KEY (org_id, entity_id) REFERENCES entities (org_id, id)
);
CREATE INDEX sightings_entity ON sightings (org_id, entity_id);

ALTER TABLE publications ADD COLUMN reason TEXT NOT NULL DEFAULT '';
ALTER TABLE publications ADD COLUMN entities INTEGER NOT NULL DEFAULT 0;
ALTER TABLE publications ADD COLUMN changes INTEGER NOT NULL DEFAULT 0;

ALTER TABLE changes ADD COLUMN run_id TEXT NOT NULL DEFAULT '';
CREATE INDEX changes_source ON changes (org_id, source_id, sequence);
CREATE INDEX changes_occurred ON changes (org_id, occurred_at);

ALTER TABLE subscriptions DROP COLUMN filter;
ALTER TABLE subscriptions ADD COLUMN filter TEXT NOT NULL DEFAULT '';
ALTER TABLE subscriptions ADD COLUMN digest TEXT NOT NULL DEFAULT '';
ALTER TABLE subscriptions ADD COLUMN health TEXT NOT NULL DEFAULT 'null';

ALTER TABLE deliveries ADD COLUMN sequence BIGINT NOT NULL DEFAULT 0;
ALTER TABLE deliveries ADD COLUMN entity_id TEXT NOT NULL DEFAULT '';
-- What waits for a subscription, in the order of the changes.
CREATE INDEX deliveries_waiting ON deliveries (org_id, subscription_id, sequence) WHERE status = 'pending';
-- Whether an earlier change about the same entity waits still.
CREATE INDEX deliveries_earlier ON deliveries (org_id, subscription_id, entity_id, sequence) WHERE status = 'pending';
CREATE INDEX deliveries_subscription ON deliveries (org_id, subscription_id, id);

CREATE TABLE delivery_attempts (
	org_id      TEXT NOT NULL,
	delivery_id TEXT NOT NULL,
	number      INTEGER NOT NULL,
	at          BIGINT NOT NULL,
	took_ms     BIGINT NOT NULL,
	status      INTEGER NOT NULL,
	answer      TEXT NOT NULL,
	error       TEXT NOT NULL,
	PRIMARY KEY (org_id, delivery_id, number),
	FOREIGN KEY (org_id, delivery_id) REFERENCES deliveries (org_id, id) ON DELETE CASCADE
);
