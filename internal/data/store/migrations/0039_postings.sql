-- The words of some entities are a block of postings.
ALTER TABLE entity_words RENAME COLUMN sheet TO postings;
