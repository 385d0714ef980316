package auth

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
)

// The paths that Handler serves.
const (
	signInPath     = "/sign-in"
	signOutPath    = "/sign-out"
	everywherePath = "/sign-out/everywhere"
	switchPath     = "/switch-org"
	linkPath       = "/link"
	joinPath       = "/join"
	oidcStartPath  = "/oidc/start"
	oidcBackPath   = "/oidc/callback"
)

// Routes adds the pages of signing in and out to a mux, which Middleware must
// stand before.
func (s *Authenticator) Routes(mux *http.ServeMux) {
	mux.HandleFunc("GET "+signInPath, s.signInPage)
	mux.HandleFunc("POST "+signInPath, s.signIn)
	mux.HandleFunc("POST "+signOutPath, s.signOut)
	mux.HandleFunc("POST "+everywherePath, s.signOutEverywhere)
	mux.HandleFunc("POST "+switchPath, s.switchOrg)
	mux.HandleFunc("GET "+linkPath, s.linkPage)
	mux.HandleFunc("POST "+linkPath, s.useLink)
	mux.HandleFunc("GET "+joinPath, s.joinPage)
	mux.HandleFunc("POST "+joinPath, s.join)
	if s.oidc != nil {
		mux.HandleFunc("GET "+oidcStartPath, s.oidcStart)
		mux.HandleFunc("GET "+oidcBackPath, s.oidcBack)
	}
}

// Serves says whether a path is of a page of Routes. They need nothing of any org.
func (s *Authenticator) Serves(path string) bool {
	return slices.Contains([]string{signInPath, signOutPath, everywherePath, switchPath, linkPath, joinPath, oidcStartPath, oidcBackPath},
		path)
}

// localPath is where to go afterwards: a path of ours, or the start. Browsers take
// a backslash for a slash and drop tabs and line ends, so such are none.
func localPath(next string) string {
	u, err := url.Parse(next)
	if err != nil || len(next) > 2000 || strings.Contains(next, " ") || !plainPath(next) || !plainPath(u.Path) {
		return "/"
	}
	if u.Host != "" || u.Path == signInPath || u.Path == linkPath || strings.HasPrefix(u.Path, "/oidc/") {
		return "/"
	}
	return next
}

// plainPath says whether no browser takes a path for the address of another host.
func plainPath(path string) bool {
	unsafe := func(r rune) bool { return r < ' ' || r == '\\' || r == 0x7f }
	return strings.HasPrefix(path, "/") && !strings.HasPrefix(path, "//") && !strings.ContainsFunc(path, unsafe)
}

func (s *Authenticator) signInPage(w http.ResponseWriter, r *http.Request) {
	next := localPath(r.URL.Query().Get("next"))
	if _, err := s.Resume(r.Context(), s.cookie(r, sessionCookie), s.Address(r)); err == nil {
		http.Redirect(w, r, next, http.StatusSeeOther)
		return
	}
	page := s.signInForm(next)
	if _, err := s.secure(r); err != nil {
		page.Notice = sentence(err)
	}
	s.show(w, r, http.StatusOK, pageSignIn, page)
}

func (s *Authenticator) signInForm(next string) AccountPage {
	page := AccountPage{Title: "Sign in", Next: next}
	if s.oidc != nil {
		page.OIDC = oidcStartPath + "?next=" + url.QueryEscape(next)
	}
	return page
}

// fromOurPage bounds a form and checks that no other site sent it. Before there
// is a session there is no token: the browser's word about the origin decides.
func (s *Authenticator) fromOurPage(w http.ResponseWriter, r *http.Request) (secure bool, err error) {
	r.Body = http.MaxBytesReader(w, r.Body, 64<<10)
	if err := s.cross.Check(r); err != nil {
		return false, errForged.Because(err)
	}
	if err := r.ParseForm(); err != nil {
		return false, curlew.Permanent("bad_form", "this form cannot be read: reload the page and try again").Because(err)
	}
	return s.secure(r)
}

func (s *Authenticator) signIn(w http.ResponseWriter, r *http.Request) {
	secure, err := s.fromOurPage(w, r)
	next := localPath(r.PostFormValue("next"))
	token := ""
	if err == nil {
		token, err = s.SignIn(r.Context(), r.PostFormValue("email"), r.PostFormValue("password"), s.caller(r))
	}
	if err != nil {
		page := s.signInForm(next)
		page.Notice, page.Email = sentence(err), r.PostFormValue("email")
		s.show(w, r, statusOf(err), pageSignIn, page)
		return
	}
	s.enter(w, r, secure, token, next)
}

// Enter begins a session for a person who has shown in another way who they are, and
// sends the browser on to a path of ours. It asks for no password: who calls it has
// checked something as good.
func (s *Authenticator) Enter(w http.ResponseWriter, r *http.Request, user curlew.User, how, next string) {
	secure, err := s.secure(r)
	token := ""
	if err == nil {
		token, err = s.begin(r.Context(), user, s.caller(r), how)
	}
	if err != nil {
		s.show(w, r, statusOf(err), pageMessage, AccountPage{Title: "This link does not work", Notice: sentence(err)})
		return
	}
	s.enter(w, r, secure, token, localPath(next))
}

// enter gives the browser its session, and the token by which it is known later.
func (s *Authenticator) enter(w http.ResponseWriter, r *http.Request, secure bool, token, next string) {
	s.setCookie(w, secure, sessionCookie, token, s.Absolute)
	s.setCookie(w, secure, deviceCookie, deviceOf(token), deviceFor)
	w.Header().Set("Cache-Control", "no-store")
	http.Redirect(w, r, next, http.StatusSeeOther)
}

func (s *Authenticator) signOut(w http.ResponseWriter, r *http.Request) {
	who, _ := From(r.Context())
	s.leave(w, r, s.SignOut(r.Context(), who, who.Session))
}

func (s *Authenticator) signOutEverywhere(w http.ResponseWriter, r *http.Request) {
	who, _ := From(r.Context())
	s.leave(w, r, s.SignOut(r.Context(), who, ""))
}

func (s *Authenticator) leave(w http.ResponseWriter, r *http.Request, err error) {
	if err != nil && !isSignedOut(err) {
		s.TurnAway(w, r, err)
		return
	}
	secure, _ := s.secure(r)
	s.setCookie(w, secure, sessionCookie, "", 0)
	w.Header().Set("Clear-Site-Data", `"cache", "storage"`)
	http.Redirect(w, r, signInPath, http.StatusSeeOther)
}

func (s *Authenticator) switchOrg(w http.ResponseWriter, r *http.Request) {
	who, _ := From(r.Context())
	if err := s.SwitchOrg(r.Context(), who, curlew.OrgID(r.PostFormValue("org"))); err != nil {
		s.TurnAway(w, r, err)
		return
	}
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

// linkPage only looks: programs that follow links in messages use none up.
func (s *Authenticator) linkPage(w http.ResponseWriter, r *http.Request) {
	token := r.URL.Query().Get("token")
	page, err := s.linkForm(r.Context(), token)
	if err == nil {
		_, err = s.secure(r)
	}
	if err != nil {
		s.show(w, r, statusOf(err), pageMessage, AccountPage{Title: "This link does not work", Notice: sentence(err)})
		return
	}
	if page.SignIn != "" { // who is signed in need not choose a password
		if _, err := s.Resume(r.Context(), s.cookie(r, sessionCookie), s.Address(r)); err == nil {
			http.Redirect(w, r, page.SignIn, http.StatusSeeOther)
			return
		}
	}
	s.show(w, r, http.StatusOK, pageLink, page)
}

// linkForm is the page of a link that is still good. That of an invitation is the same whether the
// address has an account or not.
func (s *Authenticator) linkForm(ctx context.Context, token string) (AccountPage, error) {
	link, err := s.CheckLink(ctx, token)
	switch {
	case err != nil:
		return AccountPage{}, err
	case link.Purpose == curlew.LinkFirst:
		return AccountPage{Title: "Welcome to Curlew", Link: token, First: true}, nil
	case link.Purpose == curlew.LinkJoin:
		i, org, err := s.CheckInvitation(ctx, token)
		return invitationPage(i, org, token), err
	}
	return AccountPage{Title: "Choose a password", Link: token}, nil
}

// noticeInvited is the same for those who have an account and for those who get one.
const noticeInvited = "Sign in to accept the invitation. If you are new here, use the password that you just chose."

func (s *Authenticator) useLink(w http.ResponseWriter, r *http.Request) {
	secure, err := s.fromOurPage(w, r)
	link, session := r.PostFormValue("token"), ""
	account := NewAccount{Email: r.PostFormValue("email"), Name: r.PostFormValue("name"), Password: r.PostFormValue("password")}
	page, dead := s.linkForm(r.Context(), link)
	invited := page.SignIn != ""
	switch {
	case err != nil:
	case invited:
		err = s.enrolOrNot(r.Context(), link, account.Password, s.caller(r))
	default:
		session, err = s.UseLink(r.Context(), link, account, s.caller(r))
	}
	switch {
	case err == nil && invited:
		in := s.signInForm(page.SignIn)
		in.Email, in.Notice = page.Email, noticeInvited
		s.show(w, r, http.StatusOK, pageSignIn, in)
	case err == nil:
		s.enter(w, r, secure, session, "/")
	case dead != nil:
		s.show(w, r, statusOf(err), pageMessage, AccountPage{Title: "This link does not work", Notice: sentence(err)})
	default:
		page.Notice, page.Email, page.Name = sentence(err), cmp.Or(page.Email, account.Email), account.Name
		s.show(w, r, statusOf(err), pageLink, page)
	}
}
