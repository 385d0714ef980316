package egress

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
)

func TestALibraryGoesOutUnderTheSamePolicy(t *testing.T) {
	hits := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { hits++; _, _ = io.WriteString(w, "hello") }))
	defer server.Close()
	port := netip.MustParseAddrPort(server.Listener.Addr().String()).Port()
	closed := New(Policy{Ports: []uint16{port}})
	defer closed.Close()
	library := http.Client{Transport: closed.Transport()}
	if _, err := library.Get(server.URL); !errors.Is(err, curlew.Refused("address_forbidden", "")) || hits != 0 {
		t.Errorf("a forbidden address: %v, %d hits", err, hits)
	}
	open := New(Policy{Ports: []uint16{port}, Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}})
	defer open.Close()
	library = http.Client{Transport: open.Transport()}
	answer, err := library.Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if body, _ := io.ReadAll(answer.Body); string(body) != "hello" {
		t.Errorf("got %q", body)
	}
	if _, err := library.Get("ftp://127.0.0.1/"); err == nil {
		t.Error("another scheme was let through")
	}
}
