// Package setup opens Curlew as a configuration names it: the databases, the packages
// that stand on them, and, where a process reads, the ways to websites, models and
// subscribers. It also does what concerns an installation as a whole: backup and restore,
// moving orgs between databases, the key of secrets, and the checks of "curlew doctor".
package setup

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/ops/config"
	"github.com/curlew-data/curlew/internal/ops/owner"
	"github.com/curlew-data/curlew/internal/work/onboard"
	"github.com/curlew-data/curlew/internal/work/outbox"
	"github.com/curlew-data/curlew/internal/work/queue"
	"github.com/curlew-data/curlew/internal/work/runs"
	"github.com/curlew-data/curlew/internal/work/watch"
)

// Options are what differs between processes that open the same installation.
type Options struct {
	Log     *slog.Logger     // nil for none
	Release string           // of the program, as websites are told
	Version string           // the same with its commit, as records keep it
	Now     func() time.Time // of the pages that are read; nil means the real time: the sample web has days of its own
	Delay   *curlew.Duration // between requests; nil means the pace: the sample web need not be spared
	Asks    func(string)     // told what an onboarding asks for; nil for nobody
}

// Installation is an opened Curlew: its database and the packages that stand on it. Where orgs live on several databases, there is
// one for each of them.
type Installation struct {
	Options
	Home     *Installation // that of the first database, which knows people and where orgs are: itself, where there is but one
	Shard    string        // what its database is called
	Upgraded bool          // the tables were those of an older Curlew
	Config   config.Config
	DB       *database.DB
	Store    *store.Store
	Queue    *queue.Queue
	Jobs     *runs.Jobs

	Reading *Reading        // where this process reads; nil where it does not
	Outbox  *outbox.Outbox  // where it sends; nil where it does not
	Onboard onboard.Onboard // how it takes candidates
	Address string          // of the server, where this process is one

	unready atomic.Bool // as it was logged last
	shards  shards      // of the first
}

// Tables are those of all packages that have some, in the order in which they are made.
func Tables() []database.Migrations {
	return []database.Migrations{queue.Migrations(), store.Migrations()}
}

// DatabaseURL is the address of the configured database.
func DatabaseURL(cfg config.Config) string {
	if path := cfg.SQLitePath(); path != "" {
		return "sqlite:" + path
	}
	return cfg.Database.URL.Secret()
}

// Open opens the installation that a configuration names, and brings its tables up to
// date.
func Open(ctx context.Context, cfg config.Config, o Options) (*Installation, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	i, err := openOne(ctx, cfg, o)
	if err != nil {
		return nil, err
	}
	i.Home, i.Shard = i, store.MainShard
	if err := i.KnowsShards(ctx); err != nil {
		return nil, errors.Join(err, i.DB.Close())
	}
	if len(cfg.Database.Shards) > 0 {
		i.Store.KeepElsewhere(i.storeElsewhere)
	}
	return i, nil
}

// openOne opens the database of database.url.
func openOne(ctx context.Context, cfg config.Config, o Options) (*Installation, error) {
	began := time.Now()
	db, err := database.Open(ctx, database.Options{URL: DatabaseURL(cfg), MaxConns: cfg.Database.MaxOpenConns,
		Migrating: func(s database.Step) { tellMigration(o.Log, s) }})
	if err != nil {
		return nil, err
	}
	if db.Pooling() == database.TransactionPooling {
		o.Log.Info("the connection pooler in front of Postgres works per transaction: " +
			"workers poll for jobs twice a second, because notifications do not work")
	}
	applied, err := db.Migrate(ctx, Tables()...)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	upgraded := tellUpgrade(o.Log, applied, time.Since(began))
	i := &Installation{Upgraded: upgraded, Options: o, Config: cfg, DB: db, Store: store.New(db, curlew.SystemMinter())}
	if err := seal(ctx, cfg, i.Store); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	i.Queue = queue.New(db, queue.Limits{PerKey: cfg.Limits.PerHost, PerOrg: cfg.Limits.PerOrg,
		Kinds: map[string]int{runs.KindSlice: cfg.Limits.Slices}})
	i.Onboard = onboard.Onboard{Store: i.Store, Queue: i.Queue, Now: o.Now, Wall: time.Now, Schedule: "adaptive",
		Delay: (*time.Duration)(o.Delay), Asks: o.Asks, Recent: &onboard.Recent{}}
	i.Jobs = i.newJobs(nil)
	return i, nil
}

// tellUpgrade logs that the tables were brought up to date. Whoever upgrades should know it, whatever the command: there is no
// way back but a backup.
func tellUpgrade(log *slog.Logger, applied []string, took time.Duration) (upgraded bool) {
	fresh := slices.ContainsFunc(applied, func(name string) bool { return strings.Contains(name, "0001_") })
	switch {
	case fresh:
		log.Info("made the tables of the database", "took", took.Round(time.Millisecond))
	case len(applied) > 0:
		log.Warn("brought the database up to date: an older Curlew no longer opens it", "migrations", len(applied),
			"took", took.Round(time.Millisecond))
		return true
	}
	return false
}

// tellMigration logs a migration that takes long, before and after.
func tellMigration(log *slog.Logger, s database.Step) {
	switch {
	case s.Ended && s.Took > time.Second:
		log.Info("a migration has ended", "migration", s.Name, "took", s.Took.Round(time.Millisecond))
	case !s.Ended && s.Rows > database.RowsPerSecond:
		log.Info("a migration begins, which goes over many rows", "migration", s.Name, "rows", s.Rows,
			"takes", database.Estimate([]database.Step{s}))
	}
}

// newJobs knows how to work off runs with the given slicers; without any, it can
// still start and steer them.
func (i *Installation) newJobs(slicers map[curlew.RunKind]runs.Slicer) *runs.Jobs {
	handlers := watch.Starter{Store: i.Store, Queue: i.Queue, Attempts: i.Config.Workers.MaxAttempts}.Handlers()
	maps.Copy(handlers, i.Outbox.Handlers())
	return runs.New(i.Store, i.Queue, runs.Options{Slicers: slicers,
		SliceLimit: i.Config.Workers.SliceLimit, MaxAttempts: i.Config.Workers.MaxAttempts,
		KeepJobs: i.Config.Retention.Jobs, KeepRuns: i.Config.Retention.RunLogs,
		KeepDeliveries: i.Config.Retention.Deliveries, Log: i.Log, Upkeep: i.tidyArchive,
		Handlers: handlers})
}

// Close lets go of all that was opened, on all databases.
func (i *Installation) Close() {
	h := i.Home
	h.shards.mu.Lock()
	defer h.shards.mu.Unlock()
	for _, s := range h.shards.by {
		s.mu.Lock()
		if s.opened != nil {
			s.opened.closeOne()
		}
		s.mu.Unlock()
	}
	h.closeOne()
}

func (i *Installation) closeOne() {
	if i.Reading != nil {
		i.Reading.Close()
	}
	_ = i.DB.Close()
}

// dataFolder is where an installation keeps its files.
func dataFolder(cfg config.Config) string {
	if path := cfg.SQLitePath(); path != "" {
		return filepath.Dir(path)
	}
	return cfg.Data
}

// MakeDataFolder makes the data folder of a server.
func MakeDataFolder(cfg config.Config) error {
	folder := dataFolder(cfg)
	err := owner.MkdirAll(folder, 0o700)
	if errors.Is(err, syscall.ENOTDIR) || errors.Is(err, os.ErrExist) {
		return curlew.Permanent("data_not_a_folder", "%s is not a folder: name a folder with --data", folder)
	}
	if err != nil {
		return curlew.Permanent("data_folder_unwritable", "the data folder %s cannot be made: check the owner and mode of the folder around it",
			folder).Because(err)
	}
	if path := cfg.SQLitePath(); path != "" {
		database.KeepPrivate(path)
	}
	return nil
}

// Reachable is where people find the console: as configured, or on this machine.
func (i *Installation) Reachable() string {
	if url := i.Config.Console.URL; url != "" {
		return strings.TrimRight(url, "/")
	}
	listening := strings.TrimPrefix(i.Address, "http://")
	if listening == "" { // this process is no server
		listening = i.Config.Listen
	}
	host, port, err := net.SplitHostPort(listening)
	if ip := net.ParseIP(host); err == nil && (host == "" || ip != nil && ip.IsUnspecified()) {
		listening = net.JoinHostPort("127.0.0.1", port)
	}
	return "http://" + listening
}

// leastFree is the free space below which a server calls itself not ready: room
// for SQLite's write-ahead log to grow by one busy minute.
const leastFree = 8 << 20

// Ready says whether the installation can work, and logs when that changes.
func (i *Installation) Ready(ctx context.Context) error {
	err := i.works(ctx)
	if errors.Is(ctx.Err(), context.Canceled) {
		return err // whoever asked has gone
	}
	switch was := i.unready.Swap(err != nil); {
	case err != nil && !was:
		i.Log.Error("this process is not ready", "error", err)
	case err == nil && was:
		i.Log.Info("this process is ready again")
	}
	return err
}

func (i *Installation) works(ctx context.Context) error {
	if err := i.DB.Ping(ctx); err != nil {
		return err
	}
	if err := i.Store.CheckOwnSecrets(ctx); err != nil {
		return err // another process has changed the key of secrets
	}
	if err := i.KnowsShards(ctx); err != nil {
		return err // an org was moved to a shard that this process was started without
	}
	if path := i.Config.SQLitePath(); path != "" {
		if free, err := freeBytes(filepath.Dir(path)); err == nil && free < leastFree {
			return curlew.Temporary("disk_full", "the disk of the data folder has only %d KiB left: free some space, Curlew resumes automatically",
				free>>10)
		}
	}
	return nil
}

// FreeBytes is how much is free on the disk of the data folder.
func (i *Installation) FreeBytes() (uint64, error) { return freeBytes(dataFolder(i.Config)) }

func freeBytes(folder string) (uint64, error) {
	var stat syscall.Statfs_t
	if err := syscall.Statfs(folder, &stat); err != nil {
		return 0, err
	}
	return stat.Bavail * uint64(stat.Bsize), nil
}

// ProcessName tells workers apart in the records.
func ProcessName() string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return fmt.Sprintf("%s/%d/%s", host, os.Getpid(), strings.ToLower(rand.Text()[:6]))
}
