package auth

import (
	"bytes"
	"embed"
	"html/template"
	"net/http"

	"github.com/curlew-data/curlew/internal/curlew"
)

//go:embed pages/*.html
var pageFiles embed.FS

// The names of the pages, each a template that gets a Page.
const (
	pageSignIn      = "sign-in.html"
	pageLink        = "link.html"
	pageJoin        = "join.html"
	pageUnsubscribe = "unsubscribe.html"
	pageMessage     = "message.html"
)

// AccountPage is what the pages show. Paths of forms are constants of the templates.
type AccountPage struct {
	Title        string
	Notice       string // what went wrong, in a sentence
	Next         string // where to go after signing in
	OIDC         string // address that begins signing in with the provider; "" where there is none
	Email        string
	Name         string
	Link         string         // token of a one-time link
	First        bool           // the link makes its user the owner
	Unsubscribed bool           // the receiver of an e-mail has unsubscribed
	Org          string         // that invites
	Role         string         // as which it does
	SignIn       string         // where who has an account accepts the invitation
	CSRF         string         // token of forms, where somebody is signed in
	Orgs         []curlew.OrgID // others to which who is signed in may go from here
}

// Pages are the plain pages. "head.html" and "foot.html" surround each of them,
// so overriding those two in Options.Pages dresses all.
func Pages() *template.Template {
	return template.Must(template.ParseFS(pageFiles, "pages/*.html"))
}

// withOverrides takes each page from the overrides where it is there.
func withOverrides(overrides *template.Template) *template.Template {
	all := Pages()
	if overrides == nil {
		return all
	}
	for _, t := range overrides.Templates() {
		if t.Tree != nil {
			template.Must(all.AddParseTree(t.Name(), t.Tree.Copy()))
		}
	}
	return all
}

// ShowUnsubscribe shows the receiver of an e-mail the page to unsubscribe, without anybody being signed in.
func (s *Authenticator) ShowUnsubscribe(w http.ResponseWriter, r *http.Request, page AccountPage) {
	s.show(w, r, http.StatusOK, pageUnsubscribe, page)
}

// Refuse shows why something was not done.
func (s *Authenticator) Refuse(w http.ResponseWriter, r *http.Request, err error) {
	s.show(w, r, statusOf(err), pageMessage, AccountPage{Title: "That did not work", Notice: sentence(err)})
}

// TurnAwayFrom answers somebody whose org cannot be reached now: who is signed in may go to another of theirs, or sign out.
func (s *Authenticator) TurnAwayFrom(w http.ResponseWriter, r *http.Request, who Identity, err error) {
	if who.Session == "" || matchesAny(s.API, r.URL.Path) {
		s.TurnAway(w, r, err)
		return
	}
	page := AccountPage{Title: "Not reachable now", Notice: sentence(err), CSRF: s.CSRF(who)}
	all, err := s.Orgs(r.Context(), who)
	if err != nil {
		s.TurnAway(w, r, err)
		return
	}
	for _, m := range all {
		if m.Org != who.Org {
			page.Orgs = append(page.Orgs, m.Org)
		}
	}
	s.show(w, r, http.StatusServiceUnavailable, pageMessage, page)
}

// show writes a page. Nothing in it may run, be framed, be kept, or tell its
// address to other sites: a link's token stands there. Our own must see where a
// form came from, so the policy is not no-referrer, which makes the origin null.
func (s *Authenticator) show(w http.ResponseWriter, _ *http.Request, status int, name string, page AccountPage) {
	var body bytes.Buffer
	if err := s.pages.ExecuteTemplate(&body, name, page); err != nil {
		http.Error(w, "this page cannot be shown", http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Robots-Tag", "noindex")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; form-action 'self'; "+
		"frame-ancestors 'none'; base-uri 'none'")
	w.WriteHeader(status)
	_, _ = w.Write(body.Bytes()) // the reader may have gone
}
