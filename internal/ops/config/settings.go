package config

import (
	"log/slog"
	"slices"
	"strings"
	"time"
)

const day = 24 * time.Hour

// row is one setting: its path, its default and its doc, bound to a field.
type row struct {
	name    string
	initial string
	value   value
	doc     string
	flag    string // only when it is not derived from the name

	standard string // a variable that other programs know too; ours wins
}

// table is the single source of truth: every setting is one row here and one
// field of Config.
func table(c *Config) []row {
	return slices.Concat(installation(c), reading(c), model(c), watching(c), accounts(c), work(c), telemetry(c))
}

func installation(c *Config) []row {
	db, eg, lg := &c.Database, &c.Egress, &c.Log
	return []row{
		{name: "listen", initial: "127.0.0.1:7480", value: address(&c.Listen),
			doc: "Where the API and the console listen; port 0 takes any free one."},
		{name: "data", initial: "./data", value: folder(&c.Data),
			doc: "Folder of the archive and, without Postgres, of the database."},
		{name: "contact", initial: "", value: contact(&c.Contact),
			doc: "Who runs this installation, named in the User-Agent of every request; without it only loopback is fetched."},

		{name: "database.url", initial: "", value: database(&db.URL), flag: "database",
			doc: "The database; empty means SQLite in the data folder."},
		{name: "database.shards", initial: "", value: shards(&db.Shards),
			doc: "Further Postgres databases for orgs, by name; the one of database.url is called main and records where each org is."},
		{name: "database.max_open_conns", initial: "10", value: whole(&db.MaxOpenConns, 1, 1000),
			doc: "Connections that one process may hold open to each Postgres."},
		{name: "secrets.key", initial: "", value: keyTexts(&c.Secrets.Key),
			doc: "Encrypts the secrets of subscriptions in the database; empty means a key in the data folder with SQLite, and none with Postgres."},

		{name: "egress.allow", initial: "", value: reaches(&eg.Allow),
			doc: "What may be fetched although it is not public: ranges on the ports of egress.ports, or single addresses with their port."},
		{name: "egress.ports", initial: "80,443", value: ports(&eg.Ports),
			doc: "Ports that may be fetched from."},

		{name: "log.level", initial: "info", value: choice(&lg.Level, slog.LevelDebug, slog.LevelInfo, slog.LevelWarn, slog.LevelError),
			doc: "The least level that is logged."},
		{name: "log.format", initial: "auto", value: choice(&lg.Format, LogText, LogJSON, LogAuto),
			doc: "Shape of a log line; auto is text on a terminal and JSON elsewhere."},
	}
}

func reading(c *Config) []row {
	f, a := &c.Fetch, &c.Archive
	return []row{
		{name: "fetch.browser", initial: "", value: browser(&f.Browser),
			doc: "Chromium for pages that need a browser; empty finds Debian's."},
		{name: "fetch.proxy", initial: "", value: template(&f.Proxy),
			doc: "Address of a fetching proxy for pages that block us; {url} is replaced by the page."},
		{name: "fetch.per_org_day", initial: "0", value: whole(&f.PerOrgDay, 0, 100_000_000),
			doc: "Requests that one org may make in a day; 0 means no limit. Adaptive watches check less often, so that it lasts the day."},
		{name: "fetch.per_source_day", initial: "0", value: whole(&f.PerSourceDay, 0, 100_000_000),
			doc: "Requests that one source or crawl may make in a day; 0 means no limit. Adaptive watches keep to it, too."},
		{name: "fetch.max_wait", initial: "5s", value: duration(&f.MaxWait, 0, 30*time.Second),
			doc: "Longest wait for a turn with a host that a worker sits out; for a longer one it does something else."},

		{name: "archive.location", initial: "", value: location(&a.Location),
			doc: "Where pages are archived; empty means the folder archive in the data folder."},
		{name: "archive.max_age", initial: "365d", value: duration(&a.MaxAge, day, 3650*day),
			doc: "How long archived pages are kept."},
		{name: "archive.personal_max_age", initial: "30d", value: duration(&a.PersonalMaxAge, day, 3650*day),
			doc: "How long archived pages are kept from which contacts of people were taken out."},
		{name: "archive.max_gib", initial: "0", value: whole(&a.MaxGiB, 0, 1_000_000),
			doc: "Size of the archive in GiB above which the oldest pages are dropped; 0 means no limit."},
	}
}

func model(c *Config) []row {
	m := &c.LLM
	return []row{
		{name: "llm.provider", initial: NoModel, value: choice(&m.Provider, NoModel, "openai", "anthropic"),
			doc: "API format of the model, openai also for compatible servers; off disables models."},
		{name: "llm.model", initial: "", value: modelName(&m.Model),
			doc: "The model that is asked where pages cannot be learned without one."},
		{name: "llm.key", initial: "", value: secret(&m.Key),
			doc: "The key of the model's server; better in the environment than in a flag, which others on the machine can see."},
		{name: "llm.url", initial: "", value: endpoint(&m.URL),
			doc: "Address of the model's server; empty means the provider's own. It is reached wherever it is; egress.allow is not for it."},
		{name: "llm.max_tokens", initial: "8192", value: whole(&m.MaxTokens, 256, 65536),
			doc: "Tokens that one answer may have."},
		{name: "llm.timeout", initial: "2m", value: duration(&m.Timeout, time.Second, 10*time.Minute),
			doc: "How long one answer may take."},
		{name: "llm.tries", initial: "3", value: whole(&m.Tries, 1, 5),
			doc: "How often a request to a busy or failing server is repeated."},
		{name: "llm.rounds", initial: "3", value: whole(&m.Rounds, 1, 5),
			doc: "Answers that a model may give until its blueprint holds; each attempt gets what was wrong with the one before."},
		{name: "llm.input_price", initial: "0", value: dollars(&m.InputPrice, 1000),
			doc: "Price of a million tokens sent, in dollars."},
		{name: "llm.output_price", initial: "0", value: dollars(&m.OutputPrice, 1000),
			doc: "Price of a million tokens answered, in dollars."},
		{name: "llm.budget", initial: "0", value: dollars(&m.Budget, 100_000),
			doc: "Dollars that one command may spend on a model; 0 means no limit. It needs the prices."},
		{name: "llm.month_budget", initial: "0", value: dollars(&m.MonthBudget, 1_000_000),
			doc: "Dollars that an org's onboarding and healing may spend on models in a calendar month; 0 means no limit. It needs the prices."},
	}
}

func watching(c *Config) []row {
	w, d := &c.Watch, &c.Deliver
	return []row{
		{name: "watch.details_every", initial: "20h", value: duration(&w.DetailsEvery, time.Minute, 365*day),
			doc: "How old the detail page of an entity may get before it is fetched again although the list shows no change."},
		{name: "watch.max_pages", initial: "300", value: whole(&w.MaxPages, 1, 100_000),
			doc: "Pages that one run of a watch fetches at most; the rest waits for the next run."},
		{name: "watch.removal_percent", initial: "30", value: whole(&w.RemovalPercent, 1, 100),
			doc: "Share of a list that may be removed in one check, in percent; larger removals are held for review."},
		{name: "watch.confirm_after", initial: "10m", value: duration(&w.ConfirmAfter, 0, 7*day),
			doc: "How soon a watch checks again when an entity is missing: entities are removed when two checks miss them."},
		{name: "watch.failures", initial: "3", value: whole(&w.Failures, 1, 100),
			doc: "Failed runs in a row after which a watch stops and its subscribers are notified."},
		{name: "watch.shortest", initial: "1m", value: duration(&w.Shortest, time.Second, day),
			doc: "The shortest interval between two checks of a watch."},

		{name: "deliver.retries", initial: "1m,5m,30m,2h,5h,10h,14h,20h,1d", value: durations(&d.Retries, time.Second, 7*day),
			doc: "Waits after failed deliveries; when they are used up, a delivery is dead and can be replayed."},
		{name: "deliver.plain_http", initial: "false", value: choice(&d.PlainHTTP, false, true),
			doc: "Whether webhooks may go to http addresses."},
		{name: "mail.server", initial: "", value: mailServer(&c.Mail.Server),
			doc: "Mail server for deliveries: smtp://user:password@host:587 (STARTTLS) or smtps://user:password@host:465."},
		{name: "mail.from", initial: "", value: sender(&c.Mail.From),
			doc: "Sender of e-mail."},
		{name: "console.url", initial: "", value: homepage(&c.Console.URL),
			doc: "Address of the console as people reach it, for links in messages, also below a path " +
				"(https://example.org/curlew); empty means none."},
	}
}

func work(c *Config) []row {
	w, keep, lim := &c.Workers, &c.Retention, &c.Limits
	return []row{
		{name: "workers.shard", initial: "", value: shardName(&w.Shard),
			doc: "Run only the jobs of this database, main or one of database.shards; empty means all."},
		{name: "workers.concurrency", initial: "8", value: whole(&w.Concurrency, 1, 512),
			doc: "Jobs that one process runs at once, of each shard."},
		{name: "workers.lease", initial: "8s", value: duration(&w.Lease, 3*time.Second, 10*time.Minute),
			doc: "How long a job stays claimed without a heartbeat; after that another worker takes it."},
		{name: "workers.heartbeat", initial: "500ms", value: duration(&w.Heartbeat, 50*time.Millisecond, 200*time.Second),
			doc: "How often a worker renews its leases and learns of stop requests; less than a third of the lease."},
		{name: "workers.slice_limit", initial: "45s", value: duration(&w.SliceLimit, time.Second, 45*time.Second),
			doc: "Longest time that one slice of a run works before it hands over to the next."},
		{name: "workers.max_attempts", initial: "5", value: whole(&w.MaxAttempts, 1, 100),
			doc: "Attempts after which a failing job is exhausted."},
		{name: "workers.retry_base", initial: "15s", value: duration(&w.RetryBase, 100*time.Millisecond, time.Hour),
			doc: "Wait before the first retry; it doubles with every further one."},
		{name: "workers.retry_cap", initial: "5m", value: duration(&w.RetryCap, 100*time.Millisecond, day),
			doc: "Longest wait between two attempts; no shorter than the first wait."},
		{name: "workers.drain", initial: "20s", value: duration(&w.Drain, 0, 20*time.Second),
			doc: "How long SIGTERM waits for running jobs before it hands them back."},

		{name: "retention.jobs", initial: "30d", value: duration(&keep.Jobs, time.Hour, 3650*day),
			doc: "How long finished jobs are kept."},
		{name: "retention.run_logs", initial: "30d", value: duration(&keep.RunLogs, time.Hour, 3650*day),
			doc: "How long the logs of finished runs are kept."},
		{name: "retention.deliveries", initial: "365d", value: duration(&keep.Deliveries, day, 3650*day),
			doc: "How long deliveries are kept after they arrived or failed for good; their changes are kept."},

		{name: "limits.per_host", initial: "1", value: whole(&lim.PerHost, 1, 100),
			doc: "Jobs for one host that run at once, across all workers."},
		{name: "limits.per_org", initial: "0", value: whole(&lim.PerOrg, 0, 10000),
			doc: "Jobs of one org that run at once, across all workers; 0 means no limit."},
		{name: "limits.slices", initial: "0", value: whole(&lim.Slices, 0, 10000),
			doc: "Slices of runs that run at once, across all workers and orgs; 0 means no limit."},
	}
}

// envName is the name of the environment variable: CURLEW_ and the path.
func (r row) envName() string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(r.name, ".", "_"))
}

// flagName is the name of the flag, without its dashes.
func (r row) flagName() string {
	if r.flag != "" {
		return r.flag
	}
	return strings.NewReplacer(".", "-", "_", "-").Replace(r.name)
}

// Layer is one of the four places that a value may come from; a later one wins.
type Layer string

// The layers, from the weakest to the strongest.
const (
	FromDefault Layer = "default"
	FromFile    Layer = "file"
	FromEnv     Layer = "env"
	FromFlag    Layer = "flag"
)

// Origin is where a value came from: "curlew.yaml:3", CURLEW_LISTEN or --listen.
type Origin struct {
	Layer Layer
	Place string
}

// MarshalText writes the place, or "default".
func (o Origin) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// String is the place, or "default".
func (o Origin) String() string {
	if o.Place == "" {
		return string(FromDefault)
	}
	return o.Place
}

// SettingInfo describes one setting and its present value, in which secrets are
// masked. Flag has no dashes.
type SettingInfo struct {
	Name    string `json:"name"`
	Env     string `json:"variable"`
	Flag    string `json:"flag"`
	Value   string `json:"value"`
	Default string `json:"default"`
	Allowed string `json:"allowed"`
	Origin  Origin `json:"origin"`
	Doc     string `json:"doc"`
}

// Settings lists every setting in the order of the documentation.
func (c Config) Settings() []SettingInfo {
	var all []SettingInfo
	for _, r := range table(&c) {
		origin, ok := c.origins[r.name]
		if !ok {
			origin = Origin{Layer: FromDefault}
		}
		all = append(all, SettingInfo{
			Name: r.name, Env: r.envName(), Flag: r.flagName(),
			Value: r.value.text(), Default: r.initial, Allowed: r.value.allowed,
			Origin: origin, Doc: r.doc,
		})
	}
	return all
}

func (c Config) settings() map[string]SettingInfo {
	byName := map[string]SettingInfo{}
	for _, s := range c.Settings() {
		byName[s.Name] = s
	}
	return byName
}
