package egress

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
	"golang.org/x/net/idna"
)

// maxURL is the longest URL that is fetched: what Internet Explorer could
// address, and therefore what the web has kept to ever since.
const maxURL = 2083

// target is a URL with one reading only.
type target struct {
	url  *url.URL // canonical: host in lower case and punycode, no fragment, no default port
	host string   // a name in ASCII, or an address as netip writes it
	port uint16
}

func (t target) String() string { return t.url.String() }

// origin is where credentials may be sent again.
func (t target) origin() string {
	return t.url.Scheme + "://" + t.url.Host
}

// parse reads a URL and refuses what two readers could understand differently.
func parse(raw string) (target, error) {
	if len(raw) > maxURL {
		return target{}, refuseURL(raw, "is %d bytes long, more than %d", len(raw), maxURL)
	}
	u, err := url.Parse(raw)
	if err != nil {
		return target{}, refuseURL(raw, "cannot be read: %v", reason(err))
	}
	if u.Scheme != "http" && u.Scheme != "https" {
		return target{}, curlew.Refused("scheme_forbidden",
			"the URL %q has the scheme %q; only http and https are fetched", text.Clip(raw, 120), text.Clip(u.Scheme, 120))
	}
	if u.User != nil {
		return target{}, refuseURL(u.Redacted(), "carries a user name or password before its host")
	}
	host, err := canonicalHost(u.Host, u.Hostname())
	if err != nil {
		return target{}, refuseURL(raw, "%v", err)
	}
	port, err := portOf(u)
	if err != nil {
		return target{}, refuseURL(raw, "%v", err)
	}
	t := newTarget(u, host, port)
	if n := len(t.String()); n > maxURL {
		return target{}, refuseURL(raw, "is %d bytes long when encoded, more than %d", n, maxURL)
	}
	return t, nil
}

func newTarget(u *url.URL, host string, port uint16) target {
	canonical := *u
	canonical.Fragment, canonical.RawFragment = "", ""
	canonical.RawQuery = escapeQuery(u.RawQuery)
	canonical.Host = host
	if strings.Contains(host, ":") {
		canonical.Host = "[" + host + "]"
	}
	if port != defaultPorts[u.Scheme] {
		canonical.Host = net.JoinHostPort(host, strconv.Itoa(int(port)))
	}
	canonical.Path = cmp.Or(canonical.Path, "/")
	return target{url: &canonical, host: host, port: port}
}

var defaultPorts = map[string]uint16{"http": 80, "https": 443}

func portOf(u *url.URL) (uint16, error) {
	text := u.Port()
	if text == "" {
		return defaultPorts[u.Scheme], nil
	}
	return parsePort(text)
}

func parsePort(s string) (uint16, error) {
	port, err := strconv.ParseUint(s, 10, 16)
	if err != nil || port == 0 {
		return 0, fmt.Errorf("has the port %q, which is no port", text.Clip(s, 120))
	}
	return uint16(port), nil
}

// names maps a host as browsers do (UTS 46, so that fullwidth digits become
// digits) but tolerates underscores, which real hosts have.
var names = idna.New(idna.MapForLookup(), idna.StrictDomainName(false), idna.CheckHyphens(false), idna.BidiRule())

// canonicalHost gives the one spelling of a host. Whatever an old resolver
// might take for an address (127.1, 0x7f000001, 017700000001) is refused
// rather than translated. The host as written tells brackets from a name.
func canonicalHost(written, host string) (string, error) {
	if strings.HasPrefix(written, "[") {
		a, err := netip.ParseAddr(host)
		if err != nil || !a.Is6() || a.Zone() != "" {
			return "", errors.New("has a host in brackets that is no IPv6 address, or one with a zone")
		}
		return a.Unmap().String(), nil
	}
	name, err := names.ToASCII(host)
	if err != nil {
		return "", fmt.Errorf("has a host that is no name: %w", err)
	}
	name = strings.TrimSuffix(strings.ToLower(name), ".")
	if again, err := names.ToASCII(name); err != nil || again != name {
		return "", errors.New("has a host that means something else when it is read again")
	}
	if err := plausible(name); err != nil {
		return "", err
	}
	if !looksNumeric(name) {
		return name, nil
	}
	a, err := netip.ParseAddr(name)
	if err != nil {
		return "", errors.New("has a host that is a number but no plain IPv4 address")
	}
	return a.String(), nil
}

// plausible holds a name to the lengths of RFC 1035 and to letters, digits,
// hyphens and underscores.
func plausible(name string) error {
	if name == "" || len(name) > 253 {
		return errors.New("has no host, or one that is too long")
	}
	for label := range strings.SplitSeq(name, ".") {
		if label == "" || len(label) > 63 {
			return errors.New("has a host with an empty or overlong label")
		}
		if strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			return errors.New("has a host with characters that no name has")
		}
	}
	return nil
}

// looksNumeric follows the WHATWG URL standard: a host whose last label is a
// number is meant to be an address.
func looksNumeric(name string) bool {
	last := name[strings.LastIndexByte(name, '.')+1:]
	if strings.Trim(last, "0123456789") == "" {
		return true
	}
	hex, prefixed := strings.CutPrefix(last, "0x")
	return prefixed && strings.Trim(hex, "0123456789abcdef") == ""
}

// escapeQuery encodes what url.Parse tolerates in a query but a request line
// does not: spaces and bytes outside ASCII.
func escapeQuery(query string) string {
	var b strings.Builder
	for i := range len(query) {
		if c := query[i]; c <= ' ' || c >= 0x7f {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

func refuseURL(raw, format string, args ...any) error {
	return curlew.Refused("url_refused", "the URL %q %s", text.Clip(raw, 120), fmt.Sprintf(format, args...))
}

// reason leaves the URL out of what url.Parse complains about: it may be long,
// and it is in the sentence already.
func reason(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}
