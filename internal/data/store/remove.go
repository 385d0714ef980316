package store

import (
	"context"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
)

// Remove forgets a watch and how it saw its entities. The entities, the changes
// that it told and its publications stay; a subscription that asks for it keeps it.
func (s WatchesTx) Remove(ctx context.Context, id curlew.WatchID) error {
	if _, err := s.Lock(ctx, id); err != nil {
		return err
	}
	for _, query := range []string{
		`DELETE FROM sightings WHERE org_id = ? AND watch_id = ?`,
		`DELETE FROM feed_keys WHERE org_id = ? AND thing = ?`,
		`UPDATE changes SET watch_id = NULL WHERE org_id = ? AND watch_id = ?`,
		`DELETE FROM url_log WHERE org_id = ? AND scope = 'watch:' || ?`,
	} {
		if _, err := s.Tx.Exec(ctx, query, s.org, string(id)); err != nil {
			return err
		}
	}
	err := s.update(ctx, "watch", string(id), `DELETE FROM watches WHERE org_id = ? AND id = ?`, s.org, id)
	if database.IsForeign(err) {
		return curlew.Permanent("watch_in_use", "%s has a subscription: remove the subscription first", id)
	}
	return err
}

// Remove forgets a subscription and its deliveries. It waits for those who
// write deliveries for it.
func (s SubscriptionsTx) Remove(ctx context.Context, id curlew.SubscriptionID) error {
	rows, err := s.q.Query(ctx, `SELECT `+subscriptionColumns+` FROM subscriptions WHERE org_id = ? AND id = ? {for_removal}`, s.org, id)
	if _, err := one(the(s, "subscription", string(id)), rows, err, s.store.scanSubscription); err != nil {
		return err
	}
	if _, err := s.Tx.Exec(ctx, `DELETE FROM deliveries WHERE org_id = ? AND subscription_id = ?`, s.org, id); err != nil {
		return err
	}
	if _, err := s.Tx.Exec(ctx, `DELETE FROM feed_keys WHERE org_id = ? AND thing = ?`, s.org, string(id)); err != nil {
		return err
	}
	return s.update(ctx, "subscription", string(id), `DELETE FROM subscriptions WHERE org_id = ? AND id = ?`, s.org, id)
}

// Remove deletes a candidate and its moves.
func (s CandidatesTx) Remove(ctx context.Context, id curlew.CandidateID) error {
	return s.update(ctx, "candidate", string(id), `DELETE FROM candidates WHERE org_id = ? AND id = ?`, s.org, id)
}
