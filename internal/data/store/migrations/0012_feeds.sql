-- What the address of a feed must carry besides the id of its thing, since somebody
-- revoked the bare one; '' where no address is good.
CREATE TABLE feed_keys (
	org_id  TEXT NOT NULL REFERENCES orgs (id),
	thing   TEXT NOT NULL,
	secret  TEXT NOT NULL,
	made_at BIGINT NOT NULL,
	PRIMARY KEY (org_id, thing)
);
