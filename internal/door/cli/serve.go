package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/door/grpc"
	"github.com/curlew-data/curlew/internal/door/mcp"
	"github.com/curlew-data/curlew/internal/door/middleware"
	"github.com/curlew-data/curlew/internal/door/rest"
	"github.com/curlew-data/curlew/internal/ops/config"
	"github.com/curlew-data/curlew/internal/ops/setup"
	"github.com/curlew-data/curlew/internal/work/queue"
)

type serveCommand struct{}

func (serveCommand) Run(a *program) error { return a.serve(config.Serve, nil) }

type apiCommand struct{}

func (apiCommand) Run(a *program) error { return a.serve(config.API, nil) }

type workerCommand struct{}

func (workerCommand) Run(a *program) error { return a.serve(config.Worker, nil) }

// serve runs one process in a role until it is asked to end. Every role listens,
// if only for health and metrics. ready, if given, is called once it works.
func (a *program) serve(role config.Role, ready func(*setup.Installation)) error {
	cfg, err := a.configured(role)
	if err != nil {
		return err
	}
	listener, err := listen(cfg.ListenAs(role))
	if err != nil {
		return err
	}
	gate := &gate{}
	server := newServer(gate)
	var group sync.WaitGroup
	group.Go(func() { _ = server.Serve(listener) })
	defer group.Wait()
	defer server.Close()
	i, err := patiently(a, func() (*setup.Installation, error) { return setup.Open(a.Context, cfg, a.options()) })
	if err != nil {
		return err
	}
	defer i.Close()
	i.Address = "http://" + listener.Addr().String()
	seen, err := openWatchers(a, i, role)
	if err != nil {
		return err
	}
	defer seen.close()
	if role != config.API {
		if _, err := patiently(a, func() (any, error) { return nil, i.OpenReading(a.Context, cfg.Archive.Location) }); err != nil {
			return err
		}
	}
	i.PrepareShards(prepareShard(a, role))
	metrics, endMetrics, err := ownListener(i, seen)
	if err != nil {
		return err
	}
	defer endMetrics()
	served, err := patiently(a, func() (http.Handler, error) { return served(a, i, role, metrics) })
	if err != nil {
		return err
	}
	gate.open(middleware.Below(i.Config.Console.Path(), seen.handling(served)))
	a.log.Info("curlew is up", "role", role, "address", i.Address, "database", i.DB.Redacted(), "version", version())
	var watching sync.WaitGroup
	watching.Go(func() { i.WatchServices(seen.under(a.Context)) })
	defer watching.Wait()
	if ready != nil {
		ready(i)
	}
	if role == config.API {
		<-a.Context.Done()
	} else {
		workAll(a, i, seen)
	}
	gate.close()
	a.log.Info("curlew has ended")
	return nil
}

// configured is the configuration of a process that serves, which logs by it and has its data folder.
func (a *program) configured(role config.Role) (config.Config, error) {
	cfg, err := a.load()
	if err != nil {
		return cfg, err
	}
	if err := cfg.CheckRole(role); err != nil {
		return cfg, exitError{err, exitUsage}
	}
	a.log = newLogger(a.Err, a.Terminal, cfg.Log)
	slog.SetDefault(a.log) // readers take no logger: only ops/guard logs for them
	a.warnOf(cfg, role)
	return cfg, setup.MakeDataFolder(cfg)
}

// warnOf says what about the configuration the operator should know, and what keeps nothing from starting.
func (a *program) warnOf(cfg config.Config, role config.Role) {
	for _, name := range cfg.Unknown() {
		a.log.Warn(name + setup.UnknownVariable)
	}
	if why := setup.UnnamedProxy(cfg); why != "" && role != config.Worker {
		a.log.Warn(why)
	}
}

// newServer serves HTTP/1.1 and, for gRPC, HTTP/2 without encryption on one listener.
func newServer(h http.Handler) *http.Server {
	protocols := &http.Protocols{}
	protocols.SetHTTP1(true)
	protocols.SetUnencryptedHTTP2(true)
	return &http.Server{Handler: middleware.Bodies(h, middleware.DefaultBodyLimits()), Protocols: protocols,
		ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10}
}

// served is what a role answers: a worker only for its health.
func served(a *program, i *setup.Installation, role config.Role, metrics http.Handler) (http.Handler, error) {
	if role == config.Worker {
		return rest.Handler(i, metrics), nil
	}
	accounts, err := openAccounts(a, i)
	if err != nil {
		return nil, err
	}
	i.OpenWay() // to the pages that people want to see at once
	on := func(at *setup.Installation) http.Handler { return rest.Handler(i, metrics, doors(a, at, accounts)...) }
	if len(i.ShardNames()) == 1 {
		return &alone{home: i, accounts: accounts, next: on(i)}, nil
	}
	return &sharded{home: i, accounts: accounts, make: on}, nil
}

// doors are what serves the orgs of one database.
func doors(a *program, i *setup.Installation, accounts *auth.Authenticator) []func(*http.ServeMux) {
	use := app.New(i, accounts)
	return []func(*http.ServeMux){rest.ServeFeeds(use.ServedFeed, accounts.Suspects),
		rest.ServeAPI(rest.Options{App: use, Log: i.Log, Ends: a.Context.Done(), Version: i.Version, Base: i.Config.Console.URL}),
		grpc.Serve(grpc.Options{App: use, Rate: middleware.DefaultRate(), Log: i.Log}),
		mcp.Serve(mcp.Options{App: use, Log: i.Log, Version: i.Version}), serveConsole(a, i, use)}
}

// work runs the worker until the program is asked to end, and drains it.
func work(a *program, i *setup.Installation, seen *watchers) {
	o := i.WorkerOptions()
	o.Periodic = i.Jobs.Periodic()
	o.Observe = func(o queue.Observation) { seen.metrics.Attempt(o.Kind, string(o.To), o.Crash, o.Took) }
	i.Work(seen.under(a.Context), o)
}

// listen takes the address, or says in a sentence why it cannot.
func listen(address string) (net.Listener, error) {
	listener, err := net.Listen("tcp", address)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, curlew.Permanent("port_in_use", "another program listens on %s already: stop it, or name another address with --listen",
			address)
	case errors.Is(err, syscall.EACCES):
		return nil, curlew.Permanent("port_forbidden", "this user may not listen on %s: name a port above 1023 with --listen", address)
	case err != nil:
		return nil, curlew.Permanent("cannot_listen", "cannot listen on %s: name an address of this machine with --listen", address).Because(err)
	}
	return listener, nil
}

// patience is how long a starting server waits for a database that is away, or for a
// disk that is full.
const patience = time.Minute

// passes says whether what keeps a server from starting may end by itself.
func passes(err error) bool {
	return slices.ContainsFunc([]error{syscall.ENOSPC, curlew.ErrDatabaseUnavailable, curlew.ErrDiskFull, curlew.ErrDiskError},
		func(cause error) bool { return errors.Is(err, cause) })
}

// patiently does a part of starting a server. While its database is away or its disk is
// full it tries again: in a fleet nobody promises who starts first, and whoever frees a
// disk expects that what stands on it goes on.
func patiently[T any](a *program, do func() (T, error)) (T, error) {
	for end := time.Now().Add(patience); ; {
		done, err := do()
		if err == nil || !passes(err) || time.Now().After(end) {
			return done, err
		}
		a.log.Warn("cannot start yet; trying again", "error", err)
		select {
		case <-a.Context.Done():
			return done, errors.New("asked to end while starting")
		case <-time.After(2 * time.Second):
		}
	}
}

// gate lets requests through to the API once there is one; until then, and while
// the process ends, it is alive but not ready.
type gate struct{ handler atomic.Value }

type gated struct{ http.Handler }

func (g *gate) open(h http.Handler) { g.handler.Store(gated{h}) }
func (g *gate) close()              { g.handler.Store(gated{starting("ending")}) }

func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if h, ok := g.handler.Load().(gated); ok {
		h.ServeHTTP(w, r)
		return
	}
	starting("starting").ServeHTTP(w, r)
}

// starting answers for a process that is not up yet, or not any more.
func starting(word string) http.Handler {
	return rest.Handler(notReady(word), http.NotFoundHandler())
}

type notReady string

// Ready says that it is not.
func (n notReady) Ready(context.Context) error {
	return curlew.Temporary(curlew.Code(n), "%s", fmt.Sprintf("Curlew is %s", string(n)))
}
