package store

import (
	"context"
	"database/sql"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
)

const foundColumns = `url, key, found_on, depth, lastmod, first_seen_at, last_seen_at, active, fetched_at, outcome, status,
	etag, last_modified, digest, page_id, reason, failures`

func scanFound(r *sql.Rows) (f curlew.Found, err error) {
	var lastmod, first, last, fetched database.Micros
	err = r.Scan(&f.URL, &f.Key, &f.FoundOn, &f.Depth, &lastmod, &first, &last, &f.Active, &fetched, &f.Outcome, &f.Status,
		&f.ETag, &f.LastModified, &f.Digest, text[curlew.PageID]{&f.Page}, &f.Reason, &f.Failures)
	f.LastMod, f.FirstSeenAt, f.LastSeenAt, f.FetchedAt = lastmod.TimeOrNil(), first.Time(), last.Time(), fetched.TimeOrNil()
	return f, err
}

// rowsPerInsert keeps bulk inserts below the engines' limits of values.
const rowsPerInsert = 400

// Seen writes down that a scope has found these URLs now: new ones are added,
// known ones are active again and were seen last now. What the sitemap says of
// their age is written down when they are fetched.
func (s URLsTx) Seen(ctx context.Context, scope string, visits []curlew.Visit) error {
	return inChunks(visits, func(some []curlew.Visit) error {
		values := make([]any, 0, 6*len(some))
		for _, v := range some {
			values = append(values, s.org, scope, v.Key, v.URL, v.FoundOn, v.Depth)
		}
		_, err := s.Tx.Exec(ctx, `INSERT INTO url_log (org_id, scope, key, url, found_on, depth, first_seen_at, last_seen_at) VALUES `+
			placeholders(len(some), `(?, ?, ?, ?, ?, ?, {now}, {now})`)+`
			ON CONFLICT (org_id, scope, key) DO UPDATE SET last_seen_at = excluded.last_seen_at, active = 1`, values...)
		return err
	})
}

// SeenAgain writes down that known URLs of a scope were found again, those that
// were last seen before the given time.
func (s URLsTx) SeenAgain(ctx context.Context, scope string, keys []string, before time.Time) error {
	_, err := s.Tx.Exec(ctx, `UPDATE url_log SET last_seen_at = {now}, active = 1
		WHERE org_id = ? AND scope = ? AND key {in ?} AND last_seen_at < ?`, s.org, scope, database.AsList(keys), before.UnixMicro())
	return err
}

// Decided writes down why URLs of the log are asked for now, or why not.
func (s URLsTx) Decided(ctx context.Context, scope string, visits []curlew.Visit) error {
	byReason := map[string][]string{}
	for _, v := range visits {
		byReason[v.Reason] = append(byReason[v.Reason], v.Key)
	}
	for _, reason := range slices.Sorted(maps.Keys(byReason)) {
		_, err := s.Tx.Exec(ctx, `UPDATE url_log SET reason = ? WHERE org_id = ? AND scope = ? AND key {in ?} AND reason <> ?`,
			reason, s.org, scope, database.AsList(byReason[reason]), reason)
		if err != nil {
			return err
		}
	}
	return nil
}

// Fetched writes down what came of asking for a URL of the log. What a
// failure did not bring (validators, digest, lastmod) is kept from before.
func (s URLsTx) Fetched(ctx context.Context, scope string, visit curlew.Visit, page curlew.Page) error {
	var set string
	var values []any
	failures := `0`
	switch page.Outcome {
	case curlew.OutcomeFetched:
		set = `etag = ?, last_modified = ?, digest = ?, lastmod = ?, `
		values = []any{page.ETag, page.LastModified, page.Digest, database.AtOrNull(visit.LastMod)}
	case curlew.OutcomeNotModified:
		set = `lastmod = ?, `
		values = []any{database.AtOrNull(visit.LastMod)}
	default:
		failures = `failures + 1`
	}
	values = append(values, page.Outcome, page.Status, null(page.ID), s.org, scope, visit.Key)
	_, err := s.Tx.Exec(ctx, `UPDATE url_log SET `+set+`fetched_at = {now}, outcome = ?, status = ?, page_id = coalesce(?, page_id),
		failures = `+
		failures+` WHERE org_id = ? AND scope = ? AND key = ?`, values...)
	return err
}

// Unchanged does the same for many URLs that were not modified and of whose
// age no sitemap says anything.
func (s URLsTx) Unchanged(ctx context.Context, scope string, keys []string, status int) error {
	_, err := s.Tx.Exec(ctx, `UPDATE url_log SET lastmod = NULL, fetched_at = {now}, outcome = ?, status = ?, failures = 0
		WHERE org_id = ? AND scope = ? AND key {in ?}`, curlew.OutcomeNotModified, status, s.org, scope, database.AsList(keys))
	return err
}

// Found looks up URLs of a scope by their keys.
func (s URLs) Found(ctx context.Context, scope string, keys []string) (map[string]curlew.Found, error) {
	rows, err := s.q.Query(ctx, `SELECT `+foundColumns+` FROM url_log WHERE org_id = ? AND scope = ? AND key {in ?}`,
		s.org, scope, database.AsList(keys))
	all, err := many(s, rows, err, scanFound)
	byKey := make(map[string]curlew.Found, len(all))
	for _, f := range all {
		byKey[f.Key] = f
	}
	return byKey, err
}

// List lists the URLs of a scope by key.
func (s URLs) List(ctx context.Context, scope string, activeOnly bool, w Window) ([]curlew.Found, error) {
	rows, err := s.q.Query(ctx, `SELECT `+foundColumns+` FROM url_log WHERE org_id = ? AND scope = ? AND key > ?
		AND (active = 1 OR ? = 0) ORDER BY key LIMIT ?`, s.org, scope, w.After, flag(activeOnly), w.limit())
	return many(s, rows, err, scanFound)
}

// Orphans turns the URLs of a scope inactive that a finished run did not see,
// and returns them. A URL that was found on a page that the run did not read anew
// (unchanged, skipped, failed) counts as seen. Nothing is ever deleted.
func (s URLsTx) Orphans(ctx context.Context, scope string, run curlew.Run) ([]string, error) {
	rows, err := s.Tx.Query(ctx, `UPDATE url_log SET active = 0 WHERE org_id = ? AND scope = ? AND active = 1 AND last_seen_at < ?
		AND found_on NOT IN (SELECT url FROM frontier WHERE org_id = ? AND run_id = ? AND (state <> 'done' OR reason = 'not_modified'))
		RETURNING url`, s.org, scope, run.CreatedAt.UnixMicro(), s.org, run.ID)
	return database.Collect(rows, err, func(r *sql.Rows) (url string, err error) {
		err = r.Scan(&url)
		return url, err
	})
}

func inChunks[T any](all []T, do func([]T) error) error {
	for len(all) > 0 {
		n := min(len(all), rowsPerInsert)
		if err := do(all[:n]); err != nil {
			return err
		}
		all = all[n:]
	}
	return nil
}

func placeholders(rows int, row string) string {
	return strings.Repeat(row+", ", rows-1) + row
}
