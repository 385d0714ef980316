package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/work/queue"
	"github.com/curlew-data/curlew/internal/work/runs"
)

// workspace is where the campaign takes place: a folder, the program, a Postgres.
type workspace struct {
	folder   string
	binary   string
	postgres string // address
	given    bool   // it is not ours to stop
	count    atomic.Int64
}

// newWorkspace builds the program, and starts a Postgres unless one is given.
func newWorkspace(ctx context.Context, postgres string) (*workspace, error) {
	folder, err := os.MkdirTemp("", "curlew-faults-")
	if err != nil {
		return nil, err
	}
	_ = os.Chmod(folder, 0o755) // Postgres runs as another user
	y := &workspace{folder: folder, binary: filepath.Join(folder, "curlew")}
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", y.binary, "./cmd/curlew").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build: %w\n%s", err, out)
	}
	if y.postgres, y.given = postgres, postgres != ""; y.given {
		return y, nil
	}
	if y.postgres, err = y.postgresScript("start", "durable"); err != nil {
		return nil, err
	}
	return y, nil
}

func (y *workspace) postgresScript(verb string, rest ...string) (string, error) {
	command := exec.Command("scripts/postgres", append([]string{verb, filepath.Join(y.folder, "pg")}, rest...)...)
	command.Stderr = os.Stderr
	out, err := command.Output()
	return strings.TrimSpace(string(out)), err
}

func (y *workspace) clean() {
	if !y.given && y.postgres != "" {
		_, _ = y.postgresScript("stop")
	}
	_ = os.RemoveAll(y.folder)
}

// target is a fresh installation on one engine, with its processes.
type target struct {
	*workspace
	engine    string
	data      string
	address   string // of the database
	listen    string // of the one server; empty for any free one
	chance    *rand.Rand
	late      int // how often it was over already before it was hurt: what waits by chance waits for less
	processes []*exec.Cmd
	db        *database.DB
	queue     *queue.Queue
	store     *store.Store
	jobs      *runs.Jobs
}

func (y *workspace) target(ctx context.Context, engine string, chance *rand.Rand) (*target, error) {
	name := fmt.Sprintf("faults_%d_%d", os.Getpid(), y.count.Add(1))
	t := &target{workspace: y, engine: engine, chance: chance, data: filepath.Join(y.folder, name)}
	if err := os.MkdirAll(t.data, 0o700); err != nil {
		return nil, err
	}
	if engine == "sqlite" {
		t.address = "sqlite:" + filepath.Join(t.data, "curlew.db")
	} else {
		if err := database.ExecuteAlone(ctx, y.postgres, "CREATE DATABASE "+name); err != nil {
			return nil, err
		}
		u, err := url.Parse(y.postgres)
		if err != nil {
			return nil, err
		}
		u.Path = "/" + name
		t.address = u.String()
	}
	return t, t.open(ctx)
}

// moment is a while by chance, up to the most, and less each time that it was too long.
func (t *target) moment(least, most time.Duration) time.Duration {
	return (least + time.Duration(t.chance.Int64N(int64(most-least)))) >> t.late
}

// open looks at the database from outside, as the judge.
func (t *target) open(ctx context.Context) (err error) {
	if t.db, err = database.Open(ctx, database.Options{URL: t.address}); err != nil {
		return err
	}
	if _, err := t.db.Migrate(ctx, queue.Migrations(), store.Migrations()); err != nil {
		return err
	}
	t.queue = queue.New(t.db, queue.Limits{})
	t.store = store.New(t.db, curlew.SystemMinter())
	t.jobs = runs.New(t.store, t.queue, runs.Options{})
	if t.engine != "sqlite" {
		return nil
	}
	const key = "the key of secrets that the processes find in their folder"
	if err := os.WriteFile(filepath.Join(t.data, "secret.key"), []byte(key), 0o600); err != nil {
		return err
	}
	return t.store.SealWith(ctx, store.NewSealer([]string{key}))
}

func (t *target) end() {
	for _, p := range t.processes {
		_ = p.Process.Signal(syscall.SIGCONT)
		_ = p.Process.Kill()
		_ = p.Wait()
	}
	_ = t.db.Close()
}

// remove leaves nothing of an installation that has ended.
func (t *target) remove() {
	if t.engine == "postgres" {
		_ = database.ExecuteAlone(context.Background(), t.postgres, "DROP DATABASE IF EXISTS "+filepath.Base(t.data)+" WITH (FORCE)")
	}
	_ = os.RemoveAll(t.data)
}

// flags select this installation; the short lease keeps the campaign short.
func (t *target) flags(lease time.Duration) []string {
	return []string{"--data", t.data, "--database", t.address, "--listen", cmp.Or(t.listen, "127.0.0.1:0"), "--log-level", "error",
		"--workers-lease", lease.String(), "--workers-heartbeat", "250ms", "--workers-retry-base", "100ms", "--workers-retry-cap", "1s",
		"--workers-slice-limit", "45s", "--workers-max-attempts", "50"}
}

// spawn starts a process of the real program: a worker on Postgres, a whole
// server on SQLite.
func (t *target) spawn(lease time.Duration, more ...string) (*exec.Cmd, error) {
	command := exec.Command(t.binary, append(append([]string{t.role()}, t.flags(lease)...), more...)...)
	log, err := os.OpenFile(filepath.Join(t.data, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	command.Stdout, command.Stderr = log, log
	if err := command.Start(); err != nil {
		return nil, err
	}
	t.processes = append(t.processes, command)
	return command, nil
}

// role is what a process works as: on SQLite there is one, which does everything.
func (t *target) role() string {
	if t.engine == "sqlite" || t.listen != "" {
		return "serve"
	}
	return "worker"
}

// kill ends a process without a word and forgets it.
func (t *target) kill(p *exec.Cmd) {
	_ = p.Process.Kill()
	_ = p.Wait()
	for i := range t.processes {
		if t.processes[i] == p {
			t.processes = append(t.processes[:i], t.processes[i+1:]...)
			return
		}
	}
}

// curlew runs a command of the real program to its end.
func (t *target) curlew(ctx context.Context, into any, args ...string) error {
	command := exec.CommandContext(ctx, t.binary, append(args, "--json", "--data", t.data, "--database", t.address)...)
	var out, complaint bytes.Buffer
	command.Stdout, command.Stderr = &out, &complaint
	if err := command.Run(); err != nil && out.Len() == 0 {
		return fmt.Errorf("curlew %s: %w: %s", strings.Join(args, " "), err, complaint.String())
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(out.Bytes(), into)
}
