// Package config turns a file, the environment and flags into one checked
// Config. A wrong value stops with a sentence that names the setting, the value,
// the place it came from and what is allowed; all problems are told at once.
//
// It reads the one file that it is given and nothing else: it creates no folder,
// dials no database, and does not look at os.Environ or os.Args.
package config

import (
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"time"
)

// Config is how one installation of Curlew is set up. What a field means, its
// default and its bounds stand in the table of settings.go, and only there.
type Config struct {
	Listen  string
	Data    string
	Contact string

	Database  Database
	Secrets   Secrets
	Egress    Egress
	Fetch     Fetch
	Archive   Archive
	LLM       LLM
	Watch     WatchConfig
	Deliver   Deliver
	Mail      Mail
	Console   Console
	OIDC      OIDC
	Accounts  Accounts
	Log       Log
	Workers   Workers
	Retention Retention
	Limits    JobLimits
	Metrics   Metrics
	Telemetry Telemetry

	origins map[string]Origin
	unknown []string
}

// Database is where rows are kept.
type Database struct {
	URL          DatabaseURL
	Shards       []Shard
	MaxOpenConns int
}

// Secrets is how secrets of people are kept in the database.
type Secrets struct{ Key Secret }

// Keys are those that encrypt (the first) and decrypt (all).
func (s Secrets) Keys() []string {
	if s.Key.Secret() == "" {
		return nil
	}
	return strings.Split(s.Key.Secret(), ",")
}

// Egress is what may be reached beyond public addresses on the usual ports.
type Egress struct {
	Allow []Reach
	Ports []uint16
}

// Fetch is how pages are asked for.
type Fetch struct {
	Browser      string // "" finds Chromium, "off" does without
	Proxy        string // address of a fetching service, with {url} for the page
	PerOrgDay    int
	PerSourceDay int
	MaxWait      time.Duration
}

// Archive is where pages are kept, and for how long.
type Archive struct {
	Location       string // "" means the folder archive in the data folder
	MaxAge         time.Duration
	PersonalMaxAge time.Duration // of pages with contacts of people
	MaxGiB         int
}

// Log is how much is logged, and in which shape.
type Log struct {
	Level  slog.Level
	Format LogFormat
}

// LogFormat is the shape of a log line.
type LogFormat string

// The shapes of a log line. Auto is text on a terminal and JSON elsewhere.
const (
	LogAuto LogFormat = "auto"
	LogText LogFormat = "text"
	LogJSON LogFormat = "json"
)

// Workers is how jobs are claimed, kept, retried and let go.
type Workers struct {
	Shard       string // "" means all
	Concurrency int
	Lease       time.Duration
	Heartbeat   time.Duration
	SliceLimit  time.Duration
	MaxAttempts int
	RetryBase   time.Duration
	RetryCap    time.Duration
	Drain       time.Duration
}

// Retention is how long finished work is kept.
type Retention struct {
	Jobs    time.Duration
	RunLogs time.Duration

	Deliveries time.Duration
}

// JobLimits is how many jobs may run at once, across all workers.
type JobLimits struct {
	PerHost int
	PerOrg  int
	Slices  int
}

// Default is the configuration when nothing is set. It panics when the table of
// settings refuses one of its own defaults, which a test rules out.
func Default() Config {
	var c Config
	for _, r := range table(&c) {
		if err := r.value.set(r.initial); err != nil {
			panic(fmt.Sprintf("config: %s refuses its default %q: %v", r.name, r.initial, err))
		}
	}
	return c
}

// SQLitePath is the file of the SQLite database, or empty on Postgres.
func (c Config) SQLitePath() string {
	switch path, ok := c.Database.URL.path(); {
	case ok:
		return path
	case c.Database.URL.Kind() == Postgres:
		return ""
	default:
		return filepath.Join(c.Data, "curlew.db")
	}
}

// Role is the part that one process plays.
type Role string

// The roles: everything in one process, or split over many.
const (
	Serve  Role = "serve"
	API    Role = "api"
	Worker Role = "worker"
)

// ListenAs is where a role listens: a worker, which answers only for its health and metrics, on any
// free port unless an address is set, so that several start on one machine.
func (c Config) ListenAs(role Role) string {
	if _, set := c.origins["listen"]; role == Worker && !set {
		return "127.0.0.1:0"
	}
	return c.Listen
}

// CheckRole says in a sentence why this configuration cannot play a role.
func (c Config) CheckRole(role Role) error {
	switch role {
	case Serve:
		return nil
	case API, Worker:
		if c.Database.URL.Kind() == Postgres {
			return nil
		}
		url := c.settings()["database.url"]
		return fmt.Errorf("curlew %s needs Postgres, because SQLite serves one process only; %s is %s (%s): set %s or --%s to "+
			"postgres://user:password@host/database, or run curlew serve",
			role, url.Name, quote(url.Value), url.Origin, url.Env, url.Flag)
	}
	return fmt.Errorf("%q is not a role; it must be %s, %s or %s", role, Serve, API, Worker)
}
