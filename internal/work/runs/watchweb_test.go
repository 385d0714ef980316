package runs_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
	"github.com/curlew-data/curlew/internal/data/database/databasetest"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/read/normalise"
	"github.com/curlew-data/curlew/internal/testkit/demo"
	"github.com/curlew-data/curlew/internal/testkit/eventually"
	"github.com/curlew-data/curlew/internal/web/archive"
	"github.com/curlew-data/curlew/internal/web/egress"
	"github.com/curlew-data/curlew/internal/web/fetch"
	"github.com/curlew-data/curlew/internal/web/urls"
	"github.com/curlew-data/curlew/internal/work/deliver"
	"github.com/curlew-data/curlew/internal/work/onboard"
	"github.com/curlew-data/curlew/internal/work/outbox"
	"github.com/curlew-data/curlew/internal/work/pages"
	"github.com/curlew-data/curlew/internal/work/queue"
	"github.com/curlew-data/curlew/internal/work/runs"
	"github.com/curlew-data/curlew/internal/work/watch"
)

// observatory is a whole engine that watches the sample web. Its days are those of
// that web.
type observatory struct {
	engine
	web     *demo.Web
	fetcher *fetch.Fetcher
	archive *archive.Archive
	watch   watch.Checker
	days    atomic.Int64
	start   time.Time
}

var today = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

// now is the time of the sample web: its day, and how long the test has been running.
func (o *observatory) now() time.Time {
	return today.AddDate(0, 0, int(o.days.Load())).Add(time.Since(o.start))
}

// observe gives a test an observatory on one engine, SQLite unless it asks for all.
func observe(t *testing.T, every bool, test func(o *observatory)) {
	t.Helper()
	t.Parallel()
	engines := []database.Engine{database.SQLite}
	if every {
		engines = append(engines, database.Postgres)
	}
	databasetest.On(t, engines, []database.Migrations{queue.Migrations(), store.Migrations()}, func(t *testing.T, db *database.DB) {
		o := newObservatory(t, db)
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

func newObservatory(t *testing.T, db *database.DB) *observatory {
	t.Helper()
	o := &observatory{start: time.Now(), web: demo.New(demo.Options{Today: today})}
	if err := o.web.Start(t.Context(), demo.Addresses{}); err != nil {
		t.Fatal(err)
	}
	client := egress.New(egress.Policy{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, Ports: everyPort()})
	t.Cleanup(client.Close)
	s, q := store.New(db, curlew.SystemMinter()), queue.New(db, queue.Limits{})
	o.fetcher = fetch.New(fetch.Options{Client: client, Hosts: s, Version: "test", Now: o.now, MayHurry: func(string) bool { return true }})
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
	reader := &pages.PageReader{Fetcher: o.fetcher, Archive: o.archive}
	o.watch = watch.Checker{Store: s, Watching: &watch.Watching{Reader: reader, Past: o.archive, Version: "test"}, Outbox: outbox, Now: o.now, Wall: time.Now,
		Defaults: watch.WatchDefaults{DetailsEvery: 20 * time.Hour, MaxPages: 300, RemovalShare: 0.3, ConfirmAfter: 0, Failures: 3}}
	slicers := map[curlew.RunKind]runs.Slicer{curlew.RunWatch: o.watch}
	j := runs.New(s, q, runs.Options{Slicers: slicers, SliceLimit: 10 * time.Minute, MaxAttempts: 1, Log: log, Handlers: outbox.Handlers()})
	o.engine = engine{t, j, s, q, slicers}
	return o
}

// everyPort lets tests have servers of their own.
func everyPort() []uint16 {
	ports := make([]uint16, 0, 65535)
	for p := 1; p < 65536; p++ {
		ports = append(ports, uint16(p))
	}
	return ports
}

// counted counts the pages that are asked for.
type counted struct {
	hurried
	asked *int
}

func (c counted) Fetch(ctx context.Context, r fetch.PageRequest) (*fetch.Capture, error) {
	*c.asked++
	return c.hurried.Fetch(ctx, r)
}

// hurried asks the sample web without waiting.
type hurried struct{ *fetch.Fetcher }

func (h hurried) Fetch(ctx context.Context, r fetch.PageRequest) (*fetch.Capture, error) {
	none := time.Duration(0)
	r.Delay = &none
	return h.Fetcher.Fetch(ctx, r)
}

// mostAsked is how many pages a proposal may ask for, robots.txt aside.
const mostAsked = 20

// propose finds a way to watch a site, as people would with an address alone.
func (o *observatory) propose(site demo.Site) onboard.Proposal {
	o.Helper()
	asked := 0
	p, err := onboard.Proposing{Web: counted{hurried{o.fetcher}, &asked}, Now: o.now}.Propose(o.Context(), site.URL())
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

// add begins to watch a site.
func (o *observatory) add(site demo.Site, p onboard.Proposal) (watch curlew.Watch) {
	o.Helper()
	rules, err := blueprint.Marshal(p.Blueprint)
	if err != nil {
		o.Fatal(err)
	}
	none := curlew.Duration(0)
	err = o.store.Write(o.Context(), curlew.DefaultOrg, func(w store.WriteScope) error {
		source, err := w.Sources().At(o.Context(), site.Base) // a site is one source
		if errors.Is(err, curlew.ErrNotFound) {
			source, err = w.Sources().Add(o.Context(), curlew.Source{Name: site.Title, BaseURL: site.Base, Trust: curlew.TrustProbation})
		}
		if err != nil {
			return err
		}
		b, err := w.Blueprints().Add(o.Context(), curlew.Blueprint{Source: source.ID, Schema: p.Schema, PageType: p.Blueprint.Page, Tier: p.Tier, Rules: rules, TestURL: p.URL})
		if err == nil {
			b, err = w.Blueprints().Activate(o.Context(), b.ID)
		}
		if err != nil {
			return err
		}
		watch, err = w.Watches().Add(o.Context(), curlew.Watch{Source: source.ID, Blueprint: b.ID, URL: p.URL, Name: site.Name, Schedule: "daily", Status: curlew.WatchActive,
			Settings: curlew.WatchSettings{Delay: &none}})
		return err
	})
	if err != nil {
		o.Fatal(err)
	}
	return watch
}

// visit lets a watch look once, and returns its run.
func (o *observatory) visit(watch curlew.Watch) curlew.Run {
	o.Helper()
	run, err := o.Visit(o.Context(), curlew.DefaultOrg, watch.ID, runs.WatchPlan{Trigger: "manual"})
	if err != nil {
		o.Fatal(err)
	}
	return o.ended(run)
}

// ended waits for the end of a run.
func (o *observatory) ended(run curlew.Run) curlew.Run {
	o.Helper()
	eventually.Told(o, "the run ends", func() (bool, string) {
		run = o.run(run.ID)
		return run.State.Ended(), fmt.Sprintf("%+v", run)
	})
	return run
}

func (o *observatory) mustVisit(watch curlew.Watch) curlew.Run {
	o.Helper()
	run := o.visit(watch)
	if run.State != curlew.RunSucceeded {
		o.Fatalf("the run of %s %s: %s", watch.Name, run.State, run.Summary)
	}
	return run
}

func (o *observatory) changesAfter(sequence int64) []curlew.Change {
	o.Helper()
	all, err := o.store.Org(curlew.DefaultOrg).Changes().List(o.Context(), store.ChangeFilter{}, sequence, 100_000)
	if err != nil {
		o.Fatal(err)
	}
	return all
}

func (o *observatory) sequence() int64 {
	o.Helper()
	n, err := o.store.Org(curlew.DefaultOrg).Changes().LastSequence(o.Context())
	if err != nil {
		o.Fatal(err)
	}
	return n
}

// feasible are the sites of the sample web that can be read without a browser.
func feasible(web *demo.Web) []demo.Site {
	return slices.DeleteFunc(web.Sites(), func(s demo.Site) bool {
		return s.Schema == "" || slices.Contains([]string{"spa", "trap", "blog", "menu", "rude"}, s.Name)
	})
}

// agreement compares what we know of a site with what is true of it, field by field.
func (o *observatory) agreement(site demo.Site, watch curlew.Watch) (right, all int, wrong []string) {
	o.Helper()
	truth, err := o.web.Truth(site.Name)
	if err != nil {
		o.Fatal(err)
	}
	entities, err := o.store.Org(curlew.DefaultOrg).Entities().Sighted(o.Context(), watch.ID)
	if err != nil {
		o.Fatal(err)
	}
	names := map[string]int{} // how many things have the same page
	for _, want := range truth {
		names[urls.Key(want.URL)]++
	}
	byKey := map[string][]curlew.Entity{} // talks of one name may begin at once, in two tables
	for _, e := range entities {
		key := keyOf(e.URL, e.Fields, names)
		byKey[key] = append(byKey[key], e)
	}
	for _, want := range truth {
		key := keyOf(want.URL, want.Fields, names)
		var e curlew.Entity
		found := len(byKey[key]) > 0
		if found {
			best := closest(byKey[key], want.Fields)
			e = byKey[key][best]
			byKey[key] = slices.Delete(byKey[key], best, best+1)
		}
		for _, name := range site.Fields {
			value, shown := want.Fields[name]
			if !shown {
				continue
			}
			all++
			if found && alike(name, e.Fields, value) {
				right++
			} else {
				wrong = append(wrong, fmt.Sprintf("%s %s: %.60q, want %.60q", want.ExternalID, name, fmt.Sprint(e.Fields[name]), fmt.Sprint(value)))
			}
		}
	}
	for key, rest := range byKey {
		for _, e := range rest {
			all++
			wrong = append(wrong, fmt.Sprintf("there is no %s: %s %.300v", key, e.URL, e.Fields))
		}
	}
	return right, all, wrong
}

// closest is the entity that agrees with most of what is wanted.
func closest(entities []curlew.Entity, want curlew.Values) int {
	best, most := 0, -1
	for i, e := range entities {
		n := 0
		for name, value := range want {
			if alike(name, e.Fields, value) {
				n++
			}
		}
		if n > most {
			best, most = i, n
		}
	}
	return best
}

// keyOf names a thing by its page, or where pages have many by its title and start.
func keyOf(address string, fields curlew.Values, names map[string]int) string {
	if key := urls.Key(address); names[key] == 1 {
		return key
	}
	title, _ := cmp.Or(fields["title"], fields["name"]).(string)
	start, _ := fields["starts_at"].(string)
	return strings.ToLower(strings.Join(strings.Fields(title), " ")) + " " + start[:min(len(start), len(clock))]
}

// alike compares a field with what is true of it. Kinds of employment and phone
// numbers have one spelling in Curlew, whatever the site's; the text of an article
// begins with its standfirst where the page shows one above it.
func alike(name string, fields curlew.Values, want any) bool {
	got := fields[name]
	switch name {
	case "employment_type", "phone":
		schema := map[string]curlew.SchemaName{"employment_type": curlew.SchemaJob, "phone": curlew.SchemaOrganization}[name]
		record, _ := normalise.Record(curlew.Draft{Schema: schema, Fields: curlew.Values{"title": "x", "name": "x", name: want}}, normalise.Context{})
		want = record.Fields[name]
	case "remote": // no is as good as silence
		if got == false {
			got = nil
		}
	case "text":
		if text, ok := got.(string); ok {
			got = strings.TrimSpace(strings.TrimPrefix(text, fmt.Sprint(fields["summary"])))
		}
	}
	return equal(got, want)
}

func equal(got, want any) bool {
	g, _ := json.Marshal(got)
	w, _ := json.Marshal(want)
	if string(g) == string(w) {
		return true
	}
	var a, b any
	_ = json.Unmarshal(g, &a)
	_ = json.Unmarshal(w, &b)
	if x, ok := a.(string); ok {
		if y, ok := b.(string); ok {
			return strings.Join(strings.Fields(x), " ") == strings.Join(strings.Fields(y), " ") || sameMoment(x, y) || urls.Key(x) == urls.Key(y) && strings.HasPrefix(x, "http")
		}
	}
	return reflect.DeepEqual(a, b)
}

// clock is a time as pages show it that do not say of which zone.
const clock = "2006-01-02T15:04:05"

func sameMoment(a, b string) bool {
	if _, err := time.Parse(clock, a); err == nil {
		return strings.HasPrefix(b, a)
	}
	x, errX := time.Parse(time.RFC3339, a)
	y, errY := time.Parse(time.RFC3339, b)
	return errX == nil && errY == nil && x.Equal(y)
}

// leastTrue is the share of fields that must be right.
const leastTrue = 0.98

func TestEverySiteOfTheSampleWebIsReadRight(t *testing.T) {
	observe(t, false, func(o *observatory) {
		stop := o.work()
		defer stop()
		for _, site := range feasible(o.web) {
			if only := os.Getenv("CURLEW_TEST_SITE"); only != "" && !strings.Contains(only, site.Name) {
				continue
			}
			began := time.Now()
			p := o.propose(site)
			took := time.Since(began)
			watch := o.add(site, p)
			o.mustVisit(watch)
			right, all, wrong := o.agreement(site, watch)
			o.Logf("watch of %s: %d/%d fields right, by %s, %d detail pages, paged %v, proposed in %s", site.Name, right, all, p.Tier, len(p.Blueprint.Follow),
				p.Blueprint.Pagination != nil, took.Round(time.Millisecond))
			if os.Getenv("CURLEW_TEST_LOG") != "" {
				rules, _ := blueprint.Marshal(p.Blueprint)
				o.Logf("%s %s", p.URL, rules)
				for _, x := range p.Others {
					o.Logf("  other: %s %s records %d worth %.1f (%.1f)", x.Tier, x.URL, x.Records, x.Worth, p.Worth)
				}
			}
			if float64(right) < leastTrue*float64(all) {
				o.Errorf("%s: only %d of %d fields are right", site.Name, right, all)
			}
			for i, w := range wrong {
				if i < 6 || i > len(wrong)-4 || os.Getenv("CURLEW_TEST_LOG") != "" {
					o.Logf("    %s", w)
				}
			}
		}
	})
}
