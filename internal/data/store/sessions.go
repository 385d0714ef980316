package store

import (
	"context"
	"database/sql"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
)

const sessionColumns = `id, user_id, current_org, address, agent, created_at, seen_at, expires_at`

func scanSession(r *sql.Rows) (s curlew.Session, err error) {
	var created, seen, expires database.Micros
	err = r.Scan(&s.ID, &s.User, &s.Org, &s.Address, &s.Agent, &created, &seen, &expires)
	s.CreatedAt, s.SeenAt, s.ExpiresAt = created.Time(), seen.Time(), expires.Time()
	return s, err
}

// Add keeps a new session under the hash of its token.
func (s SessionsTx) Add(ctx context.Context, session curlew.Session, hash string) (curlew.Session, error) {
	session.ID = curlew.Mint[curlew.SessionID](s.store.ids)
	err := s.insert(ctx, "session", `INSERT INTO sessions (org_id, hash, `+sessionColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		s.org, hash, session.ID, session.User, session.Org, session.Address, session.Agent,
		database.At(session.CreatedAt), database.At(session.SeenAt), database.At(session.ExpiresAt))
	return session, err
}

// ByHash returns the session whose token has a hash.
func (s Sessions) ByHash(ctx context.Context, hash string) (curlew.Session, error) {
	rows, err := s.q.Query(ctx, `SELECT `+sessionColumns+` FROM sessions WHERE org_id = ? AND hash = ?`, s.org, hash)
	return one(the(s, "session", ""), rows, err, scanSession)
}

// List lists the sessions of a person, oldest first.
func (s Sessions) List(ctx context.Context, user curlew.UserID) ([]curlew.Session, error) {
	rows, err := s.q.Query(ctx, `SELECT `+sessionColumns+` FROM sessions WHERE org_id = ? AND user_id = ? ORDER BY id`, s.org, user)
	return many(s, rows, err, scanSession)
}

// Touch keeps when a session was last used.
func (s SessionsTx) Touch(ctx context.Context, id curlew.SessionID, seen time.Time) error {
	return s.update(ctx, "session", string(id), `UPDATE sessions SET seen_at = ? WHERE org_id = ? AND id = ?`, database.At(seen), s.org, id)
}

// Move says in which org its person works from now on.
func (s SessionsTx) Move(ctx context.Context, id curlew.SessionID, org curlew.OrgID) error {
	return s.update(ctx, "session", string(id), `UPDATE sessions SET current_org = ? WHERE org_id = ? AND id = ?`, org, s.org, id)
}

// End forgets one session of a person.
func (s SessionsTx) End(ctx context.Context, user curlew.UserID, id curlew.SessionID) error {
	return s.update(ctx, "session", string(id), `DELETE FROM sessions WHERE org_id = ? AND user_id = ? AND id = ?`, s.org, user, id)
}

// EndAll forgets all sessions of a person, except one if it is named, and
// says how many those were.
func (s SessionsTx) EndAll(ctx context.Context, user curlew.UserID, except curlew.SessionID) (int64, error) {
	return s.Tx.Exec(ctx, `DELETE FROM sessions WHERE org_id = ? AND user_id = ? AND id <> ?`, s.org, user, except)
}

// AddLink keeps a one-time link under the hash of its token.
func (s SessionsTx) AddLink(ctx context.Context, link curlew.Link, hash string) error {
	return s.insert(ctx, "link", `INSERT INTO sign_in_links (org_id, hash, purpose, user_id, made_in, made_by, created_at, expires_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?)`, s.org, hash, link.Purpose, null(link.User), null(link.Org), link.MadeBy,
		database.At(link.CreatedAt), database.At(link.ExpiresAt))
}

func scanLink(r *sql.Rows) (l curlew.Link, err error) {
	var created, expires database.Micros
	err = r.Scan(&l.Purpose, text[curlew.UserID]{&l.User}, text[curlew.OrgID]{&l.Org}, &l.MadeBy, &created, &expires)
	l.CreatedAt, l.ExpiresAt = created.Time(), expires.Time()
	return l, err
}

// Link returns a link that is still good, and leaves it so.
func (s Sessions) Link(ctx context.Context, hash string, now time.Time) (curlew.Link, error) {
	rows, err := s.q.Query(ctx, `SELECT purpose, user_id, made_in, made_by, created_at, expires_at FROM sign_in_links WHERE org_id = ?
		AND hash = ? AND expires_at > ?`,
		s.org, hash, database.At(now))
	return one(the(s, "link", ""), rows, err, scanLink)
}

// TakeLink returns a link that is still good, and uses it up.
func (s SessionsTx) TakeLink(ctx context.Context, hash string, now time.Time) (curlew.Link, error) {
	rows, err := s.q.Query(ctx, `DELETE FROM sign_in_links WHERE org_id = ? AND hash = ? AND expires_at > ?
		RETURNING purpose, user_id, made_in, made_by, created_at, expires_at`, s.org, hash, database.At(now))
	return one(the(s, "link", ""), rows, err, scanLink)
}

// RemoveLinks makes the links of a person worthless; those of nobody for "".
func (s SessionsTx) RemoveLinks(ctx context.Context, user curlew.UserID) error {
	_, err := s.Tx.Exec(ctx, `DELETE FROM sign_in_links WHERE org_id = ? AND coalesce(user_id, '') = ?`, s.org, user)
	return err
}

// CountAttempt counts one more attempt of a subject within a window that begins
// with its first attempt, and says how many there are now and when it ends.
func (s SessionsTx) CountAttempt(ctx context.Context, subject string, now time.Time, window time.Duration) (int64, time.Time, error) {
	type counted struct {
		n     int64
		until time.Time
	}
	rows, err := s.q.Query(ctx, `INSERT INTO sign_in_attempts (org_id, subject, n, since, until) VALUES (?, ?, 1, ?, ?)
		ON CONFLICT (org_id, subject) DO UPDATE SET
			n = CASE WHEN sign_in_attempts.until <= excluded.since THEN 1 ELSE sign_in_attempts.n + 1 END,
			since = CASE WHEN sign_in_attempts.until <= excluded.since THEN excluded.since ELSE sign_in_attempts.since END,
			until = CASE WHEN sign_in_attempts.until <= excluded.since THEN excluded.until ELSE sign_in_attempts.until END
		RETURNING n, until`, s.org, subject, database.At(now), database.At(now.Add(window)))
	c, err := one(the(s, "subject", subject), rows, err, func(r *sql.Rows) (c counted, err error) {
		var until database.Micros
		err = r.Scan(&c.n, &until)
		c.until = until.Time()
		return c, err
	})
	return c.n, c.until, err
}

// ForgetAttempts forgets what a subject tried.
func (s SessionsTx) ForgetAttempts(ctx context.Context, subject string) error {
	_, err := s.Tx.Exec(ctx, `DELETE FROM sign_in_attempts WHERE org_id = ? AND subject = ?`, s.org, subject)
	return err
}

// KeepDevice keeps that a person signed in with a browser. All who did so before stay known under its
// new token.
func (s SessionsTx) KeepDevice(ctx context.Context, user curlew.UserID, device curlew.Device) error {
	_, err := s.Tx.Exec(ctx, `UPDATE sign_in_devices SET hash = ? WHERE org_id = ? AND hash = ?`, device.Hash, s.org, device.Former)
	if err != nil {
		return err
	}
	_, err = s.Tx.Exec(ctx, `INSERT INTO sign_in_devices (org_id, hash, user_id, expires_at) VALUES (?, ?, ?, ?)
		ON CONFLICT (org_id, hash, user_id) DO UPDATE SET expires_at = excluded.expires_at`,
		s.org, device.Hash, user, database.At(device.Until))
	return err
}

// KnowsDevice says whether a person signed in with the browser whose token has a hash.
func (s Sessions) KnowsDevice(ctx context.Context, user curlew.UserID, hash string, now time.Time) (bool, error) {
	rows, err := s.q.Query(ctx, `SELECT count(*) FROM sign_in_devices WHERE org_id = ? AND hash = ? AND user_id = ? AND expires_at > ?`,
		s.org, hash, user, database.At(now))
	n, err := one(the(s, "device", ""), rows, err, scanNumber)
	return n > 0, err
}

// ForgetSpent clears sessions, links, devices and attempts whose time is over; sessions
// also when they were not used since a time.
func (s SessionsTx) ForgetSpent(ctx context.Context, now, unused time.Time) error {
	for query, values := range map[string][]any{
		`DELETE FROM sessions WHERE org_id = ? AND (expires_at <= ? OR seen_at <= ?)`: {s.org, database.At(now), database.At(unused)},
		`DELETE FROM sign_in_links WHERE org_id = ? AND expires_at <= ?`:              {s.org, database.At(now)},
		`DELETE FROM sign_in_devices WHERE org_id = ? AND expires_at <= ?`:            {s.org, database.At(now)},
		`DELETE FROM sign_in_attempts WHERE org_id = ? AND until <= ?`:                {s.org, database.At(now)},
	} {
		if _, err := s.Tx.Exec(ctx, query, values...); err != nil {
			return err
		}
	}
	return nil
}
