package auth

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
)

// oidcWithin is how long a person may take at the provider.
const oidcWithin = 10 * time.Minute

var errLostWay = curlew.Refused("oidc_lost", "this sign-in was begun elsewhere or too long ago: begin again")

// callback is the address to which the provider sends people back. Without
// console.url it is only known on loopback.
func (s *Authenticator) callback(r *http.Request) (string, error) {
	switch {
	case s.BaseURL != "":
		return s.BaseURL + oidcBackPath, nil
	case isLoopback(r.Host):
		return "http://" + r.Host + oidcBackPath, nil
	}
	return "", curlew.Refused("no_console_url", "console.url is not set, and the provider must know where to send you back")
}

func (s *Authenticator) oidcStart(w http.ResponseWriter, r *http.Request) {
	secure, err := s.secure(r)
	to, seed := "", ""
	if err == nil {
		to, seed, err = s.beginOIDC(r)
	}
	if err != nil {
		s.oidcFailed(w, r, err)
		return
	}
	next := localPath(r.URL.Query().Get("next"))
	s.setCookie(w, secure, oidcCookie, seed+"."+b64.EncodeToString([]byte(next)), oidcWithin)
	w.Header().Set("Cache-Control", "no-store")
	http.Redirect(w, r, to, http.StatusSeeOther)
}

func (s *Authenticator) beginOIDC(r *http.Request) (to, seed string, err error) {
	callback, err := s.callback(r)
	if err != nil {
		return "", "", err
	}
	about, err := s.oidc.discover(r.Context())
	if err != nil {
		return "", "", err
	}
	if seed, err = s.newToken(); err != nil {
		return "", "", err
	}
	to, err = s.oidc.authorizeURL(about, seed, callback)
	return to, seed, err
}

// oidcBack takes a person back from the provider. The seed in the browser's
// cookie proves that the sign-in was begun there, and serves once.
func (s *Authenticator) oidcBack(w http.ResponseWriter, r *http.Request) {
	secure, err := s.secure(r)
	seed, target, _ := strings.Cut(s.cookie(r, oidcCookie), ".")
	s.setCookie(w, secure, oidcCookie, "", 0)
	token := ""
	if err == nil {
		token, err = s.finishOIDC(r, seed)
	}
	if err != nil {
		s.oidcFailed(w, r, err)
		return
	}
	next, _ := b64.DecodeString(target)
	s.enter(w, r, secure, token, s.stillGood(r.Context(), localPath(string(next))))
}

func (s *Authenticator) oidcFailed(w http.ResponseWriter, r *http.Request, err error) {
	page := s.signInForm("/")
	page.Notice = sentence(err)
	s.show(w, r, statusOf(err), pageSignIn, page)
}

func (s *Authenticator) finishOIDC(r *http.Request, seed string) (string, error) {
	ctx, q := r.Context(), r.URL.Query()
	if !isToken(seed) || !same(q.Get("state"), seedState(seed)) {
		return "", errLostWay
	}
	if q.Get("error") != "" || q.Get("code") == "" {
		return "", distrusted("the provider says %q", toText(text.CutBytes(q.Get("error"), 100)))
	}
	from := s.caller(r)
	if err := s.countAttempt(ctx, digest("oidc\x00"+from.Address), addressLimit, addressWindow); err != nil {
		return "", err
	}
	callback, err := s.callback(r)
	if err != nil {
		return "", err
	}
	about, err := s.oidc.discover(ctx)
	if err != nil {
		return "", err
	}
	got, err := s.oidc.exchange(ctx, about, seed, q.Get("code"), callback)
	if err != nil {
		return "", err
	}
	said, err := s.oidc.vouch(ctx, about, seed, got)
	if err != nil {
		return "", err
	}
	user, err := s.vouchedFor(ctx, said, from)
	if err != nil {
		return "", err
	}
	return s.begin(ctx, user, from, "oidc")
}

// vouchedFor finds the person: by subject, which never changes hands, else by
// verified e-mail address, after which the subject is bound. A person whom the
// provider knew under another subject is somebody else with a used address.
func (s *Authenticator) vouchedFor(ctx context.Context, said claims, from Caller) (curlew.User, error) {
	issuer := s.oidc.Issuer
	user, err := s.store.UserBySubject(ctx, issuer, said.Subject)
	if err == nil || !errors.Is(err, curlew.ErrNotFound) {
		return user, err
	}
	email, err := curlew.ParseEmail(said.Email)
	if err != nil || !bool(said.Verified) {
		return user, curlew.Refused("email_unverified", "the sign-in provider does not say that your e-mail address is verified")
	}
	user, _, err = s.store.UserByEmail(ctx, email)
	if errors.Is(err, curlew.ErrNotFound) {
		user, err = s.welcome(ctx, email, said.Name, from)
	}
	if err != nil {
		return user, err
	}
	if user.Subject != "" {
		return user, curlew.Refused("other_subject",
			"%s belongs to another account of the sign-in provider: ask an owner to remove the user and add you", email)
	}
	who := Identity{User: user.ID, Name: user.Email, Address: from.Address}
	home, _ := s.store.Memberships(ctx, user.ID)
	m, ok := chooseOrg(home, curlew.DefaultOrg)
	if !ok {
		return user, curlew.Refused("no_membership", "%s belongs to no org: ask an owner to be added", user.Email)
	}
	bound := user
	bound.Issuer, bound.Subject = issuer, said.Subject
	err = s.store.BindSubject(ctx, m.Org, bound,
		s.Entry(who, "user.bind", string(user.ID), map[string]string{"issuer": issuer}))
	return user, err
}

// welcome makes a member of who is invited, and a viewer of who comes from a domain that may.
func (s *Authenticator) welcome(ctx context.Context, email, name string, from Caller) (curlew.User, error) {
	invited, err := s.store.EnrolProved(ctx, email, s.Entry(from.identity(), "user.join", "", map[string]string{"how": "oidc"}))
	if !errors.Is(err, curlew.ErrNotFound) {
		return invited, err
	}
	_, domain, _ := strings.Cut(email, "@")
	if !slices.ContainsFunc(s.oidc.AllowedDomains, func(d string) bool { return d == "*" || strings.EqualFold(d, domain) }) {
		return curlew.User{}, curlew.Refused("not_invited", "%s has no account here: ask an owner to be added", email)
	}
	entry := s.Entry(from.identity(), "user.add", email, map[string]string{"role": string(curlew.RoleViewer), "how": "oidc"})
	viewer := curlew.Member{User: curlew.User{Email: email, Name: personName(name, email)}, Role: curlew.RoleViewer}
	user, _, err := s.store.AddMember(ctx, curlew.DefaultOrg, viewer, s.Limits.Members, entry)
	return user, err
}
