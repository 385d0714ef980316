// Package egress is the only way out: every connection that Curlew opens to
// somebody else's machine is dialled here.
//
// It reaches public addresses on the usual ports over HTTP/1.1 and HTTP/2, with
// a budget of time, redirects and decompressed bytes, and says of every body
// whether it is complete. It refuses everything else unless the policy names
// it: other addresses, other ports, other schemes, credentials in URLs, hosts
// spelled so that two readers could disagree. Addresses are judged after DNS,
// on the very address that is dialled, so a name that changes its mind between
// question and connection gains nothing.
//
// It keeps no cookies, reads no proxy from the environment, always verifies
// certificates, and knows nothing of robots or pace: those are asked through
// Request.Inspect.
package egress

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"time"
)

// Policy is what may be reached beyond public addresses.
type Policy struct {
	Allow    []netip.Prefix   // ranges that may be dialled although they are not public
	Ports    []uint16         // the only ports dialled, in public and allowed ranges alike; none means 80 and 443
	At       []netip.AddrPort // addresses that may be dialled on one port besides
	Services []string         // "host:port" or URLs that the operator named: reached wherever they are
	Resolver Resolver         // nil means the system's
	RootCAs  *x509.CertPool   // nil means the system's; certificates are verified in any case
}

// Resolver turns a host into addresses, as *net.Resolver does.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// Budget bounds one fetch, its redirects included.
type Budget struct {
	Body      int64         // bytes of the decoded body; 0 means the default
	Time      time.Duration // from the first lookup to the last byte; 0 means the default
	Redirects int           // how many are followed; 0 means none, and a redirect is the answer
}

// DefaultBudget is what a page may cost.
func DefaultBudget() Budget {
	return Budget{Body: 10 << 20, Time: 30 * time.Second, Redirects: 10}
}

func (b Budget) filled() Budget {
	if b.Body <= 0 {
		b.Body = DefaultBudget().Body
	}
	if b.Time <= 0 {
		b.Time = DefaultBudget().Time
	}
	return b
}

// maxHeader bounds a response's header. Servers' own limits for requests lie
// between 8 and 32 KiB; honest responses stay far below that.
const maxHeader = 64 << 10

// Client fetches and dials under one policy. It is safe for concurrent use.
type Client struct {
	policy    Policy
	dialer    net.Dialer
	tls       *tls.Config
	transport *http.Transport
}

// New makes a client. Close it to give its idle connections back.
func New(policy Policy) *Client {
	c := &Client{policy: policy.normal()}
	c.dialer.ControlContext = c.control
	c.tls = &tls.Config{
		RootCAs:    policy.RootCAs,
		MinVersion: tls.VersionTLS12,
		NextProtos: []string{"h2", "http/1.1"},
	}
	c.transport = &http.Transport{
		Proxy:                  nil, // never from the environment
		DialContext:            c.dialHop,
		DialTLSContext:         c.dialTLSHop,
		TLSClientConfig:        c.tls,
		ForceAttemptHTTP2:      true, // off by default with a dialer of one's own
		DisableCompression:     true, // body.go decodes, and counts
		MaxResponseHeaderBytes: maxHeader,
		MaxIdleConns:           100,
		MaxIdleConnsPerHost:    2,
		MaxConnsPerHost:        6, // what browsers allow themselves
		IdleConnTimeout:        30 * time.Second,
	}
	return c
}

// Close closes the connections that are kept for reuse. Fetches under way end
// by themselves.
func (c *Client) Close() { c.transport.CloseIdleConnections() }

// normal fills in what was left out. A range written in the IPv4-mapped form
// becomes the IPv4 range it means.
func (p Policy) normal() Policy {
	p.Allow = slices.Clone(p.Allow)
	for i, r := range p.Allow {
		if r.Addr().Is4In6() && r.Bits() >= 96 {
			p.Allow[i] = netip.PrefixFrom(r.Addr().Unmap(), r.Bits()-96)
		}
	}
	p.Ports = slices.Clone(p.Ports)
	if len(p.Ports) == 0 {
		p.Ports = []uint16{80, 443}
	}
	p.Services = slices.Clone(p.Services)
	for i, named := range p.Services {
		p.Services[i] = serviceAddress(named)
	}
	if p.Resolver == nil {
		p.Resolver = net.DefaultResolver
	}
	return p
}
