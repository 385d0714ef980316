package app

import (
	"context"

	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

// mostMembers bounds a listing of people or keys.
const mostMembers = 10_000

// People lists who may sign in, and who is invited to.
func (a *App) People(ctx context.Context, who auth.Identity) ([]curlew.Member, error) {
	scope, err := a.ReadFor(who, auth.ViewPeople)
	if err != nil {
		return nil, err
	}
	members, err := scope.Users().Members(ctx, store.Window{Limit: mostMembers})
	if err != nil {
		return nil, err
	}
	invited, err := scope.Users().Invitations(ctx, store.Window{Limit: mostMembers})
	for _, i := range invited {
		members = append(members, i.Member())
	}
	return members, err
}

// Person finds somebody by e-mail address or id.
func (a *App) Person(ctx context.Context, who auth.Identity, emailOrID string) (curlew.Member, error) {
	if _, err := a.ReadFor(who, auth.ViewPeople); err != nil {
		return curlew.Member{}, err
	}
	return a.Accounts.Member(ctx, who.Org, emailOrID)
}

// AddPerson invites somebody.
type AddPerson struct {
	Email string      `json:"email" min:"1" maxlen:"254"`
	Name  string      `json:"name,omitempty" maxlen:"100"`
	Role  curlew.Role `json:"role"`
}

// Check says what is wrong with the command.
func (c AddPerson) Check() curlew.Problems {
	all := bounds(c)
	if _, err := curlew.ParseEmail(c.Email); c.Email != "" && err != nil {
		all.Add("email", curlew.AsFault(err).Sentence)
	}
	if c.Name != "" {
		all.Add("name", curlew.NameProblem(c.Name))
	}
	all.Add("role", curlew.ChoiceProblem(string(c.Role), words(curlew.Roles)))
	return all
}

// Invited is a person and the link by which they accept the invitation, or choose a password.
type Invited struct {
	curlew.Member
	Link string
}

// AddPerson invites somebody to the org.
func (a *App) AddPerson(ctx context.Context, who auth.Identity, c AddPerson) (Invited, error) {
	return do(ctx, a.as(who), verb{"user.add", auth.EditPeople}, c, func(ctx context.Context, tx *Tx) (Invited, error) {
		return a.invite(ctx, tx, c)
	})
}

func (a *App) invite(ctx context.Context, tx *Tx, c AddPerson) (in Invited, err error) {
	if err := auth.AllowRole(tx.Who, c.Role); err != nil {
		return in, err
	}
	in.Member, in.Link, err = a.Accounts.Invite(ctx, tx.Who, c.Email, c.Name, c.Role)
	tx.About(in.Email)
	tx.Detail(map[string]any{"role": c.Role})
	return in, err
}

// SetRole makes somebody owner, editor or viewer.
type SetRole struct {
	ID   curlew.UserID `json:"-"`
	Role curlew.Role   `json:"role"`
}

// Check says what is wrong with the command.
func (c SetRole) Check() (all curlew.Problems) {
	all.Add("role", curlew.ChoiceProblem(string(c.Role), words(curlew.Roles)))
	return all
}

func (c SetRole) id() curlew.UserID { return c.ID }

// SetRole changes what somebody is in the org. The last owner stays one.
func (a *App) SetRole(ctx context.Context, who auth.Identity, c SetRole) (curlew.Member, error) {
	return a.changePerson(ctx, who, "user.role", c, func(ctx context.Context, tx *Tx, m *curlew.Member) error {
		if err := auth.AllowRole(who, c.Role); err != nil {
			return err
		}
		m.Role = c.Role
		tx.Detail(changed(c))
		if m.InvitedUntil != nil {
			return tx.Users().SetInvitedRole(ctx, m.ID, c.Role)
		}
		return a.i.Home.Store.Accounts().SetRole(ctx, who.Org, m.ID, c.Role)
	})
}

// changePerson does something about somebody of the org.
func (a *App) changePerson(ctx context.Context, who auth.Identity, name string, c on[curlew.UserID],
	change func(context.Context, *Tx, *curlew.Member) error) (curlew.Member, error) {
	return do(ctx, a.as(who), verb{name, auth.EditPeople}, c, func(ctx context.Context, tx *Tx) (curlew.Member, error) {
		tx.About(string(c.id()))
		m, err := a.Accounts.Member(ctx, who.Org, string(c.id()))
		if err != nil {
			return m, err
		}
		return m, change(ctx, tx, &m)
	})
}

// RemovePerson ends somebody's membership or invitation, and says how many keys that they made still let programs in.
func (a *App) RemovePerson(ctx context.Context, who auth.Identity, id curlew.UserID) (keys int64, err error) {
	_, err = a.changePerson(ctx, who, "user.remove", one[curlew.UserID]{id},
		func(ctx context.Context, tx *Tx, m *curlew.Member) (err error) {
			if m.InvitedUntil != nil {
				_, err = tx.Users().TakeInvitation(ctx, m.ID)
				return err
			}
			keys, err = a.i.Home.Store.Accounts().RemoveMember(ctx, who.Org, m.ID)
			return err
		})
	return keys, err
}

// LinkPerson makes a link by which somebody chooses a new password, or accepts the invitation.
func (a *App) LinkPerson(ctx context.Context, who auth.Identity, id curlew.UserID) (in Invited, err error) {
	in.Member, err = a.changePerson(ctx, who, "link.password", one[curlew.UserID]{id},
		func(ctx context.Context, _ *Tx, m *curlew.Member) (err error) {
			if err = auth.AllowRole(who, m.Role); err == nil {
				in.Link, err = a.Accounts.PasswordLink(ctx, who, *m)
			}
			return err
		})
	return in, err
}

// Invitation is one of the caller's own, by the token of its link.
type Invitation struct {
	Token string `json:"token" min:"1" maxlen:"100"` // as the link has it
}

// Check says what is wrong with the command.
func (c Invitation) Check() curlew.Problems { return bounds(c) }

// Join makes the caller, who must be signed in, a member of the org that invites them.
func (a *App) Join(ctx context.Context, who auth.Identity, c Invitation) error {
	if err := (verb{needs: auth.OwnAccount}).may(who, c); err != nil {
		return err
	}
	return a.Accounts.Join(ctx, who, c.Token)
}

// Decline ends an invitation of the caller, who must be signed in.
func (a *App) Decline(ctx context.Context, who auth.Identity, c Invitation) error {
	if err := (verb{needs: auth.OwnAccount}).may(who, c); err != nil {
		return err
	}
	return a.Accounts.Decline(ctx, who, c.Token)
}

// SignOutPerson ends the sessions of somebody in the org, wherever they are signed in, and says how
// many those were. Sessions in which the person works in another org are not this org's to end.
func (a *App) SignOutPerson(ctx context.Context, who auth.Identity, id curlew.UserID) (ended int, err error) {
	_, err = a.changePerson(ctx, who, "user.sign-out", one[curlew.UserID]{id}, func(ctx context.Context, _ *Tx, m *curlew.Member) error {
		accounts := a.i.Home.Store.Accounts()
		sessions, err := accounts.Sessions(ctx, m.ID)
		ended = 0
		for _, s := range sessions {
			if s.Org == who.Org && err == nil {
				err = accounts.EndSession(ctx, who.Org, m.ID, s.ID, curlew.AuditEntry{})
				ended++
			}
		}
		return err
	})
	return ended, err
}

// DisablePerson keeps somebody out without removing them: their sessions in the org end, they cannot
// come in, and the keys that they made for it let nobody in.
func (a *App) DisablePerson(ctx context.Context, who auth.Identity, id curlew.UserID) (curlew.Member, error) {
	return a.changePerson(ctx, who, "user.disable", one[curlew.UserID]{id}, func(ctx context.Context, _ *Tx, m *curlew.Member) error {
		if m.ID == who.User {
			return curlew.Refused("yourself", "you cannot disable yourself: another owner can")
		}
		if m.InvitedUntil != nil {
			return curlew.Refused("only_invited", "%s has not accepted the invitation yet: remove it instead", m.Email)
		}
		now := a.Accounts.Now()
		kept, err := a.i.Home.Store.Accounts().SetDisabled(ctx, who.Org, m.ID, &now)
		m.DisabledAt = kept.DisabledAt
		return err
	})
}

// EnablePerson lets somebody in again, and the keys that they made with them.
func (a *App) EnablePerson(ctx context.Context, who auth.Identity, id curlew.UserID) (curlew.Member, error) {
	return a.changePerson(ctx, who, "user.enable", one[curlew.UserID]{id}, func(ctx context.Context, _ *Tx, m *curlew.Member) error {
		m.DisabledAt = nil
		_, err := a.i.Home.Store.Accounts().SetDisabled(ctx, who.Org, m.ID, nil)
		return err
	})
}

// ChangePassword lets a person choose another password, who must know the old one where
// there is one. All other sessions end.
func (a *App) ChangePassword(ctx context.Context, who auth.Identity, old, fresh string) error {
	if err := auth.Allow(who, auth.OwnAccount); err != nil {
		return err
	}
	hash, err := a.Accounts.ChangedPassword(ctx, who, old, fresh)
	if err != nil {
		return err
	}
	return a.keepPassword(ctx, who, verb{"password.change", auth.OwnAccount}, who.User, hash)
}

// SetPassword gives somebody a password, which ends all their sessions; who is new and only invited
// becomes a member by it. Only the operator may: an owner gives a link.
func (a *App) SetPassword(ctx context.Context, who auth.Identity, user curlew.Member, password string) error {
	hash, err := a.Accounts.SetPassword(ctx, who, user.User, password)
	if err != nil {
		return err
	}
	set := verb{"password.set", auth.EditPeople}
	if user.InvitedUntil == nil {
		return a.keepPassword(ctx, who, set, user.ID, hash)
	}
	_, err = do(ctx, a.as(who), set, one[curlew.UserID]{user.ID}, func(ctx context.Context, tx *Tx) (none struct{}, err error) {
		tx.About(string(user.ID))
		return none, a.i.Home.Store.Accounts().EnrolAs(ctx, who.Org, user.ID, hash)
	})
	return err
}

func (a *App) keepPassword(ctx context.Context, who auth.Identity, v verb, user curlew.UserID, hash string) error {
	_, err := do(ctx, a.as(who), v, one[curlew.UserID]{user}, func(ctx context.Context, tx *Tx) (none struct{}, err error) {
		tx.About(string(user))
		return none, a.i.Home.Store.Accounts().SetPassword(ctx, who.Org, user, hash, who.Session)
	})
	return err
}

// EndSession ends one of the caller's own sessions.
func (a *App) EndSession(ctx context.Context, who auth.Identity, id curlew.SessionID) error {
	_, err := do(ctx, a.as(who), verb{"sign-out", auth.OwnAccount}, one[curlew.SessionID]{id},
		func(ctx context.Context, tx *Tx) (none struct{}, err error) {
			if id == "" {
				return none, curlew.NotFound("session", "")
			}
			tx.About(string(who.User))
			return none, a.i.Home.Store.Accounts().EndSession(ctx, who.Org, who.User, id, curlew.AuditEntry{})
		})
	return err
}
