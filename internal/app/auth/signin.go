package auth

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// Caller is where a request comes from, before anybody knows who it is.
type Caller struct {
	Address string
	Agent   string
	Old     string // the token that the browser has from before
	Device  string // the token by which the browser is known
}

func (c Caller) identity() Identity { return Identity{Address: c.Address} }

// How many attempts to sign in are allowed in which time: for one account from
// one address, for one account, and from one address. The first keeps a stranger
// from locking others out from elsewhere; the second bounds many strangers, and is
// short because it keeps out the person, too, in a browser that is not known.
// A browser in which the person signed in before has a count of its own, like
// a pair, and no other: see OWASP, "Slow Down Online Guessing Attacks with Device Cookies".
const (
	pairLimit, pairWindow       = 5, 15 * time.Minute
	accountLimit, accountWindow = 20, 5 * time.Minute
	addressLimit, addressWindow = 50, 15 * time.Minute
)

const errTooManyAttempts curlew.Code = "too_many_attempts"

var errWrong = curlew.Refused("wrong_credentials", "the e-mail address or the password is wrong")

// SignIn begins a session for who knows a password, and returns its token. It
// takes as long, and says the same, whether there is such an account or not.
func (s *Authenticator) SignIn(ctx context.Context, email, password string, from Caller) (token string, err error) {
	known, err := curlew.ParseEmail(email)
	if err != nil {
		known = strings.ToLower(email) // nobody's, but it is counted like one
	}
	user, hash, err := s.store.UserByEmail(ctx, known)
	if err != nil && !errors.Is(err, curlew.ErrNotFound) {
		return "", err
	}
	mayForget, err := s.countSignIn(ctx, user.ID, known+"\x00"+hash, from)
	if err != nil {
		return "", err
	}
	if len(password) > mostPassword {
		password = "" // which nobody has
	}
	right, outdated, err := s.hasher.verify(ctx, password, hash)
	if err != nil {
		return "", err
	}
	if !right {
		return "", s.failed(ctx, user, from)
	}
	if outdated {
		if err := s.rehash(ctx, user.ID, password); err != nil {
			return "", err
		}
	}
	if err := s.store.ForgetAttempts(ctx, mayForget...); err != nil {
		return "", err
	}
	return s.begin(ctx, user, from, "password")
}

// countSignIn counts an attempt before it is known whether it succeeds, so that
// many at once gain nothing, and refuses one too many. It returns the counts that
// success may clear: that of the address is not among them. An account is counted
// together with its password: a new one begins anew.
func (s *Authenticator) countSignIn(ctx context.Context, user curlew.UserID, account string, from Caller) ([]string, error) {
	known, err := s.knows(ctx, user, from.Device)
	if err != nil {
		return nil, err
	}
	if known {
		own := digest("device\x00" + account + "\x00" + from.Device)
		return []string{own}, s.countAttempt(ctx, own, pairLimit, pairWindow)
	}
	pair, whole := digest("pair\x00"+account+"\x00"+from.Address), digest("account\x00"+account)
	for _, c := range []struct {
		subject string
		most    int64
		window  time.Duration
	}{
		{digest("address\x00" + from.Address), addressLimit, addressWindow},
		{pair, pairLimit, pairWindow},
		{whole, accountLimit, accountWindow},
	} {
		if err := s.countAttempt(ctx, c.subject, c.most, c.window); err != nil {
			return nil, err
		}
	}
	return []string{pair, whole}, nil
}

func (s *Authenticator) countAttempt(ctx context.Context, subject string, most int64, window time.Duration) error {
	now := s.Now()
	n, until, err := s.store.CountAttempt(ctx, subject, now, window)
	if err != nil {
		return err
	}
	if n > most {
		minutes := int((until.Sub(now) + time.Minute - 1) / time.Minute)
		return curlew.Refused(errTooManyAttempts, "there were too many attempts to sign in: try again in %s", curlew.Counted(minutes, "minute"))
	}
	return nil
}

// failed writes down that somebody was not let in. For an account that does not
// exist it writes as much, elsewhere: the time that takes must not tell.
func (s *Authenticator) failed(ctx context.Context, user curlew.User, from Caller) error {
	org, thing := curlew.SystemOrg, "unknown account"
	memberships, err := s.store.Memberships(ctx, user.ID)
	if err != nil {
		return err
	}
	if len(memberships) > 0 {
		org, thing = memberships[0].Org, string(user.ID)
	}
	if err := s.store.Record(ctx, org, s.Entry(from.identity(), "sign-in.failed", thing, nil)); err != nil {
		return err
	}
	return errWrong
}

func (s *Authenticator) rehash(ctx context.Context, id curlew.UserID, password string) error {
	hash, err := s.hasher.hash(ctx, password)
	if err != nil {
		return err
	}
	return s.store.Rehash(ctx, id, hash)
}
