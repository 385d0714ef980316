package auth

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
	"github.com/curlew-data/curlew/internal/data/database/databasetest"
	"github.com/curlew-data/curlew/internal/data/store"
)

const good = "a heron on the shore"

// testService is an installation to sign in to: a real store, a real server on
// loopback, and a clock that the test turns.
type testService struct {
	*Authenticator
	t     *testing.T
	kept  *store.Store
	db    *database.DB
	site  *httptest.Server
	clock sync.Mutex
	now   time.Time
}

func (h *testService) turn(d time.Duration) {
	h.clock.Lock()
	defer h.clock.Unlock()
	h.now = h.now.Add(d)
}

// light keeps tests fast; one test uses what the product uses.
var light = Argon{KiB: 64, Passes: 1, Lanes: 1}

func build(t *testing.T, change func(*Options)) *testService {
	t.Helper()
	db := databasetest.Open(t, databasetest.URL(t, database.SQLite))
	if _, err := db.Migrate(t.Context(), store.Migrations()); err != nil {
		t.Fatal(err)
	}
	h := &testService{t: t, db: db, kept: store.New(db, curlew.SystemMinter()), now: time.Now().Truncate(time.Second)}
	o := Options{Store: h.kept.Accounts(), Argon: light, Now: func() time.Time {
		h.clock.Lock()
		defer h.clock.Unlock()
		return h.now
	}}
	if change != nil {
		change(&o)
	}
	h.Authenticator = New(o)
	mux := http.NewServeMux()
	h.Routes(mux)
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		who, _ := From(r.Context())
		_, _ = io.WriteString(w, who.Name+" "+string(who.Org)+" "+string(who.Role)+" csrf="+h.CSRF(who))
	})
	mux.Handle("POST /api/watches", h.Require(EditWatches, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusCreated) })))
	mux.Handle("GET /api/watches", h.Require(View, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) })))
	h.site = httptest.NewServer(h.Middleware(mux))
	t.Cleanup(h.site.Close)
	return h
}

// person adds a member with the good password.
func (h *testService) person(email string, role curlew.Role) curlew.User {
	h.t.Helper()
	user, _, err := h.kept.Accounts().AddMember(h.t.Context(), curlew.DefaultOrg, curlew.Member{User: curlew.User{Email: email, Name: "Ada Lovelace"}, Role: role},
		h.Limits.Members, curlew.AuditEntry{})
	must(h.t, err)
	hash, err := h.SetPassword(h.t.Context(), Operator(curlew.DefaultOrg), user, good)
	must(h.t, err)
	must(h.t, h.kept.Accounts().SetPassword(h.t.Context(), curlew.DefaultOrg, user.ID, hash, ""))
	return user
}

// browser is somebody's browser: it keeps cookies and follows no redirects.
type browser struct {
	*http.Client
	h *testService
}

func (h *testService) browser() browser {
	jar, err := cookiejar.New(nil)
	must(h.t, err)
	return browser{&http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}, h}
}

// answer is what came back.
type answer struct {
	status int
	body   string
	header http.Header
}

func (b browser) do(method, path string, form url.Values, headers ...string) answer {
	b.h.t.Helper()
	r, err := http.NewRequestWithContext(b.h.t.Context(), method, b.h.site.URL+path, strings.NewReader(form.Encode()))
	must(b.h.t, err)
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if method != http.MethodGet {
		r.Header.Set("Sec-Fetch-Site", "same-origin")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	res, err := b.Do(r)
	must(b.h.t, err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	must(b.h.t, err)
	return answer{res.StatusCode, string(body), res.Header}
}

func (b browser) get(path string, headers ...string) answer {
	b.h.t.Helper()
	return b.do(http.MethodGet, path, nil, headers...)
}

func (b browser) signIn(email, password string) answer {
	b.h.t.Helper()
	return b.do(http.MethodPost, "/sign-in", url.Values{"email": {email}, "password": {password}, "next": {"/watches?x=1"}})
}

func (b browser) csrf() string {
	_, token, _ := strings.Cut(b.get("/").body, "csrf=")
	return token
}

// token is the session's token as the browser keeps it.
func (b browser) token() string {
	site, _ := url.Parse(b.h.site.URL)
	for _, c := range b.Jar.Cookies(site) {
		if c.Name == sessionCookie {
			return c.Value
		}
	}
	return ""
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantFault(t *testing.T, err error, code string) {
	t.Helper()
	if !errors.Is(err, curlew.Code(code)) {
		t.Errorf("got %v, want the fault %s", err, code)
	}
}

func want(t *testing.T, what string, got answer, status int, words ...string) {
	t.Helper()
	if got.status != status {
		t.Errorf("%s: %d, want %d: %s", what, got.status, status, got.body)
	}
	for _, w := range words {
		if !strings.Contains(got.body, w) && !strings.Contains(got.header.Get("Location"), w) {
			t.Errorf("%s: %q is missing in %s %s", what, w, got.header.Get("Location"), got.body)
		}
	}
}

// log gives the actions of an org's audit log, oldest first.
func (h *testService) log(org curlew.OrgID) (actions []string) {
	h.t.Helper()
	lines, err := h.kept.Org(org).Audit().List(context.Background(), store.AuditFilter{})
	must(h.t, err)
	for i := len(lines) - 1; i >= 0; i-- {
		actions = append(actions, lines[i].Action)
	}
	return actions
}
