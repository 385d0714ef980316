-- Since when somebody is kept out of the org without being removed from it.
ALTER TABLE memberships ADD COLUMN disabled_at BIGINT;
