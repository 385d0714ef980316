package egress

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// notPublic has the edges and the famous addresses of every special range.
const notPublic = `
0.0.0.0 0.0.0.1 0.1.2.3 0.255.255.255
10.0.0.0 10.0.0.1 10.1.2.3 10.255.255.255
100.64.0.0 100.64.0.1 100.100.100.200 100.127.255.255
127.0.0.0 127.0.0.1 127.0.0.2 127.1.2.3 127.127.127.127 127.255.255.254 127.255.255.255
169.254.0.0 169.254.0.1 169.254.169.254 169.254.170.2 169.254.255.255
172.16.0.0 172.16.0.1 172.17.0.1 172.31.255.255
192.0.0.0 192.0.0.1 192.0.0.8 192.0.0.170 192.0.0.192 192.0.0.255
192.0.2.0 192.0.2.1 192.0.2.255
192.88.99.0 192.88.99.1 192.88.99.255
192.31.196.1 192.52.193.1 192.175.48.1 2620:4f:8000::1
192.168.0.0 192.168.0.1 192.168.1.254 192.168.255.255
198.18.0.0 198.18.0.1 198.19.255.255
198.51.100.0 198.51.100.7 198.51.100.255
203.0.113.0 203.0.113.9 203.0.113.255
224.0.0.0 224.0.0.1 224.0.0.251 232.1.1.1 239.255.255.250 239.255.255.255
240.0.0.0 240.0.0.1 250.1.2.3 255.255.255.254 255.255.255.255
:: ::1 ::2 ::7f00:1 ::127.0.0.1 ::8.8.8.8 ::ffff:0:127.0.0.1
::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:0.0.0.0 ::ffff:10.0.0.1 ::ffff:169.254.169.254 ::ffff:192.168.0.1 ::ffff:100.64.0.1
64:ff9b:: 64:ff9b::7f00:1 64:ff9b::10.0.0.1 64:ff9b::169.254.169.254 64:ff9b::8.8.8.8 64:ff9b::ffff:ffff
64:ff9b:1:: 64:ff9b:1::7f00:1 64:ff9b:1:ffff:ffff:ffff:ffff:ffff
100:: 100::1 100::ffff:ffff:ffff:ffff 100:0:0:1::1
1::1 1fff:ffff::1
2001:: 2001::1 2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:0:ffff:ffff:ffff:ffff:ffff:ffff
2001:1::1 2001:2::1 2001:10::1 2001:20::1 2001:30::1 2001:1ff:ffff::1
2001:db8:: 2001:db8::1 2001:db8:ffff:ffff:ffff:ffff:ffff:ffff
2002:: 2002:7f00:1:: 2002:a00:1::1 2002:a9fe:a9fe::1 2002:808:808::1 2002:ffff:ffff::1
3fff:: 3fff::1 3fff:fff::1
4000::1 5f00:: 5f00::1 5f00:ffff::1 6000::1 8000::1 c000::1 e000::1 f000::1
fc00:: fc00::1 fd00::1 fd00:ec2::254 fdff:ffff::1
fe00::1 fe80:: fe80::1 fe80::5efe:7f00:1 febf:ffff::1
fec0:: fec0::1 feff:ffff::1
ff00:: ff01::1 ff02::1 ff02::2 ff05::2 ff0e::1 ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff
`

// public has the neighbours of the special ranges: refusing too much is a fault too.
const public = `
1.0.0.0 1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0
169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 191.255.255.255 192.0.1.0 192.0.3.0
192.88.98.255 192.88.100.0 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0
198.51.99.255 198.51.101.0 203.0.112.255 203.0.114.0 223.255.255.255
::ffff:8.8.8.8
2000::1 2001:200::1 2001:4860:4860::8888 2001:db7:ffff::1 2001:db9::1 2003::1 2606:4700:4700::1111
2a00:1450:4001:81b::200e 3ffe::1 3fff:1000::1
`

func TestNoSpecialAddressIsDialled(t *testing.T) {
	k := newCanary(t)
	all := strings.Fields(notPublic)
	if len(all) < 120 {
		t.Fatalf("only %d addresses", len(all))
	}
	for _, a := range all {
		t.Run(a, func(t *testing.T) {
			c := client(t, Policy{Ports: []uint16{k.port}, Resolver: always(a)})
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // should this ever fail, then not by hanging
			defer cancel()
			for _, host := range []string{a, "innocent.example"} {
				_, err := c.Do(ctx, Request{URL: k.at(host)})
				expectFault(t, err, curlew.KindRefused, "address_forbidden")
				expectFault(t, c.Check(ctx, k.at(host)), curlew.KindRefused, "address_forbidden")
				_, err = c.DialContext(ctx, "tcp", strings.TrimSuffix(strings.TrimPrefix(k.at(host), "http://"), "/"))
				expectFault(t, err, curlew.KindRefused, "address_forbidden")
			}
		})
	}
	k.untouched(t)
}

// The canary of the tests above sings when it is allowed to.
func TestAllowedRangesAreDialled(t *testing.T) {
	k := newCanary(t)
	c := client(t, Policy{Allow: loopback, Ports: []uint16{k.port}})
	for _, host := range []string{"127.0.0.1", "127.0.0.2", "::1", "::ffff:127.0.0.1"} {
		t.Run(host, func(t *testing.T) {
			if r := get(t, c, k.at(host)); string(r.Body) != "secret" {
				t.Errorf("%s says %q", host, r.Body)
			}
		})
	}
	if n := k.calls.Load(); n < 3 {
		t.Errorf("the canary saw %d connections", n)
	}
}

func TestPublicAddressesPass(t *testing.T) {
	for _, a := range strings.Fields(public) {
		c := client(t, Policy{Resolver: always(a)})
		if err := c.Check(t.Context(), "http://innocent.example/"); err != nil {
			t.Errorf("%s: %v", a, err)
		}
	}
}

// Whoever allows a translator's range means the internet behind it, not the
// translator's own network.
func TestAllowedTranslatorsLeadOnlyToPermittedAddresses(t *testing.T) {
	translators := []string{"64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32"}
	cases := map[string]bool{
		"64:ff9b::8.8.8.8":                     true,
		"64:ff9b::127.0.0.1":                   false,
		"64:ff9b::169.254.169.254":             false,
		"64:ff9b:1::8.8.8.8":                   true,
		"64:ff9b:1::10.0.0.1":                  false,
		"2002:808:808::1":                      true,
		"2002:7f00:1::1":                       false,
		"2001:0:4136:e378:0:63bf:f7f7:f7f7":    true,  // 8.8.8.8 inverted
		"2001:0:4136:e378:8000:63bf:80ff:fffe": false, // 127.0.0.1 inverted
	}
	var p Policy
	for _, r := range translators {
		p.Allow = append(p.Allow, netip.MustParsePrefix(r))
	}
	for a, want := range cases {
		t.Run(a, func(t *testing.T) {
			if _, forbidden := p.forbids(netip.MustParseAddr(a)); forbidden == want {
				t.Errorf("permitted is %v", !forbidden)
			}
		})
	}
}

func TestARangeInMappedFormIsTheRangeItMeans(t *testing.T) {
	p := Policy{Allow: []netip.Prefix{netip.MustParsePrefix("::ffff:10.0.0.0/104")}}.normal()
	if _, forbidden := p.forbids(netip.MustParseAddr("10.1.2.3")); forbidden {
		t.Error("10.1.2.3 is refused")
	}
	if _, forbidden := p.forbids(netip.MustParseAddr("11.1.2.3")); forbidden {
		t.Error("11.1.2.3 is refused, which is public")
	}
	if _, forbidden := p.forbids(netip.MustParseAddr("127.0.0.1")); !forbidden {
		t.Error("127.0.0.1 is permitted")
	}
}

func TestAnAllowedRangeDoesNotWidenPorts(t *testing.T) {
	k := newCanary(t)
	c := client(t, Policy{Allow: loopback})
	_, err := c.Do(t.Context(), Request{URL: k.at("127.0.0.1")})
	expectFault(t, err, curlew.KindRefused, "port_forbidden")
	_, err = c.DialContext(t.Context(), "tcp", "127.0.0.1:6379")
	expectFault(t, err, curlew.KindRefused, "port_forbidden")
	k.untouched(t)
}

// The kernel's address is judged even if everything before it was deceived.
func TestTheLastWordIsTheConcreteAddress(t *testing.T) {
	c := client(t, Policy{Ports: []uint16{80}})
	for _, address := range []string{"127.0.0.1:80", "[::1]:80", "[::ffff:10.0.0.1]:80", "[fe80::1%lo]:80"} {
		t.Run(address, func(t *testing.T) {
			expectFault(t, c.control(t.Context(), "tcp", address, nil), curlew.KindRefused, "address_forbidden")
		})
	}
	expectFault(t, c.control(t.Context(), "tcp", "8.8.8.8:25", nil), curlew.KindRefused, "port_forbidden")
	expectFault(t, c.control(t.Context(), "tcp", "nonsense", nil), curlew.KindRefused, "address_refused")
	if err := c.control(t.Context(), "tcp", "8.8.8.8:80", nil); err != nil {
		t.Error(err)
	}
}

func TestRefusalsNameTheSettingThatWouldAllow(t *testing.T) {
	c := client(t, Policy{Resolver: always("10.1.2.3")})
	for rawURL, want := range map[string]string{
		"http://intranet.example/":      "intranet.example is not public, so it is not fetched; the operator can allow it with egress.allow",
		"http://intranet.example:6379/": "this port of intranet.example is not allowed; the operator can allow it with egress.ports",
	} {
		t.Run(rawURL, func(t *testing.T) {
			if fault := curlew.AsFault(c.Check(t.Context(), rawURL)); fault == nil || fault.Sentence != want || fault.Unwrap() == nil {
				t.Errorf("got  %v\nwant %s, and more in the log", fault, want)
			}
		})
	}
}

// What a tenant hears of a service of the operator names neither its host nor its port.
func TestFailuresOfAServiceDoNotNameIt(t *testing.T) {
	for name, resolver := range map[string]resolver{"closed": always("127.0.0.1"), "unknown": always()} {
		t.Run(name, func(t *testing.T) {
			service := net.JoinHostPort("mail.internal", "1")
			c := client(t, Policy{Services: []string{service}, Resolver: resolver})
			_, dialled := c.DialContext(t.Context(), "tcp", service)
			_, fetched := c.Do(t.Context(), Request{URL: "http://" + service + "/"})
			for i, err := range []error{dialled, fetched} {
				t.Run(fmt.Sprint(i), func(t *testing.T) {
					if s := curlew.AsFault(err).Sentence; strings.Contains(s, "internal") || strings.ContainsAny(s, "0123456789") {
						t.Errorf("tells %q", s)
					}
				})
			}
		})
	}
}

// A service that the operator named is reached wherever it is, on its own port only, and nothing beside it.
func TestANamedServiceIsReachedAndNothingElse(t *testing.T) {
	k := newCanary(t)
	service := net.JoinHostPort("mail.internal", strconv.Itoa(int(k.port)))
	for i, named := range []string{service, "http://" + service + "/path?x={url}", strings.ToUpper(service)} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			c := client(t, Policy{Services: []string{named}, Resolver: always("127.0.0.1")})
			answer, err := c.Do(t.Context(), Request{URL: "http://" + service})
			if err != nil || string(answer.Body) != "secret" {
				t.Fatalf("%s is not reached: %v", named, err)
			}
			_, err = c.Do(t.Context(), Request{URL: "http://other.internal:" + strconv.Itoa(int(k.port))})
			expectFault(t, err, curlew.KindRefused, "port_forbidden")
			_, err = c.Do(t.Context(), Request{URL: k.at("127.0.0.1")})
			expectFault(t, err, curlew.KindRefused, "address_forbidden")
			_, err = c.DialContext(t.Context(), "tcp", "mail.internal:80")
			expectFault(t, err, curlew.KindRefused, "address_forbidden")
		})
	}
	calls := k.calls.Load()
	for _, named := range []string{"", "mail.internal", "mail.internal:http", "ftp://mail.internal/"} {
		t.Run(named, func(t *testing.T) {
			c := client(t, Policy{Services: []string{named}, Resolver: always("127.0.0.1")})
			if _, err := c.Do(t.Context(), Request{URL: "http://" + service}); err == nil {
				t.Errorf("%q opens %s", named, service)
			}
		})
	}
	if k.calls.Load() != calls {
		t.Error("what is no service was dialled")
	}
}

// An address that is allowed with a port is reached there; its other ports and its neighbours are not.
func TestAnAllowedAddressWithAPortOpensNoOther(t *testing.T) {
	k := newCanary(t)
	p := Policy{At: []netip.AddrPort{netip.AddrPortFrom(netip.MustParseAddr("127.0.0.1"), k.port)}, Resolver: always("127.0.0.1")}
	c := client(t, p)
	port := strconv.Itoa(int(k.port))
	for _, host := range []string{"127.0.0.1", "some.name", "[::ffff:127.0.0.1]"} {
		t.Run(host, func(t *testing.T) {
			if _, err := c.Do(t.Context(), Request{URL: "http://" + host + ":" + port}); err != nil {
				t.Errorf("%s: %v", host, err)
			}
		})
	}
	calls := k.calls.Load()
	for i, address := range []string{"http://127.0.0.2:" + port, "http://127.0.0.1/", "http://[::1]:" + port, "http://some.name/"} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if _, err := c.Do(t.Context(), Request{URL: address}); err == nil {
				t.Errorf("%s is reached", address)
			}
		})
	}
	p.Resolver = always("127.0.0.2")
	if _, err := client(t, p).Do(t.Context(), Request{URL: "http://some.name:" + port}); err == nil {
		t.Error("the name of another address is reached on that port")
	}
	if k.calls.Load() != calls {
		t.Error("what is not allowed was dialled")
	}
}
