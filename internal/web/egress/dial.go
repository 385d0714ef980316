package egress

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/netip"
	"syscall"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
)

// Check says what Do would refuse about a URL before it sends a packet to the
// host: scheme, spelling, port, and the addresses that the host has right now.
func (c *Client) Check(ctx context.Context, rawURL string) error {
	t, err := c.target(rawURL)
	if err != nil {
		return err
	}
	_, err = c.addresses(ctx, "ip", t.host, t.port)
	return err
}

// target reads a URL and judges all of it that needs no lookup.
func (c *Client) target(rawURL string) (target, error) {
	t, err := parse(rawURL)
	if err != nil {
		return target{}, err
	}
	return t, c.judgeHost(t.host, t.port)
}

// judgeHost refuses a host and port before any lookup.
func (c *Client) judgeHost(host string, port uint16) error {
	if c.policy.service(host, port) {
		return nil
	}
	if a, err := netip.ParseAddr(host); err == nil {
		return c.policy.judge(host, netip.AddrPortFrom(a, port))
	}
	return c.policy.judgeName(host, port)
}

// DialContext connects to host:port under the policy, for what is not HTTP and
// for the browser's proxy. Networks are tcp, tcp4 and tcp6.
func (c *Client) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	family, ok := map[string]string{"tcp": "ip", "tcp4": "ip4", "tcp6": "ip6"}[network]
	if !ok {
		return nil, curlew.Refused("network_forbidden", "only tcp connections are allowed, not %q", text.Clip(network, 120))
	}
	host, port, err := splitAddress(address)
	if err != nil {
		return nil, curlew.Refused("address_refused", "the address %q %v", text.Clip(address, 120), err)
	}
	if err := c.judgeHost(host, port); err != nil {
		return nil, err
	}
	all, err := c.addresses(ctx, family, host, port)
	if err != nil {
		return nil, err
	}
	return c.dialAny(ctx, network, host, port, all)
}

func splitAddress(address string) (string, uint16, error) {
	host, text, err := net.SplitHostPort(address)
	if err != nil {
		return "", 0, errors.New("is not host:port")
	}
	port, err := parsePort(text)
	if err != nil {
		return "", 0, err
	}
	host, err = canonicalHost(address, host)
	return host, port, err
}

// maxAddresses is how many addresses of a host are tried; more would make us the
// tool of whoever wrote them into the DNS.
const maxAddresses = 8

// addresses looks a host up and keeps what the policy permits. When nothing is
// left, the first refusal tells why.
func (c *Client) addresses(ctx context.Context, family, host string, port uint16) ([]netip.Addr, error) {
	found, err := c.lookup(ctx, family, host, c.policy.called(host, port))
	if err != nil {
		return nil, err
	}
	found = found[:min(len(found), maxAddresses)]
	if c.policy.service(host, port) {
		return found, nil
	}
	var permitted []netip.Addr
	var refusal error
	for _, a := range found {
		if err := c.policy.judge(host, netip.AddrPortFrom(a, port)); err == nil {
			permitted = append(permitted, a)
		} else if refusal == nil {
			refusal = err
		}
	}
	if len(permitted) == 0 {
		return nil, refusal
	}
	return permitted, nil
}

func (c *Client) lookup(ctx context.Context, family, host, called string) ([]netip.Addr, error) {
	if a, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{a}, nil
	}
	found, err := c.policy.Resolver.LookupNetIP(ctx, family, host)
	switch {
	case ctx.Err() != nil:
		return nil, ended(ctx, called, "its name was not resolved in time")
	case err != nil:
		return nil, curlew.Temporary(ErrDNSFailed, "the name of %s could not be resolved", called).Because(err)
	case len(found) == 0:
		return nil, curlew.Temporary(ErrDNSFailed, "the name of %s has no address", called)
	}
	return found, nil
}

// dialAny tries one address after the other. Each gets its share of the time
// that is left, so that a dead one does not spend it all.
func (c *Client) dialAny(ctx context.Context, network, host string, port uint16, all []netip.Addr) (net.Conn, error) {
	dialer := &c.dialer
	if c.policy.service(host, port) {
		dialer = &net.Dialer{} // the operator vouches for it
	}
	var failures []error
	for i, a := range all {
		conn, err := dialOne(ctx, dialer, network, netip.AddrPortFrom(a.Unmap(), port), len(all)-i)
		if err == nil {
			return conn, nil
		}
		failures = append(failures, err)
		if ctx.Err() != nil {
			break
		}
	}
	err := errors.Join(failures...)
	var slow net.Error
	if deadline, ok := ctx.Deadline(); ok && errors.As(err, &slow) && slow.Timeout() && time.Until(deadline) < 10*time.Millisecond {
		<-ctx.Done() // the socket heard of it first
	}
	var fault *curlew.Fault
	switch {
	case errors.As(err, &fault):
		return nil, fault
	case ctx.Err() != nil:
		return nil, ended(ctx, c.policy.called(host, port), "it did not accept the connection in time")
	}
	return nil, curlew.Temporary(ErrConnectFailed, "%s accepts no connection", c.policy.called(host, port)).Because(err)
}

// connectTime is the most that one address may take to accept, and to shake hands.
const connectTime = 10 * time.Second

func dialOne(ctx context.Context, dialer *net.Dialer, network string, at netip.AddrPort, waiting int) (net.Conn, error) {
	share := connectTime
	if deadline, ok := ctx.Deadline(); ok {
		share = min(share, time.Until(deadline)/time.Duration(waiting))
	}
	ctx, cancel := context.WithTimeout(ctx, share)
	defer cancel()
	return dialer.DialContext(ctx, network, at.String())
}

// control is the last word: the kernel is about to connect to this address.
func (c *Client) control(_ context.Context, _, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return curlew.Refused("address_refused", "%q is no address", text.Clip(address, 120))
	}
	return c.policy.judge(at.Addr().String(), at)
}

// fetchKey finds the context of the fetch in the one that the transport hands
// to its dialer. The transport detaches dialling from the request, so that an
// unused connection may serve the next one; we want nothing to outlive a fetch.
type fetchKey struct{}

func fetchOf(ctx context.Context) context.Context {
	if fetch, ok := ctx.Value(fetchKey{}).(context.Context); ok {
		return fetch
	}
	return ctx
}

func (c *Client) dialHop(ctx context.Context, network, address string) (net.Conn, error) {
	return c.DialContext(fetchOf(ctx), network, address)
}

func (c *Client) dialTLSHop(ctx context.Context, network, address string) (net.Conn, error) {
	ctx = fetchOf(ctx)
	plain, err := c.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	host, port, err := splitAddress(address)
	if err != nil {
		return nil, errors.Join(err, plain.Close())
	}
	config := c.tls.Clone()
	config.ServerName = host
	conn := tls.Client(plain, config)
	shake, cancel := context.WithTimeout(ctx, connectTime)
	defer cancel()
	if err := conn.HandshakeContext(shake); err != nil {
		plain.Close() // the handshake's error is the one to tell
		return nil, handshakeFault(shake, c.policy.called(host, port), err)
	}
	return conn, nil
}

// handshakeFault tells a certificate that will not do, which stays so until
// somebody replaces it, from a handshake that went wrong.
func handshakeFault(ctx context.Context, host string, err error) error {
	var certificate *tls.CertificateVerificationError
	switch {
	case ctx.Err() != nil:
		return ended(ctx, host, "it did not finish the TLS handshake in time")
	case errors.As(err, &certificate):
		return curlew.Permanent(curlew.ErrTLSFailed, "the certificate of %s is not valid", host).Because(err)
	}
	return curlew.Temporary(curlew.ErrTLSFailed, "the TLS handshake with %s failed", host).Because(err)
}
