package egress

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// drip says a text at once and then one byte after the other until hung up on.
func drip(text, rest string) func(net.Conn) {
	return func(conn net.Conn) {
		conn.Read(make([]byte, 4<<10))
		conn.Write([]byte(text))
		for {
			for i := range len(rest) {
				if _, err := conn.Write([]byte{rest[i]}); err != nil {
					return
				}
				time.Sleep(20 * time.Millisecond)
			}
		}
	}
}

// Half of the servers drip their header, half their body.
func TestDrippingServersEndInTime(t *testing.T) {
	var urls []string
	for i := range 100 {
		speak := drip("HTTP/1.1 200 OK\r\n", "X-Drip: x\r\n")
		if i%2 == 1 {
			speak = drip("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n", "x")
		}
		urls = append(urls, raw(t, speak))
	}
	c := trusting(t, urls...)
	var all sync.WaitGroup
	for i, url := range urls {
		all.Go(func() {
			if i%2 == 0 {
				_, err := c.Do(t.Context(), Request{URL: url, Budget: Budget{Time: 500 * time.Millisecond}})
				expectFault(t, err, curlew.KindTemporary, "timeout")
				return
			}
			if r, err := untilBody(t, c, url); err != nil || r.Complete || r.Why != OutOfTime {
				t.Errorf("got %+v, %v", r, err)
			}
		})
	}
	all.Wait()
}

// untilBody doubles the time of a request that never ends, until it is enough for some of the body on a machine as busy as this.
func untilBody(t *testing.T, c *Client, url string) (r *Response, err error) {
	for budget := 500 * time.Millisecond; budget < 5*time.Minute; budget *= 2 {
		r, err = c.Do(t.Context(), Request{URL: url, Budget: Budget{Time: budget}})
		if err == nil && len(r.Body) > 0 || err != nil && !errors.Is(err, curlew.Code("timeout")) {
			return r, err
		}
	}
	t.Errorf("%s: nothing of the body came", url)
	return r, err
}

// The time is for all hops together: were it for each of them, there would be too many redirects in the end.
func TestSlowRedirectsShareOneDeadline(t *testing.T) {
	url := raw(t, func(conn net.Conn) {
		conn.Read(make([]byte, 4<<10))
		time.Sleep(60 * time.Millisecond)
		conn.Write([]byte("HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"))
	})
	_, err := trusting(t, url).Do(t.Context(), Request{URL: url, Budget: Budget{Time: 200 * time.Millisecond, Redirects: 1000}})
	expectFault(t, err, curlew.KindTemporary, "timeout")
}

func TestServersThatDoNotAnswer(t *testing.T) {
	silent := func(conn net.Conn) {
		for {
			if _, err := conn.Read(make([]byte, 1<<10)); err != nil {
				return
			}
		}
	}
	reset := func(conn net.Conn) {
		conn.Read(make([]byte, 4<<10))
		conn.(*net.TCPConn).SetLinger(0)
	}
	for name, c := range map[string]struct {
		speak func(net.Conn)
		kind  curlew.FaultKind
		code  string
	}{
		"silent accept":     {silent, curlew.KindTemporary, "timeout"},
		"hangs up":          {say(""), curlew.KindTemporary, "connection_lost"},
		"resets":            {reset, curlew.KindTemporary, "connection_lost"},
		"half a header":     {say("HTTP/1.1 200 OK\r\nContent-"), curlew.KindTemporary, "protocol_error"},
		"speaks SSH":        {say("SSH-2.0-OpenSSH_9.9\r\n"), curlew.KindTemporary, "protocol_error"},
		"status of letters": {say("HTTP/1.1 abc OK\r\n\r\n"), curlew.KindTemporary, "protocol_error"},
		"two lengths":       {say("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"), curlew.KindTemporary, "protocol_error"},
		"1xx for ever":      {say(strings.Repeat("HTTP/1.1 103 Early Hints\r\n\r\n", 5000)), curlew.KindRefused, "header_too_large"},
		"12 MiB header":     {say("HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 12<<20) + "\r\n\r\n"), curlew.KindRefused, "header_too_large"},
		"giant cookies":     {say("HTTP/1.1 200 OK\r\n" + strings.Repeat("Set-Cookie: a="+strings.Repeat("x", 4000)+"\r\n", 100) + "\r\n"), curlew.KindRefused, "header_too_large"},
	} {
		t.Run(name, func(t *testing.T) {
			url := raw(t, c.speak)
			budget := Budget{Time: time.Minute}
			if c.code == "timeout" {
				budget.Time = 100 * time.Millisecond
			}
			_, err := trusting(t, url).Do(t.Context(), Request{URL: url, Budget: budget})
			expectFault(t, err, c.kind, c.code)
		})
	}
}

func TestAResetInMidBodyLeavesWhatCame(t *testing.T) {
	url := raw(t, func(conn net.Conn) {
		conn.Read(make([]byte, 4<<10))
		conn.Write([]byte("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello"))
		conn.Read(make([]byte, 1)) // until the client is done with its budget, or gone
	})
	r, err := untilBody(t, trusting(t, url), url)
	if err != nil || r.Why != OutOfTime || string(r.Body) != "hello" {
		t.Errorf("got %+v, %v", r, err)
	}
	url = raw(t, func(conn net.Conn) {
		say("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello")(conn)
		conn.(*net.TCPConn).SetLinger(0)
	})
	if r := get(t, trusting(t, url), url); r.Why != CutShort || r.Complete {
		t.Errorf("got %+v", r)
	}
}

func TestHostsThatCannotBeReached(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed := "http://" + listener.Addr().String()
	listener.Close()
	_, err = trusting(t, closed).Do(t.Context(), Request{URL: closed})
	expectFault(t, err, curlew.KindTemporary, "connect_failed")

	c := client(t, Policy{Resolver: resolver(func(string) []netip.Addr { return nil })})
	_, err = c.Do(t.Context(), Request{URL: "http://nowhere.example/"})
	expectFault(t, err, curlew.KindTemporary, "dns_failed")
	expectFault(t, c.Check(t.Context(), "http://nowhere.example/"), curlew.KindTemporary, "dns_failed")
}

// stuck never answers, like a resolver behind a dead link.
type stuck struct{}

func (stuck) LookupNetIP(ctx context.Context, _, _ string) ([]netip.Addr, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

func TestAStuckResolverCostsTheBudgetOnly(t *testing.T) {
	c := client(t, Policy{Resolver: stuck{}})
	_, err := c.Do(t.Context(), Request{URL: "http://slow.example/", Budget: Budget{Time: 50 * time.Millisecond}})
	expectFault(t, err, curlew.KindTemporary, "timeout")
}

// One dead address among several does not keep a host from being reached.
func TestTheNextAddressIsTried(t *testing.T) {
	s := serve(t, hops)
	c := client(t, Policy{
		Allow: loopback, Ports: []uint16{portIn(t, s.URL)},
		Resolver: always("127.0.0.77", "10.0.0.1", "127.0.0.1"),
	})
	r := get(t, c, strings.Replace(s.URL, "127.0.0.1", "several.example", 1))
	if string(r.Body) != "arrived" || r.Remote.Addr().String() != "127.0.0.1" {
		t.Errorf("got %+v", r)
	}
}

func TestDialContextIsForTCPOnly(t *testing.T) {
	k := newCanary(t)
	c := client(t, Policy{Allow: loopback, Ports: []uint16{k.port}})
	address := strings.Trim(strings.TrimPrefix(k.at("127.0.0.1"), "http:"), "/")
	conn, err := c.DialContext(t.Context(), "tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	conn.Close()
	for network, where := range map[string]string{"udp": address, "unix": "/run/docker.sock", "tcp7": address} {
		t.Run(network, func(t *testing.T) {
			_, err := c.DialContext(t.Context(), network, where)
			expectFault(t, err, curlew.KindRefused, "network_forbidden")
		})
	}
	for _, where := range []string{"", "127.0.0.1", "127.0.0.1:", "127.0.0.1:http", "127.1:80", "0x7f000001:80", "::1:80"} {
		t.Run(where, func(t *testing.T) {
			_, err := c.DialContext(t.Context(), "tcp", where)
			expectFault(t, err, curlew.KindRefused, "address_refused")
		})
	}
}
