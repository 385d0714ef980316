package egress

import (
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"code.dny.dev/ssrf"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
)

// block is a range of addresses that is not the public internet.
type block struct {
	prefix netip.Prefix
	name   string
}

// named are the ranges that people meet, narrower ones first. The library's list of all
// that IANA sets apart says which addresses are not public; these only have a name.
var named = blocks(`
10.0.0.0/8       private
172.16.0.0/12    private
192.168.0.0/16   private
fc00::/7         private
127.0.0.0/8      loopback
::1/128          loopback
169.254.0.0/16   link-local
fe80::/10        link-local
100.64.0.0/10    carrier-grade NAT
64:ff9b::/96     NAT64
64:ff9b:1::/48   local NAT64
2001::/32        Teredo
2002::/16        6to4
224.0.0.0/4      multicast
ff00::/8         multicast
`)

func blocks(table string) []block {
	var all []block
	for line := range strings.Lines(strings.TrimSpace(table)) {
		prefix, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		all = append(all, block{netip.MustParsePrefix(prefix), strings.TrimSpace(name)})
	}
	return all
}

// reserved finds the range that makes an address not public.
func reserved(a netip.Addr) (block, bool) {
	denied, public := ssrf.IPv4DeniedPrefixes, true
	if a.Is6() {
		denied, public = ssrf.IPv6DeniedPrefixes, ssrf.IPv6GlobalUnicast.Contains(a)
	}
	i := slices.IndexFunc(denied, func(p netip.Prefix) bool { return p.Contains(a) })
	if public && i < 0 {
		return block{}, false
	}
	if n := slices.IndexFunc(named, func(b block) bool { return b.prefix.Contains(a) }); n >= 0 {
		return named[n], true
	}
	if i >= 0 {
		return block{denied[i], "set apart by IANA"}, true
	}
	around, _ := a.Prefix(32)
	return block{around, "unassigned"}, true
}

// forbids finds the range for which the policy refuses an address. An address
// that carries an IPv4 address in itself must pass twice: allowing NAT64 opens
// the way to the public internet, not to the loopback of the gateway.
func (p Policy) forbids(a netip.Addr) (block, bool) {
	if a.Zone() != "" || !a.IsValid() {
		return block{netip.MustParsePrefix("fe80::/10"), "link-local"}, true
	}
	a = a.Unmap()
	if inner, ok := embedded(a); ok {
		if b, forbidden := p.forbids(inner); forbidden {
			return b, true
		}
	}
	if slices.ContainsFunc(p.Allow, func(r netip.Prefix) bool { return r.Contains(a) }) {
		return block{}, false
	}
	return reserved(a)
}

var (
	nat64      = netip.MustParsePrefix("64:ff9b::/96")
	localNAT64 = netip.MustParsePrefix("64:ff9b:1::/48")
	teredo     = netip.MustParsePrefix("2001::/32")
	sixToFour  = netip.MustParsePrefix("2002::/16")
)

// embedded gives the IPv4 address to which a translator or a tunnel would send
// what is sent to a: NAT64 (RFC 6052), 6to4 (RFC 3056), Teredo (RFC 4380, where
// the bits are inverted).
func embedded(a netip.Addr) (netip.Addr, bool) {
	b := a.As16()
	switch {
	case nat64.Contains(a), localNAT64.Contains(a):
		return netip.AddrFrom4([4]byte(b[12:16])), true
	case sixToFour.Contains(a):
		return netip.AddrFrom4([4]byte(b[2:6])), true
	case teredo.Contains(a):
		return netip.AddrFrom4([4]byte{^b[12], ^b[13], ^b[14], ^b[15]}), true
	}
	return netip.Addr{}, false
}

// judge refuses an address and port that the policy does not permit.
func (p Policy) judge(host string, at netip.AddrPort) error {
	if slices.Contains(p.At, netip.AddrPortFrom(at.Addr().Unmap(), at.Port())) {
		return nil
	}
	if err := p.judgeAddress(host, at.Addr()); err != nil {
		return err
	}
	return p.judgePort(host, at.Port())
}

// judgeName refuses a name on a port that the policy permits nowhere.
func (p Policy) judgeName(host string, port uint16) error {
	if slices.ContainsFunc(p.At, func(at netip.AddrPort) bool { return at.Port() == port }) {
		return nil // its addresses will tell
	}
	return p.judgePort(host, port)
}

// service says whether the operator named this host and port.
func (p Policy) service(host string, port uint16) bool {
	return slices.Contains(p.Services, net.JoinHostPort(host, strconv.Itoa(int(port))))
}

// called is how a host is named in a failure: that of a service of the operator is not for everybody who hears of it.
func (p Policy) called(host string, port uint16) string {
	if p.service(host, port) {
		return "the configured server"
	}
	return host
}

// serviceAddress is the host and port of a service, which is given so or by a URL; what is
// neither is the address of nothing.
func serviceAddress(named string) string {
	if strings.Contains(named, "://") {
		t, err := parse(named)
		if err != nil {
			return ""
		}
		return net.JoinHostPort(t.host, strconv.Itoa(int(t.port)))
	}
	host, port, err := splitAddress(named)
	if err != nil {
		return ""
	}
	return net.JoinHostPort(host, strconv.Itoa(int(port)))
}

// judgeAddress refuses an address that the policy does not permit. The sentence
// names neither address nor range: it may reach somebody who should not learn
// where a name leads on the inside. The log has the range.
func (p Policy) judgeAddress(host string, a netip.Addr) error {
	b, forbidden := p.forbids(a)
	if !forbidden {
		return nil
	}
	return curlew.Refused("address_forbidden", "%s is not public, so it is not fetched; the operator can allow it with egress.allow",
		text.Clip(host, 120)).Because(fmt.Errorf("it is %s (%s)", b.name, b.prefix))
}

// judgePort refuses a port that the policy does not list.
func (p Policy) judgePort(host string, port uint16) error {
	if slices.Contains(p.Ports, port) {
		return nil
	}
	return curlew.Refused("port_forbidden", "this port of %s is not allowed; the operator can allow it with egress.ports",
		text.Clip(host, 120)).Because(fmt.Errorf("it is port %d", port))
}
