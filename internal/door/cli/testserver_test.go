package cli

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/ops/config"
	"github.com/curlew-data/curlew/internal/ops/setup"
	"github.com/curlew-data/curlew/internal/testkit/demo"
	"github.com/curlew-data/curlew/internal/testkit/eventually"
	"github.com/curlew-data/curlew/internal/work/deliver/sinktest"
	"github.com/curlew-data/curlew/internal/work/watch"
)

// testServer is Curlew as serve starts it, on SQLite, beside the sample web, a receiver
// of webhooks and whatever else a test lets it reach.
type testServer struct {
	*setup.Installation
	web  *demo.Web
	sink *sinktest.Sink
	hook string // where the sink listens
	base string // of the console
	link string // by which its first person becomes the owner
}

func openServer(t *testing.T, reach ...string) *testServer {
	t.Helper()
	return openServerWith(t, nil, reach...)
}

// openServerWith is openServer with more settings.
func openServerWith(t *testing.T, more map[string]string, reach ...string) *testServer {
	t.Helper()
	ctx, end := context.WithCancel(context.Background())
	h := &testServer{web: demo.New(demo.Options{Today: time.Now()}), sink: sinktest.New(1)}
	if err := h.web.Start(ctx, demo.Addresses{}); err != nil {
		t.Fatal(err)
	}
	h.hook = serveFor(t, h.sink) + "/hook"
	hurry := curlew.Duration(0)
	said, logged := &spoken{}, &spoken{}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the log of the server:\n%s", logged)
		}
	})
	a := &program{
		Environment: Environment{Context: ctx, Out: said, Err: io.Discard}, commands: &commands{},
		log: slog.New(slog.NewTextHandler(logged, &slog.HandlerOptions{Level: slog.LevelWarn})), delay: &hurry,
		settings: map[string]string{"data": t.TempDir(), "listen": "127.0.0.1:0", "fetch-browser": "off", "deliver-plain-http": "true", "watch-confirm-after": "0s",
			"egress-allow": "127.0.0.0/8", "egress-ports": portsOf(h.web, append(reach, h.hook))},
	}
	maps.Copy(a.settings, more)
	up, ended := make(chan error, 1), make(chan struct{})
	go func() {
		defer close(ended)
		up <- a.serve(config.Serve, func(i *setup.Installation) { h.Installation = i; up <- nil })
	}()
	t.Cleanup(func() { end(); <-ended; h.web.Wait() })
	if err := <-up; err != nil {
		t.Fatal(err)
	}
	h.base, h.link = h.Address, said.await(t, `https?://\S+/link\?token=\S+`)
	return h
}

// serveFor serves on loopback until the test ends.
func serveFor(t *testing.T, handler http.Handler) string {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL
}

func portsOf(web *demo.Web, addresses []string) string {
	for _, s := range web.Sites() {
		addresses = append(addresses, s.URL())
	}
	ports := make([]string, len(addresses))
	for n, address := range addresses {
		u, _ := url.Parse(address) // of servers of our own
		ports[n] = u.Port()
	}
	return strings.Join(ports, ",")
}

func (h *testServer) site(t *testing.T, name string) string {
	t.Helper()
	s, err := h.web.Site(name)
	if err != nil {
		t.Fatal(err)
	}
	return s.URL()
}

// watch is the only watch of a source that is called so.
func (h *testServer) watch(t *testing.T, source string) curlew.Watch {
	t.Helper()
	scope := h.Store.Org(curlew.DefaultOrg)
	sources, err := scope.Sources().List(t.Context(), store.Window{Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sources {
		if s.Name != source {
			continue
		}
		watches, err := scope.Watches().List(t.Context(), store.WatchFilter{Source: s.ID}, store.Window{Limit: 2})
		if err != nil || len(watches) != 1 {
			t.Fatalf("the watches of %s: %v, %v", source, watches, err)
		}
		return watches[0]
	}
	t.Fatalf("there is no source %s", source)
	return curlew.Watch{}
}

// comesRound does what the schedule does when the time of a watch has come, and waits
// for the visit, and for what it begins, to end.
func (h *testServer) comesRound(t *testing.T, id curlew.WatchID) {
	t.Helper()
	err := h.Store.Write(t.Context(), curlew.DefaultOrg, func(w store.WriteScope) error {
		_, err := watch.Start(t.Context(), h.Jobs, w, id, watch.Plan{Trigger: "schedule"})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	h.rests(t)
}

// rests waits until no run is under way.
func (h *testServer) rests(t *testing.T) {
	t.Helper()
	eventually.Told(t, "the runs end", func() (bool, string) {
		for _, state := range []curlew.RunState{curlew.RunPending, curlew.RunRunning} {
			runs, err := h.Store.Org(curlew.DefaultOrg).Runs().List(t.Context(), store.RunFilter{State: state}, store.Window{Limit: 1})
			if err != nil || len(runs) > 0 {
				return false, fmt.Sprint(runs, err)
			}
		}
		return true, ""
	})
}
