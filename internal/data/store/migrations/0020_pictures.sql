-- The icon of a site, as text in base64: one form for both databases.
CREATE TABLE source_pictures (
	org_id     TEXT NOT NULL,
	source_id  TEXT NOT NULL,
	media_type TEXT NOT NULL,
	body       TEXT NOT NULL,
	PRIMARY KEY (org_id, source_id),
	FOREIGN KEY (org_id, source_id) REFERENCES sources (org_id, id)
);
