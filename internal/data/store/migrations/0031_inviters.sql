-- Who made an invitation, besides who made its link: a key that only made another link does not end the invitation when it is revoked.
ALTER TABLE invitations ADD COLUMN invited_by TEXT NOT NULL DEFAULT '';
UPDATE invitations SET invited_by = made_by;
