package auth

import (
	"context"
	"errors"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
)

// touchEvery is how exactly it is kept when a session or a key was last used.
const touchEvery = time.Minute

// untouched says whether it matters that a last use could not be kept: a full disk keeps nobody from reading.
func untouched(err error) bool {
	return err != nil && curlew.AsFault(err).Kind != curlew.KindTemporary
}

var errNoSession = curlew.Refused("signed_out", "you are signed out: sign in")

// begin starts a session under a token that nobody has seen before. The one that
// the browser had ends, so that nobody can plant or keep one.
func (s *Authenticator) begin(ctx context.Context, user curlew.User, from Caller, how string) (string, error) {
	memberships, disabled, err := s.open(ctx, user.ID)
	if err != nil {
		return "", err
	}
	home, ok := chooseOrg(memberships, curlew.DefaultOrg)
	if !ok && disabled {
		return "", curlew.Refused("disabled", "%s is disabled: ask an owner", user.Email)
	}
	if !ok {
		return "", curlew.Refused("no_membership", "%s belongs to no org: ask an owner to be added", user.Email)
	}
	token, err := s.newToken()
	if err != nil {
		return "", err
	}
	if err := s.endOld(ctx, from.Old); err != nil {
		return "", err
	}
	now := s.Now()
	if err := s.store.Tidy(ctx, now, now.Add(-s.Idle)); err != nil {
		return "", err
	}
	session := curlew.Session{User: user.ID, Org: home.Org, Address: from.Address, Agent: toText(text.CutBytes(from.Agent, 200)),
		CreatedAt: now, SeenAt: now, ExpiresAt: now.Add(s.Absolute), Device: s.device(token, from)}
	who := Identity{Org: home.Org, User: user.ID, Name: user.Email, Address: from.Address}
	_, err = s.store.SignIn(ctx, session, digest(token), s.Entry(who, "sign-in", string(user.ID), map[string]string{"how": how}))
	return token, err
}

// chooseOrg prefers an org, or takes the first there is.
func chooseOrg(all []curlew.Membership, preferred curlew.OrgID) (curlew.Membership, bool) {
	for _, m := range all {
		if m.Org == preferred {
			return m, true
		}
	}
	if len(all) == 0 {
		return curlew.Membership{}, false
	}
	return all[0], true
}

func (s *Authenticator) endOld(ctx context.Context, token string) error {
	if !isToken(token) {
		return nil
	}
	old, err := s.store.SessionByHash(ctx, digest(token))
	if err == nil {
		err = s.store.EndSession(ctx, old.Org, old.User, old.ID, curlew.AuditEntry{})
	}
	if errors.Is(err, curlew.ErrNotFound) {
		return nil
	}
	return err
}

// Resume tells whose session a token is. A token that is none, or not any more,
// gives a refusal with the code signed_out.
func (s *Authenticator) Resume(ctx context.Context, token, address string) (Identity, error) {
	if !isToken(token) {
		return Identity{}, errNoSession
	}
	session, err := s.store.SessionByHash(ctx, digest(token))
	if errors.Is(err, curlew.ErrNotFound) {
		return Identity{}, errNoSession
	}
	if err != nil {
		return Identity{}, err
	}
	now := s.Now()
	if !now.Before(session.ExpiresAt) || !now.Before(session.SeenAt.Add(s.Idle)) {
		return Identity{}, errNoSession
	}
	user, err := s.store.User(ctx, session.User)
	if errors.Is(err, curlew.ErrNotFound) {
		return Identity{}, errNoSession
	}
	if err != nil {
		return Identity{}, err
	}
	role, err := s.place(ctx, &session)
	if err != nil {
		return Identity{}, err
	}
	if now.Sub(session.SeenAt) >= touchEvery {
		if err := s.store.TouchSession(ctx, session.ID, now); untouched(err) && !errors.Is(err, curlew.ErrNotFound) {
			return Identity{}, err
		}
	}
	return Identity{Org: session.Org, User: user.ID, Session: session.ID, Role: role, Name: user.Email, Address: address, secret: token}, nil
}

// place finds what the person is now in the org of the session; one who is no
// member of it any more works in another.
func (s *Authenticator) place(ctx context.Context, session *curlew.Session) (curlew.Role, error) {
	memberships, _, err := s.open(ctx, session.User)
	if err != nil {
		return "", err
	}
	m, ok := chooseOrg(memberships, session.Org)
	if !ok {
		return "", errNoSession
	}
	if m.Org != session.Org {
		session.Org = m.Org
		if err := s.store.MoveSession(ctx, session.ID, m.Org); err != nil && !errors.Is(err, curlew.ErrNotFound) {
			return "", err
		}
	}
	return m.Role, nil
}

// SwitchOrg lets a person work in another of their orgs.
func (s *Authenticator) SwitchOrg(ctx context.Context, who Identity, org curlew.OrgID) error {
	memberships, _, err := s.open(ctx, who.User)
	if err != nil {
		return err
	}
	if m, ok := chooseOrg(memberships, org); !ok || m.Org != org || who.Session == "" {
		return curlew.NotFound("org", string(org))
	}
	return s.store.MoveSession(ctx, who.Session, org)
}

// Orgs lists what a person is, over all orgs that let them in.
func (s *Authenticator) Orgs(ctx context.Context, who Identity) ([]curlew.Membership, error) {
	memberships, _, err := s.open(ctx, who.User)
	return memberships, err
}

// Sessions lists where a person is signed in.
func (s *Authenticator) Sessions(ctx context.Context, who Identity) ([]curlew.Session, error) {
	return s.store.Sessions(ctx, who.User)
}

// SignOut ends one session of the person, or all when none is named.
func (s *Authenticator) SignOut(ctx context.Context, who Identity, session curlew.SessionID) error {
	if who.User == "" {
		return errNoSession
	}
	action := "sign-out"
	if session == "" {
		action = "sign-out.everywhere"
	}
	err := s.store.EndSession(ctx, who.Org, who.User, session, s.Entry(who, action, string(who.User), nil))
	if errors.Is(err, curlew.ErrNotFound) && session == who.Session {
		return nil // it has ended by itself
	}
	return err
}

// isSignedOut tells "nobody" from "cannot say".
func isSignedOut(err error) bool { return errors.Is(err, errNoSession) }
