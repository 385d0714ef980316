package auth

import (
	"context"
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
)

// personName is a name that can be shown: the e-mail address where there is none.
func personName(name, email string) string {
	name = text.Collapse(toText(text.CutBytes(name, 100)))
	if name == "" {
		return email
	}
	return name
}

// toText keeps what is text and steers no terminal.
func toText(text string) string {
	return strings.Map(func(r rune) rune {
		if r == utf8.RuneError || unicode.IsControl(r) || unicode.In(r, unicode.Cf) {
			return -1
		}
		return r
	}, text)
}

// Member finds a person of the org, or one who is invited to it, by e-mail address or id.
func (s *Authenticator) Member(ctx context.Context, org curlew.OrgID, emailOrID string) (curlew.Member, error) {
	email := strings.ToLower(strings.TrimSpace(emailOrID))
	user, err := s.store.User(ctx, curlew.UserID(emailOrID))
	if errors.Is(err, curlew.ErrNotFound) {
		user, _, err = s.store.UserByEmail(ctx, email)
	}
	if err != nil && !errors.Is(err, curlew.ErrNotFound) {
		return curlew.Member{}, err
	}
	memberships, err := s.store.Memberships(ctx, user.ID)
	if err != nil {
		return curlew.Member{}, err
	}
	if m, ok := chooseOrg(memberships, org); ok && m.Org == org {
		user.CreatedAt = m.CreatedAt // what was before is of other orgs
		return curlew.Member{User: user, Role: m.Role, DisabledAt: m.DisabledAt}, nil
	}
	invited, err := s.store.InvitationOf(ctx, org, email)
	if err != nil {
		return curlew.Member{}, err
	}
	return invited.Member(), nil
}

// ChangedPassword is the hash of the password that a person chooses, who must know the
// old one where there is one.
func (s *Authenticator) ChangedPassword(ctx context.Context, who Identity, old, fresh string) (string, error) {
	user, hash, err := s.store.UserByEmail(ctx, who.Name)
	if err != nil || user.ID != who.User {
		return "", firstOf(err, errNoSession)
	}
	if err := s.countAttempt(ctx, digest("session\x00"+string(who.Session)), pairLimit, pairWindow); err != nil {
		return "", err
	}
	if hash != "" {
		if right, _, err := s.hasher.verify(ctx, old, hash); err != nil || !right {
			return "", firstOf(err, curlew.Refused("wrong_credentials", "the old password is wrong"))
		}
	}
	return s.newHash(ctx, fresh, user.Email, user.Name)
}

// firstOf is the first error that there is.
func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// SetPassword is the hash of a password that a person is given. Only the operator may: an
// owner gives a link.
func (s *Authenticator) SetPassword(ctx context.Context, who Identity, user curlew.User, password string) (string, error) {
	if err := AllowOperator(who, "set another person's password"); err != nil {
		return "", err
	}
	return s.newHash(ctx, password, user.Email, user.Name)
}

// newHash checks a new password and hashes it.
func (s *Authenticator) newHash(ctx context.Context, password string, names ...string) (string, error) {
	if err := CheckPassword(password, names...); err != nil {
		return "", err
	}
	return s.hasher.hash(ctx, password)
}
