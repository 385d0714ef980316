package cli

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"curlew/internal/config"
	"curlew/internal/curlew"
	"curlew/internal/database"
	"curlew/internal/jobs"
	lessons "curlew/internal/lesson"
	"curlew/internal/queue"
	"curlew/internal/store"
)

// installation is an opened Curlew: its database and the rooms that stand on it.
type installation struct {
	cfg   config.Config
	db    *database.DB
	store *store.Store
	queue *queue.Queue
	jobs  *jobs.Jobs

	reading *reading     // where this process reads
	outbox  *jobs.Outbox // where it sends
	onboard jobs.Onboard // how it takes candidates
	address string       // of the server, where this process is one

	metricsAddress string        // of the listener for metrics alone, where there is one
	desk           *lessons.Desk // what people teach on pages lies here
	lessons        lessons.Web   // asks for such pages
	entities       lately[curlew.OrgID, map[curlew.EntityStatus]int64]
	tallies        lately[period, store.OnboardingTally]
	paces          lately[curlew.OrgID, store.OnboardingPace]
	faults         lately[period, []store.RunFault]
	borrowed       *reading // by which it does, where the process reads nothing else
}

// rooms are all that have tables, in the order in which they are made.
func rooms() []database.Migrations {
	return []database.Migrations{queue.Migrations(), store.Migrations()}
}

// databaseURL is the address of the configured database.
func databaseURL(cfg config.Config) string {
	if path := cfg.SQLitePath(); path != "" {
		return "sqlite:" + path
	}
	return cfg.Database.URL.Secret()
}

// open opens the installation that the command line names, which must exist.
func (a *app) open(ctx context.Context) (*installation, error) {
	cfg, err := a.load()
	if err != nil {
		return nil, err
	}
	if path := cfg.SQLitePath(); path != "" {
		if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
			return nil, curlew.Permanent("no_installation",
				"there is no Curlew in %s: start one with \"curlew serve\", or name its folder with --data", filepath.Dir(path))
		}
	}
	return openInstallation(ctx, cfg, a)
}

func openInstallation(ctx context.Context, cfg config.Config, a *app) (*installation, error) {
	db, err := database.Open(ctx, database.Options{URL: databaseURL(cfg), MaxConns: cfg.Database.MaxOpenConns})
	if err != nil {
		return nil, err
	}
	applied, err := db.Migrate(ctx, rooms()...)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	if len(applied) > 0 {
		a.log.Info("brought the database up to date", "migrations", len(applied))
	}
	i := &installation{cfg: cfg, db: db, store: store.New(db, curlew.SystemMinter())}
	i.queue = queue.New(db, queue.Limits{PerKey: cfg.Limits.PerHost, PerOrg: cfg.Limits.PerOrg,
		Kinds: map[string]int{jobs.KindSlice: cfg.Limits.Slices}})
	i.onboard = jobs.Onboard{Store: i.store, Queue: i.queue, Now: a.clock(), Wall: time.Now, Schedule: "adaptive", Delay: (*time.Duration)(a.delay), Asks: a.asked}
	i.desk = lessons.OpenDesk(filepath.Join(cfg.Data, "drafts"), time.Now)
	i.jobs = i.newJobs(a, nil)
	return i, nil
}

// newJobs knows how to work off runs with the given slicers; without any, it can
// still start and steer them.
func (i *installation) newJobs(a *app, slicers map[curlew.RunKind]jobs.Slicer) *jobs.Jobs {
	return jobs.New(i.store, i.queue, jobs.Options{Slicers: slicers,
		SliceLimit: i.cfg.Workers.SliceLimit, MaxAttempts: i.cfg.Workers.MaxAttempts,
		KeepJobs: i.cfg.Retention.Jobs, KeepRuns: i.cfg.Retention.RunLogs, Log: a.log, Upkeep: i.tidyArchive, Outbox: i.outbox})
}

func (i *installation) close() {
	for _, r := range []*reading{i.reading, i.borrowed} {
		if r != nil {
			r.close()
		}
	}
	_ = i.db.Close()
}

// makeDataFolder makes the data folder of a server.
func makeDataFolder(cfg config.Config) error {
	folder := cfg.Data
	if path := cfg.SQLitePath(); path != "" {
		folder = filepath.Dir(path)
	}
	err := os.MkdirAll(folder, 0o700)
	if errors.Is(err, syscall.ENOTDIR) || errors.Is(err, os.ErrExist) {
		return curlew.Permanent("data_not_a_folder", "%s is not a folder: name a folder with --data", folder)
	}
	if err != nil {
		return curlew.Permanent("data_folder_unwritable", "the data folder %s cannot be made: check the owner and mode of the folder around it", folder).Because(err)
	}
	return nil
}

// leastFree is the free space below which a server calls itself not ready: room
// for SQLite's write-ahead log to grow by one busy minute.
const leastFree = 8 << 20

// Ready says whether the installation can work.
func (i *installation) Ready(ctx context.Context) error {
	if err := i.db.Ping(ctx); err != nil {
		return err
	}
	if path := i.cfg.SQLitePath(); path != "" {
		if free, err := freeBytes(filepath.Dir(path)); err == nil && free < leastFree {
			return curlew.Temporary("disk_full", "the disk of the data folder has only %d KiB left: free some space, Curlew goes on by itself", free>>10)
		}
	}
	return nil
}

func freeBytes(folder string) (uint64, error) {
	var stat syscall.Statfs_t
	if err := syscall.Statfs(folder, &stat); err != nil {
		return 0, err
	}
	return stat.Bavail * uint64(stat.Bsize), nil
}

// processName tells workers apart in the records.
func processName() string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return fmt.Sprintf("%s/%d/%s", host, os.Getpid(), strings.ToLower(rand.Text()[:6]))
}
