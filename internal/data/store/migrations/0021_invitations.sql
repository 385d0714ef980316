-- Who is invited to an org and has not come yet. There is no person until then, and no
-- membership: to invite an address gives no say over it. Of the link's token only the
-- SHA-256 is kept. The id becomes that of the user, where the person is new.
CREATE TABLE invitations (
	org_id     TEXT NOT NULL REFERENCES orgs (id),
	id         TEXT NOT NULL,
	email      TEXT NOT NULL,
	name       TEXT NOT NULL,
	role       TEXT NOT NULL CHECK (role IN ('owner', 'editor', 'viewer')),
	hash       TEXT NOT NULL,
	created_at BIGINT NOT NULL,
	expires_at BIGINT NOT NULL,
	PRIMARY KEY (org_id, id)
);
CREATE UNIQUE INDEX invitations_email ON invitations (org_id, email);
CREATE UNIQUE INDEX invitations_hash ON invitations (hash);

-- The org whose owner made the link, and into which alone it leads; none for the operator's.
ALTER TABLE sign_in_links ADD COLUMN made_in TEXT;
UPDATE sign_in_links SET made_in = (SELECT min(m.org_id) FROM memberships AS m WHERE m.user_id = sign_in_links.user_id);
