-- Each receiver of an e-mail has a delivery of their own, with its own attempts and its own times. SQLite changes no constraint of a
-- table that is there: both tables are written anew.
CREATE TABLE new_deliveries (
	org_id          TEXT NOT NULL,
	id              TEXT NOT NULL,
	change_id       TEXT NOT NULL,
	subscription_id TEXT NOT NULL,
	receiver        TEXT NOT NULL DEFAULT '',
	status          TEXT NOT NULL CHECK (status IN ('pending', 'delivered', 'dead')),
	attempts        INTEGER NOT NULL DEFAULT 0,
	last_error      TEXT NOT NULL DEFAULT '',
	next_retry_at   BIGINT,
	delivered_at    BIGINT,
	created_at      BIGINT NOT NULL,
	sequence        BIGINT NOT NULL DEFAULT 0,
	entity_id       TEXT NOT NULL DEFAULT '',
	PRIMARY KEY (org_id, id),
	UNIQUE (org_id, change_id, subscription_id, receiver),
	FOREIGN KEY (org_id, change_id) REFERENCES changes (org_id, id),
	FOREIGN KEY (org_id, subscription_id) REFERENCES subscriptions (org_id, id)
);
INSERT INTO new_deliveries (org_id, id, change_id, subscription_id, status, attempts, last_error, next_retry_at, delivered_at, created_at, sequence, entity_id)
	SELECT org_id, id, change_id, subscription_id, status, attempts, last_error, next_retry_at, delivered_at, created_at, sequence, entity_id FROM deliveries;
CREATE TABLE new_delivery_attempts (
	org_id      TEXT NOT NULL,
	delivery_id TEXT NOT NULL,
	number      INTEGER NOT NULL,
	at          BIGINT NOT NULL,
	took_ms     BIGINT NOT NULL,
	status      INTEGER NOT NULL,
	answer      TEXT NOT NULL,
	error       TEXT NOT NULL,
	PRIMARY KEY (org_id, delivery_id, number),
	FOREIGN KEY (org_id, delivery_id) REFERENCES new_deliveries (org_id, id) ON DELETE CASCADE
);
INSERT INTO new_delivery_attempts SELECT org_id, delivery_id, number, at, took_ms, status, answer, error FROM delivery_attempts;
DROP TABLE delivery_attempts;
DROP TABLE deliveries;
ALTER TABLE new_deliveries RENAME TO deliveries;
ALTER TABLE new_delivery_attempts RENAME TO delivery_attempts;
CREATE INDEX deliveries_due ON deliveries (next_retry_at) WHERE status = 'pending';
CREATE INDEX deliveries_waiting ON deliveries (org_id, subscription_id, receiver, sequence) WHERE status = 'pending';
CREATE INDEX deliveries_earlier ON deliveries (org_id, subscription_id, receiver, entity_id, sequence) WHERE status = 'pending';
CREATE INDEX deliveries_subscription ON deliveries (org_id, subscription_id, id, status);
CREATE INDEX deliveries_status ON deliveries (org_id, status, id) WHERE status <> 'delivered';
