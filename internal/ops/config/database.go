package config

import (
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// DatabaseKind is the kind of database behind a DatabaseURL.
type DatabaseKind string

// The two engines.
const (
	SQLite   DatabaseKind = "sqlite"
	Postgres DatabaseKind = "postgres"
)

// DatabaseURL names a database and may hold a password, so it prints masked
// whichever way it is printed. The zero value is SQLite in the data folder.
type DatabaseURL struct {
	raw string
}

func database(p *DatabaseURL) value {
	allowed := "empty, sqlite:PATH, or postgres://user:password@host/database with special characters percent-encoded"
	read := func(s string) (DatabaseURL, error) { return DatabaseURL{s}, checkDatabase(s) }
	v := parsed(p, allowed, read, DatabaseURL.String)
	v.show = maskDatabase
	return v
}

// Kind says which of the two the URL is for.
func (u DatabaseURL) Kind() DatabaseKind {
	if u.raw == "" || strings.HasPrefix(u.raw, sqliteScheme) {
		return SQLite
	}
	return Postgres
}

// Secret is the whole URL with its password: for the driver, never for display.
func (u DatabaseURL) Secret() string { return u.raw }

// String is the URL with its password masked.
func (u DatabaseURL) String() string { return maskDatabase(u.raw) }

// Format prints the masked URL whatever the verb, %#v too.
func (u DatabaseURL) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, u.String()) }

// MarshalText keeps the password out of JSON and logs.
func (u DatabaseURL) MarshalText() ([]byte, error) { return []byte(u.String()), nil }

func (u DatabaseURL) path() (string, bool) { return strings.CutPrefix(u.raw, sqliteScheme) }

const sqliteScheme = "sqlite:"

func checkDatabase(s string) error {
	if s == "" {
		return nil
	}
	if path, ok := strings.CutPrefix(s, sqliteScheme); ok {
		return misfit(path != "" && !strings.HasPrefix(path, "//") && !strings.ContainsRune(path, 0))
	}
	_, err := parsePostgres(s)
	return err
}

// postgresURL is taken apart by hand: net/url refuses a list of hosts, and its
// errors quote the password.
type postgresURL struct {
	scheme, user string
	hasPassword  bool
	hosts, name  string
	query        url.Values
}

func parsePostgres(s string) (u postgresURL, err error) {
	scheme, rest, ok := strings.Cut(s, "://")
	if !ok || scheme != "postgres" && scheme != "postgresql" || strings.ContainsFunc(s, awkwardInURL) {
		return u, errMisfit
	}
	u.scheme = scheme
	rest, query, _ := strings.Cut(rest, "?")
	authority, name, _ := strings.Cut(rest, "/")
	if login, hosts, ok := strings.Cut(authority, "@"); ok {
		u.user, _, u.hasPassword = strings.Cut(login, ":")
		authority = hosts
	}
	u.hosts, u.name = authority, name
	if u.query, err = url.ParseQuery(query); err != nil || strings.ContainsAny(name+query, "@") || strings.Contains(name, "/") {
		return u, errMisfit
	}
	if _, err := url.PathUnescape(rest); err != nil {
		return u, errMisfit
	}
	switch {
	case !validHosts(u.hosts):
		return u, errMisfit
	case u.hosts == "" && u.query.Get("host") == "":
		return u, errors.New("which names neither host nor socket")
	case u.name == "" && u.query.Get("dbname") == "":
		return u, errors.New("which names no database")
	}
	return u, nil
}

func awkwardInURL(r rune) bool { return r <= ' ' || r == 0x7f }

// validHosts accepts host, host:port, [address]:port, and a list of them.
func validHosts(s string) bool {
	for host := range strings.SplitSeq(s, ",") {
		name, port := host, ""
		if i := strings.LastIndex(host, ":"); i > strings.LastIndex(host, "]") {
			name, port = host[:i], host[i+1:]
			if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
				return false
			}
		}
		bracketed := strings.HasPrefix(name, "[") && strings.HasSuffix(name, "]")
		if strings.Contains(name, "@") || strings.Contains(name, ":") && !bracketed || name == "" && s != "" {
			return false
		}
	}
	return true
}

// tellable are the parameters of a Postgres URL that hold no secret.
var tellable = []string{"host", "port", "user", "dbname", "sslmode", "application_name"}

// maskDatabase shows a well-formed URL without its password. Of a malformed one
// only the scheme is shown, since nobody can say which part is the password.
func maskDatabase(s string) string {
	if s == "" || strings.HasPrefix(s, sqliteScheme) {
		return redact(s)
	}
	u, err := parsePostgres(s)
	if err != nil {
		if scheme, _, ok := strings.Cut(s, "://"); ok && hostName.MatchString(scheme) {
			return scheme + "://…"
		}
		return "…"
	}
	login := u.user
	if u.hasPassword {
		login += ":…"
	}
	if login != "" {
		login += "@"
	}
	return u.scheme + "://" + login + u.hosts + "/" + u.name + maskQuery(u.query)
}

func maskQuery(query url.Values) string {
	var shown []string
	hidden := false
	for key, values := range query {
		if !slices.Contains(tellable, key) {
			hidden = true
			continue
		}
		for _, v := range values {
			shown = append(shown, key+"="+v)
		}
	}
	slices.Sort(shown)
	if hidden {
		shown = append(shown, "…")
	}
	if len(shown) == 0 {
		return ""
	}
	return "?" + strings.Join(shown, "&")
}
