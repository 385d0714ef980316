package store

import (
	"context"
	"database/sql"
	"time"
)

// KeptAnswer is a request that was sent with an idempotency key, and its answer.
type KeptAnswer struct {
	Request string // what was asked for, as a hash
	Status  int    // 0 while it is being answered
	Answer  string
}

// Claim takes an idempotency key for a request. Where somebody has taken it before,
// what is known of that is returned; nil means that the caller answers it. Keys are
// forgotten after keep, and those whose answer never came after lapse; 0 means never.
func (s IdempotencyTx) Claim(ctx context.Context, key, request string, keep, lapse time.Duration) (*KeptAnswer, error) {
	for _, old := range []struct {
		age   time.Duration
		which string
	}{{keep, ``}, {lapse, ` AND status = 0`}} {
		if old.age <= 0 {
			continue
		}
		if _, err := s.Tx.Exec(ctx, `DELETE FROM idempotency_keys WHERE org_id = ? AND created_at <= {now} - ?`+old.which, s.org,
			old.age.Microseconds()); err != nil {
			return nil, err
		}
	}
	n, err := s.insertIfNew(ctx, "key", `INSERT INTO idempotency_keys (org_id, key, request, created_at) VALUES (?, ?, ?, {now})
		ON CONFLICT (org_id, key) DO NOTHING`, s.org, key, request)
	if err != nil || n > 0 {
		return nil, err
	}
	rows, err := s.q.Query(ctx, `SELECT request, status, answer FROM idempotency_keys WHERE org_id = ? AND key = ?`, s.org, key)
	kept, err := one(the(s, "key", key), rows, err, func(r *sql.Rows) (k KeptAnswer, err error) {
		err = r.Scan(&k.Request, &k.Status, &k.Answer)
		return k, err
	})
	return &kept, err
}

// Keep keeps the answer to the request with a key.
func (s IdempotencyTx) Keep(ctx context.Context, key string, status int, answer string) error {
	return s.update(ctx, "key", key, `UPDATE idempotency_keys SET status = ?, answer = ? WHERE org_id = ? AND key = ?`, status, answer,
		s.org, key)
}

// Release forgets a key whose request came to nothing, so that it can be tried again.
func (s IdempotencyTx) Release(ctx context.Context, key string) error {
	_, err := s.Tx.Exec(ctx, `DELETE FROM idempotency_keys WHERE org_id = ? AND key = ? AND status = 0`, s.org, key)
	return err
}
