-- What is set aside for questions to models that are on their way. It counts against
-- the budget until the call is kept; one that nobody keeps in time was asked by a
-- process that died, and is kept for it at the price of its question.
CREATE TABLE model_reservations (
	org_id       TEXT NOT NULL REFERENCES orgs (id),
	id           TEXT NOT NULL,
	source_id    TEXT,
	purpose      TEXT NOT NULL,
	provider     TEXT NOT NULL,
	model        TEXT NOT NULL,
	input_tokens BIGINT NOT NULL,
	ask_micros   BIGINT NOT NULL,
	most_micros  BIGINT NOT NULL,
	at           BIGINT NOT NULL,
	expires_at   BIGINT NOT NULL,
	PRIMARY KEY (org_id, id),
	FOREIGN KEY (org_id, source_id) REFERENCES sources (org_id, id)
);
