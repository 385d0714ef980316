package auth

import (
	"crypto/tls"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/testkit/growth"
)

func TestAPersonSignsInAndOut(t *testing.T) {
	h := build(t, nil)
	h.person("ada@example.org", curlew.RoleEditor)
	ada := h.browser()
	want(t, "before", ada.get("/watches?x=1"), http.StatusSeeOther, "/sign-in?next=%2Fwatches%3Fx%3D1")
	want(t, "the page", ada.get("/sign-in?next=/watches"), http.StatusOK, `value="/watches"`, "Password")
	entered := ada.signIn("  Ada@Example.org ", good)
	want(t, "signing in", entered, http.StatusSeeOther, "/watches?x=1")
	cookie := entered.header.Get("Set-Cookie")
	for _, part := range []string{"curlew=", "HttpOnly", "SameSite=Lax", "Path=/"} {
		t.Run(part, func(t *testing.T) {
			if !strings.Contains(cookie, part) {
				t.Errorf("the cookie %q lacks %s", cookie, part)
			}
		})
	}
	want(t, "inside", ada.get("/"), http.StatusOK, "ada@example.org default editor")
	want(t, "the page again", ada.get("/sign-in?next=/x"), http.StatusSeeOther, "/x")
	token := ada.token()
	want(t, "out", ada.do(http.MethodPost, "/sign-out", url.Values{"csrf": {ada.csrf()}}), http.StatusSeeOther, "/sign-in")
	want(t, "after", ada.get("/"), http.StatusSeeOther, "/sign-in")
	want(t, "with the old cookie", h.browser().get("/", "Cookie", "curlew="+token), http.StatusSeeOther, "/sign-in")
	if got := h.log(curlew.DefaultOrg); !slices.Equal(got[len(got)-2:], []string{"sign-in", "sign-out"}) {
		t.Errorf("the audit log says %v", got)
	}
}

// A stranger learns nothing about who has an account: not from words, not from
// status, not from how much work is done.
func TestStrangersLearnNothingAboutAccounts(t *testing.T) {
	h := build(t, nil)
	h.person("ada@example.org", curlew.RoleViewer)
	_, _, err := h.kept.Accounts().AddMember(t.Context(), curlew.DefaultOrg, curlew.Member{User: curlew.User{Email: "new@example.org"}, Role: curlew.RoleViewer}, 0,
		curlew.AuditEntry{}) // without a password yet
	must(t, err)
	var first answer
	for i, email := range []string{"ada@example.org", "nobody@example.org", "new@example.org", "no address", ""} {
		t.Run(email, func(t *testing.T) {
			got := h.browser().signIn(email, "wrong and long enough")
			got.body = strings.Replace(got.body, `value="`+email+`"`, `value=""`, 1)
			if i == 0 {
				first = got
			}
			if got.status != http.StatusUnauthorized || got.body != first.body || got.header.Get("Set-Cookie") != "" {
				t.Errorf("%q: %d %s", email, got.status, got.body)
			}
		})
	}
	for _, password := range []string{"", strings.Repeat("x", 2000)} {
		want(t, "password", h.browser().signIn("new@example.org", password), http.StatusUnauthorized, "is wrong")
	}
	system := h.log(curlew.SystemOrg)
	if n := len(slices.DeleteFunc(system, func(a string) bool { return a != "sign-in.failed" })); n != 3 {
		t.Errorf("%d failures of unknown accounts are written down, want 3: known ones write as much elsewhere", n)
	}
}

// Comparing with no hash at all takes as long as comparing with one: it fills the same memory.
func TestNoAccountCostsAsMuchAsAWrongPassword(t *testing.T) {
	h := newHasher(Argon{KiB: 8 << 10, Passes: 3, Lanes: 1}, strings.NewReader(strings.Repeat("salt", 100)))
	kept, err := h.hash(t.Context(), good)
	must(t, err)
	for i, hash := range []string{kept, ""} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			filled := growth.Allocated(func() {
				if right, _, err := h.verify(t.Context(), "wrong", hash); right || err != nil {
					t.Fatalf("%v %v", right, err)
				}
			})
			if filled < 8<<20 || filled > 9<<20 {
				t.Errorf("comparing with %q fills %d bytes", hash, filled)
			}
		})
	}
}

func TestGuessingIsSlowedDown(t *testing.T) {
	h := build(t, nil)
	h.person("ada@example.org", curlew.RoleViewer)
	h.person("bob@example.org", curlew.RoleViewer)
	for range pairLimit {
		want(t, "guess", h.browser().signIn("ada@example.org", "wrong and long enough"), http.StatusUnauthorized)
	}
	want(t, "one guess more", h.browser().signIn("ada@example.org", "wrong and long enough"), http.StatusTooManyRequests, "try again in 15 minutes")
	want(t, "even the right one", h.browser().signIn("ada@example.org", good), http.StatusTooManyRequests)
	if _, err := h.SignIn(t.Context(), "ada@example.org", good, Caller{Address: "198.51.100.7"}); err != nil {
		t.Errorf("somebody else locked her out: %v", err)
	}
	want(t, "another account", h.browser().signIn("bob@example.org", good), http.StatusSeeOther)
	h.turn(pairWindow)
	want(t, "later", h.browser().signIn("ada@example.org", good), http.StatusSeeOther)
}

func TestGuessingFromOneAddressOrAtOneAccountEnds(t *testing.T) {
	h := build(t, nil)
	h.person("ada@example.org", curlew.RoleViewer)
	ctx := t.Context()
	guess := func(email, address string) error {
		_, err := h.SignIn(ctx, email, "wrong and long enough", Caller{Address: address})
		return err
	}
	for i := range addressLimit {
		wantFault(t, guess(strings.Repeat("x", i+1)+"@example.org", "192.0.2.1"), "wrong_credentials")
	}
	wantFault(t, guess("fresh@example.org", "192.0.2.1"), "too_many_attempts")
	for i := range accountLimit {
		wantFault(t, guess("ada@example.org", netip.AddrFrom4([4]byte{10, 0, 0, byte(i)}).String()), "wrong_credentials")
	}
	wantFault(t, guess("ada@example.org", "203.0.113.9"), "too_many_attempts")
}

// Whatever token a browser brings, the session after signing in has another one,
// and the one from before is worth nothing.
func TestSessionsCannotBePlanted(t *testing.T) {
	h := build(t, nil)
	h.person("ada@example.org", curlew.RoleViewer)
	h.person("eve@example.org", curlew.RoleViewer)
	eve, ada := h.browser(), h.browser()
	eve.signIn("eve@example.org", good)
	site, _ := url.Parse(h.site.URL)
	for _, planted := range []string{eve.token(), "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "x"} {
		t.Run(planted, func(t *testing.T) {
			ada.Jar.SetCookies(site, []*http.Cookie{{Name: sessionCookie, Value: planted, Path: "/"}})
			want(t, "signing in", ada.signIn("ada@example.org", good), http.StatusSeeOther)
			if ada.token() == planted {
				t.Errorf("the planted token %q became hers", planted)
			}
			want(t, "the planted one", h.browser().get("/", "Cookie", "curlew="+planted), http.StatusSeeOther, "/sign-in")
			want(t, "hers", ada.get("/"), http.StatusOK, "ada@example.org")
		})
	}
	before := ada.token()
	ada.signIn("ada@example.org", good)
	if ada.token() == before {
		t.Error("signing in again keeps the token")
	}
	for _, two := range []string{"curlew=x; curlew=" + ada.token(), "curlew=" + ada.token() + "; curlew=x"} {
		want(t, "two cookies at once", h.browser().get("/", "Cookie", two), http.StatusSeeOther, "/sign-in")
	}
}

func TestForgedCookiesAreNobodys(t *testing.T) {
	h := build(t, nil)
	h.person("ada@example.org", curlew.RoleViewer)
	ada := h.browser()
	ada.signIn("ada@example.org", good)
	token := ada.token()
	session, err := h.kept.Accounts().SessionByHash(t.Context(), digest(token))
	must(t, err)
	for _, forged := range []string{"", digest(token), string(session.ID), token + "A", token[:42], strings.ToUpper(token), "%00", "' OR 1=1 --", token + "=",
		token[:42] + "_"} {
		if forged == token {
			continue
		}
		want(t, forged, h.browser().get("/", "Cookie", "curlew="+forged), http.StatusSeeOther, "/sign-in")
	}
	for _, row := range []string{"sessions", "audit_log"} {
		t.Run(row, func(t *testing.T) {
			if h.mentions(row, token) {
				t.Errorf("the table %s holds the token itself", row)
			}
		})
	}
}

func TestSessionsEnd(t *testing.T) {
	h := build(t, func(o *Options) { o.Idle, o.Absolute = time.Hour, 150*time.Minute })
	user := h.person("ada@example.org", curlew.RoleViewer)
	enter := func() browser {
		b := h.browser()
		want(t, "in", b.signIn("ada@example.org", good), http.StatusSeeOther)
		return b
	}
	left := enter()
	h.turn(time.Hour)
	want(t, "left alone", left.get("/"), http.StatusSeeOther, "/sign-in")
	used := enter()
	for range 4 {
		h.turn(30 * time.Minute)
		want(t, "used", used.get("/"), http.StatusOK)
	}
	h.turn(30 * time.Minute)
	want(t, "used for too long", used.get("/"), http.StatusSeeOther, "/sign-in")

	here, there := enter(), enter()
	want(t, "everywhere", here.do(http.MethodPost, "/sign-out/everywhere", url.Values{"csrf": {here.csrf()}}), http.StatusSeeOther)
	want(t, "there", there.get("/"), http.StatusSeeOther, "/sign-in")

	removed := enter()
	h.person("owner@example.org", curlew.RoleOwner)
	_, err := h.kept.Accounts().RemoveMember(t.Context(), curlew.DefaultOrg, user.ID)
	must(t, err)
	want(t, "removed", removed.get("/"), http.StatusSeeOther, "/sign-in")
}

func TestWhoIsDisabledIsOutUntilEnabled(t *testing.T) {
	h := build(t, nil)
	h.person("owner@example.org", curlew.RoleOwner)
	user := h.person("ada@example.org", curlew.RoleOwner)
	ada := h.browser()
	want(t, "in", ada.signIn("ada@example.org", good), http.StatusSeeOther)
	who, err := h.Resume(t.Context(), ada.token(), "192.0.2.1")
	must(t, err)
	_, secret, err := h.AddKey(t.Context(), who, "ci", []curlew.KeyScope{curlew.ScopeRead}, nil)
	must(t, err)
	now := h.Now()
	_, err = h.kept.Accounts().SetDisabled(t.Context(), curlew.DefaultOrg, user.ID, &now)
	must(t, err)
	want(t, "the session", ada.get("/"), http.StatusSeeOther, "/sign-in")
	want(t, "signing in", h.browser().signIn("ada@example.org", good), http.StatusForbidden, "is disabled: ask an owner")
	want(t, "a wrong password", h.browser().signIn("ada@example.org", good+"x"), http.StatusUnauthorized, "is wrong")
	if _, err := h.WithKey(t.Context(), secret, ""); err == nil {
		t.Error("a key of who is disabled lets somebody in")
	}
	_, err = h.kept.Accounts().SetDisabled(t.Context(), curlew.DefaultOrg, user.ID, nil)
	must(t, err)
	want(t, "in again", h.browser().signIn("ada@example.org", good), http.StatusSeeOther)
	if _, err := h.WithKey(t.Context(), secret, ""); err != nil {
		t.Errorf("the key of who is enabled again: %v", err)
	}
}

func TestARoleCountsFromTheNextRequest(t *testing.T) {
	h := build(t, nil)
	user := h.person("ada@example.org", curlew.RoleEditor)
	ada := h.browser()
	ada.signIn("ada@example.org", good)
	want(t, "editor", ada.do(http.MethodPost, "/api/watches", nil, "X-CSRF-Token", ada.csrf()), http.StatusCreated)
	must(t, h.kept.Accounts().SetRole(t.Context(), curlew.DefaultOrg, user.ID, curlew.RoleViewer))
	refused := ada.do(http.MethodPost, "/api/watches", nil, "X-CSRF-Token", ada.csrf())
	want(t, "viewer", refused, http.StatusForbidden, `"code":"forbidden"`, `needs the role \"editor\"`)
	if kind := refused.header.Get("Content-Type"); kind != "application/problem+json" {
		t.Errorf("the refusal is %s", kind)
	}
}

func TestAPersonChangesThePassword(t *testing.T) {
	h := build(t, nil)
	h.person("ada@example.org", curlew.RoleViewer)
	here, there := h.browser(), h.browser()
	here.signIn("ada@example.org", good)
	there.signIn("ada@example.org", good)
	who, err := h.Resume(t.Context(), here.token(), "192.0.2.1")
	must(t, err)
	_, err = h.ChangedPassword(t.Context(), who, "wrong", "another good one")
	wantFault(t, err, "wrong_credentials")
	_, err = h.ChangedPassword(t.Context(), who, good, "short")
	wantFault(t, err, "bad_password")
	hash, err := h.ChangedPassword(t.Context(), who, good, "another good one")
	must(t, err)
	must(t, h.kept.Accounts().SetPassword(t.Context(), who.Org, who.User, hash, who.Session))
	want(t, "here", here.get("/"), http.StatusOK)
	want(t, "there", there.get("/"), http.StatusSeeOther, "/sign-in")
	want(t, "the old one", h.browser().signIn("ada@example.org", good), http.StatusUnauthorized)
	want(t, "the new one", h.browser().signIn("ada@example.org", "another good one"), http.StatusSeeOther)
}

func TestNobodySignsInWhereOthersListen(t *testing.T) {
	h := build(t, nil)
	h.person("ada@example.org", curlew.RoleViewer)
	form := url.Values{"email": {"ada@example.org"}, "password": {good}}
	for host, status := range map[string]int{"curlew.example.org": 403, "192.0.2.1:7480": 403, "localhost:7480": 303, "127.0.0.1": 303, "[::1]:7480": 303,
		"127.0.0.1.example.org": 403, "localhost.example.org": 403} {
		t.Run(host, func(t *testing.T) {
			r := httptest.NewRequest(http.MethodPost, "http://"+host+"/sign-in", strings.NewReader(form.Encode()))
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			w := httptest.NewRecorder()
			h.site.Config.Handler.ServeHTTP(w, r)
			if w.Code != status {
				t.Errorf("%s: %d, want %d", host, w.Code, status)
			}
		})
	}
	r := httptest.NewRequest(http.MethodPost, "https://curlew.example.org/sign-in", strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.TLS = &tls.ConnectionState{}
	w := httptest.NewRecorder()
	h.site.Config.Handler.ServeHTTP(w, r)
	cookies := w.Header().Values("Set-Cookie")
	if len(cookies) != 2 {
		t.Fatalf("over TLS the cookies are %q", cookies)
	}
	for i, name := range []string{"__Host-curlew=", "__Host-curlew-device="} {
		t.Run(name, func(t *testing.T) {
			if c := cookies[i]; !strings.HasPrefix(c, name) || !strings.Contains(c, "; HttpOnly; Secure") || strings.Contains(c, "Domain") {
				t.Errorf("over TLS the cookie is %q", c)
			}
		})
	}
}

func TestNextLeadsNowhereElse(t *testing.T) {
	for next, want := range map[string]string{"/watches?x=1#y": "/watches?x=1#y", "/": "/", "": "/", "//evil.example": "/", "/\\evil.example": "/", "https://evil.example/": "/",
		"/\t/evil.example": "/", "javascript:alert(1)": "/", "watches": "/", "/sign-in": "/", "/%2f/evil.example": "/", "/%5cevil.example": "/",
		"/\r\nSet-Cookie: a=b": "/", "/oidc/start": "/", "\x00": "/"} {
		t.Run(next, func(t *testing.T) {
			if got := localPath(next); got != want {
				t.Errorf("%q leads to %q, want %q", next, got, want)
			}
		})
	}
}

func TestAddressesBehindProxies(t *testing.T) {
	h := build(t, func(o *Options) { o.Proxies = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")} })
	for _, c := range []struct{ remote, forwarded, want string }{
		{"192.0.2.1:5", "198.51.100.1", "192.0.2.1"}, // who is no proxy says nothing
		{"10.0.0.1:5", "198.51.100.1", "198.51.100.1"},
		{"10.0.0.1:5", "1.1.1.1, 198.51.100.1, 10.0.0.2", "198.51.100.1"}, // what stands before is the client's own invention
		{"10.0.0.1:5", "rubbish", "10.0.0.1"},
		{"10.0.0.1:5", "", "10.0.0.1"},
		{"[2001:db8:1:2:3::4]:5", "", "2001:db8:1:2::/64"},
		{"[::ffff:192.0.2.1]:5", "", "192.0.2.1"},
	} {
		t.Run(c.remote, func(t *testing.T) {
			r := httptest.NewRequest(http.MethodGet, "/", nil)
			r.RemoteAddr = c.remote
			r.Header.Set("X-Forwarded-For", c.forwarded)
			if got := h.Address(r); got != c.want {
				t.Errorf("%s for %q is %s, want %s", c.remote, c.forwarded, got, c.want)
			}
		})
	}
}

// mentions says whether a table holds a text anywhere.
func (h *testService) mentions(table, text string) bool {
	h.t.Helper()
	rows, err := h.db.Query(h.t.Context(), `SELECT * FROM `+table)
	must(h.t, err)
	defer rows.Close()
	names, err := rows.Columns()
	must(h.t, err)
	found, n := false, 0
	for rows.Next() {
		values := make([]any, len(names))
		for i := range values {
			values[i] = new(any)
		}
		must(h.t, rows.Scan(values...))
		for _, v := range values {
			s, _ := (*v.(*any)).(string)
			found = found || strings.Contains(s, text)
		}
		n++
	}
	if n == 0 {
		h.t.Errorf("%s is empty: it proves nothing", table)
	}
	return found
}

var _ Store = store.Accounts{}
