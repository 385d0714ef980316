package config

import (
	"errors"
	"net"
	"net/mail"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// WatchConfig is how cautiously and how often pages are checked.
type WatchConfig struct {
	DetailsEvery   time.Duration
	MaxPages       int
	RemovalPercent int
	ConfirmAfter   time.Duration
	Failures       int
	Shortest       time.Duration
}

// Deliver is how changes are brought to subscribers.
type Deliver struct {
	Retries   []time.Duration
	PlainHTTP bool
}

// Mail is who takes our e-mail.
type Mail struct {
	Server MailServer
	From   string
}

// Console is where people find it.
type Console struct{ URL string }

// Path is the path of its host below which it is ("/curlew"), or "" for none.
func (c Console) Path() string {
	u, err := url.Parse(c.URL)
	if err != nil {
		return ""
	}
	return strings.TrimRight(u.Path, "/")
}

// MailServer is the address of a mail server with the name and password of whoever
// sends. It prints masked.
type MailServer struct {
	Host     string
	Port     int
	Implicit bool // TLS from the first byte; else STARTTLS
	User     string
	Password Secret
}

// Address is its host and port.
func (m MailServer) Address() string { return net.JoinHostPort(m.Host, strconv.Itoa(m.Port)) }

// String is the address without the password.
func (m MailServer) String() string {
	if m.Host == "" {
		return ""
	}
	scheme, user := "smtp://", ""
	if m.Implicit {
		scheme = "smtps://"
	}
	if m.User != "" {
		user = m.User + ":" + m.Password.String() + "@"
	}
	return scheme + user + m.Address()
}

func mailServer(p *MailServer) value {
	v := parsed(p, "empty, or an address such as smtp://user:password@mail.example.org:587", parseMailServer, MailServer.String)
	v.show = func(s string) string {
		m, err := parseMailServer(s)
		if err != nil {
			return "…"
		}
		return m.String()
	}
	return v
}

func parseMailServer(s string) (MailServer, error) {
	if s == "" {
		return MailServer{}, nil
	}
	u, err := url.Parse(s)
	if err != nil || u.Hostname() == "" || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" {
		return MailServer{}, errMisfit
	}
	if u.Scheme != "smtp" && u.Scheme != "smtps" {
		return MailServer{}, errMisfit
	}
	m := MailServer{Host: u.Hostname(), Implicit: u.Scheme == "smtps", Port: 587, User: u.User.Username()}
	if m.Implicit {
		m.Port = 465
	}
	if u.Port() != "" {
		if m.Port, err = strconv.Atoi(u.Port()); err != nil || m.Port < 1 || m.Port > 65535 {
			return MailServer{}, errMisfit
		}
	}
	password, _ := u.User.Password()
	m.Password = Secret{password}
	return m, nil
}

func sender(p *string) value {
	return plain(p, "empty, or a sender such as Curlew <curlew@example.org>", func(s string) error {
		_, err := mail.ParseAddress(s)
		return misfit(s == "" || err == nil)
	})
}

// durations are waits in the order in which they are used; they may repeat.
func durations(p *[]time.Duration, least, most time.Duration) value {
	allowed := "a list of up to 50 durations from " + spell(least) + " to " + spell(most) + ", such as 1m,5m,2h"
	v := parsed(p, allowed, func(s string) (all []time.Duration, err error) {
		for part := range strings.SplitSeq(s, ",") {
			d, ok := parseDuration(strings.TrimSpace(part))
			if !ok || d < least || d > most {
				return nil, errMisfit
			}
			all = append(all, d)
		}
		return all, misfit(len(all) <= 50)
	}, func(all []time.Duration) string { return joined(all, spell) })
	v.list = true
	return v
}

// homepage is where people find something of ours.
func homepage(p *string) value {
	v := endpoint(p)
	v.allowed = "empty, or an http(s) address such as https://curlew.example.org, without password and query"
	set := v.set
	v.set = func(s string) error {
		s = strings.TrimRight(s, "/") // paths are appended to it
		if err := set(s); err != nil {
			return err
		}
		return checkPath(Console{s}.Path())
	}
	return v
}

// OwnPaths are how the paths of an installation begin. Below one of them a proxy that takes the path off and one that does
// not could not be told apart.
var OwnPaths = []string{"api", "assets", "blueprints", "candidates", "changes", "deliveries", "entities", "favicon.ico", "feeds", "heals",
	"healthz", "join", "kinds", "link", "metrics", "monitor", "oidc", "robots.txt", "runs", "settings", "sign-in", "sign-out", "sources",
	"subscriptions", "switch-org", "train", "unsubscribe", "watches"}

var pathPart = regexp.MustCompile(`^[A-Za-z0-9._~-]*[A-Za-z0-9_~-][A-Za-z0-9._~-]*$`)

// checkPath looks at the path below which an installation is.
func checkPath(path string) error {
	if path == "" {
		return nil
	}
	parts := strings.Split(strings.TrimPrefix(path, "/"), "/")
	for _, part := range parts {
		if !pathPart.MatchString(part) {
			return errors.New("whose path has more than letters, digits and . _ ~ -, or is spelled with dots or doubled slashes")
		}
	}
	if slices.Contains(OwnPaths, parts[0]) {
		return errors.New("whose path begins like one of Curlew's own routes")
	}
	return nil
}
