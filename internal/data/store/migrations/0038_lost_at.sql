-- When the newest of the fields that the last readings of an entity lack was first lacking.
ALTER TABLE sightings ADD COLUMN lost_at BIGINT;
