package queue

import (
	"errors"
	commandline "flag"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
	"github.com/curlew-data/curlew/internal/data/database/databasetest"
	"pgregory.net/rapid"
)

// machine does random things to a queue and keeps in mind what must come of
// them. Leases of "zombies" were lost: whatever they try must change nothing.
type machine struct {
	q       *Queue
	states  map[JobID]State
	held    map[JobID]*Lease
	zombies []*Lease
	moves   map[JobID]int64
}

func (m *machine) moved(id JobID, to State) {
	m.states[id] = to
	m.moves[id]++
}

func (m *machine) pick(t *rapid.T, want func(State) bool) (JobID, bool) {
	var ids []JobID
	for id := JobID(1); int(id) <= 10_000 && len(ids) < len(m.states); id++ {
		if state, ok := m.states[id]; ok && want(state) {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return 0, false
	}
	return rapid.SampledFrom(ids).Draw(t, "job"), true
}

func (m *machine) insert(t *rapid.T) {
	ids, err := m.q.InsertNow(t.Context(), NewJob{Org: acme, Kind: "task", MaxAttempts: rapid.IntRange(1, 3).Draw(t, "attempts")})
	must(t, err)
	m.states[ids[0]], m.moves[ids[0]] = Pending, 0
}

func (m *machine) claim(t *rapid.T) {
	got, err := m.q.claim(t.Context(), "w", []string{"task"}, rapid.IntRange(1, 3).Draw(t, "want"), time.Hour)
	must(t, err)
	for _, job := range got.jobs {
		if m.states[job.ID] != Pending {
			t.Fatalf("claimed job %d, which was %s", job.ID, m.states[job.ID])
		}
		m.moved(job.ID, Running)
		m.held[job.ID] = &Lease{Job: job, queue: m.q, who: "w"}
	}
}

// end lets the holder of a running job end it in some way.
func (m *machine) end(t *rapid.T) {
	id, ok := m.pick(t, func(s State) bool { return s == Running })
	if !ok {
		t.Skip("nothing runs")
	}
	lease := m.held[id]
	e := rapid.SampledFrom([]ending{
		{to: Succeeded},
		failing(lease.Job, curlew.Temporary("t", "t"), retryQuickly),
		failing(lease.Job, curlew.Permanent("p", "p"), retryQuickly),
		crashing(lease.Job, ErrCrashed, retryQuickly),
		{to: Pending, refund: true},
		{to: Cancelled},
	}).Draw(t, "ending")
	must(t, m.q.db.Write(t.Context(), func(tx *database.Tx) error { return finish(t.Context(), tx, lease.Job, "w", e) }))
	m.moved(id, e.to)
	m.zombies = append(m.zombies, lease)
	delete(m.held, id)
}

// lapse lets leases run out and somebody take the jobs back.
func (m *machine) lapse(t *rapid.T) {
	id, ok := m.pick(t, func(s State) bool { return s == Running })
	if !ok {
		t.Skip("nothing runs")
	}
	must(t, m.q.db.Write(t.Context(), func(tx *database.Tx) error {
		_, err := tx.Exec(t.Context(), `UPDATE jobs SET lease_until = 1 WHERE id = ?`, id)
		return err
	}))
	n, err := m.q.Rescue(t.Context(), "rescuer", retryQuickly)
	must(t, err)
	if n != 1 {
		t.Fatalf("rescued %d jobs", n)
	}
	job, err := m.q.Get(t.Context(), acme, id)
	must(t, err)
	want := crashing(m.held[id].Job, ErrCrashed, retryQuickly)
	if job.State != want.to || job.Quarantined != want.quarantine {
		t.Fatalf("rescued job is %s, quarantined %v; want %s, %v", job.State, job.Quarantined, want.to, want.quarantine)
	}
	m.moved(id, job.State)
	m.zombies = append(m.zombies, m.held[id])
	delete(m.held, id)
}

func (m *machine) stopWaiting(t *rapid.T) {
	id, ok := m.pick(t, func(s State) bool { return s != Running })
	if !ok {
		t.Skip("no such job")
	}
	must(t, m.q.Stop(t.Context(), acme, id, "ada", ""))
	if m.states[id] == Pending {
		m.moved(id, Cancelled)
	}
}

func (m *machine) retry(t *rapid.T) {
	id, ok := m.pick(t, func(State) bool { return true })
	if !ok {
		t.Skip("no job")
	}
	err := m.q.Retry(t.Context(), acme, id, "ada", "")
	allowed := m.states[id] == Failed || m.states[id] == Exhausted || m.states[id] == Cancelled
	if allowed != (err == nil) {
		t.Fatalf("retrying a %s job: %v", m.states[id], err)
	}
	if allowed {
		m.moved(id, Pending)
	}
}

func (m *machine) wake(t *rapid.T) {
	if len(m.zombies) == 0 {
		t.Skip("no zombie")
	}
	zombie := rapid.SampledFrom(m.zombies).Draw(t, "zombie")
	err := zombie.Complete(t.Context(), func(*database.Tx) error { return nil })
	if !errors.Is(err, ErrLeaseLost) {
		t.Fatalf("a zombie completed job %d: %v", zombie.ID, err)
	}
}

// agrees holds the database against what must be.
func (m *machine) agrees(t *rapid.T) {
	for id, want := range m.states {
		job, err := m.q.Get(t.Context(), acme, id)
		must(t, err)
		if job.State != want || job.Fence != m.moves[id] {
			t.Fatalf("job %d is %s after %d moves; want %s after %d", id, job.State, job.Fence, want, m.moves[id])
		}
	}
	violations, err := m.q.Check(t.Context())
	must(t, err)
	for _, v := range violations {
		t.Fatalf("%s: %s", v.Invariant, v.Sentence)
	}
}

func must(t *rapid.T, err error) {
	if err != nil {
		t.Fatal(err)
	}
}

func TestWhateverHappensTheStatesAgree(t *testing.T) {
	for name, value := range map[string]string{"rapid.checks": "12", "rapid.steps": "25"} {
		t.Run(name, func(t *testing.T) {
			if err := commandline.Set(name, value); err != nil {
				t.Fatal(err)
			}
		})
	}
	databasetest.Each(t, []database.Migrations{Migrations()}, func(t *testing.T, db *database.DB) {
		rapid.Check(t, func(t *rapid.T) {
			must(t, db.Write(t.Context(), func(tx *database.Tx) error {
				_, err := tx.Exec(t.Context(), `DELETE FROM job_transitions`)
				if err == nil {
					_, err = tx.Exec(t.Context(), `DELETE FROM jobs`)
				}
				return err
			}))
			m := &machine{q: New(db, Limits{}), states: map[JobID]State{}, held: map[JobID]*Lease{}, moves: map[JobID]int64{}}
			t.Repeat(map[string]func(*rapid.T){"insert": m.insert, "claim": m.claim, "end": m.end, "lapse": m.lapse,
				"stop": m.stopWaiting, "retry": m.retry, "wake": m.wake, "": m.agrees})
		})
	})
}
