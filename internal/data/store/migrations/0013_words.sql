-- The words that entities are found by: a sheet for a few dozen entities whose ids follow
-- one another, from the first of them up to the first of the next sheet.
CREATE TABLE entity_words (
	org_id   TEXT NOT NULL REFERENCES orgs (id),
	first_id TEXT NOT NULL,
	sheet    TEXT NOT NULL,
	ids      TEXT NOT NULL,
	PRIMARY KEY (org_id, first_id)
);

-- Which words an entity has on its sheet, as a number; 0 until it has some. Upkeep gives
-- them to those that were there before.
ALTER TABLE entities ADD COLUMN words BIGINT NOT NULL DEFAULT 0;
CREATE INDEX entities_unread ON entities (org_id, id) WHERE words = 0;
