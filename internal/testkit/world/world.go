// Package world opens a real installation for tests, with orgs that hold one of
// everything: what the API, the console and the remote calls are tested against.
package world

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
	"github.com/curlew-data/curlew/internal/data/database/databasetest"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/ops/config"
	"github.com/curlew-data/curlew/internal/ops/setup"
	"github.com/curlew-data/curlew/internal/work/teach"
)

// Hostile is what a hostile site may call a thing.
const Hostile = "<script>alert(1)</script>\" onmouseover=\"alert(2) \u202egnp.exe"

// Options say what an installation is opened with; all may be left out.
type Options struct {
	Engine database.Engine // SQLite unless another is named; a test without a Postgres is skipped
	Config *config.Config  // to begin with, on SQLite; nil means the default
	Now    func() time.Time
	Reads  bool // it archives what it reads
}

// World is an installation for the length of a test. It may ask servers on loopback.
type World struct {
	*testing.T
	I        *setup.Installation
	Accounts *auth.Authenticator
	App      *app.App

	site      *Site
	trainings *teach.TrainingStore
}

// Open opens a fresh installation.
func Open(t *testing.T, o Options) *World {
	t.Helper()
	cfg, site := configured(t, o), newSite(t)
	cfg.Data, cfg.Fetch.Browser, cfg.Deliver.PlainHTTP = t.TempDir(), "off", true
	cfg.Mail.Server, cfg.Mail.From = config.MailServer{Host: "127.0.0.1", Port: 25}, "curlew@example.org" // which sends nothing
	cfg.Egress.Allow = []config.Reach{{Prefix: netip.MustParsePrefix("127.0.0.0/8")}}
	cfg.Egress.Ports = append(cfg.Egress.Ports, site.port())
	hurry := curlew.Duration(0)
	i, err := setup.Open(t.Context(), cfg, setup.Options{Now: o.Now, Delay: &hurry})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(i.Close)
	if o.Reads {
		if err := i.OpenReading(t.Context(), ""); err != nil {
			t.Fatal(err)
		}
	}
	i.OpenWay()
	accounts := auth.New(auth.Options{Store: i.Store.Accounts(), BaseURL: "http://127.0.0.1", Argon: auth.Argon{KiB: 64, Passes: 1, Lanes: 1}})
	return &World{T: t, I: i, Accounts: accounts, App: app.New(i, accounts), site: site,
		trainings: teach.OpenTrainings(filepath.Join(cfg.Data, "drafts"), time.Now)}
}

func configured(t *testing.T, o Options) config.Config {
	t.Helper()
	switch {
	case o.Config != nil:
		return *o.Config
	case o.Engine != database.Postgres:
		return config.Default()
	}
	cfg, err := config.Load(config.Inputs{Flags: map[string]string{"database": databasetest.URL(t, o.Engine)}})
	if err != nil {
		t.Fatal(err)
	}
	return cfg
}

// ChangeKey encrypts the secrets of subscriptions with another key, as a process does that was started with one.
func (w *World) ChangeKey() {
	w.Helper()
	old, err := os.ReadFile(filepath.Join(w.I.Config.Data, "secret.key"))
	if err == nil {
		other := store.NewSealer([]string{"another key"}, strings.TrimSpace(string(old)))
		err = store.New(w.I.DB, curlew.SystemMinter()).SealWith(w.Context(), other)
	}
	if err != nil {
		w.Fatal(err)
	}
}

// AddOrg makes an org that holds nothing.
func (w *World) AddOrg(org curlew.OrgID, name string) {
	w.Helper()
	if err := w.I.Store.AddOrg(w.Context(), curlew.Org{ID: org, Name: name}); err != nil {
		w.Fatal(err)
	}
}

// Add makes an org that holds one of everything.
func (w *World) Add(org curlew.OrgID, name string) IDs {
	w.Helper()
	w.AddOrg(org, name)
	return w.Fill(org, name)
}

// Session is a browser in which somebody is signed in.
type Session struct {
	auth.Identity
	Cookie *http.Cookie
	Token  string // that a form must carry
}

// With is the same session with another token.
func (s Session) With(token string) Session {
	s.Token = token
	return s
}

// SignIn makes somebody a member of an org and signs them in.
func (w *World) SignIn(org curlew.OrgID, email string, role curlew.Role) Session {
	w.Helper()
	member := curlew.Member{User: curlew.User{Email: email, Name: email}, Role: role}
	user, _, err := w.I.Store.Accounts().AddMember(w.Context(), org, member, 0, curlew.AuditEntry{})
	if err != nil {
		w.Fatal(err)
	}
	return w.SignInAgain(user, "")
}

// SignInAgain begins a session of somebody in a browser that says what it is.
func (w *World) SignInAgain(user curlew.User, agent string) Session {
	w.Helper()
	request := httptest.NewRequestWithContext(w.Context(), http.MethodGet, "http://127.0.0.1/", nil)
	request.Header.Set("User-Agent", agent)
	answer := httptest.NewRecorder()
	w.Accounts.Enter(answer, request, user, "test", "/")
	cookies := answer.Result().Cookies()
	if len(cookies) == 0 {
		w.Fatalf("%s is not signed in: %d %s", user.Email, answer.Code, answer.Body)
	}
	who, err := w.Accounts.Resume(w.Context(), cookies[0].Value, "127.0.0.1")
	if err != nil {
		w.Fatal(err)
	}
	return Session{who, cookies[0], w.Accounts.CSRF(who)}
}

func portOf(t *testing.T, address string) uint16 {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	port, err := strconv.ParseUint(u.Port(), 10, 16)
	if err != nil {
		t.Fatal(err)
	}
	return uint16(port)
}
