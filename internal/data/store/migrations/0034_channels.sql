-- Chats and push services besides webhook, slack and email. SQLite changes no constraint of a column that is there: the column is made
-- anew, and what may stand in it is checked by who writes it.
ALTER TABLE subscriptions ADD COLUMN new_channel TEXT NOT NULL DEFAULT '';
UPDATE subscriptions SET new_channel = channel;
ALTER TABLE subscriptions DROP COLUMN channel;
ALTER TABLE subscriptions RENAME COLUMN new_channel TO channel;
