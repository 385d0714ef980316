-- What the links to unsubscribe are made from, which the e-mails of a subscription carry.
ALTER TABLE subscriptions ADD COLUMN leave_key TEXT NOT NULL DEFAULT '';
UPDATE subscriptions SET leave_key = {secret};
