package runs_test

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
	"github.com/curlew-data/curlew/internal/data/database/databasetest"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/testkit/demo"
	"github.com/curlew-data/curlew/internal/testkit/eventually"
	"github.com/curlew-data/curlew/internal/testkit/workers"
	"github.com/curlew-data/curlew/internal/work/onboard"
	"github.com/curlew-data/curlew/internal/work/queue"
	"github.com/curlew-data/curlew/internal/work/runs"
	"github.com/curlew-data/curlew/internal/work/watch"
)

// The figures of scheduling, publishing and delivering, which stand in one table and so
// in one package. In tests they are taken in small, to see that what is measured works at
// all; bench/watch asks for all of them and makes the table. Of several
// tries the least counts: the others say more about the machine.
var fullFigures = os.Getenv("CURLEW_FIGURES") == "full"

// sized is how much is measured.
func sized(full, small int) int {
	if fullFigures {
		return full
	}
	return small
}

// figure says one figure, in the form that bench/watch reads.
func figure(t *testing.T, db *database.DB, name, unit string, value float64) {
	t.Helper()
	t.Logf("figure: %s\t%s\t%s\t%.4g", name, db.Engine(), unit, value)
}

func millis(since time.Time) float64 { return float64(time.Since(since).Microseconds()) / 1000 }

// processors is the time that this process has taken of them, in milliseconds.
func processors() float64 {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return float64(used.Utime.Nano()+used.Stime.Nano()) / 1e6
}

// TestFiguresOfTheScheduler: what one look for due watches costs, in a small table and
// in one that is ten times as large, with as many of them due.
func TestFiguresOfTheScheduler(t *testing.T) {
	databasetest.Each(t, []database.Migrations{queue.Migrations(), store.Migrations()}, func(t *testing.T, db *database.DB) {
		s, q := store.New(db, curlew.SystemMinter()), queue.New(db, queue.Limits{})
		h := engine{workers.Engine{T: t, Store: s, Queue: q,
			Jobs: runs.New(s, q, runs.Options{MaxAttempts: 3, Handlers: watch.Starter{Store: s, Queue: q, Attempts: 3}.Handlers()})}}
		large := sized(100_000, 1000)
		due := large / 100
		allocated := map[int]float64{}
		for _, total := range []int{large / 10, large} {
			h.manyWatches(total)
			var took, memory []float64
			for range sized(5, 1) {
				h.makeDue(total, due)
				ms, mib := h.timeTick(due)
				took, memory = append(took, ms), append(memory, mib)
			}
			allocated[total] = slices.Min(memory)
			if total == large {
				figure(t, db, "tick, 1 % due", "ms", slices.Min(took))
				began := time.Now()
				if err := h.Handlers()[runs.KindTick](t.Context(), nil); err != nil {
					t.Fatal(err)
				}
				figure(t, db, "tick, none due", "ms", millis(began))
			}
		}
		figure(t, db, "tick, memory", "MiB", allocated[large])
		figure(t, db, "tick, memory beside a table of a tenth", "×", allocated[large]/allocated[large/10])
	})
}

// manyWatches fills the table up to so many watches, each of a source of its own.
func (h engine) manyWatches(total int) {
	h.Helper()
	err := h.Store.Write(h.Context(), curlew.DefaultOrg, func(w store.WriteScope) error {
		var have int
		if err := w.Tx.QueryRow(h.Context(), `SELECT count(*) FROM watches`).Scan(&have); err != nil {
			return err
		}
		const numbers = `WITH RECURSIVE numbers(i) AS (SELECT CAST(? AS BIGINT) UNION ALL SELECT i + 1 FROM numbers WHERE i < ?) `
		first, last := have+1, total
		for _, statement := range []string{
			`INSERT INTO sources (org_id, id, name, base_url, trust, created_at, updated_at)
				SELECT 'default', 'src_' || i, 'Source ' || i, 'https://example.org/' || i, 'stable', {now}, {now} FROM numbers`,
			`INSERT INTO blueprints (org_id, id, source_id, schema, page_type, tier, version, status, rules, test_url, created_at)
				SELECT 'default', 'blu_' || i, 'src_' || i, 'product', 'list', 'html', 1, 'active', 'null', '', {now} FROM numbers`,
			`INSERT INTO watches (org_id, id, source_id, blueprint_id, url, schedule, status, next_run_at, created_at)
				SELECT 'default', 'wat_' || i, 'src_' || i, 'blu_' || i, 'https://example.org/' || i, 'daily', 'active', {now} + 3600000000, {now} FROM numbers`,
		} {
			if _, err := w.Tx.Exec(h.Context(), numbers+statement, first, last); err != nil {
				return err
			}
		}
		_, err := w.Tx.Exec(h.Context(), `ANALYZE`)
		return err
	})
	if err != nil {
		h.Fatal(err)
	}
}

// makeDue ends what was started, and makes so many watches due, all over the table.
func (h engine) makeDue(total, due int) {
	h.Helper()
	err := h.Store.Write(h.Context(), curlew.DefaultOrg, func(w store.WriteScope) error {
		if _, err := w.Tx.Exec(h.Context(), `UPDATE runs SET state = 'succeeded', finished_at = {now}`); err != nil {
			return err
		}
		var ids []string
		for i := range due {
			ids = append(ids, fmt.Sprintf("wat_%d", 1+i*(total/due)))
		}
		_, err := w.Tx.Exec(h.Context(), `UPDATE watches SET next_run_at = {now} WHERE id {in ?}`, database.AsJSON(ids))
		return err
	})
	if err != nil {
		h.Fatal(err)
	}
}

// timeTick is one look for due watches: how long it took, and how much it allocated.
func (h engine) timeTick(due int) (ms, mib float64) {
	h.Helper()
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	began := time.Now()
	if err := h.Handlers()[runs.KindTick](h.Context(), nil); err != nil {
		h.Fatal(err)
	}
	ms = millis(began)
	runtime.ReadMemStats(&after)
	for _, state := range []curlew.RunState{curlew.RunPending} {
		runs, err := h.Store.Org(curlew.DefaultOrg).Runs().List(h.Context(), store.RunFilter{State: state}, store.Window{Limit: 1_000_000})
		if err != nil || len(runs) != due {
			h.Fatalf("%d runs were started (%v), want %d", len(runs), err, due)
		}
	}
	return ms, float64(after.TotalAlloc-before.TotalAlloc) / (1 << 20)
}

// TestFiguresOfPublishing: what it costs to publish a page of many entities of which
// one in a hundred has changed.
func TestFiguresOfPublishing(t *testing.T) {
	databasetest.Each(t, []database.Migrations{queue.Migrations(), store.Migrations()}, func(t *testing.T, db *database.DB) {
		o := &watching{workers.New(t, db)}
		n := sized(1000, 100)
		var items []string
		for i := range n {
			items = append(items, fmt.Sprintf("thing-%04d=%d", i, i+100))
		}
		b, watch := o.Pinned("anvil=10", "bell=20", "cart=30", "drum=40")
		o.widen(&watch, n)
		b.Set(func(b *workers.Board) { b.Items = items })
		o.publishOnce(watch)
		parts := map[string][]float64{}
		for round := range sized(7, 1) {
			b.Set(func(b *workers.Board) {
				for i := range n / 100 {
					b.Items[(round*31+i*100)%n] = fmt.Sprintf("thing-%04d=%d", (round*31+i*100)%n, 5000+round)
				}
			})
			at := o.Sequence()
			for name, ms := range o.publishOnce(watch) {
				parts[name] = append(parts[name], ms)
			}
			if got := len(o.ChangesAfter(at)); got != n/100 {
				t.Fatalf("%d changes were told, want %d", got, n/100)
			}
		}
		for _, name := range []string{"publish", "publish, time of the processors", "publish: commit"} {
			figure(t, db, name, "ms", slices.Min(parts[name]))
		}
	})
}

// widen lets a watch's blueprint expect a long list.
func (o *watching) widen(watch *curlew.Watch, most int) {
	o.Helper()
	rules := workers.BoardRules
	expect := *rules.Expect
	expect.Records = &blueprint.Range{Min: 4, Max: 2 * most}
	rules.Expect = &expect
	source := demo.Site{Name: "long board", Title: "Long board", Base: watch.URL}
	*watch = o.Add(source, onboard.Proposal{URL: watch.URL, Schema: curlew.SchemaProduct, Tier: curlew.TierHTML, Blueprint: &rules})
}

// publishOnce does a run of a watch step by step, and times the last one in parts.
func (o *watching) publishOnce(watch curlew.Watch) map[string]float64 {
	o.Helper()
	run, err := o.StartCheck(watch.ID, workers.Plan{Trigger: "manual"})
	if err != nil {
		o.Fatal(err)
	}
	for parts := map[string]float64{}; ; {
		began, used := time.Now(), processors()
		step, err := o.Checker.Step(o.Context(), run)
		if err != nil {
			o.Fatal(err)
		}
		decided := time.Now()
		deciding := processors() - used
		committing, used := time.Now(), processors()
		err = o.Store.Write(o.Context(), curlew.DefaultOrg, func(w store.WriteScope) error {
			return o.keep(w, &run, step)
		})
		if err != nil {
			o.Fatal(err)
		}
		if step.Done {
			parts["publish: commit"] = millis(committing)
			parts["publish, time of the processors"] = deciding + processors() - used
			parts["publish"] = parts["publish: commit"] + float64(decided.Sub(began).Microseconds())/1000
			return parts
		}
	}
}

// keep commits a step as a slice does.
func (o *watching) keep(w store.WriteScope, run *curlew.Run, step runs.Step) (err error) {
	if *run, err = w.Runs().Lock(o.Context(), run.ID); err != nil {
		return err
	}
	if step.Effect != nil {
		if err := step.Effect(o.Context(), w); err != nil {
			return err
		}
	}
	if run.Progress, err = json.Marshal(step.Progress); err != nil {
		return err
	}
	run.Counters, run.State = run.Counters.Plus(step.Counters), curlew.RunRunning
	if step.Done {
		run.State = curlew.RunSucceeded
	}
	if err := w.Runs().Save(o.Context(), *run); err != nil {
		return err
	}
	return w.Runs().AppendLog(o.Context(), run.ID, step.Log...)
}

// TestFiguresOfDelivering: how many deliveries a second reach local endpoints.
func TestFiguresOfDelivering(t *testing.T) {
	databasetest.Each(t, []database.Migrations{queue.Migrations(), store.Migrations()}, func(t *testing.T, db *database.DB) {
		o := &watching{workers.New(t, db)}
		_, watch := o.Pinned("anvil=10", "bell=20", "cart=30", "drum=40")
		const endpoints = 3
		var subs []curlew.Subscription
		for i := range endpoints {
			_, sub := o.Subscribe(curlew.Subscription{Name: fmt.Sprintf("endpoint %d", i+1)})
			subs = append(subs, sub)
		}
		n := sized(10_000, 100)
		o.tellMany(watch, n)
		began := time.Now()
		stop := o.Work()
		next := began
		eventually.True(t, "all is delivered", func() bool {
			if time.Now().After(next) { // as a scheduler does: a sender gives others their turn after a while
				next = time.Now().Add(5 * time.Second)
				if err := o.Handlers()[runs.KindOutbox](t.Context(), nil); err != nil {
					t.Fatal(err)
				}
			}
			return !o.waits(subs)
		})
		took := time.Since(began)
		stop()
		for _, sub := range subs {
			if got := o.Backlog(sub)[curlew.DeliveryDelivered]; got != int64(n) {
				t.Errorf("%d of %d were delivered", got, n)
			}
		}
		figure(t, db, "deliveries", "per second", float64(n*endpoints)/took.Seconds())
	})
}

// waits says whether anything is still to be sent.
func (o *watching) waits(subs []curlew.Subscription) bool {
	return slices.ContainsFunc(subs, func(sub curlew.Subscription) bool { return o.Backlog(sub)[curlew.DeliveryPending] > 0 })
}

// tellMany makes many entities appear.
func (o *watching) tellMany(watch curlew.Watch, n int) {
	o.Helper()
	for first := 0; first < n; first += 1000 {
		err := o.Store.Write(o.Context(), curlew.DefaultOrg, func(w store.WriteScope) error {
			var entities []curlew.Entity
			var changes []curlew.Change
			for i := first; i < min(n, first+1000); i++ {
				e := curlew.Entity{ID: curlew.Mint[curlew.EntityID](o.Store.IDs()), Source: watch.Source, Schema: curlew.SchemaProduct, ExternalID: fmt.Sprint(i),
					Status: curlew.EntityActive, Version: 1, URL: fmt.Sprintf("https://example.org/p/%d", i), FirstSeenAt: workers.Today, LastSeenAt: workers.Today,
					Fields: curlew.Values{"name": fmt.Sprintf("Thing %d", i), "price": int64(1999), "currency": "EUR", "description": "A thing of everyday use, made well and sold at a fair price."}}
				payload, err := json.Marshal(curlew.ChangePayload{Entity: &curlew.EntityPicture{Schema: e.Schema, ExternalID: e.ExternalID, URL: e.URL, Status: e.Status, Fields: e.Fields}})
				if err != nil {
					return err
				}
				entities = append(entities, e)
				changes = append(changes, curlew.Change{Kind: curlew.EntityAppeared, Source: watch.Source, Watch: watch.ID, Entity: e.ID, Version: 1, Payload: payload, OccurredAt: workers.Today})
			}
			if err := w.Entities().AddAll(o.Context(), entities); err != nil {
				return err
			}
			return o.Checker.Outbox.Tell(o.Context(), w, changes)
		})
		if err != nil {
			o.Fatal(err)
		}
	}
}
