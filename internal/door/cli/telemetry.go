package cli

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/curlew-data/curlew/internal/door/rest"
	"github.com/curlew-data/curlew/internal/ops/config"
	"github.com/curlew-data/curlew/internal/ops/instrument"
	"github.com/curlew-data/curlew/internal/ops/setup"
	"github.com/curlew-data/curlew/internal/ops/telemetry"
	"github.com/curlew-data/curlew/internal/web/egress"
	"github.com/curlew-data/curlew/internal/work/runs"
)

// watchers are those who see what a serving process does.
type watchers struct {
	metrics *telemetry.Metrics
	tracer  *telemetry.Tracer // nil when no collector is configured
	way     *egress.Client    // to the collector
}

// openWatchers makes the figures of a process, and the way to a collector of traces.
func openWatchers(a *program, i *setup.Installation, role config.Role) (*watchers, error) {
	w := &watchers{metrics: newMetrics(a.Context, i)}
	t := i.Config.Telemetry
	if t.Endpoint == "" {
		return w, nil
	}
	w.way = egress.New(egress.Policy{Services: []string{t.Endpoint}})
	var err error
	w.tracer, err = telemetry.NewTracer(a.Context, telemetry.TraceOptions{Endpoint: t.Endpoint, Headers: t.HeaderList(), Sample: t.Sample,
		Way:     w.way.HTTPClient(telemetry.ExportTime),
		Service: telemetry.Process{Version: version(), Instance: setup.ProcessName(), Role: string(role)}, Metrics: w.metrics, Log: a.log})
	if err != nil {
		w.way.Close()
		return nil, err
	}
	a.log = slog.New(telemetry.WithTraces(a.log.Handler()))
	i.Log = a.log
	return w, nil
}

// under lets the watchers see what happens under a context.
func (w *watchers) under(ctx context.Context) context.Context {
	if w.tracer == nil {
		return instrument.With(ctx, w.metrics, nil)
	}
	return instrument.With(ctx, w.metrics, w.tracer)
}

// handling lets them see requests.
func (w *watchers) handling(next http.Handler) http.Handler {
	return w.metrics.Requests(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		inner := r.WithContext(w.under(r.Context()))
		next.ServeHTTP(out, inner)
		r.Pattern = inner.Pattern
	}))
}

// closeWithin is how long the end of a process waits for its last traces to be taken.
const closeWithin = 2 * time.Second

func (w *watchers) close() {
	if w.tracer == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), closeWithin)
	defer cancel()
	w.tracer.Close(ctx)
	w.way.Close()
}

// busyWithin bounds the query for the busiest hosts: a start must not wait for it.
const busyWithin = 2 * time.Second

func newMetrics(ctx context.Context, i *setup.Installation) *telemetry.Metrics {
	o := telemetry.Options{Version: version(), Hosts: namedHosts(i.Config),
		Now: telemetry.Gauges{Depth: depthOf(i), Backlog: backlogOf(i), Ready: i.Ready, Free: i.FreeBytes}}
	if o.Hosts > 0 {
		ctx, cancel := context.WithTimeout(ctx, busyWithin)
		defer cancel()
		o.Busiest, _ = i.Queue.Busiest(ctx, runs.KindSlice, o.Hosts) // without it, the first ones are named
	}
	return telemetry.New(o)
}

// namedHosts is how many hosts metrics may name: none where strangers might read which
// sites an org watches.
func namedHosts(cfg config.Config) int {
	if cfg.Metrics.Listen != "" {
		return cfg.Metrics.Hosts
	}
	host, _, err := net.SplitHostPort(cfg.Listen)
	ip := net.ParseIP(host)
	if err != nil || cfg.Console.URL != "" || !(host == "localhost" || ip != nil && ip.IsLoopback()) {
		return 0
	}
	return cfg.Metrics.Hosts
}

// depthOf adds up the queues of all databases that the process has opened.
func depthOf(i *setup.Installation) func(context.Context) (telemetry.Depth, error) {
	return func(ctx context.Context) (all telemetry.Depth, err error) {
		for _, on := range i.Opened() {
			d, err := on.Queue.Depth(ctx)
			if err != nil {
				return all, err
			}
			all.Waiting, all.Scheduled, all.Running = all.Waiting+d.Waiting, all.Scheduled+d.Scheduled, all.Running+d.Running
			all.Oldest = max(all.Oldest, d.Oldest)
		}
		return all, nil
	}
}

// backlogOf does so for what is to be sent.
func backlogOf(i *setup.Installation) func(context.Context) (telemetry.Backlog, error) {
	return func(ctx context.Context) (all telemetry.Backlog, err error) {
		for _, on := range i.Opened() {
			waiting, oldest, err := on.Store.OutboxDepth(ctx)
			if err != nil {
				return all, err
			}
			all.Waiting, all.Oldest = all.Waiting+waiting, max(all.Oldest, oldest)
		}
		return all, nil
	}
}

// ownListener shows metrics and health on a listener of their own, where one is
// configured. The handler is what is left to show where the API listens.
func ownListener(i *setup.Installation, w *watchers) (shown http.Handler, end func(), err error) {
	if i.Config.Metrics.Listen == "" {
		return w.metrics.Handler(), func() {}, nil
	}
	listener, err := listen(i.Config.Metrics.Listen)
	if err != nil {
		return nil, nil, err
	}
	server := &http.Server{Handler: rest.Handler(i, w.metrics.Handler()), ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: 64 << 10}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = server.Serve(listener)
	}()
	return http.NotFoundHandler(), func() {
		_ = server.Close()
		<-done
	}, nil
}
