package auth

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"curlew/internal/curlew"
)

// AddUser makes somebody a member of the org. For a person who is new it returns
// a one-time link to choose a password; who is known already has a way in, which
// an owner of another org must not be able to change.
func (s *Service) AddUser(ctx context.Context, who Identity, email, name string, role curlew.Role) (user curlew.User, link string, err error) {
	if err := Allow(who, EditPeople); err != nil {
		return user, "", err
	}
	if email, err = curlew.ParseEmail(email); err != nil {
		return user, "", err
	}
	if _, err := curlew.ParseRole(string(role)); err != nil {
		return user, "", err
	}
	entry := s.Entry(who, "user.add", email, map[string]string{"role": string(role)})
	user, isNew, err := s.store.AddMember(ctx, who.Org, curlew.User{Email: email, Name: personName(name, email)}, role, s.Limits.Members, entry)
	if err != nil || !isNew {
		return user, "", err
	}
	link, err = s.passwordLink(ctx, who, user)
	return user, link, err
}

// personName is a name that can be shown: the e-mail address where there is none.
func personName(name, email string) string {
	name = strings.Join(strings.Fields(cut(name, 100)), " ")
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

// Member finds a person of the org by e-mail address or id.
func (s *Service) Member(ctx context.Context, who Identity, emailOrID string) (curlew.User, curlew.Membership, error) {
	user, err := s.store.User(ctx, curlew.UserID(emailOrID))
	if isNotFound(err) {
		user, _, err = s.store.UserByEmail(ctx, strings.ToLower(strings.TrimSpace(emailOrID)))
	}
	if err != nil && !isNotFound(err) {
		return user, curlew.Membership{}, err
	}
	memberships, err := s.store.Memberships(ctx, user.ID)
	if err != nil {
		return user, curlew.Membership{}, err
	}
	m, ok := chooseOrg(memberships, who.Org)
	if !ok || m.Org != who.Org {
		return curlew.User{}, m, curlew.NotFound("member", emailOrID)
	}
	return user, m, nil
}

// Members lists the people of the org.
func (s *Service) Members(ctx context.Context, who Identity) ([]curlew.Member, error) {
	if err := Allow(who, ViewPeople); err != nil {
		return nil, err
	}
	return s.store.Members(ctx, who.Org, 10000)
}

// SetRole changes what somebody is in the org.
func (s *Service) SetRole(ctx context.Context, who Identity, id curlew.UserID, role curlew.Role) error {
	if err := Allow(who, EditPeople); err != nil {
		return err
	}
	if _, err := curlew.ParseRole(string(role)); err != nil {
		return err
	}
	return s.store.SetRole(ctx, who.Org, id, role, s.Entry(who, "user.role", string(id), map[string]string{"role": string(role)}))
}

// RemoveUser ends somebody's membership of the org, and says how many keys that
// they made for it still let programs in.
func (s *Service) RemoveUser(ctx context.Context, who Identity, id curlew.UserID) (keys int64, err error) {
	if err := Allow(who, EditPeople); err != nil {
		return 0, err
	}
	return s.store.RemoveMember(ctx, who.Org, id, s.Entry(who, "user.remove", string(id), nil))
}

// ChangePassword lets a person choose another password, who must know the old
// one where there is one. All other sessions end.
func (s *Service) ChangePassword(ctx context.Context, who Identity, old, new string) error {
	if err := Allow(who, OwnAccount); err != nil {
		return err
	}
	user, hash, err := s.store.UserByEmail(ctx, who.Name)
	if err != nil || user.ID != who.User {
		return firstOf(err, errNoSession)
	}
	if _, err := s.countSignIn(ctx, user.Email, who.Address); err != nil {
		return err
	}
	if hash != "" {
		if right, _, err := s.hasher.verify(ctx, old, hash); err != nil || !right {
			return firstOf(err, curlew.Refused("wrong_credentials", "the old password is wrong"))
		}
	}
	if hash, err = s.newHash(ctx, new, user.Email, user.Name); err != nil {
		return err
	}
	return s.store.SetPassword(ctx, who.Org, user.ID, hash, who.Session, s.Entry(who, "password.change", string(user.ID), nil))
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

// SetPassword gives a person a password, which ends all their sessions. Only the
// operator may: an owner gives a link.
func (s *Service) SetPassword(ctx context.Context, who Identity, user curlew.User, password string) error {
	if !who.operator {
		return curlew.Refused("forbidden", "only who runs the installation sets the password of somebody else")
	}
	hash, err := s.newHash(ctx, password, user.Email, user.Name)
	if err != nil {
		return err
	}
	return s.store.SetPassword(ctx, who.Org, user.ID, hash, "", s.Entry(who, "password.set", string(user.ID), nil))
}

// newHash checks a new password and hashes it.
func (s *Service) newHash(ctx context.Context, password string, names ...string) (string, error) {
	if err := CheckPassword(password, names...); err != nil {
		return "", err
	}
	return s.hasher.hash(ctx, password)
}
