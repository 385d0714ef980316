package cli

import (
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database/databasetest"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/testkit/eventually"
)

// wire leads to a server until it is cut.
type wire struct {
	net.Listener
	mu   sync.Mutex
	held []net.Conn
	dead bool
}

// wireTo is a wire to the server of a database, and the address of the database over it.
func wireTo(t *testing.T, address string) (*wire, string) {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w, server := &wire{Listener: listener}, u.Host
	go func() {
		for {
			near, err := listener.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", server)
			if err != nil || !w.hold(near, far) {
				_ = near.Close()
				continue
			}
			go func() { _, _ = io.Copy(far, near); _ = far.Close() }()
			go func() { _, _ = io.Copy(near, far); _ = near.Close() }()
		}
	}()
	t.Cleanup(w.cut)
	u.Host = listener.Addr().String()
	return w, u.String()
}

func (w *wire) hold(conns ...net.Conn) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.held = append(w.held, conns...)
	return !w.dead
}

func (w *wire) cut() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.dead = true
	_ = w.Close()
	for _, c := range w.held {
		_ = c.Close()
	}
}

// browsing is a person in a browser.
type browsing struct {
	*twoServers
	http.Client
}

func (s *twoServers) browser() *browsing {
	jar, _ := cookiejar.New(nil) // without options it cannot fail
	return &browsing{s, http.Client{Jar: jar}}
}

func (p *browsing) sees(method, path string, form url.Values) (int, string) {
	p.Helper()
	request, err := http.NewRequestWithContext(p.Context(), method, p.base+path, strings.NewReader(form.Encode()))
	if err != nil {
		p.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	answer, err := p.Do(request)
	if err != nil {
		p.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		p.Fatal(err)
	}
	return answer.StatusCode, string(text)
}

// Who belongs to an org whose database is away signs in, is told so, and works for another one.
func TestASignInNeedsNoShard(t *testing.T) {
	w, east := wireTo(t, databasetest.OtherURL(t))
	s := openTwoServersWith(t, east)
	token := regexp.MustCompile(`token=([\w-]+)`).FindStringSubmatch(s.must("orgs", "add", "cedar", "--owner", "ada@example.org"))
	if token == nil {
		t.Fatal("no link")
	}
	const password = "the password of ada"
	if code, text := s.browser().sees(http.MethodPost, "/link", url.Values{"token": {token[1]}, "password": {password}}); code != http.StatusOK {
		t.Fatal(code, text)
	}
	user, _, err := s.Store.Accounts().UserByEmail(t.Context(), "ada@example.org")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Store.Write(t.Context(), "acme", func(w store.WriteScope) error {
		return w.Users().KeepMembership(t.Context(), user.ID, curlew.RoleOwner)
	}); err != nil {
		t.Fatal(err)
	}
	s.must("orgs", "move", "acme", "--to", "east", "--grace", "1ms")
	s.call("acme", http.MethodGet, "/org", "", nil)
	w.cut()
	const away = "cannot be reached now"
	eventually.True(t, "the server notices that a shard is away", func() bool {
		code, text := s.call("acme", http.MethodGet, "/watches", "", nil)
		return code == http.StatusServiceUnavailable && strings.Contains(text, away)
	})

	ada := s.browser()
	code, text := ada.sees(http.MethodPost, "/sign-in", url.Values{"email": {"ada@example.org"}, "password": {password}})
	if code != http.StatusServiceUnavailable || !strings.Contains(text, `&#34;acme&#34; `+away) || !strings.Contains(text, "Work for cedar") {
		t.Fatal(code, text)
	}
	csrf := regexp.MustCompile(`name="csrf" value="([^"]+)"`).FindStringSubmatch(text)
	if code, text := ada.sees(http.MethodPost, "/switch-org", url.Values{"csrf": {csrf[1]}, "org": {"cedar"}}); code != http.StatusOK {
		t.Error(code, text)
	}
	lines, err := s.Store.Org(curlew.SystemOrg).Audit().List(t.Context(), store.AuditFilter{Action: "sign-in"})
	kept := func(e curlew.AuditEntry) bool {
		return e.Thing == string(user.ID) && strings.Contains(string(e.Details), "acme")
	}
	if err != nil || !slices.ContainsFunc(lines, kept) {
		t.Errorf("the installation's log has %+v, %v", lines, err)
	}
}

// A server that was started without the shards shows nobody an org that has moved to one as empty: it says what it lacks.
func TestAServerWithoutTheShardsSaysSo(t *testing.T) {
	s := openTwoServers(t)
	stale := openServerWith(t, map[string]string{"database": s.settings["database"]}).base
	ask := func() (int, string) {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, stale+"/api/v1/watches", nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+s.keys["acme"])
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		text, _ := io.ReadAll(answer.Body)
		return answer.StatusCode, string(text)
	}
	s.call("acme", http.MethodGet, "/org", "", nil)
	if code, text := ask(); code != http.StatusOK {
		t.Fatal(code, text)
	}
	s.must("orgs", "move", "acme", "--to", "east", "--grace", "1ms")
	eventually.True(t, "it says so", func() bool {
		code, text := ask()
		return code != http.StatusOK && strings.Contains(text, "give every process all shards")
	})
}
