-- Browsers in which people signed in before, by the hash of a token: failures of others do not keep these out.
CREATE TABLE sign_in_devices (
	org_id     TEXT NOT NULL REFERENCES orgs (id),
	hash       TEXT NOT NULL,
	user_id    TEXT NOT NULL,
	expires_at BIGINT NOT NULL,
	PRIMARY KEY (org_id, hash, user_id),
	FOREIGN KEY (org_id, user_id) REFERENCES users (org_id, id) ON DELETE CASCADE
);
CREATE INDEX sign_in_devices_user ON sign_in_devices (org_id, user_id);
