package cli

import (
	"crypto/rand"
	"crypto/subtle"
	"net/http"
	"net/url"

	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
)

// demoLogin is whoever looks at the demonstration: its link signs in as the owner of data
// that are made up, on this machine, for as long as the process lives.
type demoLogin struct {
	key  string
	link string // "" when somebody else owns the installation already
	user curlew.User
}

const demoPath, demoEmail = "/demo", "demo@curlew.example"

// settle makes its user the owner of a new installation by its first link.
func (g *demoLogin) settle(a *program, accounts *auth.Authenticator, base, first string, err error) error {
	if err != nil || first == "" {
		return err
	}
	u, err := url.Parse(first)
	if err != nil {
		return err
	}
	if _, err := accounts.UseLink(a.Context, u.Query().Get("token"), auth.NewAccount{Email: demoEmail, Name: "Demo", Password: rand.Text()},
		auth.Caller{Address: "127.0.0.1"}); err != nil {
		return err
	}
	member, err := accounts.Member(a.Context, curlew.DefaultOrg, demoEmail)
	g.user = member.User
	g.key = rand.Text()
	g.link = base + demoPath + "?key=" + g.key
	return err
}

// handler lets whoever has the link in.
func (g *demoLogin) handler(accounts *auth.Authenticator) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if subtle.ConstantTimeCompare([]byte(r.URL.Query().Get("key")), []byte(g.key)) != 1 {
			http.Redirect(w, r, "/", http.StatusSeeOther)
			return
		}
		accounts.Enter(w, r, g.user, "demo", r.URL.Query().Get("next"))
	})
}
