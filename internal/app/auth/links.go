package auth

import (
	"context"
	"errors"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// How long links are good: the first is printed where somebody looks at once,
// the others travel by mail.
const (
	firstLinkFor    = time.Hour
	passwordLinkFor = 3 * 24 * time.Hour
)

var errDeadLink = curlew.Refused("dead_link", "this link is no longer valid: it was used, has expired, or was replaced by a newer one")

// FirstLink makes the one-time link by which somebody becomes the owner of an
// installation at an address, good for an hour. It returns "" when there is an
// owner already.
func (s *Authenticator) FirstLink(ctx context.Context, base string) (string, error) {
	owned, err := s.store.OwnerExists(ctx)
	if err != nil || owned {
		return "", err
	}
	link := curlew.Link{Purpose: curlew.LinkFirst}
	entry := s.Entry(Operator(curlew.SystemOrg), "link.first", "installation", nil)
	token, err := s.addLink(ctx, curlew.SystemOrg, link, firstLinkFor, entry)
	return linkAddress(base, token), err
}

// PasswordLink makes a one-time link by which a person of the org chooses a new
// password, or accepts the invitation, good for three days. An owner makes none for who
// also belongs to other orgs: it would open those too. Who may, and the line of the audit log, are the
// use case's.
func (s *Authenticator) PasswordLink(ctx context.Context, who Identity, user curlew.Member) (string, error) {
	if user.InvitedUntil != nil {
		return s.renewed(ctx, who, user.ID)
	}
	memberships, err := s.store.Memberships(ctx, user.ID)
	if err != nil {
		return "", err
	}
	for _, m := range memberships {
		if m.Org != who.Org && !who.operator {
			return "", curlew.Refused("other_orgs", "%s also belongs to other orgs: only the operator can create this link", user.Email)
		}
	}
	if m, ok := chooseOrg(memberships, who.Org); !ok || m.Org != who.Org {
		return "", curlew.NotFound("member", string(user.ID))
	}
	link := curlew.Link{Purpose: curlew.LinkPassword, User: user.ID, Org: who.Org, MadeBy: who.Actor()}
	if who.operator {
		link.Org = ""
	}
	token, err := s.addLink(ctx, who.Org, link, passwordLinkFor, curlew.AuditEntry{})
	return linkAddress(s.BaseURL, token), err
}

// addLink keeps a link that is good for some time, and gives its token.
func (s *Authenticator) addLink(
	ctx context.Context, org curlew.OrgID, link curlew.Link, good time.Duration, entry curlew.AuditEntry,
) (string, error) {
	token, err := s.newToken()
	if err != nil {
		return "", err
	}
	link.CreatedAt = s.Now()
	link.ExpiresAt = link.CreatedAt.Add(good)
	return token, s.store.AddLink(ctx, org, link, digest(token), entry)
}

func linkAddress(base, token string) string { return base + linkPath + "?token=" + token }

// NewAccount is what a person who follows a link says. Links that are made for somebody
// need the password alone.
type NewAccount struct{ Email, Name, Password string }

// CheckLink tells what a link is good for, without using it up.
func (s *Authenticator) CheckLink(ctx context.Context, token string) (curlew.Link, error) {
	if !isToken(token) {
		return curlew.Link{}, errDeadLink
	}
	link, err := s.store.Link(ctx, digest(token), s.Now())
	if !errors.Is(err, curlew.ErrNotFound) {
		return link, err
	}
	_, _, err = s.CheckInvitation(ctx, token)
	return curlew.Link{Purpose: curlew.LinkJoin}, err
}

// UseLink uses a link up and begins a session: with the first link for the new
// owner who gives e-mail address and name, else for the person it was made for.
func (s *Authenticator) UseLink(ctx context.Context, token string, account NewAccount, from Caller) (string, error) {
	link, err := s.CheckLink(ctx, token)
	if err != nil {
		return "", err
	}
	var user curlew.User
	switch link.Purpose {
	case curlew.LinkFirst:
		user, err = s.claim(ctx, token, account, from)
	case curlew.LinkJoin:
		user, err = s.enrol(ctx, token, account.Password, from)
	default:
		user, err = s.redeem(ctx, link, token, account.Password, from)
	}
	if err != nil {
		return "", deadLink(err)
	}
	return s.begin(ctx, user, from, "link")
}

// enrol makes a new person of whoever is invited, with the password that they choose.
func (s *Authenticator) enrol(ctx context.Context, token, password string, from Caller) (curlew.User, error) {
	i, _, err := s.CheckInvitation(ctx, token)
	if err != nil {
		return curlew.User{}, err
	}
	hash, err := s.newHash(ctx, password, i.Email, i.Name)
	if err != nil {
		return curlew.User{}, err
	}
	return s.store.Enrol(ctx, digest(token), s.Now(), hash, s.Entry(from.identity(), "user.join", "", nil))
}

// enrolOrNot is enrol for the page of an invitation, which answers alike whether the address has an account or not: who
// invites has the link, too. An account that is there stays as it was.
func (s *Authenticator) enrolOrNot(ctx context.Context, token, password string, from Caller) error {
	_, err := s.enrol(ctx, token, password, from)
	if errors.Is(err, curlew.ErrHasAccount) {
		return nil
	}
	return deadLink(err)
}

func (s *Authenticator) claim(ctx context.Context, token string, account NewAccount, from Caller) (curlew.User, error) {
	email, err := curlew.ParseEmail(account.Email)
	if err != nil {
		return curlew.User{}, err
	}
	user := curlew.User{Email: email, Name: personName(account.Name, email)}
	hash, err := s.newHash(ctx, account.Password, user.Email, user.Name)
	if err != nil {
		return user, err
	}
	owner := curlew.NewUser{User: user, PasswordHash: hash}
	return s.store.ClaimFirst(ctx, digest(token), s.Now(), owner, s.Entry(from.identity(), "installation.claim", "", nil))
}

func (s *Authenticator) redeem(ctx context.Context, link curlew.Link, token, password string, from Caller) (curlew.User, error) {
	user, err := s.store.User(ctx, link.User)
	if err != nil {
		return user, err
	}
	hash, err := s.newHash(ctx, password, user.Email, user.Name)
	if err != nil {
		return user, err
	}
	return s.store.UseLink(ctx, digest(token), s.Now(), hash, s.Entry(from.identity(), "password.link", "", nil))
}
