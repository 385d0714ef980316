-- A known text, encrypted with the key of the installation's secrets: by it a process knows whether it has that key. There is
-- none as long as secrets are kept as they are.
CREATE TABLE secrets_marker (
	org_id TEXT NOT NULL PRIMARY KEY REFERENCES orgs (id),
	marker {json} NOT NULL
);
