-- The kinds of things that an org made for itself; the built-in ones are in the program.
CREATE TABLE kinds (
	org_id     TEXT NOT NULL REFERENCES orgs (id),
	name       TEXT NOT NULL,
	definition TEXT NOT NULL, -- JSON, in the form of the built-in ones
	made_at    BIGINT NOT NULL,
	PRIMARY KEY (org_id, name)
);
