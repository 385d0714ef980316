package store

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
)

const subscriptionColumns = `id, org_id, name, kinds, filter, source_id, watch_id, channel, target, digest, status, health, created_at,
	leave_key, settle, quiet, at_most`

func (s *Store) scanSubscription(r *sql.Rows) (sub curlew.Subscription, err error) {
	var kinds database.JSON[[]curlew.ChangeKind]
	var target database.JSON[json.RawMessage]
	var health database.JSON[curlew.EndpointHealth]
	var created database.Micros
	err = r.Scan(&sub.ID, &sub.Org, &sub.Name, &kinds, &sub.Filter, text[curlew.SourceID]{&sub.Source}, text[curlew.WatchID]{&sub.Watch},
		&sub.Channel, &target, &sub.Digest, &sub.Status, &health, &created, &sub.UnsubscribeKey, &sub.Settle, &sub.Quiet, &sub.AtMost)
	sub.Kinds, sub.Health, sub.CreatedAt = kinds.Value, health.Value, created.Time()
	if err == nil {
		sub.Target, _, err = s.sealer.open(sub.Org, target.Value)
	}
	return sub, err
}

// Add keeps a new subscription and returns it with its id.
func (s SubscriptionsTx) Add(ctx context.Context, sub curlew.Subscription) (curlew.Subscription, error) {
	sub.ID = curlew.Mint[curlew.SubscriptionID](s.store.ids)
	err := s.insert(ctx, "subscription", `INSERT INTO subscriptions (`+subscriptionColumns+`)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, {now}, {secret}, ?, ?, ?)`,
		sub.ID, s.org, sub.Name, database.AsJSON(sub.Kinds), sub.Filter, null(sub.Source), null(sub.Watch),
		sub.Channel, rawOrNull(s.store.sealer.seal(s.org, sub.Target)), sub.Digest, sub.Status, database.AsJSON(sub.Health),
		sub.Settle, sub.Quiet, sub.AtMost)
	if err == nil {
		err = s.checkSealer(ctx, sub.Target)
	}
	if err == nil {
		err = s.addFeed(ctx, string(sub.ID))
	}
	if err != nil {
		return curlew.Subscription{}, err
	}
	return s.Get(ctx, sub.ID)
}

// Get returns one subscription.
func (s Subscriptions) Get(ctx context.Context, id curlew.SubscriptionID) (curlew.Subscription, error) {
	rows, err := s.q.Query(ctx, `SELECT `+subscriptionColumns+` FROM subscriptions WHERE org_id = ? AND id = ?`, s.org, id)
	return one(the(s, "subscription", string(id)), rows, err, s.store.scanSubscription)
}

// List lists subscriptions, oldest first.
func (s Subscriptions) List(ctx context.Context, window Window) ([]curlew.Subscription, error) {
	rows, err := s.q.Query(ctx, `SELECT `+subscriptionColumns+` FROM subscriptions WHERE org_id = ? AND id > ? ORDER BY id LIMIT ?`,
		s.org, window.After, window.limit())
	return many(s, rows, err, s.store.scanSubscription)
}

// Active lists those that receive deliveries. They stay until the
// transaction ends, so that deliveries can be written for them.
func (s SubscriptionsTx) Active(ctx context.Context) ([]curlew.Subscription, error) {
	rows, err := s.q.Query(ctx, `SELECT `+subscriptionColumns+` FROM subscriptions WHERE org_id = ? AND status = 'active'
		ORDER BY id {held}`, s.org)
	return many(s, rows, err, s.store.scanSubscription)
}

// Lock returns one subscription and makes others who change it wait.
func (s SubscriptionsTx) Lock(ctx context.Context, id curlew.SubscriptionID) (curlew.Subscription, error) {
	rows, err := s.q.Query(ctx, `SELECT `+subscriptionColumns+` FROM subscriptions WHERE org_id = ? AND id = ? {for_update}`, s.org, id)
	return one(the(s, "subscription", string(id)), rows, err, s.store.scanSubscription)
}

// Await waits for those who write deliveries for a subscription, and lets no other begin before the transaction ends.
func (s SubscriptionsTx) Await(ctx context.Context, id curlew.SubscriptionID) error {
	_, err := s.Tx.Exec(ctx, `SELECT 1 FROM subscriptions WHERE org_id = ? AND id = ? {for_removal}`, s.org, id)
	return err
}

// Save writes a subscription as it is now.
func (s SubscriptionsTx) Save(ctx context.Context, sub curlew.Subscription) error {
	err := s.update(ctx, "subscription", string(sub.ID), `UPDATE subscriptions SET name = ?, kinds = ?, filter = ?, source_id = ?,
		watch_id = ?, channel = ?, target = ?, digest = ?, status = ?, health = ?, settle = ?, quiet = ?, at_most = ? WHERE org_id = ?
		AND id = ?`,
		sub.Name, database.AsJSON(sub.Kinds), sub.Filter, null(sub.Source), null(sub.Watch), sub.Channel,
		rawOrNull(s.store.sealer.seal(s.org, sub.Target)), sub.Digest, sub.Status, database.AsJSON(sub.Health),
		sub.Settle, sub.Quiet, sub.AtMost, s.org, sub.ID)
	if err == nil {
		err = s.checkSealer(ctx, sub.Target)
	}
	return err
}
