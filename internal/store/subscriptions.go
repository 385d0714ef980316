package store

import (
	"context"
	"database/sql"
	"encoding/json"

	"curlew/internal/curlew"
	"curlew/internal/database"
)

const subscriptionColumns = `id, org_id, name, kinds, filter, source_id, watch_id, channel, target, status, created_at`

func scanSubscription(r *sql.Rows) (sub curlew.Subscription, err error) {
	var kinds database.JSON[[]curlew.ChangeKind]
	var filter, target database.JSON[json.RawMessage]
	var created database.Micros
	err = r.Scan(&sub.ID, &sub.Org, &sub.Name, &kinds, &filter, text[curlew.SourceID]{&sub.Source}, text[curlew.WatchID]{&sub.Watch},
		&sub.Channel, &target, &sub.Status, &created)
	sub.Kinds, sub.Filter, sub.Target, sub.CreatedAt = kinds.Value, filter.Value, target.Value, created.Time()
	return sub, err
}

// AddSubscription keeps a new subscription and returns it with its id.
func (s WriteScope) AddSubscription(ctx context.Context, sub curlew.Subscription) (curlew.Subscription, error) {
	sub.ID = curlew.Mint[curlew.SubscriptionID](s.store.ids)
	err := s.insert(ctx, "subscription", `INSERT INTO subscriptions (`+subscriptionColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, {now})`,
		sub.ID, s.org, sub.Name, database.AsJSON(sub.Kinds), database.RawJSON(sub.Filter), null(sub.Source), null(sub.Watch),
		sub.Channel, rawOrNull(sub.Target), sub.Status)
	if err != nil {
		return curlew.Subscription{}, err
	}
	return s.Subscription(ctx, sub.ID)
}

// Subscription returns one subscription.
func (s Scope) Subscription(ctx context.Context, id curlew.SubscriptionID) (curlew.Subscription, error) {
	rows, err := s.q.Query(ctx, `SELECT `+subscriptionColumns+` FROM subscriptions WHERE org_id = ? AND id = ?`, s.org, id)
	return one(s, "subscription", string(id), rows, err, scanSubscription)
}

// Subscriptions lists subscriptions, oldest first.
func (s Scope) Subscriptions(ctx context.Context, window Window) ([]curlew.Subscription, error) {
	rows, err := s.q.Query(ctx, `SELECT `+subscriptionColumns+` FROM subscriptions WHERE org_id = ? AND id > ? ORDER BY id LIMIT ?`,
		s.org, window.After, window.limit())
	return many(s, rows, err, scanSubscription)
}
