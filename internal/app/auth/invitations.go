package auth

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"github.com/curlew-data/curlew/internal/curlew"
)

// Invite invites an address to the org, and gives a one-time link by which whoever has the address
// accepts. There is no account before, and nothing that is told depends on whether the address
// has one: an account that is there belongs to its person, not to who invites it. Who may, and the
// line of the audit log, are the use case's.
func (s *Authenticator) Invite(ctx context.Context, who Identity, email, name string, role curlew.Role) (curlew.Member, string, error) {
	email, err := curlew.ParseEmail(email)
	if err != nil {
		return curlew.Member{}, "", err
	}
	token, err := s.newToken()
	if err != nil {
		return curlew.Member{}, "", err
	}
	now := s.Now()
	i := curlew.Invitation{Email: email, Name: personName(name, email), Role: role, MadeBy: who.Actor(),
		CreatedAt: now, ExpiresAt: now.Add(passwordLinkFor)}
	i, err = s.store.Invite(ctx, who.Org, i, digest(token), s.Limits.Members)
	return i.Member(), linkAddress(s.BaseURL, token), err
}

// renewed gives an invitation another link.
func (s *Authenticator) renewed(ctx context.Context, who Identity, id curlew.UserID) (string, error) {
	token, err := s.newToken()
	if err != nil {
		return "", err
	}
	i := curlew.Invitation{Org: who.Org, ID: id, MadeBy: who.Actor(), ExpiresAt: s.Now().Add(passwordLinkFor)}
	return linkAddress(s.BaseURL, token), s.store.RenewInvitation(ctx, i, digest(token))
}

// CheckInvitation tells what an invitation that a person has the link of is to, without using it up.
func (s *Authenticator) CheckInvitation(ctx context.Context, token string) (curlew.Invitation, curlew.Org, error) {
	if !isToken(token) {
		return curlew.Invitation{}, curlew.Org{}, errDeadLink
	}
	i, org, err := s.store.Invitation(ctx, digest(token), s.Now())
	return i, org, deadLink(err)
}

// deadLink says of a link that is not there what a person should know.
func deadLink(err error) error {
	if errors.Is(err, curlew.ErrNotFound) {
		return errDeadLink
	}
	return err
}

// Join accepts an invitation: the person who is signed in becomes a member of the org that invites
// them, and works there from now on. It takes the link, too: to be signed in with an address that
// somebody else could register is no proof that one is meant.
func (s *Authenticator) Join(ctx context.Context, who Identity, token string) error {
	if !isToken(token) {
		return errDeadLink
	}
	session := curlew.Session{ID: who.Session, User: who.User}
	return deadLink(s.store.Join(ctx, digest(token), s.Now(), session, s.Entry(who, "user.join", string(who.User), nil)))
}

// Decline ends an invitation of the person who is signed in.
func (s *Authenticator) Decline(ctx context.Context, who Identity, token string) error {
	if !isToken(token) {
		return errDeadLink
	}
	return deadLink(s.store.Decline(ctx, digest(token), s.Now(), who.User, s.Entry(Identity{Via: who.Via}, "user.decline", "", nil)))
}

// joinAddress is where a person accepts an invitation, once signed in.
func joinAddress(token string) string { return joinPath + "?token=" + url.QueryEscape(token) }

// stillGood is where to go after signing in: not to an invitation that signing in has used up.
func (s *Authenticator) stillGood(ctx context.Context, next string) string {
	if u, err := url.Parse(next); err == nil && u.Path == joinPath {
		if _, _, err := s.CheckInvitation(ctx, u.Query().Get("token")); err != nil {
			return "/"
		}
	}
	return next
}

func (s *Authenticator) joinPage(w http.ResponseWriter, r *http.Request) {
	who, _ := From(r.Context())
	token := r.URL.Query().Get("token")
	i, org, err := s.CheckInvitation(r.Context(), token)
	if err == nil && i.Email != who.Name {
		err = curlew.Refused("other_person", "this invitation is for %s, and you are signed in as %s: sign out, and open the link again",
			i.Email, who.Name)
	}
	if err != nil {
		s.show(w, r, statusOf(err), pageMessage, AccountPage{Title: "This link does not work", Notice: sentence(err)})
		return
	}
	page := invitationPage(i, org, token)
	page.CSRF = s.CSRF(who)
	s.show(w, r, http.StatusOK, pageJoin, page)
}

// invitationPage says who invites whom as what.
func invitationPage(i curlew.Invitation, org curlew.Org, token string) AccountPage {
	return AccountPage{Title: "You are invited", Link: token, Email: i.Email, Org: org.Name, Role: string(i.Role), SignIn: joinAddress(token)}
}

func (s *Authenticator) join(w http.ResponseWriter, r *http.Request) {
	who, _ := From(r.Context())
	answer := s.Join
	if r.PostFormValue("answer") != "accept" {
		answer = s.Decline
	}
	if err := answer(r.Context(), who, r.PostFormValue("token")); err != nil {
		s.show(w, r, statusOf(err), pageMessage, AccountPage{Title: "This link does not work", Notice: sentence(err)})
		return
	}
	http.Redirect(w, r, "/", http.StatusSeeOther)
}
