package auth

import (
	"cmp"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// Names of the cookies. Browsers take the prefix __Host- only over TLS, and then
// let no other host or path set such a cookie; plain HTTP is served on loopback
// alone, under the bare name.
const (
	hostPrefix    = "__Host-"
	sessionCookie = "curlew"
	deviceCookie  = "curlew-device"
	oidcCookie    = "curlew-oidc"
)

var errPlain = curlew.Refused("not_encrypted",
	"signing in needs an encrypted connection: open the console by https, or on the machine itself; behind a proxy set "+
		"console.url to its https address")

// secure says whether cookies go over TLS only. Over plain HTTP that is not
// loopback nobody may sign in.
func (s *Authenticator) secure(r *http.Request) (bool, error) {
	switch {
	case r.TLS != nil || strings.HasPrefix(s.BaseURL, "https://"):
		return true, nil
	case isLoopback(r.Host):
		return false, nil
	}
	return true, errPlain
}

// isLoopback judges the name in the address bar: a stranger's name that leads to
// this machine is none.
func isLoopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.ToLower(strings.Trim(host, "[]")), ".")
	address, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && address.IsLoopback()
}

func cookieName(base string, secure bool) string {
	if secure {
		return hostPrefix + base
	}
	return base
}

func (s *Authenticator) setCookie(w http.ResponseWriter, secure bool, base, value string, lasts time.Duration) {
	c := &http.Cookie{Name: cookieName(base, secure), Value: value, Path: "/", Secure: secure, HttpOnly: true, SameSite: http.SameSiteLaxMode,
		MaxAge: int(lasts.Seconds())}
	if value == "" {
		c.MaxAge = -1
	}
	http.SetCookie(w, c)
}

// cookie reads one of our cookies. Where it stands twice somebody else planted
// one: then there is none.
func (s *Authenticator) cookie(r *http.Request, base string) string {
	secure, err := s.secure(r)
	if err != nil {
		return ""
	}
	all := r.CookiesNamed(cookieName(base, secure))
	if len(all) != 1 {
		return ""
	}
	return all[0].Value
}

// Address is where a request came from: who connected, or whom a proxy that may
// speak for others names last. Of an IPv6 address it is the network of 64 bits,
// which is what one household has.
func (s *Authenticator) Address(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	address, err := netip.ParseAddr(host)
	if err != nil {
		return "unknown"
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0 && s.isProxy(address); i-- {
		next, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
		if err != nil {
			break
		}
		address = next
	}
	address = address.Unmap().WithZone("")
	if address.Is6() {
		network, _ := address.Prefix(64)
		return network.String()
	}
	return address.String()
}

// Secret is what a request proves by who sends it: a key, or the token of a session.
func (s *Authenticator) Secret(r *http.Request) string {
	return cmp.Or(r.Header.Get("Authorization"), s.cookie(r, sessionCookie))
}

// Suspects are whom the failure of a request is counted against: the address that it comes from,
// and the key that it names.
func (s *Authenticator) Suspects(r *http.Request) []string {
	all := []string{s.Address(r)}
	_, given, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if id, _, ok := parseKey(given); ok {
		all = append(all, string(id))
	}
	return all
}

func (s *Authenticator) isProxy(a netip.Addr) bool {
	return slices.ContainsFunc(s.Proxies, func(p netip.Prefix) bool { return p.Contains(a.Unmap()) })
}

func (s *Authenticator) caller(r *http.Request) Caller {
	return Caller{Address: s.Address(r), Agent: r.UserAgent(), Old: s.cookie(r, sessionCookie), Device: s.cookie(r, deviceCookie)}
}
