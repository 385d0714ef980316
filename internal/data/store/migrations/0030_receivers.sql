-- What became of an e-mail for each of its receivers, once one of them has it.
ALTER TABLE deliveries ADD COLUMN receivers {json};
