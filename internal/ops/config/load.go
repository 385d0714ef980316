package config

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Inputs is everything that a configuration is made of.
type Inputs struct {
	File    string            // path of a YAML file; empty means CURLEW_CONFIG, or none
	Environ []string          // as os.Environ gives it
	Flags   map[string]string // the flags that were given, by name without dashes
}

const (
	envPrefix = "CURLEW_"
	envFile   = envPrefix + "CONFIG"
)

// Load lays file, environment and flags over the defaults, in this order, and
// checks the result. The error holds one sentence per line, one for each
// problem; the Config is then what could be understood, good for display only.
func Load(in Inputs) (Config, error) {
	cfg := Default()
	cfg.origins = map[string]Origin{}
	l := &loader{cfg: &cfg, rows: table(&cfg), wrong: map[string]bool{}}

	environ := curlewVariables(in.Environ)
	if in.File == "" {
		in.File = environ[envFile]
	}
	delete(environ, envFile)
	delete(environ, envPrefix+"FAILPOINT") // of package failpoint, for tests
	if in.File != "" {
		l.file(in.File)
	}
	l.standards(in.Environ)
	l.named(environ, FromEnv, "", row.envName)
	l.named(in.Flags, FromFlag, "--", row.flagName)
	l.compare()
	return cfg, errors.Join(l.problems...)
}

// Unknown are the variables of the environment that begin like settings, and are and resemble none.
func (c Config) Unknown() []string { return c.unknown }

type loader struct {
	cfg      *Config
	rows     []row
	wrong    map[string]bool // settings with a refused value
	problems []error
}

func (l *loader) problem(format string, args ...any) {
	l.problems = append(l.problems, fmt.Errorf(format, args...))
}

// give sets one setting, or says why not.
func (l *loader) give(r row, text string, from Origin) {
	text = strings.TrimSpace(text)
	if err := r.value.set(text); err != nil {
		l.refuse(r, r.value.shown(text), err, from)
		return
	}
	l.cfg.origins[r.name] = from
}

func (l *loader) refuse(r row, shown string, why error, from Origin) {
	l.wrong[r.name] = true
	if why.Error() != "" {
		shown += ", " + why.Error()
	}
	l.problem("%s: %s is %s; it must be %s", from, r.name, shown, r.value.allowed)
}

func (v value) shown(text string) string {
	if v.show != nil {
		return quote(v.show(text))
	}
	return quote(redact(text))
}

// named applies a layer in which every setting has a flat name.
func (l *loader) named(given map[string]string, layer Layer, dashes string, nameOf func(row) string) {
	names := make([]string, len(l.rows))
	for i, r := range l.rows {
		names[i] = nameOf(r)
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		i := slices.Index(names, name)
		if i < 0 {
			near := nearest(name, names)
			if near == "" && layer == FromEnv { // other programs have variables of ours too
				l.cfg.unknown = append(l.cfg.unknown, name)
				continue
			}
			l.problem("%s", unknown(dashes+name, dashes, near))
			continue
		}
		l.give(l.rows[i], given[name], Origin{layer, dashes + name})
	}
}

// standards reads the variables that we share with other programs. Empty means unset
// there (opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables).
func (l *loader) standards(environ []string) {
	given := map[string]string{}
	for _, entry := range environ {
		if name, text, ok := strings.Cut(entry, "="); ok {
			given[name] = text
		}
	}
	for _, r := range l.rows {
		if text := given[r.standard]; r.standard != "" && text != "" {
			l.give(r, text, Origin{FromEnv, r.standard})
		}
	}
}

var plainName = regexp.MustCompile(`^[A-Za-z0-9._-]{1,80}$`)

func unknown(name, dashes, near string) string {
	if !plainName.MatchString(name) {
		name = strconv.Quote(redact(name))
	}
	if near == "" {
		return name + " is not a setting"
	}
	return fmt.Sprintf("%s is not a setting; did you mean %s%s?", name, dashes, near)
}

// curlewVariables picks our variables out of an environment; the last of a name
// wins.
func curlewVariables(environ []string) map[string]string {
	ours := map[string]string{}
	for _, entry := range environ {
		name, text, ok := strings.Cut(entry, "=")
		if ok && strings.HasPrefix(name, envPrefix) && !serviceLink(name, text) {
			ours[name] = text
		}
	}
	return ours
}

// A Kubernetes service called curlew or curlew-api puts its address into the
// environment of every pod, under names that begin like ours
// (kubernetes.io/docs/concepts/services-networking/service/#environment-variables).
var (
	linkName = regexp.MustCompile(`_SERVICE_(HOST|PORT(_.+)?)$|_PORT_[0-9]+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$`)
	linkURL  = regexp.MustCompile(`^(tcp|udp|sctp)://`)
)

func serviceLink(name, text string) bool {
	return linkName.MatchString(name) || strings.HasSuffix(name, "_PORT") && linkURL.MatchString(text)
}

// relations are the rules between two settings.
var relations = []struct {
	name, must, other string
	holds             func(Config) bool
}{
	{"workers.heartbeat", "less than a third of", "workers.lease",
		func(c Config) bool { return 3*c.Workers.Heartbeat < c.Workers.Lease }},
	{"database.shards", "empty where no Postgres is named by", "database.url",
		func(c Config) bool { return len(c.Database.Shards) == 0 || c.Database.URL.Kind() == Postgres }},
	{"workers.shard", "main or one of", "database.shards",
		func(c Config) bool { return c.Workers.Shard == "" || c.HasShard(c.Workers.Shard) }},
	{"workers.retry_base", "at most", "workers.retry_cap",
		func(c Config) bool { return c.Workers.RetryBase <= c.Workers.RetryCap }},
}

// compare checks the relations whose two settings are sound in themselves.
func (l *loader) compare() {
	all := l.cfg.settings()
	for _, rel := range relations {
		if l.wrong[rel.name] || l.wrong[rel.other] || rel.holds(*l.cfg) {
			continue
		}
		a, b := all[rel.name], all[rel.other]
		l.problem("%s is %s (%s); it must be %s %s, which is %s (%s)",
			a.Name, a.Value, a.Origin, rel.must, b.Name, cmp.Or(b.Value, "empty"), b.Origin)
	}
}
