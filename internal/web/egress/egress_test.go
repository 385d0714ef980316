package egress

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}

// client is closed when the test ends.
func client(t testing.TB, p Policy) *Client {
	t.Helper()
	c := New(p)
	t.Cleanup(c.Close)
	return c
}

// site is a server on loopback that counts its requests.
type site struct {
	URL  string
	hits atomic.Int64
}

func serve(t testing.TB, handler http.HandlerFunc) *site {
	t.Helper()
	s := &site{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.hits.Add(1)
		handler(w, r)
	}))
	t.Cleanup(server.Close)
	s.URL = server.URL
	return s
}

// raw is a server that says what it likes on each connection.
func raw(t testing.TB, speak func(net.Conn)) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				speak(conn)
			}()
		}
	}()
	return "http://" + listener.Addr().String()
}

// say answers the first request with a text and hangs up.
func say(text string) func(net.Conn) {
	return func(conn net.Conn) {
		conn.Read(make([]byte, 4<<10))
		conn.Write([]byte(text))
	}
}

func portIn(t testing.TB, rawURL string) uint16 {
	t.Helper()
	u, err := url.Parse(rawURL)
	if err != nil {
		t.Fatal(err)
	}
	port, err := strconv.ParseUint(u.Port(), 10, 16)
	if err != nil {
		t.Fatal(err)
	}
	return uint16(port)
}

// trusting may fetch from loopback, on the ports of the given sites.
func trusting(t testing.TB, urls ...string) *Client {
	t.Helper()
	p := Policy{Allow: loopback}
	for _, u := range urls {
		p.Ports = append(p.Ports, portIn(t, u))
	}
	return client(t, p)
}

// get fetches with the default budget, shortened to what a test may take.
func get(t testing.TB, c *Client, rawURL string) *Response {
	t.Helper()
	b := DefaultBudget()
	b.Time = 10 * time.Second
	r, err := c.Do(t.Context(), Request{URL: rawURL, Budget: b})
	if err != nil {
		t.Fatalf("fetch %s: %v", rawURL, err)
	}
	return r
}

func expectFault(t testing.TB, err error, kind curlew.FaultKind, code string) {
	t.Helper()
	var f *curlew.Fault
	if !errors.As(err, &f) {
		t.Errorf("got %v, want the fault %s", err, code)
		return
	}
	if f.Kind != kind || !errors.Is(f, curlew.Code(code)) {
		t.Errorf("got %s %s (%v), want %s %s", f.Kind, f.Code, f, kind, code)
	}
}

// resolver answers every lookup by calling a function.
type resolver func(host string) []netip.Addr

func (r resolver) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	if found := r(host); len(found) > 0 {
		return found, nil
	}
	return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
}

func always(addresses ...string) resolver {
	var all []netip.Addr
	for _, a := range addresses {
		all = append(all, netip.MustParseAddr(a))
	}
	return func(string) []netip.Addr { return all }
}

// canary listens on all of loopback, IPv4 and IPv6, and counts who connects.
type canary struct {
	port  uint16
	calls atomic.Int64
}

func newCanary(t testing.TB) *canary {
	t.Helper()
	k := &canary{}
	first := k.listen(t, "127.0.0.1:0")
	k.port = uint16(first.Addr().(*net.TCPAddr).Port)
	text := strconv.Itoa(int(k.port))
	k.listen(t, "127.0.0.2:"+text)
	k.listen(t, "[::1]:"+text)
	return k
}

func (k *canary) listen(t testing.TB, address string) net.Listener {
	t.Helper()
	listener, err := net.Listen("tcp", address)
	if err != nil {
		t.Skipf("the canary needs %s: %v", address, err)
	}
	server := &http.Server{
		ConnState: func(_ net.Conn, s http.ConnState) {
			if s == http.StateNew {
				k.calls.Add(1)
			}
		},
		Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("secret")) }),
	}
	go server.Serve(listener)
	t.Cleanup(func() { server.Close() })
	return listener
}

func (k *canary) untouched(t testing.TB) {
	t.Helper()
	if n := k.calls.Load(); n != 0 {
		t.Errorf("the canary was reached %d times", n)
	}
}

func (k *canary) at(host string) string {
	return "http://" + net.JoinHostPort(host, strconv.Itoa(int(k.port))) + "/"
}

// oddly writes the host as it is, brackets or none.
func (k *canary) oddly(host string) string {
	return "http://" + host + ":" + strconv.Itoa(int(k.port)) + "/"
}
