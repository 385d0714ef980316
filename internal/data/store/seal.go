package store

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"slices"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
)

// Sealer encrypts the secrets of subscriptions: keys of webhooks, addresses of chats, headers. It
// writes with its first key, and as they are without one; it reads with all keys, former ones too.
type Sealer struct {
	keys   []cipher.AEAD
	writes bool
}

// NewSealer makes a sealer of texts that only the operator knows.
func NewSealer(secrets []string, former ...string) Sealer {
	s := Sealer{writes: len(secrets) > 0}
	for _, secret := range slices.Concat(secrets, former) {
		s.keys = append(s.keys, CipherOf("curlew secrets", secret))
	}
	return s
}

// CipherOf encrypts for one purpose with a key of a secret. It chooses a nonce for each text, which it puts before it.
func CipherOf(purpose, secret string) cipher.AEAD {
	key := sha256.Sum256([]byte(purpose + "\x00" + secret))
	block, err := aes.NewCipher(key[:])
	if err != nil {
		panic(err) // the sum has the length of a key
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		panic(err)
	}
	return aead
}

// sealedText is how an encrypted value stands in its JSON column.
type sealedText struct {
	Sealed []byte `json:"sealed"`
}

// ErrSealed is what a database says whose key is missing. Other processes may have it.
var ErrSealed = curlew.Temporary("secrets_sealed", "the secrets of this installation are encrypted with another key: "+
	"put secret.key back into the data folder, or set secrets.key (CURLEW_SECRETS_KEY) to the key of its other processes, and start again")

// seal encrypts a value for its org.
func (s Sealer) seal(org curlew.OrgID, value json.RawMessage) json.RawMessage {
	if !s.writes || len(value) == 0 {
		return value
	}
	return json.RawMessage(database.AsJSON(sealedText{s.keys[0].Seal(nil, nil, value, []byte(org))}))
}

// open decrypts a value, and says whether it is as seal would write it now.
func (s Sealer) open(org curlew.OrgID, kept json.RawMessage) (value json.RawMessage, current bool, err error) {
	var text sealedText
	if json.Unmarshal(kept, &text) != nil || text.Sealed == nil {
		return kept, !s.writes || len(kept) == 0, nil
	}
	for i, key := range s.keys {
		if value, err = key.Open(nil, nil, text.Sealed, []byte(org)); err == nil {
			return value, s.writes && i == 0, nil
		}
	}
	return nil, false, ErrSealed
}

// ReadWith makes a store read secrets with a sealer, and changes nothing.
func (s *Store) ReadWith(sealer Sealer) { s.sealer = sealer }

// SealWith makes a store encrypt secrets from now on, and encrypts those that are not, or with an older key. The first key
// that a database sees becomes that of its installation: from then on a sealer without it is refused.
func (s *Store) SealWith(ctx context.Context, sealer Sealer) error {
	s.sealer = sealer
	stale, marked, err := sealer.examine(ctx, s.db, ``)
	if err != nil || len(stale) == 0 && marked {
		return s.db.Explain(err)
	}
	return s.db.Write(ctx, func(tx *database.Tx) error {
		if _, err := tx.Exec(ctx, `SELECT id FROM orgs {for_removal}`); err != nil { // waits for new subscriptions, and for other starts
			return err
		}
		stale, marked, err := sealer.examine(ctx, tx, `{for_update}`)
		if err != nil {
			return err
		}
		for _, t := range stale {
			if _, err := tx.Exec(ctx, `UPDATE subscriptions SET target = ? WHERE org_id = ? AND id = ?`,
				string(sealer.seal(t.org, t.value)), t.org, t.id); err != nil {
				return err
			}
		}
		if marked {
			return nil
		}
		return sealer.mark(ctx, tx)
	})
}

// mark leaves the marker of the key that secrets are encrypted with, or none.
func (s Sealer) mark(ctx context.Context, tx *database.Tx) error {
	if _, err := tx.Exec(ctx, `DELETE FROM secrets_marker WHERE org_id = ?`, curlew.SystemOrg); err != nil || !s.writes {
		return err
	}
	_, err := tx.Exec(ctx, `INSERT INTO secrets_marker (org_id, marker) VALUES (?, ?)`,
		curlew.SystemOrg, string(s.seal(curlew.SystemOrg, json.RawMessage(`"curlew"`))))
	return err
}

// marked says whether the marker is as the sealer would leave it, and fails where it is of another key.
func (s Sealer) marked(ctx context.Context, q database.Queryer) (bool, error) {
	rows, err := q.Query(ctx, `SELECT marker FROM secrets_marker WHERE org_id = ?`, curlew.SystemOrg)
	all, err := database.Collect(rows, err, func(r *sql.Rows) (current bool, err error) {
		var kept database.JSON[json.RawMessage]
		if err = r.Scan(&kept); err == nil {
			_, current, err = s.open(curlew.SystemOrg, kept.Value)
		}
		return current, err
	})
	if err != nil || len(all) == 0 {
		return !s.writes, err
	}
	return all[0], nil
}

// examine finds the targets that are not as the sealer would write them, and says whether the marker is.
func (s Sealer) examine(ctx context.Context, q database.Queryer, lock string) (stale []sealedTarget, marked bool, err error) {
	if marked, err = s.marked(ctx, q); err == nil {
		stale, err = s.stale(ctx, q, lock)
	}
	return stale, marked, err
}

// CheckSecrets says whether a sealer can read all secrets.
func (s *Store) CheckSecrets(ctx context.Context, sealer Sealer) error {
	_, _, err := sealer.examine(ctx, s.db, ``)
	return s.db.Explain(err)
}

// CheckOwnSecrets says whether this store still has the key of the installation: another process may have changed it.
func (s *Store) CheckOwnSecrets(ctx context.Context) error {
	_, err := s.sealer.marked(ctx, s.db)
	return s.db.Explain(err)
}

// checkSealer refuses what was just written where another process has changed the key: nobody could read it later. A change
// of the key waits for the rows that were written, or they for it.
func (s SubscriptionsTx) checkSealer(ctx context.Context, target json.RawMessage) error {
	if len(target) == 0 {
		return nil
	}
	_, err := s.store.sealer.marked(ctx, s.Tx)
	return err
}

// sealedTarget is the target of a subscription, decrypted.
type sealedTarget struct {
	org     curlew.OrgID
	id      curlew.SubscriptionID
	value   json.RawMessage
	current bool
}

// stale finds the targets that are not as the sealer would write them.
func (s Sealer) stale(ctx context.Context, q database.Queryer, lock string) ([]sealedTarget, error) {
	rows, err := q.Query(ctx, `SELECT org_id, id, target FROM subscriptions `+lock)
	all, err := database.Collect(rows, err, func(r *sql.Rows) (t sealedTarget, err error) {
		var kept database.JSON[json.RawMessage]
		if err = r.Scan(&t.org, &t.id, &kept); err == nil {
			t.value, t.current, err = s.open(t.org, kept.Value)
		}
		return t, err
	})
	return slices.DeleteFunc(all, func(t sealedTarget) bool { return t.current }), err
}
