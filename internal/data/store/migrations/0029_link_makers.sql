-- Who made the link of an invitation, or to sign in: what a key made ends with it. Of older links nobody knows.
ALTER TABLE invitations ADD COLUMN made_by TEXT NOT NULL DEFAULT '';
ALTER TABLE sign_in_links ADD COLUMN made_by TEXT NOT NULL DEFAULT '';
