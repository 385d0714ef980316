package egress

import (
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strconv"
	"sync/atomic"
	"testing"
)

// A name alternates between a permitted address and the canary's, on the same
// port. 127.0.0.9 plays the public internet.
func TestRebindingNeverReachesTheCanary(t *testing.T) {
	k := newCanary(t)
	var served atomic.Int64
	listener, err := net.Listen("tcp", "127.0.0.9:"+strconv.Itoa(int(k.port)))
	if err != nil {
		t.Skip(err)
	}
	good := &httptest.Server{Listener: listener, Config: &http.Server{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			served.Add(1)
			w.Header().Set("Connection", "close") // the next fetch has to ask again
		}),
	}}
	good.Start()
	t.Cleanup(good.Close)

	public, secret := netip.MustParseAddr("127.0.0.9"), netip.MustParseAddr("127.0.0.1")
	answers := [][]netip.Addr{{public}, {secret}, {secret, public}, {public, secret}}
	var lookups atomic.Int64
	c := client(t, Policy{
		Allow:    []netip.Prefix{netip.MustParsePrefix("127.0.0.9/32")},
		Ports:    []uint16{k.port},
		Resolver: resolver(func(string) []netip.Addr { return answers[lookups.Add(1)%4] }),
	})
	for range 200 {
		c.Check(t.Context(), k.at("rebind.example")) // its answer must not vouch for the next one
		c.Do(t.Context(), Request{URL: k.at("rebind.example")})
	}
	k.untouched(t)
	if n := served.Load(); n < 50 {
		t.Errorf("only %d of 200 fetches reached the permitted address: the test proves nothing", n)
	}
}
