package queue

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
	"github.com/curlew-data/curlew/internal/data/database/databasetest"
	"github.com/curlew-data/curlew/internal/testkit/eventually"
	"pgregory.net/rapid"
)

func TestClaimsFollowPriorityThenAge(t *testing.T) {
	each(t, func(t *testing.T, q *Queue) {
		low := insert(t, q, NewJob{Priority: curlew.PriorityLow})[0]
		first := insert(t, q, NewJob{})[0]
		second := insert(t, q, NewJob{})[0]
		high := insert(t, q, NewJob{Priority: curlew.PriorityHigh})[0]
		insert(t, q, NewJob{Priority: curlew.PriorityHigh, After: time.Hour})
		got, err := q.claim(t.Context(), "w", []string{"task"}, 10, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		var order []JobID
		for _, job := range got.jobs {
			order = append(order, job.ID)
		}
		if want := []JobID{high, first, second, low}; !slices.Equal(order, want) {
			t.Errorf("claimed %v, want %v", order, want)
		}
	})
}

func TestAWorkerClaimsOnlyKindsItKnows(t *testing.T) {
	each(t, func(t *testing.T, q *Queue) {
		strange := insert(t, q, NewJob{Kind: "from-the-future"})[0]
		known := insert(t, q, NewJob{})[0]
		work(t, q, map[string]Handler{"task": succeedAtOnce})
		waitFor(t, q, known, Succeeded)
		if job := get(t, q, strange); job.State != Pending {
			t.Errorf("the strange job is %s", job.State)
		}
	})
}

func TestAWorkerThatMayNotWorkClaimsNothing(t *testing.T) {
	each(t, func(t *testing.T, q *Queue) {
		job := insert(t, q, NewJob{})[0]
		var asked atomic.Int32
		work(t, q, map[string]Handler{"task": succeedAtOnce}, func(o *WorkerOptions) {
			o.May = func(context.Context) error {
				switch asked.Add(1) {
				case 1, 2:
					return curlew.Temporary("not_yet", "not yet")
				case 3: // and not afterwards, when the test may have ended
					if state := get(t, q, job).State; state != Pending {
						t.Errorf("the job is %s", state)
					}
				}
				return nil
			}
		})
		waitFor(t, q, job, Succeeded)
	})
}

func TestAUniqueKeyAdmitsOneUnfinishedJob(t *testing.T) {
	each(t, func(t *testing.T, q *Queue) {
		first := insert(t, q, NewJob{UniqueKey: "watch-1"})[0]
		if second := insert(t, q, NewJob{UniqueKey: "watch-1"})[0]; second != 0 {
			t.Errorf("a second job %d was inserted", second)
		}
		if other := insert(t, q, NewJob{UniqueKey: "watch-1", Org: "other"})[0]; other == 0 {
			t.Error("the key of one org blocks another org")
		}
		stop := work(t, q, map[string]Handler{"task": succeedAtOnce})
		waitFor(t, q, first, Succeeded)
		stop()
		if again := insert(t, q, NewJob{UniqueKey: "watch-1"})[0]; again == 0 {
			t.Error("a finished job still blocks its key")
		}
	})
}

func TestAnInsertWakesAnIdleWorker(t *testing.T) {
	each(t, func(t *testing.T, q *Queue) {
		other := New(q.db, Limits{}) // as another process would see it
		work(t, q, map[string]Handler{"task": succeedAtOnce}, func(o *WorkerOptions) {
			o.Poll = time.Hour
		})
		id := insert(t, q, NewJob{})[0]
		waitFor(t, q, id, Succeeded)
		if q.db.Listens() {
			id = insert(t, other, NewJob{})[0]
			waitFor(t, q, id, Succeeded)
		}
	})
}

func TestLimitsHoldOverAllWorkers(t *testing.T) {
	limits := Limits{PerKey: 2, PerOrg: 5, Kinds: map[string]int{"task": 7, "slow": 1}}
	t.Parallel()
	databasetest.Each(t, []database.Migrations{Migrations()}, func(t *testing.T, db *database.DB) {
		q := New(db, limits)
		var gauges sync.Map
		var broken atomic.Int64
		enter := func(name string, most int64) func() {
			g, _ := gauges.LoadOrStore(name, new(atomic.Int64))
			if g.(*atomic.Int64).Add(1) > most {
				broken.Add(1)
			}
			return func() { g.(*atomic.Int64).Add(-1) }
		}
		handler := func(ctx context.Context, l *Lease) error {
			defer enter("key:"+l.LimitKey, 2)()
			defer enter("org:"+string(l.Org), 5)()
			defer enter("kind:"+l.Kind, int64(limits.Kinds[l.Kind]))()
			return nil
		}
		var jobs []NewJob
		for i := range 240 {
			kind := []string{"task", "task", "slow"}[i%3]
			jobs = append(jobs, NewJob{Org: curlew.OrgID(fmt.Sprintf("org%d", i%4)), Kind: kind, LimitKey: fmt.Sprintf("host%d", i%7)})
		}
		if _, err := q.InsertNow(t.Context(), jobs...); err != nil {
			t.Fatal(err)
		}
		for i := range 4 {
			work(t, New(db, limits), map[string]Handler{"task": handler, "slow": handler},
				many(i))
		}
		eventually.True(t, "all jobs are done", func() bool { d, _ := q.Depth(t.Context()); return d.Waiting+d.Running == 0 })
		if n := broken.Load(); n > 0 {
			t.Errorf("limits were exceeded %d times", n)
		}
	})
}

func TestABusyHostDoesNotHideOtherWork(t *testing.T) {
	t.Parallel()
	databasetest.Each(t, []database.Migrations{Migrations()}, func(t *testing.T, db *database.DB) {
		q := New(db, Limits{PerKey: 1})
		var jobs []NewJob
		for range 1000 {
			jobs = append(jobs, NewJob{LimitKey: "busy.example"})
		}
		insert(t, q, append(jobs, NewJob{LimitKey: "other.example"})...)
		first, err := q.claim(t.Context(), "w", []string{"task"}, 8, time.Minute)
		if err != nil || len(first.jobs) != 1 {
			t.Fatalf("first check: %d jobs, error %v", len(first.jobs), err)
		}
		second, err := q.claim(t.Context(), "w", []string{"task"}, 8, time.Minute)
		if err != nil || len(second.jobs) != 1 || second.jobs[0].LimitKey != "other.example" {
			t.Fatalf("second look: %+v, error %v", second.jobs, err)
		}
	})
}

func TestChosenJobsFitUnderEveryLimit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := Limits{PerKey: rapid.IntRange(0, 3).Draw(t, "per key"), PerOrg: rapid.IntRange(0, 4).Draw(t, "per org"),
			Kinds: map[string]int{"a": rapid.IntRange(0, 3).Draw(t, "kind a")}}
		draw := func(label string) trait {
			return trait{kind: rapid.SampledFrom([]string{"a", "b"}).Draw(t, label+" kind"),
				org: curlew.OrgID(rapid.SampledFrom([]string{"x", "y"}).Draw(t, label+" org")),
				key: rapid.SampledFrom([]string{"", "h1", "h2"}).Draw(t, label+" key")}
		}
		var candidates []candidate
		held := map[string]bool{}
		for i := range rapid.IntRange(0, 20).Draw(t, "candidates") {
			c := candidate{JobID(i + 1), draw("candidate")}
			candidates = append(candidates, c)
			for _, b := range l.bounds(c.trait) {
				held[b.name] = true
			}
		}
		var running []traitCount
		for range rapid.IntRange(0, 5).Draw(t, "running") {
			running = append(running, traitCount{draw("running"), 1})
		}
		chosen := l.choose(candidates, running, held, 50)
		counts := l.count(running)
		for _, id := range chosen {
			for _, b := range l.bounds(candidates[id-1].trait) {
				if counts[b.name]++; counts[b.name] > b.most {
					t.Fatalf("%d jobs under %s, which admits %d", counts[b.name], b.name, b.most)
				}
			}
		}
		for _, c := range candidates {
			if !slices.Contains(chosen, c.id) && l.fits(c.trait, counts, held) {
				t.Fatalf("job %d would fit but was passed over", c.id)
			}
		}
	})
}
