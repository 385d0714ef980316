-- What words on pages mean in a field of a kind, as the org said.
CREATE TABLE field_words (
	org_id  TEXT NOT NULL REFERENCES orgs (id),
	schema  TEXT NOT NULL,
	field   TEXT NOT NULL,
	word    TEXT NOT NULL,
	value   TEXT NOT NULL,
	made_at BIGINT NOT NULL,
	PRIMARY KEY (org_id, schema, field, word)
);
