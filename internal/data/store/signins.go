package store

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// SignIn begins a session, and keeps that the person was here, and with which browser.
func (a Accounts) SignIn(
	ctx context.Context, session curlew.Session, hash string, entry curlew.AuditEntry,
) (kept curlew.Session, err error) {
	err = a.write(ctx, session.Org, entry, func(people, _ WriteScope) error {
		if kept, err = people.Sessions().Add(ctx, session, hash); err != nil {
			return err
		}
		if err = people.Sessions().KeepDevice(ctx, session.User, session.Device); err != nil {
			return err
		}
		return people.Users().SawSignIn(ctx, session.User, session.CreatedAt)
	})
	return kept, err
}

// SessionByHash returns the session whose token has a hash.
func (a Accounts) SessionByHash(ctx context.Context, hash string) (curlew.Session, error) {
	return a.system().Sessions().ByHash(ctx, hash)
}

// TouchSession keeps when a session was last used.
func (a Accounts) TouchSession(ctx context.Context, id curlew.SessionID, seen time.Time) error {
	return a.write(ctx, curlew.SystemOrg, curlew.AuditEntry{},
		func(people, _ WriteScope) error { return people.Sessions().Touch(ctx, id, seen) })
}

// MoveSession says in which org the person works from now on.
func (a Accounts) MoveSession(ctx context.Context, id curlew.SessionID, org curlew.OrgID) error {
	return a.write(ctx, curlew.SystemOrg, curlew.AuditEntry{},
		func(people, _ WriteScope) error { return people.Sessions().Move(ctx, id, org) })
}

// Sessions lists the sessions of a person.
func (a Accounts) Sessions(ctx context.Context, user curlew.UserID) ([]curlew.Session, error) {
	return a.system().Sessions().List(ctx, user)
}

// EndSession ends one session of a person, or all when none is named.
func (a Accounts) EndSession(
	ctx context.Context, org curlew.OrgID, user curlew.UserID, id curlew.SessionID, entry curlew.AuditEntry,
) error {
	return a.write(ctx, org, entry, func(people, _ WriteScope) error {
		if id != "" {
			return people.Sessions().End(ctx, user, id)
		}
		_, err := people.Sessions().EndAll(ctx, user, "")
		return err
	})
}

// AddLink keeps a one-time link.
func (a Accounts) AddLink(ctx context.Context, org curlew.OrgID, link curlew.Link, hash string, entry curlew.AuditEntry) error {
	return a.write(ctx, org, entry, func(people, _ WriteScope) error { return people.Sessions().AddLink(ctx, link, hash) })
}

// Link returns a link that is still good. The first link is good only while
// nobody owns the installation, one that an org made only while the person is in no other.
func (a Accounts) Link(ctx context.Context, hash string, now time.Time) (curlew.Link, error) {
	link, err := a.system().Sessions().Link(ctx, hash, now)
	if err != nil {
		return link, err
	}
	if link.Purpose != curlew.LinkFirst {
		memberships, err := a.Memberships(ctx, link.User)
		return link, cmp.Or(err, onlyIn(link.Org, memberships))
	}
	owned, err := a.OwnerExists(ctx)
	if err == nil && owned {
		err = curlew.NotFound("link", "")
	}
	return link, err
}

// onlyIn refuses the link of an org for who belongs to another too: it would open that one. The
// operator's links belong to no org.
func onlyIn(org curlew.OrgID, memberships []curlew.Membership) error {
	elsewhere := func(m curlew.Membership) bool { return m.Org != org }
	if org != "" && slices.ContainsFunc(memberships, elsewhere) {
		return curlew.NotFound("link", "")
	}
	return nil
}

// UseLink uses up a link of a person: the password is set, all sessions end.
func (a Accounts) UseLink(
	ctx context.Context, hash string, now time.Time, password string, entry curlew.AuditEntry,
) (user curlew.User, err error) {
	err = a.store.Write(ctx, curlew.SystemOrg, func(people WriteScope) error {
		link, err := people.Sessions().TakeLink(ctx, hash, now)
		if err != nil {
			return err
		}
		if link.Purpose != curlew.LinkPassword {
			return curlew.NotFound("link", "")
		}
		if user, err = people.Users().Get(ctx, link.User); err != nil {
			return err
		}
		rows, err := people.q.Query(ctx, `SELECT `+membershipColumns+` FROM memberships WHERE user_id = ? ORDER BY org_id`, user.ID)
		orgs, err := many(people, rows, err, scanMembership)
		if err = cmp.Or(err, onlyIn(link.Org, orgs)); err != nil {
			return err
		}
		if err := people.changePassword(ctx, user.ID, password, ""); err != nil {
			return err
		}
		entry.Actor, entry.Name, entry.Thing = string(user.ID), user.Email, string(user.ID)
		for _, m := range orgs {
			if _, err := a.store.Within(people.Tx, m.Org).Audit().Append(ctx, entry); err != nil {
				return err
			}
		}
		return err
	})
	return user, err
}

// ClaimFirst uses up the first link: the person becomes the owner of the default
// org, which nobody may have owned before. Of two who try, one is too late.
func (a Accounts) ClaimFirst(
	ctx context.Context, hash string, now time.Time, user curlew.NewUser, entry curlew.AuditEntry,
) (added curlew.User, err error) {
	err = a.store.Write(ctx, curlew.SystemOrg, func(people WriteScope) error {
		own := a.store.Within(people.Tx, curlew.DefaultOrg)
		if err := people.Orgs().Lock(ctx); err != nil {
			return err
		}
		link, err := people.Sessions().TakeLink(ctx, hash, now)
		if err != nil {
			return err
		}
		rows, err := people.q.Query(ctx, `SELECT count(*) FROM memberships WHERE role = 'owner'`)
		owners, err := one(the(people, "org", ""), rows, err, scanNumber)
		if err != nil {
			return err
		}
		if owners > 0 || link.Purpose != curlew.LinkFirst {
			return curlew.NotFound("link", "")
		}
		if added, _, err = people.findOrAddUser(ctx, user.User); err != nil {
			return err
		}
		if err := people.changePassword(ctx, added.ID, user.PasswordHash, ""); err != nil {
			return err
		}
		if err := people.Sessions().RemoveLinks(ctx, ""); err != nil {
			return err
		}
		if err := own.Users().KeepMembership(ctx, added.ID, curlew.RoleOwner); err != nil {
			return err
		}
		entry.Actor, entry.Name, entry.Thing = string(added.ID), added.Email, string(added.ID)
		_, err = own.Audit().Append(ctx, entry)
		return err
	})
	return added, err
}

// CountAttempt counts an attempt to sign in; see WriteScope.CountAttempt.
func (a Accounts) CountAttempt(
	ctx context.Context, subject string, now time.Time, window time.Duration,
) (n int64, until time.Time, err error) {
	err = a.store.Write(ctx, curlew.SystemOrg, func(people WriteScope) error {
		n, until, err = people.Sessions().CountAttempt(ctx, subject, now, window)
		return err
	})
	return n, until, err
}

// ForgetAttempts forgets what subjects tried.
func (a Accounts) ForgetAttempts(ctx context.Context, subjects ...string) error {
	return a.store.Write(ctx, curlew.SystemOrg, func(people WriteScope) error {
		for _, s := range subjects {
			if err := people.Sessions().ForgetAttempts(ctx, s); err != nil {
				return err
			}
		}
		return nil
	})
}

// KnowsDevice says whether a person signed in with the browser whose token has a hash.
func (a Accounts) KnowsDevice(ctx context.Context, user curlew.UserID, hash string, now time.Time) (bool, error) {
	return a.system().Sessions().KnowsDevice(ctx, user, hash, now)
}

// AddKey keeps a key for an org that may have most (0: any number).
func (a Accounts) AddKey(ctx context.Context, key curlew.APIKey, hash string, now time.Time, most int) (added curlew.APIKey, err error) {
	err = a.write(ctx, key.Org, curlew.AuditEntry{}, func(_, own WriteScope) error {
		if err := own.Orgs().Lock(ctx); err != nil {
			return err
		}
		n, err := own.Keys().Count(ctx, now)
		if err != nil {
			return err
		}
		if most > 0 && n >= int64(most) {
			return curlew.Refused("too_many_keys", "the org %q has %d keys, as many as it may have: revoke one first", key.Org, n)
		}
		added, err = own.Keys().Add(ctx, key, hash)
		return err
	})
	return added, err
}

// KeyOfAnyOrg returns a key and the hash of its secret.
func (a Accounts) KeyOfAnyOrg(ctx context.Context, id curlew.APIKeyID) (curlew.APIKey, string, error) {
	return a.store.KeyOfAnyOrg(ctx, id)
}

// UseKey keeps when a key was last used.
func (a Accounts) UseKey(ctx context.Context, org curlew.OrgID, id curlew.APIKeyID, at time.Time) error {
	return a.write(ctx, org, curlew.AuditEntry{}, func(_, own WriteScope) error { return own.Keys().Use(ctx, id, at) })
}
