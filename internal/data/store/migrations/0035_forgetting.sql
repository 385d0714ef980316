-- Pages are found by the file that holds their copies, and forgotten with it unless something refers to them.
CREATE INDEX pages_archived ON pages (archive_ref {bytewise}) WHERE archive_ref <> '';
CREATE INDEX records_page ON records (org_id, page_id);
CREATE INDEX url_log_page ON url_log (org_id, page_id) WHERE page_id IS NOT NULL;
