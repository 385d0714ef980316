-- Pages from which contacts of people were taken out when they were read: their copies in the archive are kept for a
-- shorter time. What is to be erased is no copy any more.
ALTER TABLE pages ADD COLUMN personal INTEGER NOT NULL DEFAULT 0;
ALTER TABLE pages ADD COLUMN erase_ref TEXT NOT NULL DEFAULT '';
CREATE INDEX pages_personal ON pages (digest) WHERE personal = 1 AND archive_ref <> '';
CREATE INDEX pages_erase ON pages (erase_ref) WHERE erase_ref <> '';
