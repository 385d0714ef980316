-- How a subscriber is spared: updates that are joined, hours without messages, and messages an hour at the most.
ALTER TABLE subscriptions ADD COLUMN settle TEXT NOT NULL DEFAULT '';
ALTER TABLE subscriptions ADD COLUMN quiet TEXT NOT NULL DEFAULT '';
ALTER TABLE subscriptions ADD COLUMN at_most BIGINT NOT NULL DEFAULT 0;
