-- Fields that the last readings of an entity lack, and how many did in a row; JSON.
ALTER TABLE sightings ADD COLUMN lost TEXT;
