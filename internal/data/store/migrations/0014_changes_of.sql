-- The changes of some entities, in their order: for their history, and for a search that
-- finds a few hundred of them.
CREATE INDEX changes_entity ON changes (org_id, entity_id, sequence);
