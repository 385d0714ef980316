package config

import (
	"errors"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
)

// OIDC is who vouches for people besides their passwords.
type OIDC struct {
	Issuer         string // "" means nobody
	ClientID       string
	ClientSecret   Secret
	AllowedDomains []string // whose people become viewers by themselves
}

// Accounts is what an org may have, and who may speak for others.
type Accounts struct {
	Members           int
	Keys              int
	RequestsPerMinute int
	Proxies           []netip.Prefix
}

func accounts(c *Config) []row {
	o, a := &c.OIDC, &c.Accounts
	return []row{
		{name: "oidc.issuer", initial: "", value: issuer(&o.Issuer),
			doc: "OpenID Connect provider by which people sign in besides passwords; empty means none. It must send people back to console.url " +
				"with /oidc/callback."},
		{name: "oidc.client_id", initial: "", value: clientID(&o.ClientID),
			doc: "Client id of this installation at the provider."},
		{name: "oidc.client_secret", initial: "", value: secret(&o.ClientSecret),
			doc: "Secret that the provider gave for it; empty for a public client. Better in the environment than in a flag."},
		{name: "oidc.allowed_domains", initial: "", value: domains(&o.AllowedDomains),
			doc: "E-mail domains whose people become viewers of the default org when they first sign in with the provider; empty " +
				"admits only people who were added."},

		{name: "accounts.members", initial: "0", value: whole(&a.Members, 0, 1_000_000),
			doc: "People that one org may have; 0 means no limit."},
		{name: "accounts.keys", initial: "0", value: whole(&a.Keys, 0, 1_000_000),
			doc: "Valid API keys that one org may have; 0 means no limit."},
		{name: "accounts.requests_per_minute", initial: "0", value: whole(&a.RequestsPerMinute, 0, 1_000_000),
			doc: "Requests with API keys that one org may make in a minute, per process; 0 means no limit."},
		{name: "accounts.proxies", initial: "", value: ranges(&a.Proxies),
			doc: "Addresses of trusted proxies, whose X-Forwarded-For header gives the address of the client."},
	}
}

// issuer is compared with what the provider calls itself, so it stays as written.
func issuer(p *string) value {
	v := plain(p, "empty, or an https address such as https://id.example.org, without password and query; "+
		"http on loopback", func(s string) error {
		u, err := url.Parse(s)
		if s == "" {
			return nil
		}
		if err != nil || !onWeb(u) || !isBare(u) {
			return errMisfit
		}
		address, err := netip.ParseAddr(u.Hostname())
		loopback := u.Hostname() == "localhost" || err == nil && address.IsLoopback()
		return misfit(u.Scheme == "https" || loopback)
	})
	v.show = queryMasked
	return v
}

func clientID(p *string) value {
	v := plain(p, "empty, or up to 300 characters of plain ASCII; no address", func(s string) error {
		return misfit(len(s) <= 300 && !strings.Contains(s, "://") && !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' }))
	})
	v.show = queryMasked // an address in the wrong place may hold a password
	return v
}

var domainPattern = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$`)

func domains(p *[]string) value {
	return list(p, "empty, a list of domains such as example.org,example.com, or * for everybody with an account at the provider", 0,
		func(s string) (string, error) {
			if s != "*" && !domainPattern.MatchString(s) {
				return "", errors.New("is not a domain in lowercase")
			}
			return s, nil
		})
}
