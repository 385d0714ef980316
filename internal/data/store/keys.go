package store

import (
	"context"
	"database/sql"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
)

const keyColumns = `id, org_id, name, scopes, created_by, created_at, expires_at, used_at, revoked_at`

// keySelect are the columns, and whether who made the key is disabled: a person, or
// the person behind the keys that made it.
const keySelect = keyColumns + `, EXISTS (WITH RECURSIVE makers (id) AS (SELECT api_keys.created_by
		UNION SELECT k.created_by FROM makers JOIN api_keys AS k ON k.org_id = api_keys.org_id AND k.id = makers.id)
	SELECT 1 FROM makers JOIN memberships AS m ON m.org_id = api_keys.org_id AND m.user_id = makers.id WHERE m.disabled_at IS NOT NULL)`

// madeBy is a condition on keys: a person made them, or a key that such a person made.
const madeBy = `id IN (WITH RECURSIVE made (id) AS (SELECT id FROM api_keys WHERE org_id = ? AND created_by = ?
		UNION SELECT k.id FROM made JOIN api_keys AS k ON k.org_id = ? AND k.created_by = made.id)
	SELECT id FROM made)`

// keyInto is where the columns of a key go, and what is to be done then.
func keyInto(k *curlew.APIKey) ([]any, func()) {
	var scopes database.JSON[[]curlew.KeyScope]
	var created, expires, used, revoked database.Micros
	return []any{&k.ID, &k.Org, &k.Name, &scopes, &k.CreatedBy, &created, &expires, &used, &revoked, &k.Suspended}, func() {
		k.Scopes, k.CreatedAt = scopes.Value, created.Time()
		k.ExpiresAt, k.UsedAt, k.RevokedAt = expires.TimeOrNil(), used.TimeOrNil(), revoked.TimeOrNil()
	}
}

func scanKey(r *sql.Rows) (k curlew.APIKey, err error) {
	into, done := keyInto(&k)
	err = r.Scan(into...)
	done()
	return k, err
}

// Add keeps a new key under the hash of its secret. A key that has an id
// already keeps it: the secret that is shown names it.
func (s KeysTx) Add(ctx context.Context, k curlew.APIKey, hash string) (curlew.APIKey, error) {
	if k.ID == "" {
		k.ID = curlew.Mint[curlew.APIKeyID](s.store.ids)
	}
	err := s.insert(ctx, "key", `INSERT INTO api_keys (hash, `+keyColumns+`) VALUES (?, ?, ?, ?, ?, ?, {now}, ?, ?, ?)`,
		hash, k.ID, s.org, k.Name, database.AsJSON(k.Scopes), k.CreatedBy,
		database.AtOrNull(k.ExpiresAt), database.AtOrNull(k.UsedAt), database.AtOrNull(k.RevokedAt))
	if err != nil {
		return curlew.APIKey{}, err
	}
	return s.Get(ctx, k.ID)
}

// Get returns one key.
func (s Keys) Get(ctx context.Context, id curlew.APIKeyID) (curlew.APIKey, error) {
	rows, err := s.q.Query(ctx, `SELECT `+keySelect+` FROM api_keys WHERE org_id = ? AND id = ?`, s.org, id)
	return one(the(s, "key", string(id)), rows, err, scanKey)
}

// List lists keys, oldest first.
func (s Keys) List(ctx context.Context, window Window) ([]curlew.APIKey, error) {
	rows, err := s.q.Query(ctx, `SELECT `+keySelect+` FROM api_keys WHERE org_id = ? AND id > ? ORDER BY id LIMIT ?`, s.org, window.After,
		window.limit())
	return many(s, rows, err, scanKey)
}

// Count counts the keys that let somebody in.
func (s Keys) Count(ctx context.Context, now time.Time) (int64, error) {
	rows, err := s.q.Query(ctx, `SELECT count(*) FROM api_keys WHERE org_id = ? AND revoked_at IS NULL
		AND (expires_at IS NULL OR expires_at > ?)`,
		s.org, database.At(now))
	return one(the(s, "org", string(s.org)), rows, err, scanNumber)
}

// RevokedKey is what ended with a key.
type RevokedKey struct {
	Keys  int   `json:"keys"`  // with those that it made, and they
	Links int64 `json:"links"` // of invitations, which end with it if it made them, and to sign in
}

// Revoke makes a key worthless, and the keys and links that were made with it; what is stays as it was.
func (s KeysTx) Revoke(ctx context.Context, id curlew.APIKeyID, at time.Time) (ended RevokedKey, err error) {
	if _, err = s.Get(ctx, id); err != nil {
		return ended, err
	}
	rows, err := s.q.Query(ctx, `UPDATE api_keys SET revoked_at = coalesce(revoked_at, ?) WHERE org_id = ? AND (id = ? OR `+madeBy+`)
		RETURNING id`,
		database.At(at), s.org, id, s.org, id, s.org)
	keys, err := many(s, rows, err, scanText)
	ended.Keys = len(keys)
	for _, key := range keys {
		for _, end := range []string{
			`DELETE FROM invitations WHERE invited_by = ?`, // also to another org, which it made
			`UPDATE invitations SET hash = {secret}, made_by = '' WHERE made_by = ?`,
			`DELETE FROM sign_in_links WHERE made_by = ?`,
		} {
			n, err := s.Tx.Exec(ctx, end, key)
			if err != nil {
				return ended, err
			}
			ended.Links += n
		}
	}
	return ended, err
}

// Use keeps when a key was last used.
func (s KeysTx) Use(ctx context.Context, id curlew.APIKeyID, at time.Time) error {
	return s.update(ctx, "key", string(id), `UPDATE api_keys SET used_at = ? WHERE org_id = ? AND id = ?`, database.At(at), s.org, id)
}

// KeyOfAnyOrg returns the key that an id names and the hash of its secret. It is
// for those who only present a key: it says whose they are.
func (s *Store) KeyOfAnyOrg(ctx context.Context, id curlew.APIKeyID) (curlew.APIKey, string, error) {
	var hash string
	rows, err := s.db.Query(ctx, `SELECT hash, `+keySelect+` FROM api_keys WHERE id = ?`, id)
	key, err := one(the(s.Org(curlew.SystemOrg), "key", string(id)), rows, err, func(r *sql.Rows) (k curlew.APIKey, err error) {
		into, done := keyInto(&k)
		err = r.Scan(append([]any{&hash}, into...)...)
		done()
		return k, err
	})
	return key, hash, err
}
