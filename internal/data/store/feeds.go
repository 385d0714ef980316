package store

import (
	"context"
	"database/sql"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
)

// feedKept finds the source, the watch or the subscription that a feed is of.
func (s scope) feedKept(ctx context.Context, id string) error {
	prefix, _, _ := strings.Cut(id, "_")
	query, ok := map[string]string{
		curlew.SourceID("").Prefix():       `SELECT id FROM sources WHERE org_id = ? AND id = ?`,
		curlew.WatchID("").Prefix():        `SELECT id FROM watches WHERE org_id = ? AND id = ?`,
		curlew.SubscriptionID("").Prefix(): `SELECT id FROM subscriptions WHERE org_id = ? AND id = ?`,
	}[prefix]
	if !ok {
		return curlew.NotFound("feed", id)
	}
	rows, err := s.q.Query(ctx, query, s.org, id)
	_, err = one(the(s, "feed", id), rows, err, scanText)
	return err
}

func scanText(r *sql.Rows) (text string, err error) {
	err = r.Scan(&text)
	return text, err
}

// Key returns what the address of a feed must carry besides the id: "" when no address is good.
func (s Feeds) Key(ctx context.Context, id string) (string, error) {
	if err := s.feedKept(ctx, id); err != nil {
		return "", err
	}
	rows, err := s.q.Query(ctx, `SELECT secret FROM feed_keys WHERE org_id = ? AND thing = ?`, s.org, id)
	all, err := many(s, rows, err, scanText)
	if err != nil || len(all) == 0 {
		return "", err
	}
	return all[0], nil
}

// addFeed gives the feed of a new thing its first key.
func (s writing) addFeed(ctx context.Context, id string) error {
	return s.insert(ctx, "feed", `INSERT INTO feed_keys (org_id, thing, secret, made_at) VALUES (?, ?, {secret}, {now})`, s.org, id)
}

// SetKey makes all addresses of a feed worthless but the one with the secret; all of
// them for "".
func (s FeedsTx) SetKey(ctx context.Context, id, secret string) error {
	if err := s.feedKept(ctx, id); err != nil {
		return err
	}
	return s.insert(ctx, "feed", `INSERT INTO feed_keys (org_id, thing, secret, made_at) VALUES (?, ?, ?, {now})
		ON CONFLICT (org_id, thing) DO UPDATE SET secret = excluded.secret, made_at = excluded.made_at`, s.org, id, secret)
}
