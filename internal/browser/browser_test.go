package browser

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"curlew/internal/curlew"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// shared is one browser for the tests that do not hurt it: starting Chromium
// takes longer than most pages.
func needChromium(t *testing.T) {
	t.Helper()
	if _, err := Available(""); err != nil {
		t.Skipf("these tests need a real browser: %v", err)
	}
}

// gate is a dialer that goes to given loopback ports only, and remembers where
// it was asked to go.
type gate struct {
	mu    sync.Mutex
	open  map[string]bool // host:port
	asked map[string]int
}

func newGate(servers ...*httptest.Server) *gate {
	g := &gate{open: map[string]bool{}, asked: map[string]int{}}
	for _, s := range servers {
		g.allow(s.URL)
	}
	return g
}

func (g *gate) allow(url string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.open[strings.TrimPrefix(url, "http://")] = true
}

func (g *gate) dial(ctx context.Context, network, address string) (net.Conn, error) {
	g.mu.Lock()
	g.asked[address]++
	open := g.open[address]
	g.mu.Unlock()
	if !open {
		return nil, curlew.Refused("address_forbidden", "%s is no public address", address)
	}
	var d net.Dialer
	return d.DialContext(ctx, network, address)
}

// open starts a browser that may reach the servers.
func open(t *testing.T, servers ...*httptest.Server) (*Browser, *gate) {
	t.Helper()
	needChromium(t)
	g := newGate(servers...)
	b := New(Options{Dial: g.dial, UserAgent: "CurlewTest/1"})
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b, g
}

// serve gives each path its page.
func serve(t *testing.T, pages map[string]string) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, found := pages[r.URL.Path]
		if !found {
			http.NotFound(w, r)
			return
		}
		kind := "text/html; charset=utf-8"
		if strings.HasPrefix(body, "{") || strings.HasPrefix(body, "[") {
			kind = "application/json"
		}
		w.Header().Set("Content-Type", kind)
		fmt.Fprint(w, body)
	}))
	t.Cleanup(s.Close)
	return s
}

func render(t *testing.T, b *Browser, r Request) *Rendering {
	t.Helper()
	got, err := b.Render(t.Context(), r)
	if err != nil {
		t.Fatalf("%s: %v", r.URL, err)
	}
	return got
}

func wantFault(t *testing.T, err error, kind curlew.FaultKind, code string) {
	t.Helper()
	var fault *curlew.Fault
	if !errors.As(err, &fault) || fault.Kind != kind || fault.Code != code {
		t.Errorf("got %v, want a %s fault %s", err, kind, code)
	}
}

func quick() Budget { return Budget{Time: 4 * time.Second} }

func leftovers(t *testing.T) []string {
	t.Helper()
	entries, err := os.ReadDir(os.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), "curlew-browser-") {
			found = append(found, e.Name())
		}
	}
	return found
}
