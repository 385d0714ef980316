-- Why each URL was asked for at the last check or crawl, or why not, and how often in a row it refused; and how old a detail
-- page may get before it is read again, in microseconds: 0 is what the configuration says.
ALTER TABLE url_log ADD COLUMN reason TEXT NOT NULL DEFAULT '';
ALTER TABLE url_log ADD COLUMN failures INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sightings ADD COLUMN detail_every BIGINT NOT NULL DEFAULT 0;
