package storefill

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/testkit/growth"
	"github.com/curlew-data/curlew/internal/work/queue"
)

// listing is one that people page through, as the console and the API ask for it.
type listing struct {
	name string
	read func(ctx context.Context, s store.Scope, k keys) error
}

// keys are what the filters of listings name: the largest source and its watch, and an
// entity.
type keys struct {
	source curlew.SourceID
	watch  curlew.WatchID
	entity curlew.EntityID
	since  time.Time
	early  string // the end of an id from the first days
}

// read makes a listing of what reads one.
func read[T any](name string, rows func(ctx context.Context, s store.Scope, k keys) (T, error)) listing {
	return listing{name, func(ctx context.Context, s store.Scope, k keys) error {
		_, err := rows(ctx, s, k)
		return err
	}}
}

func changes(name string, f func(k keys) store.ChangeFilter, before int64) listing {
	return read("changes, "+name, func(ctx context.Context, s store.Scope, k keys) ([]curlew.Change, error) {
		return s.Changes().ListBefore(ctx, f(k), before, 51)
	})
}

func entities(name string, f func(k keys) store.BrowseFilter, deep bool) listing {
	return read("entities, "+name, func(ctx context.Context, s store.Scope, k keys) ([]curlew.Entity, error) {
		w := store.Window{Limit: 51}
		if deep {
			w.After = "ent_" + k.early
		}
		return s.Entities().Browse(ctx, f(k), w)
	})
}

var listings = []listing{
	changes("all", func(keys) store.ChangeFilter { return store.ChangeFilter{} }, 0),
	changes("far back", func(keys) store.ChangeFilter { return store.ChangeFilter{} }, 500),
	changes("of a kind that never occurs", func(keys) store.ChangeFilter { return store.ChangeFilter{Kind: curlew.WatchFailed} }, 0),
	changes("of a rare kind", func(keys) store.ChangeFilter { return store.ChangeFilter{Kind: curlew.QualityDropped} }, 0),
	changes("of a source", func(k keys) store.ChangeFilter { return store.ChangeFilter{Source: k.source} }, 0),
	changes("of a watch", func(k keys) store.ChangeFilter { return store.ChangeFilter{Watch: k.watch} }, 0),
	changes("of an entity", func(k keys) store.ChangeFilter { return store.ChangeFilter{Entity: k.entity} }, 0),
	read("changes, of the last days, oldest first", func(ctx context.Context, s store.Scope, k keys) ([]curlew.Change, error) {
		return s.Changes().List(ctx, store.ChangeFilter{Since: k.since}, 0, 51)
	}),
	read("changes per day", func(ctx context.Context, s store.Scope, k keys) (map[time.Time]int64, error) {
		return s.Changes().PerDay(ctx, k.since)
	}),
	entities("all", func(keys) store.BrowseFilter { return store.BrowseFilter{} }, false),
	entities("far back", func(keys) store.BrowseFilter { return store.BrowseFilter{} }, true),
	entities("of a source", func(k keys) store.BrowseFilter { return store.BrowseFilter{Source: k.source} }, false),
	entities("of a watch", func(k keys) store.BrowseFilter { return store.BrowseFilter{Watch: k.watch} }, false),
	entities("of a schema that is not there", func(keys) store.BrowseFilter { return store.BrowseFilter{Schema: curlew.SchemaOrganization} }, false),
	entities("of a rare status", func(keys) store.BrowseFilter {
		return store.BrowseFilter{Status: []curlew.EntityStatus{curlew.EntityStale}}
	}, true),
	entities("that most are called by", func(keys) store.BrowseFilter { return store.BrowseFilter{Search: "lantern even"} }, true),
	read("deliveries, dead", func(ctx context.Context, s store.Scope, k keys) ([]curlew.Delivery, error) {
		return s.Deliveries().ListBefore(ctx, store.DeliveryFilter{Status: curlew.DeliveryDead}, store.Window{Limit: 51})
	}),
	read("deliveries, far back", func(ctx context.Context, s store.Scope, k keys) ([]curlew.Delivery, error) {
		return s.Deliveries().ListBefore(ctx, store.DeliveryFilter{}, store.Window{After: "del_" + k.early, Limit: 51})
	}),
	read("runs, of a state that none has", func(ctx context.Context, s store.Scope, k keys) ([]curlew.Run, error) {
		return s.Runs().List(ctx, store.RunFilter{State: curlew.RunRunning}, store.Window{Limit: 51})
	}),
	read("runs, of a kind and a state", func(ctx context.Context, s store.Scope, k keys) ([]curlew.Run, error) {
		return s.Runs().List(ctx, store.RunFilter{Kind: curlew.RunWatch, State: curlew.RunPaused}, store.Window{Limit: 51})
	}),
	read("runs, of a source", func(ctx context.Context, s store.Scope, k keys) ([]curlew.Run, error) {
		return s.Runs().List(ctx, store.RunFilter{Scope: "source:" + string(k.source)}, store.Window{Limit: 15})
	}),
	read("candidates", func(ctx context.Context, s store.Scope, k keys) ([]curlew.Candidate, error) {
		return s.Candidates().ListBefore(ctx, store.CandidateFilter{Status: curlew.CandidateBroken}, store.Window{Limit: 51})
	}),
	read("publications", func(ctx context.Context, s store.Scope, k keys) ([]curlew.Publication, error) {
		return s.Publications().List(ctx, "", store.Window{Limit: 51})
	}),
}

// opened is a filled store of a size, on SQLite: its planner knows least about its rows.
func opened(t *testing.T, size Size) (store.Scope, keys) {
	t.Helper()
	db, err := database.Open(t.Context(), database.Options{URL: "sqlite:" + t.TempDir() + "/curlew.db"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	if _, err := db.Migrate(t.Context(), queue.Migrations(), store.Migrations()); err != nil {
		t.Fatal(err)
	}
	if err := Fill(t.Context(), db, curlew.DefaultOrg, size, func(string, ...any) {}); err != nil {
		t.Fatal(err)
	}
	s := store.New(db, curlew.SystemMinter()).Org(curlew.DefaultOrg)
	watches, err := s.Watches().List(t.Context(), store.WatchFilter{}, store.Window{Limit: 1})
	if err != nil || len(watches) == 0 {
		t.Fatalf("no watch: %v", err)
	}
	some, err := s.Entities().Browse(t.Context(), store.BrowseFilter{Watch: watches[0].ID}, store.Window{Limit: 1})
	if err != nil || len(some) == 0 {
		t.Fatalf("no entity: %v", err)
	}
	k := keys{source: watches[0].Source, watch: watches[0].ID, entity: some[0].ID, since: size.Since.Add(size.Span * 95 / 100)}
	first := curlew.Mint[curlew.EntityID](curlew.NewMinter(func() time.Time { return size.Since.Add(size.Span / 50) }, bytes.NewReader(make([]byte, 16))))
	k.early = strings.TrimPrefix(string(first), "ent_")
	return s, k
}

// TestListingsOfTenTimesTheRowsCostNoMore compares a small store with one that has ten
// times as many rows in every table that grows. None may cost more than three times what
// a full page of the small store does: what reads all rows costs far more. Each is read
// often, so that it can be measured.
func TestListingsOfTenTimesTheRowsCostNoMore(t *testing.T) {
	large := Year(time.Now().AddDate(-1, 0, 0)).Part(40)
	small := large.Part(10)
	small.Sources, small.Watches = large.Sources, large.Watches
	few, at := opened(t, small)
	many, there := opened(t, large)
	often := func(l listing, s store.Scope, k keys) func() {
		return func() {
			for range 20 {
				if err := l.read(t.Context(), s, k); err != nil {
					t.Fatalf("%s: %v", l.name, err)
				}
			}
		}
	}
	for _, l := range listings {
		t.Run(l.name, func(t *testing.T) {
			growth.Compare(t, 3, often(listings[0], few, at), often(l, many, there))
		})
	}
}
