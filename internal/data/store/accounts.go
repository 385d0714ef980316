package store

import (
	"context"
	"errors"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// Accounts are the doings about people, their sign-ins and keys: each one
// transaction, together with its line of the audit log.
type Accounts struct{ store *Store }

// Accounts opens the accounts of the installation.
func (s *Store) Accounts() Accounts { return Accounts{s} }

func (a Accounts) system() Scope { return a.store.Org(curlew.SystemOrg) }

// write runs fn on the rows of people, and keeps the entry in the log of org.
func (a Accounts) write(ctx context.Context, org curlew.OrgID, entry curlew.AuditEntry, fn func(people, own WriteScope) error) error {
	return a.store.Write(ctx, curlew.SystemOrg, func(people WriteScope) error {
		own := a.store.Within(people.Tx, org)
		if err := fn(people, own); err != nil || entry.Action == "" {
			return err
		}
		_, err := own.Audit().Append(ctx, entry)
		return err
	})
}

// User returns a person.
func (a Accounts) User(ctx context.Context, id curlew.UserID) (curlew.User, error) {
	return a.system().Users().Get(ctx, id)
}

// UserByEmail returns a person and the hash of the password.
func (a Accounts) UserByEmail(ctx context.Context, email string) (curlew.User, string, error) {
	user, err := a.system().Users().ByEmail(ctx, email)
	if err != nil {
		return curlew.User{}, "", err
	}
	hash, err := a.system().Users().Password(ctx, user.ID)
	return user, hash, err
}

// UserBySubject returns the person for whom an issuer vouches.
func (a Accounts) UserBySubject(ctx context.Context, issuer, subject string) (curlew.User, error) {
	return a.system().Users().BySubject(ctx, issuer, subject)
}

// Memberships lists what a person is, over all orgs.
func (a Accounts) Memberships(ctx context.Context, id curlew.UserID) ([]curlew.Membership, error) {
	rows, err := a.store.db.Query(ctx, `SELECT `+membershipColumns+` FROM memberships WHERE user_id = ? ORDER BY org_id`, id)
	return many(a.system(), rows, err, scanMembership)
}

// Members lists the people of an org, at most limit.
func (a Accounts) Members(ctx context.Context, org curlew.OrgID, limit int) ([]curlew.Member, error) {
	return a.store.Org(org).Users().Members(ctx, Window{Limit: limit})
}

// OwnerExists says whether anybody owns an org.
func (a Accounts) OwnerExists(ctx context.Context) (bool, error) {
	rows, err := a.store.db.Query(ctx, `SELECT count(*) FROM memberships WHERE role = 'owner'`)
	n, err := one(the(a.system(), "org", ""), rows, err, scanNumber)
	return n > 0, err
}

// AddMember makes a person a member of an org that may have most members (0: any
// number), and keeps a person that is new. It says whether it was.
func (a Accounts) AddMember(
	ctx context.Context, org curlew.OrgID, m curlew.Member, most int, entry curlew.AuditEntry,
) (added curlew.User, isNew bool, err error) {
	err = a.write(ctx, org, entry, func(people, own WriteScope) error {
		if err := own.roomForOneMore(ctx, most); err != nil {
			return err
		}
		if added, isNew, err = people.findOrAddUser(ctx, m.User); err != nil {
			return err
		}
		if _, err := own.Users().Membership(ctx, added.ID); err == nil {
			return curlew.Permanent(curlew.ErrExistsAlready, "%s is a member of the org %q already", m.Email, org)
		}
		return own.Users().KeepMembership(ctx, added.ID, m.Role)
	})
	return added, isNew, err
}

func (s writing) findOrAddUser(ctx context.Context, user curlew.User) (curlew.User, bool, error) {
	known, err := s.all().Users().ByEmail(ctx, user.Email)
	if err == nil {
		return known, false, nil
	}
	if !errors.Is(err, curlew.ErrNotFound) {
		return curlew.User{}, false, err
	}
	added, err := s.all().Users().Add(ctx, user, "")
	return added, true, err
}

// SetRole changes what a member is. The last owner stays one.
func (a Accounts) SetRole(ctx context.Context, org curlew.OrgID, id curlew.UserID, role curlew.Role) error {
	return a.write(ctx, org, curlew.AuditEntry{}, func(people, own WriteScope) error {
		if err := people.Sessions().RemoveLinks(ctx, id); err != nil { // they were made for somebody who might do less
			return err
		}
		if role == curlew.RoleOwner {
			if _, err := own.Users().Membership(ctx, id); err != nil {
				return err
			}
		} else if _, err := own.keepAnOwner(ctx, id); err != nil {
			return err
		}
		return own.Users().KeepMembership(ctx, id, role)
	})
}

// keepAnOwner returns what a member is, and refuses to let the last owner who may come in
// be one no more.
func (s writing) keepAnOwner(ctx context.Context, id curlew.UserID) (curlew.Membership, error) {
	if err := s.all().Orgs().Lock(ctx); err != nil {
		return curlew.Membership{}, err
	}
	was, err := s.all().Users().Membership(ctx, id)
	if err != nil || was.Role != curlew.RoleOwner {
		return was, err
	}
	n, err := s.all().otherOwners(ctx, id)
	if err == nil && n == 0 {
		err = curlew.Refused("last_owner", "this is the only owner of the org %q: make another person an owner first", s.org)
	}
	return was, err
}

// SetDisabled keeps a member out from a time on, and ends their sessions in the org; nil
// lets them in again. One who is out stays so since the first time.
func (a Accounts) SetDisabled(ctx context.Context, org curlew.OrgID, id curlew.UserID, at *time.Time) (m curlew.Membership, err error) {
	err = a.write(ctx, org, curlew.AuditEntry{}, func(people, own WriteScope) error {
		if at == nil {
			if err := own.Users().DisableMembership(ctx, id, nil); err != nil {
				return err
			}
			m, err = own.Users().Membership(ctx, id)
			return err
		}
		if m, err = own.keepAnOwner(ctx, id); err != nil || m.DisabledAt != nil {
			return err
		}
		m.DisabledAt = at
		if err := own.Users().DisableMembership(ctx, id, at); err != nil {
			return err
		}
		_, err := people.Tx.Exec(ctx, `DELETE FROM sessions WHERE org_id = ? AND user_id = ? AND current_org = ?`, people.org, id, org)
		return err
	})
	return m, err
}

// RemoveMember ends a membership, and forgets a person who is left without any.
// It says how many keys the person made for the org that still let somebody in; those of
// one who was disabled end, for they must not come to life again.
func (a Accounts) RemoveMember(ctx context.Context, org curlew.OrgID, id curlew.UserID) (keys int64, err error) {
	err = a.write(ctx, org, curlew.AuditEntry{}, func(people, own WriteScope) error {
		was, err := own.keepAnOwner(ctx, id)
		if err != nil {
			return err
		}
		if err := own.Users().RemoveMembership(ctx, id); err != nil {
			return err
		}
		if was.DisabledAt != nil {
			if _, err := own.Tx.Exec(ctx, `UPDATE api_keys SET revoked_at = coalesce(revoked_at, {now}) WHERE org_id = ? AND `+madeBy, org, org,
				id, org); err != nil {
				return err
			}
		}
		rows, err := own.q.Query(ctx, `SELECT count(*) FROM api_keys WHERE org_id = ? AND `+madeBy+` AND revoked_at IS NULL
			AND (expires_at IS NULL OR expires_at > {now})`, org, org, id, org)
		if keys, err = one(the(own, "org", string(org)), rows, err, scanNumber); err != nil {
			return err
		}
		rows, err = people.q.Query(ctx, `SELECT count(*) FROM memberships WHERE user_id = ?`, id)
		left, err := one(the(people, "user", string(id)), rows, err, scanNumber)
		if err != nil || left > 0 {
			return err
		}
		return people.Users().Remove(ctx, id)
	})
	return keys, err
}

// SetPassword keeps a new password and ends the sessions and links of a person,
// except the session that is named.
func (a Accounts) SetPassword(ctx context.Context, org curlew.OrgID, id curlew.UserID, hash string, except curlew.SessionID) error {
	return a.write(ctx, org, curlew.AuditEntry{}, func(people, _ WriteScope) error { return people.changePassword(ctx, id, hash, except) })
}

func (s writing) changePassword(ctx context.Context, id curlew.UserID, hash string, except curlew.SessionID) error {
	if err := s.all().Users().SetPassword(ctx, id, hash); err != nil {
		return err
	}
	if _, err := s.all().Sessions().EndAll(ctx, id, except); err != nil {
		return err
	}
	return s.all().Sessions().RemoveLinks(ctx, id)
}

// Rehash keeps another hash of the same password.
func (a Accounts) Rehash(ctx context.Context, id curlew.UserID, hash string) error {
	return a.write(ctx, curlew.SystemOrg, curlew.AuditEntry{},
		func(people, _ WriteScope) error { return people.Users().SetPassword(ctx, id, hash) })
}

// BindSubject keeps the issuer and the subject by which a person signs in. The ways in of before end: nobody vouched for who
// chose that password.
func (a Accounts) BindSubject(ctx context.Context, org curlew.OrgID, user curlew.User, entry curlew.AuditEntry) error {
	return a.write(ctx, org, entry, func(people, _ WriteScope) error {
		if err := people.Users().BindSubject(ctx, user.ID, user.Issuer, user.Subject); err != nil {
			return err
		}
		return people.changePassword(ctx, user.ID, "", "")
	})
}

// Record writes a line of the audit log of an org.
func (a Accounts) Record(ctx context.Context, org curlew.OrgID, entry curlew.AuditEntry) error {
	return a.write(ctx, org, entry, func(_, _ WriteScope) error { return nil })
}

// Tidy forgets sessions, links and attempts whose time is over.
func (a Accounts) Tidy(ctx context.Context, now, unused time.Time) error {
	return a.write(ctx, curlew.SystemOrg, curlew.AuditEntry{},
		func(people, _ WriteScope) error { return people.Sessions().ForgetSpent(ctx, now, unused) })
}
