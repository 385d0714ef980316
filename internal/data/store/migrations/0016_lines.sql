-- A source may have several lists of one kind, each with its own line of blueprint versions.
ALTER TABLE blueprints ADD COLUMN line TEXT NOT NULL DEFAULT '';
DROP INDEX blueprints_active;
CREATE UNIQUE INDEX blueprints_active ON blueprints (org_id, source_id, schema, page_type, line) WHERE status = 'active';
-- One spelling of a site: with a slash after its host.
UPDATE sources SET base_url = base_url || '/' WHERE base_url LIKE 'http%://%' AND base_url NOT LIKE '%://%/%';
-- A candidate knows the watch that it became: its source may have others.
ALTER TABLE candidates ADD COLUMN watch_id TEXT NOT NULL DEFAULT '';
UPDATE candidates SET watch_id = coalesce((SELECT min(w.id) FROM watches w
	WHERE w.org_id = candidates.org_id AND w.source_id = candidates.source_id), '') WHERE source_id IS NOT NULL;
