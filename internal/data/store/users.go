package store

import (
	"context"
	"database/sql"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
)

const userColumns = `id, email, name, issuer, subject, created_at, signed_in_at`

// userInto is where the columns of a user go, and what is to be done then.
func userInto(u *curlew.User) ([]any, func()) {
	var created, signedIn database.Micros
	return []any{&u.ID, &u.Email, &u.Name, &u.Issuer, &u.Subject, &created, &signedIn},
		func() { u.CreatedAt, u.SignedInAt = created.Time(), signedIn.TimeOrNil() }
}

func scanUser(r *sql.Rows) (u curlew.User, err error) {
	into, done := userInto(&u)
	err = r.Scan(into...)
	done()
	return u, err
}

// Add keeps a new person and returns it with its id, a new one where it has none. People are rows of the
// org that owns upkeep.
func (s UsersTx) Add(ctx context.Context, u curlew.User, password string) (curlew.User, error) {
	if u.ID == "" {
		u.ID = curlew.Mint[curlew.UserID](s.store.ids)
	}
	err := s.insert(ctx, "user", `INSERT INTO users (org_id, password, `+userColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?, {now}, ?)`,
		s.org, password, u.ID, u.Email, u.Name, u.Issuer, u.Subject, database.AtOrNull(u.SignedInAt))
	if err != nil {
		return curlew.User{}, err
	}
	return s.Get(ctx, u.ID)
}

// Get returns one person.
func (s Users) Get(ctx context.Context, id curlew.UserID) (curlew.User, error) {
	rows, err := s.q.Query(ctx, `SELECT `+userColumns+` FROM users WHERE org_id = ? AND id = ?`, s.org, id)
	return one(the(s, "user", string(id)), rows, err, scanUser)
}

// ByEmail returns the person with an e-mail address.
func (s Users) ByEmail(ctx context.Context, email string) (curlew.User, error) {
	rows, err := s.q.Query(ctx, `SELECT `+userColumns+` FROM users WHERE org_id = ? AND email = ?`, s.org, email)
	return one(the(s, "user", email), rows, err, scanUser)
}

// BySubject returns the person for whom an issuer vouches under a subject.
func (s Users) BySubject(ctx context.Context, issuer, subject string) (curlew.User, error) {
	rows, err := s.q.Query(ctx, `SELECT `+userColumns+` FROM users WHERE org_id = ? AND issuer = ? AND subject = ? AND subject <> ''`, s.org,
		issuer, subject)
	return one(the(s, "user", subject), rows, err, scanUser)
}

// Password returns the hash of a person's password; "" when there is none.
func (s Users) Password(ctx context.Context, id curlew.UserID) (string, error) {
	rows, err := s.q.Query(ctx, `SELECT password FROM users WHERE org_id = ? AND id = ?`, s.org, id)
	return one(the(s, "user", string(id)), rows, err, func(r *sql.Rows) (hash string, err error) {
		err = r.Scan(&hash)
		return hash, err
	})
}

// SetPassword keeps the hash of a new password.
func (s UsersTx) SetPassword(ctx context.Context, id curlew.UserID, hash string) error {
	return s.update(ctx, "user", string(id), `UPDATE users SET password = ? WHERE org_id = ? AND id = ?`, hash, s.org, id)
}

// BindSubject keeps who vouches for a person, and under which subject.
func (s UsersTx) BindSubject(ctx context.Context, id curlew.UserID, issuer, subject string) error {
	err := s.update(ctx, "user", string(id), `UPDATE users SET issuer = ?, subject = ? WHERE org_id = ? AND id = ?`, issuer, subject, s.org,
		id)
	return s.explainInsert("user", err)
}

// SawSignIn keeps when a person signed in last.
func (s UsersTx) SawSignIn(ctx context.Context, id curlew.UserID, at time.Time) error {
	return s.update(ctx, "user", string(id), `UPDATE users SET signed_in_at = ? WHERE org_id = ? AND id = ?`, database.At(at), s.org, id)
}

// Remove forgets a person with all sessions and links.
func (s UsersTx) Remove(ctx context.Context, id curlew.UserID) error {
	return s.update(ctx, "user", string(id), `DELETE FROM users WHERE org_id = ? AND id = ?`, s.org, id)
}

// Lock makes others who decide about the org's people wait until the
// transaction ends.
func (s OrgsTx) Lock(ctx context.Context) error {
	rows, err := s.q.Query(ctx, `SELECT id FROM orgs WHERE id = ? {for_update}`, s.org)
	_, err = one(the(s, "org", string(s.org)), rows, err, func(r *sql.Rows) (id string, err error) {
		err = r.Scan(&id)
		return id, err
	})
	return err
}

// KeepMembership says what a person is in this org, for the first time or anew.
func (s UsersTx) KeepMembership(ctx context.Context, id curlew.UserID, role curlew.Role) error {
	return s.insert(ctx, "membership", `INSERT INTO memberships (org_id, user_id, role, created_at) VALUES (?, ?, ?, {now})
		ON CONFLICT (org_id, user_id) DO UPDATE SET role = excluded.role`, s.org, id, role)
}

// RemoveMembership ends what a person is in this org.
func (s UsersTx) RemoveMembership(ctx context.Context, id curlew.UserID) error {
	return s.update(ctx, "member", string(id), `DELETE FROM memberships WHERE org_id = ? AND user_id = ?`, s.org, id)
}

// DisableMembership keeps a person out of this org from a time on, or lets them in again
// for nil.
func (s UsersTx) DisableMembership(ctx context.Context, id curlew.UserID, at *time.Time) error {
	return s.update(ctx, "member", string(id), `UPDATE memberships SET disabled_at = ? WHERE org_id = ? AND user_id = ?`,
		database.AtOrNull(at), s.org, id)
}

// Membership returns what a person is in this org.
func (s Users) Membership(ctx context.Context, id curlew.UserID) (curlew.Membership, error) {
	rows, err := s.q.Query(ctx, `SELECT `+membershipColumns+` FROM memberships WHERE org_id = ? AND user_id = ?`, s.org, id)
	return one(the(s, "member", string(id)), rows, err, scanMembership)
}

const membershipColumns = `org_id, user_id, role, created_at, disabled_at`

func scanMembership(r *sql.Rows) (m curlew.Membership, err error) {
	var created, disabled database.Micros
	err = r.Scan(&m.Org, &m.User, &m.Role, &created, &disabled)
	m.CreatedAt, m.DisabledAt = created.Time(), disabled.TimeOrNil()
	return m, err
}

// Members lists the people of this org, oldest first, each since they came to it.
func (s Users) Members(ctx context.Context, window Window) ([]curlew.Member, error) {
	rows, err := s.q.Query(ctx, `SELECT m.role, m.disabled_at, u.id, u.email, u.name, u.issuer, u.subject, m.created_at, u.signed_in_at
		FROM memberships AS m
		JOIN users AS u ON u.org_id = ? AND u.id = m.user_id WHERE m.org_id = ? AND m.user_id > ? ORDER BY m.user_id LIMIT ?`,
		curlew.SystemOrg, s.org, window.After, window.limit())
	return many(s, rows, err, func(r *sql.Rows) (m curlew.Member, err error) {
		into, done := userInto(&m.User)
		var disabled database.Micros
		err = r.Scan(append([]any{&m.Role, &disabled}, into...)...)
		done()
		m.DisabledAt = disabled.TimeOrNil()
		return m, err
	})
}

// CountMembers counts the people of this org who have one of the roles.
func (s Users) CountMembers(ctx context.Context, roles ...curlew.Role) (int64, error) {
	rows, err := s.q.Query(ctx, `SELECT count(*) FROM memberships WHERE org_id = ? AND role {in ?}`, s.org, database.AsList(roles))
	return one(the(s, "org", string(s.org)), rows, err, scanNumber)
}

// otherOwners counts the owners of this org who may come in, without one.
func (s scope) otherOwners(ctx context.Context, id curlew.UserID) (int64, error) {
	rows, err := s.q.Query(ctx, `SELECT count(*) FROM memberships WHERE org_id = ? AND role = 'owner' AND disabled_at IS NULL
		AND user_id <> ?`, s.org, id)
	return one(the(s, "org", string(s.org)), rows, err, scanNumber)
}
