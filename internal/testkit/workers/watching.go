package workers

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
	"github.com/curlew-data/curlew/internal/data/database/databasetest"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/testkit/demo"
	"github.com/curlew-data/curlew/internal/testkit/eventually"
	"github.com/curlew-data/curlew/internal/web/archive"
	"github.com/curlew-data/curlew/internal/web/egress"
	"github.com/curlew-data/curlew/internal/web/fetch"
	"github.com/curlew-data/curlew/internal/work/deliver"
	"github.com/curlew-data/curlew/internal/work/heal"
	"github.com/curlew-data/curlew/internal/work/onboard"
	"github.com/curlew-data/curlew/internal/work/outbox"
	"github.com/curlew-data/curlew/internal/work/pages"
	"github.com/curlew-data/curlew/internal/work/queue"
	"github.com/curlew-data/curlew/internal/work/runs"
	"github.com/curlew-data/curlew/internal/work/watch"
)

// Watching is an engine that watches the sample web, and what a test serves. Its days are those of
// that web.
type Watching struct {
	Engine
	Web     *demo.Web
	Fetcher *fetch.Fetcher
	archive *archive.Archive
	client  *egress.Client
	Checker watch.Checker
	Days    atomic.Int64
	start   time.Time
}

var Today = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

// Now is the time of the sample web: its day, and how long the test has been running.
func (o *Watching) Now() time.Time {
	return Today.AddDate(0, 0, int(o.Days.Load())).Add(time.Since(o.start))
}

// Observe gives a test a test on one engine, SQLite unless it asks for all.
func Observe(t *testing.T, every bool, test func(o *Watching)) {
	t.Helper()
	t.Parallel()
	engines := []database.Engine{database.SQLite}
	if every {
		engines = append(engines, database.Postgres)
	}
	databasetest.On(t, engines, []database.Migrations{queue.Migrations(), store.Migrations()}, func(t *testing.T, db *database.DB) {
		o := New(t, db)
		test(o)
		violations, err := o.Check(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range violations {
			t.Errorf("%s: %s", v.Invariant, v.Sentence)
		}
	})
}

// Observing is Observe for tests that add methods of their own.
func Observing[W any](with func(*Watching) W) func(t *testing.T, every bool, test func(W)) {
	return func(t *testing.T, every bool, test func(W)) {
		t.Helper()
		Observe(t, every, func(w *Watching) { test(with(w)) })
	}
}

// Main runs the tests of a package that reads files in a process of their own, as a server does.
func Main(m *testing.M) {
	extract.ServeReaders(os.Args[1:])
	os.Exit(m.Run())
}

// New opens a watching on a database.
func New(t *testing.T, db *database.DB) *Watching {
	t.Helper()
	o := &Watching{start: time.Now(), Web: demo.New(demo.Options{Today: Today})}
	if err := o.Web.Start(t.Context(), demo.Addresses{}); err != nil {
		t.Fatal(err)
	}
	client := egress.New(egress.Policy{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, Ports: EveryPort()})
	t.Cleanup(client.Close)
	o.client = client
	s, q := store.New(db, curlew.SystemMinter()), queue.New(db, queue.Limits{})
	o.Fetcher = fetch.New(fetch.Options{Client: client, Hosts: s, Version: "test", Now: o.Now, MayHurry: func(string) bool { return true }})
	blobs, err := archive.OpenBlobs(t.TempDir(), archive.BlobOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if o.archive, err = archive.Open(t.Context(), archive.Options{Blobs: blobs}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = o.archive.Close(context.Background()) })
	log := slog.New(slog.DiscardHandler)
	if os.Getenv("CURLEW_TEST_LOG") != "" {
		log = slog.Default()
	}
	outbox := &outbox.Outbox{Store: s, Queue: q, Channels: map[curlew.Channel]deliver.Channel{
		curlew.ChannelWebhook: deliver.Webhook{Client: client, UserAgent: "Curlew/test", Now: time.Now}},
		Policy: deliver.DefaultPolicy(), Random: func() float64 { return 0.5 }, Now: time.Now, Log: log}
	reader := &pages.PageReader{Fetcher: o.Fetcher, Archive: o.archive}
	o.Checker = watch.Checker{Store: s, Watching: &watch.Watching{Reader: reader, Past: o.archive, Version: "test"},
		Outbox: outbox, Now: o.Now, Wall: time.Now, Heal: heal.Starter(q),
		Defaults: watch.WatchDefaults{DetailsEvery: 20 * time.Hour, MaxPages: 300, RemovalShare: 0.3, ConfirmAfter: 0, Failures: 3}}
	slicers := map[curlew.RunKind]runs.Slicer{curlew.RunWatch: o.Checker}
	handlers := watch.Starter{Store: s, Queue: q, Attempts: 1}.Handlers()
	maps.Copy(handlers, outbox.Handlers())
	j := runs.New(s, q, runs.Options{Slicers: slicers, SliceLimit: 10 * time.Minute, MaxAttempts: 1, Log: log, Handlers: handlers})
	o.Engine = Engine{t, j, s, q, slicers}
	return o
}

// EveryPort lets tests have servers of their own.
func EveryPort() []uint16 {
	ports := make([]uint16, 0, 65535)
	for p := 1; p < 65536; p++ {
		ports = append(ports, uint16(p))
	}
	return ports
}

// hurried asks the sample web without waiting.
type hurried struct{ *fetch.Fetcher }

func (c counted) Fetch(ctx context.Context, r fetch.PageRequest) (*fetch.Capture, error) {
	*c.asked++
	return c.hurried.Fetch(ctx, r)
}

func (h hurried) Fetch(ctx context.Context, r fetch.PageRequest) (*fetch.Capture, error) {
	none := time.Duration(0)
	r.Delay = &none
	return h.Fetcher.Fetch(ctx, r)
}

// counted counts the pages that are asked for.
type counted struct {
	hurried
	asked *int
}

// mostAsked is how many pages a proposal may ask for, robots.txt aside.
const mostAsked = 20

// Propose finds a way to watch a site, as people would with an address alone.
func (o *Watching) Propose(site demo.Site) onboard.Proposal {
	o.Helper()
	asked := 0
	p, err := onboard.Proposing{Web: counted{hurried{o.Fetcher}, &asked}, Now: o.Now}.Propose(o.Context(), site.URL())
	if err != nil {
		o.Fatalf("%s: %v", site.Name, err)
	}
	if asked > mostAsked {
		o.Errorf("%s: a proposal asked for %d pages: a polite one does with %d", site.Name, asked, mostAsked)
	}
	if os.Getenv("CURLEW_TEST_LOG") != "" {
		o.Logf("%s was proposed after %d pages", site.Name, asked)
	}
	return p
}

// Add begins to watch a site.
func (o *Watching) Add(site demo.Site, p onboard.Proposal) (watch curlew.Watch) {
	o.Helper()
	rules, err := blueprint.Marshal(p.Blueprint)
	if err != nil {
		o.Fatal(err)
	}
	none := curlew.Duration(0)
	err = o.Store.Write(o.Context(), curlew.DefaultOrg, func(w store.WriteScope) error {
		source, err := w.Sources().At(o.Context(), site.Base) // a site is one source
		if errors.Is(err, curlew.ErrNotFound) {
			source, err = w.Sources().Add(o.Context(), curlew.Source{Name: site.Title, BaseURL: site.Base, Trust: curlew.TrustProbation})
		}
		if err != nil {
			return err
		}
		b, err := w.Blueprints().Add(o.Context(), curlew.Blueprint{Source: source.ID, Schema: p.Schema, PageType: p.Blueprint.Page,
			Tier: p.Tier, Rules: rules, TestURL: p.URL})
		if err == nil {
			b, err = w.Blueprints().Activate(o.Context(), b.ID)
		}
		if err != nil {
			return err
		}
		watch, err = w.Watches().Add(o.Context(), curlew.Watch{Source: source.ID, Blueprint: b.ID, URL: p.URL, Name: site.Name,
			Schedule: "daily", Status: curlew.WatchActive, Settings: curlew.WatchSettings{Delay: &none}})
		return err
	})
	if err != nil {
		o.Fatal(err)
	}
	return watch
}

// AddText watches the text of a page.
func (o *Watching) AddText(address string, part blueprint.Selector) curlew.Watch {
	o.Helper()
	rules := blueprint.Blueprint{Language: 1, Schema: curlew.SchemaPage, Page: curlew.PageSingle, Tier: curlew.TierHTML, Records: &part,
		Fields: map[string]blueprint.FieldRules{}}
	return o.Add(demo.Site{Name: "terms", Title: "Terms", Base: strings.TrimSuffix(address, "terms")},
		onboard.Proposal{URL: address, Schema: curlew.SchemaPage, Tier: curlew.TierHTML, Blueprint: &rules})
}

// SiteNow is a site of the sample web as it is now.
func (o *Watching) SiteNow(name string) demo.Site {
	site, err := o.Web.Site(name)
	if err != nil {
		o.Fatal(err)
	}
	return site
}

// Healing lets a test heal.
func (o *Watching) Healing() {
	o.Slicers[curlew.RunHeal] = heal.Heal{Checker: o.Checker, Web: func(curlew.Watch) pages.PageSource { return hurried{o.Fetcher} }}
}

// Unpaced asks without waiting.
func (o *Watching) Unpaced() pages.PageSource { return hurried{o.Fetcher} }

// Serve puts a site on the web, until the test ends.
func (o *Watching) Serve(h http.Handler) string {
	server := httptest.NewServer(h)
	o.Cleanup(server.Close)
	return server.URL + "/"
}

// Visit lets a watch look once, and returns its run.
func (o *Watching) Visit(watch curlew.Watch) curlew.Run {
	o.Helper()
	run, err := o.StartCheck(watch.ID, Plan{Trigger: "manual"})
	if err != nil {
		o.Fatal(err)
	}
	return o.Ended(run)
}

// Ended waits for the end of a run.
func (o *Watching) Ended(run curlew.Run) curlew.Run {
	o.Helper()
	eventually.Told(o, "the run ends", func() (bool, string) {
		run = o.RunOf(run.ID)
		return run.State.Ended(), fmt.Sprintf("%+v", run)
	})
	return run
}

// MustVisit checks a watch once, which must succeed.
func (o *Watching) MustVisit(watch curlew.Watch) curlew.Run {
	o.Helper()
	run := o.Visit(watch)
	if run.State != curlew.RunSucceeded {
		o.Fatalf("the run of %s %s: %s", watch.Name, run.State, run.Summary)
	}
	return run
}

// Quiet waits until no run goes on.
func (o *Watching) Quiet() {
	o.Helper()
	o.Until("all runs to end", func() bool {
		for _, state := range []curlew.RunState{curlew.RunPending, curlew.RunRunning} {
			runs, err := o.Store.Org(curlew.DefaultOrg).Runs().List(o.Context(), store.RunFilter{State: state}, store.Window{})
			if err != nil {
				o.Fatal(err)
			}
			if len(runs) > 0 {
				return false
			}
		}
		return true
	})
}

// Until waits for something that other goroutines bring about.
func (o *Watching) Until(what string, done func() bool) {
	o.Helper()
	eventually.True(o, what, done)
}

// ChangesAfter lists the changes after a sequence.
func (o *Watching) ChangesAfter(sequence int64) []curlew.Change {
	o.Helper()
	all, err := o.Store.Org(curlew.DefaultOrg).Changes().List(o.Context(), store.ChangeFilter{}, sequence, 100_000)
	if err != nil {
		o.Fatal(err)
	}
	return all
}

// Sequence is that of the last change.
func (o *Watching) Sequence() int64 {
	o.Helper()
	n, err := o.Store.Org(curlew.DefaultOrg).Changes().LastSequence(o.Context())
	if err != nil {
		o.Fatal(err)
	}
	return n
}

// Told lists the kinds of changes after a sequence, with what they are about.
func (o *Watching) Told(after int64) []string {
	o.Helper()
	var all []string
	for _, c := range o.ChangesAfter(after) {
		var p curlew.ChangePayload
		if err := json.Unmarshal(c.Payload, &p); err != nil {
			o.Fatal(err)
		}
		line := string(c.Kind)
		if p.Entity != nil {
			line += fmt.Sprintf(" %v", cmp.Or(p.Entity.Fields["name"], p.Entity.Fields["title"]))
		}
		for _, f := range p.Changes {
			line += fmt.Sprintf(" %s %v→%v", f.Field, f.Old, f.New)
		}
		all = append(all, line)
	}
	slices.Sort(all)
	return all
}

// Want compares what was told after a sequence.
func (o *Watching) Want(after int64, want ...string) {
	o.Helper()
	slices.Sort(want)
	if got := o.Told(after); !slices.Equal(got, want) {
		o.Errorf("told\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

// Said is the log of a run.
func (o *Watching) Said(run curlew.Run) string {
	o.Helper()
	lines, err := o.Store.Org(curlew.DefaultOrg).Runs().Log(o.Context(), run.ID, 0, 100)
	if err != nil {
		o.Fatal(err)
	}
	var all []string
	for _, l := range lines {
		all = append(all, l.Text)
	}
	return strings.Join(all, "\n")
}

// WatchNow is a watch as it is now.
func (o *Watching) WatchNow(id curlew.WatchID) curlew.Watch {
	o.Helper()
	watch, err := o.Store.Org(curlew.DefaultOrg).Watches().Get(o.Context(), id)
	if err != nil {
		o.Fatal(err)
	}
	return watch
}

// Source is a source as it is now.
func (o *Watching) Source(id curlew.SourceID) curlew.Source {
	o.Helper()
	s, err := o.Store.Org(curlew.DefaultOrg).Sources().Get(o.Context(), id)
	if err != nil {
		o.Fatal(err)
	}
	return s
}

// EntityOf is one of the things of a depot.
func (o *Watching) EntityOf(watch curlew.Watch, name string) curlew.Entity {
	o.Helper()
	all, err := o.Store.Org(curlew.DefaultOrg).Entities().Sighted(o.Context(), watch.ID)
	if err != nil {
		o.Fatal(err)
	}
	for _, e := range all {
		if e.Fields["name"] == name {
			return e
		}
	}
	o.Fatalf("no entity is named %s", name)
	return curlew.Entity{}
}
