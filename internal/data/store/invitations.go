package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
)

const invitationColumns = `org_id, id, email, name, role, made_by, created_at, expires_at`

func scanInvitation(r *sql.Rows) (i curlew.Invitation, err error) {
	var created, expires database.Micros
	err = r.Scan(&i.Org, &i.ID, &i.Email, &i.Name, &i.Role, &i.MadeBy, &created, &expires)
	i.CreatedAt, i.ExpiresAt = created.Time(), expires.Time()
	return i, err
}

// Invitations lists who is invited to this org, oldest first.
func (s Users) Invitations(ctx context.Context, window Window) ([]curlew.Invitation, error) {
	rows, err := s.q.Query(ctx, `SELECT `+invitationColumns+` FROM invitations WHERE org_id = ? AND id > ? ORDER BY id LIMIT ?`,
		s.org, window.After, window.limit())
	return many(s, rows, err, scanInvitation)
}

// Invitation returns an invitation to this org by its id or e-mail address.
func (s Users) Invitation(ctx context.Context, emailOrID string) (curlew.Invitation, error) {
	rows, err := s.q.Query(ctx, `SELECT `+invitationColumns+` FROM invitations WHERE org_id = ? AND (id = ? OR email = ?)`,
		s.org, emailOrID, emailOrID)
	return one(the(s, "member", emailOrID), rows, err, scanInvitation)
}

// Invite keeps an invitation to this org under the hash of its link's token.
func (s UsersTx) Invite(ctx context.Context, i curlew.Invitation, hash string) (curlew.Invitation, error) {
	i.ID = curlew.Mint[curlew.UserID](s.store.ids)
	err := s.insert(ctx, "invitation", `INSERT INTO invitations (hash, invited_by, `+invitationColumns+`)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		hash, i.MadeBy, s.org, i.ID, i.Email, i.Name, i.Role, i.MadeBy, database.At(i.CreatedAt), database.At(i.ExpiresAt))
	if err != nil {
		return i, err
	}
	return s.Invitation(ctx, string(i.ID))
}

// SetInvitedRole changes as what somebody is invited to this org. The link of another role is worth nothing.
func (s UsersTx) SetInvitedRole(ctx context.Context, id curlew.UserID, role curlew.Role) error {
	return s.update(ctx, "member", string(id), `UPDATE invitations SET hash = CASE WHEN role = ? THEN hash ELSE {secret} END, role = ?
		WHERE org_id = ? AND id = ?`, role, role, s.org, id)
}

// RenewInvitation gives an invitation another link; the one of before is worth nothing.
func (s UsersTx) RenewInvitation(ctx context.Context, i curlew.Invitation, hash string) error {
	return s.update(ctx, "member", string(i.ID), `UPDATE invitations SET hash = ?, made_by = ?, expires_at = ? WHERE org_id = ? AND id = ?`,
		hash, i.MadeBy, database.At(i.ExpiresAt), s.org, i.ID)
}

// TakeInvitation ends an invitation to this org, and returns it.
func (s UsersTx) TakeInvitation(ctx context.Context, id curlew.UserID) (curlew.Invitation, error) {
	rows, err := s.q.Query(ctx, `DELETE FROM invitations WHERE org_id = ? AND id = ? RETURNING `+invitationColumns, s.org, id)
	return one(the(s, "member", string(id)), rows, err, scanInvitation)
}

// invitedAt finds an invitation to any org by the hash of its link's token, while it is good.
func (s scope) invitedAt(ctx context.Context, hash string, now time.Time) (curlew.Invitation, error) {
	rows, err := s.q.Query(ctx, `SELECT `+invitationColumns+` FROM invitations WHERE hash = ? AND expires_at > ?`, hash, database.At(now))
	return one(the(s, "link", ""), rows, err, scanInvitation)
}

// invitedAs finds the invitation by which somebody begins whose address is proved: to the
// default org, or else the oldest. It needs no link, so it does not matter how old that is.
func (s scope) invitedAs(ctx context.Context, email string) (curlew.Invitation, error) {
	rows, err := s.q.Query(ctx, `SELECT `+invitationColumns+` FROM invitations WHERE email = ?
		ORDER BY CASE WHEN org_id = ? THEN 0 ELSE 1 END, created_at, org_id LIMIT 1`, email, curlew.DefaultOrg)
	return one(the(s, "user", email), rows, err, scanInvitation)
}

// Invite invites an address to an org that may have most members (0: any number), whoever has it.
func (a Accounts) Invite(
	ctx context.Context, org curlew.OrgID, i curlew.Invitation, hash string, most int,
) (made curlew.Invitation, err error) {
	err = a.write(ctx, org, curlew.AuditEntry{}, func(people, own WriteScope) error {
		if err := own.roomForOneMore(ctx, most); err != nil {
			return err
		}
		known, err := people.Users().ByEmail(ctx, i.Email)
		if err == nil {
			_, err = own.Users().Membership(ctx, known.ID)
		}
		if err == nil {
			return curlew.Permanent(curlew.ErrExistsAlready, "%s is a member of the org %q already", i.Email, org)
		}
		if !errors.Is(err, curlew.ErrNotFound) {
			return err
		}
		if _, err := own.Users().Invitation(ctx, i.Email); err == nil {
			return curlew.Permanent(curlew.ErrExistsAlready, "%s is invited to the org %q already: make a new link", i.Email, org)
		}
		made, err = own.Users().Invite(ctx, i, hash)
		return err
	})
	return made, err
}

// roomForOneMore locks the org, and refuses when it has as many members, invited ones too, as it may.
func (s writing) roomForOneMore(ctx context.Context, most int) error {
	if err := s.all().Orgs().Lock(ctx); err != nil {
		return err
	}
	rows, err := s.q.Query(ctx, `SELECT (SELECT count(*) FROM memberships WHERE org_id = ?) + (SELECT count(*) FROM invitations
		WHERE org_id = ?)`,
		s.org, s.org)
	n, err := one(the(s, "org", string(s.org)), rows, err, scanNumber)
	if err == nil && most > 0 && n >= int64(most) {
		err = curlew.Refused("too_many_members", "the org %q has %d members, as many as it may have", s.org, n)
	}
	return err
}

// InvitationOf returns an invitation to an org by its id or e-mail address.
func (a Accounts) InvitationOf(ctx context.Context, org curlew.OrgID, emailOrID string) (curlew.Invitation, error) {
	return a.store.Org(org).Users().Invitation(ctx, emailOrID)
}

// RenewInvitation gives an invitation to its org another link.
func (a Accounts) RenewInvitation(ctx context.Context, i curlew.Invitation, hash string) error {
	return a.write(ctx, i.Org, curlew.AuditEntry{},
		func(_, own WriteScope) error { return own.Users().RenewInvitation(ctx, i, hash) })
}

// Invitation returns the invitation of a link that is still good, and the org that invites.
func (a Accounts) Invitation(ctx context.Context, hash string, now time.Time) (curlew.Invitation, curlew.Org, error) {
	i, err := a.system().invitedAt(ctx, hash, now)
	if err != nil {
		return i, curlew.Org{}, err
	}
	org, err := a.store.Org(i.Org).Orgs().Get(ctx)
	return i, org, err
}

// Enrol makes a new person of whoever has the link of an invitation. One with an account is
// none: whoever has the link need not be who has the account.
func (a Accounts) Enrol(
	ctx context.Context, hash string, now time.Time, password string, entry curlew.AuditEntry,
) (curlew.User, error) {
	return a.enrol(ctx, password, entry, func(people WriteScope) (curlew.Invitation, error) { return people.invitedAt(ctx, hash, now) })
}

// EnrolProved makes a new person of whoever has proved an e-mail address that is invited.
func (a Accounts) EnrolProved(ctx context.Context, email string, entry curlew.AuditEntry) (curlew.User, error) {
	return a.enrol(ctx, "", entry, func(people WriteScope) (curlew.Invitation, error) { return people.invitedAs(ctx, email) })
}

// EnrolAs makes a new person of somebody who is invited to an org, with a password.
func (a Accounts) EnrolAs(ctx context.Context, org curlew.OrgID, id curlew.UserID, password string) error {
	_, err := a.enrol(ctx, password, curlew.AuditEntry{}, func(WriteScope) (curlew.Invitation, error) {
		return a.InvitationOf(ctx, org, string(id))
	})
	return err
}

func (a Accounts) enrol(
	ctx context.Context, password string, entry curlew.AuditEntry, find func(people WriteScope) (curlew.Invitation, error),
) (user curlew.User, err error) {
	err = a.store.Write(ctx, curlew.SystemOrg, func(people WriteScope) error {
		i, err := find(people)
		if err != nil {
			return err
		}
		isNew := false
		if user, isNew, err = people.findOrAddUser(ctx, curlew.User{ID: i.ID, Email: i.Email, Name: i.Name}); err != nil {
			return err
		}
		if !isNew {
			return curlew.Refused(curlew.ErrHasAccount, "%s has an account here already: sign in with it to accept the invitation", i.Email)
		}
		if err := people.Users().SetPassword(ctx, user.ID, password); err != nil {
			return err
		}
		return a.accept(ctx, people, i, user, entry)
	})
	return user, err
}

// accept turns an invitation into a membership.
func (a Accounts) accept(ctx context.Context, people WriteScope, i curlew.Invitation, user curlew.User, entry curlew.AuditEntry) error {
	own := a.store.Within(people.Tx, i.Org)
	if _, err := own.Users().TakeInvitation(ctx, i.ID); err != nil { // of two who try, one is too late
		return err
	}
	if err := own.Users().KeepMembership(ctx, user.ID, i.Role); err != nil || entry.Action == "" {
		return err
	}
	entry.Actor, entry.Name, entry.Thing = string(user.ID), user.Email, string(user.ID)
	_, err := own.Audit().Append(ctx, entry)
	return err
}

// Join makes the person of a session a member of the org that invites their address by a link. From
// then on one org alone decides nothing about the account: its other sessions and its links end, and
// so does the password of who signs in by a provider, for any org may have set it by a link.
func (a Accounts) Join(
	ctx context.Context, hash string, now time.Time, session curlew.Session, entry curlew.AuditEntry,
) error {
	return a.store.Write(ctx, curlew.SystemOrg, func(people WriteScope) error {
		i, user, err := people.invitedPerson(ctx, hash, now, session.User)
		if err != nil {
			return err
		}
		if user.Subject != "" {
			if err := people.Users().SetPassword(ctx, user.ID, ""); err != nil {
				return err
			}
		}
		if _, err := people.Sessions().EndAll(ctx, user.ID, session.ID); err != nil {
			return err
		}
		if err := people.Sessions().RemoveLinks(ctx, user.ID); err != nil {
			return err
		}
		if err := people.Sessions().Move(ctx, session.ID, i.Org); err != nil {
			return err
		}
		return a.accept(ctx, people, i, user, entry)
	})
}

// Decline ends an invitation of a person. The org learns no more than that.
func (a Accounts) Decline(ctx context.Context, hash string, now time.Time, user curlew.UserID, entry curlew.AuditEntry) error {
	return a.store.Write(ctx, curlew.SystemOrg, func(people WriteScope) error {
		i, _, err := people.invitedPerson(ctx, hash, now, user)
		if err != nil {
			return err
		}
		own := a.store.Within(people.Tx, i.Org)
		if _, err := own.Users().TakeInvitation(ctx, i.ID); err != nil {
			return err
		}
		entry.Actor, entry.Name, entry.Thing, entry.Address = string(i.ID), i.Email, i.Email, ""
		_, err = own.Audit().Append(ctx, entry)
		return err
	})
}

// invitedPerson finds the invitation of a link, which must be for the person.
func (s WriteScope) invitedPerson(
	ctx context.Context, hash string, now time.Time, id curlew.UserID,
) (i curlew.Invitation, user curlew.User, err error) {
	if i, err = s.invitedAt(ctx, hash, now); err != nil {
		return i, user, err
	}
	if user, err = s.Users().Get(ctx, id); err == nil && user.Email != i.Email {
		err = curlew.Refused("other_person", "this invitation is for %s, and you are signed in as %s: sign out, and open the link again",
			i.Email, user.Email)
	}
	return i, user, err
}
