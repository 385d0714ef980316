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

	"github.com/curlew-data/curlew/internal/curlew"
	"go.uber.org/goleak"
)

// shared is the browser of all tests that do not hurt it: starting Chromium
// takes longer than most pages.
var (
	door   = &gate{open: map[string]bool{}, asked: map[string]int{}}
	shared = New(Options{Dial: door.dial, UserAgent: "CurlewTest/1", Pages: 4})
)

// TestMain closes the shared browser and looks for what it left behind.
func TestMain(m *testing.M) {
	code := m.Run()
	if err := errors.Join(shared.Close(), goleak.Find()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func needChromium(t *testing.T) {
	t.Helper()
	if _, err := find(""); err != nil {
		t.Skipf("this test needs a real browser: %v", err)
	}
}

// gate is a dialer that goes to given loopback ports only, and remembers where
// it was asked to go.
type gate struct {
	mu    sync.Mutex
	open  map[string]bool // host:port
	asked map[string]int
}

func (g *gate) allow(url string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	_, address, found := strings.Cut(url, "://")
	if !found {
		address = url
	}
	g.open[address] = true
}

func (g *gate) askedFor(address string) int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.asked[address]
}

func (g *gate) dial(ctx context.Context, network, address string) (net.Conn, error) {
	g.mu.Lock()
	g.asked[address]++
	open := g.open[address]
	g.mu.Unlock()
	if !open {
		return nil, curlew.Refused("address_forbidden", "%s is not a public address", address)
	}
	var d net.Dialer
	return d.DialContext(ctx, network, address)
}

// open gives the shared browser and lets it reach the servers.
func open(t *testing.T, servers ...*httptest.Server) *Browser {
	t.Helper()
	needChromium(t)
	for _, s := range servers {
		door.allow(s.URL)
	}
	return shared
}

// fresh gives a browser of the test's own.
func fresh(t *testing.T, o Options, servers ...*httptest.Server) *Browser {
	t.Helper()
	open(t, servers...)
	o.Dial = door.dial
	b := New(o)
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

// serve gives each path its page, script, data or redirect.
func serve(t *testing.T, pages map[string]string) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, found := pages[r.URL.Path]
		if !found {
			http.NotFound(w, r)
			return
		}
		if to, ok := strings.CutPrefix(body, "-> "); ok {
			http.Redirect(w, r, to, http.StatusFound)
			return
		}
		kind := "text/html; charset=utf-8"
		if strings.HasPrefix(body, "{") || strings.HasPrefix(body, "[") {
			kind = "application/json"
		}
		if strings.HasSuffix(r.URL.Path, ".js") {
			kind = "text/javascript"
		}
		w.Header().Set("Content-Type", kind)
		fmt.Fprint(w, body)
	}))
	t.Cleanup(s.Close)
	return s
}

func render(t *testing.T, b *Browser, r RenderRequest) *RenderedPage {
	t.Helper()
	got, err := b.Render(t.Context(), r)
	if err != nil {
		t.Fatalf("%s: %v", r.URL, err)
	}
	return got
}

func wantFault(t *testing.T, err error, kind curlew.FaultKind, code curlew.Code) {
	t.Helper()
	var fault *curlew.Fault
	if !errors.As(err, &fault) || fault.Kind != kind || !errors.Is(fault, code) {
		t.Errorf("got %v, want a %s fault %s", err, kind, code)
	}
}

// patient is the time of a page that ends by itself, on a machine however busy.
func patient() RenderBudget { return RenderBudget{Time: 2 * time.Minute} }
