package store_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

func (b *bench) addRun(t *testing.T, scope string) (run curlew.Run, err error) {
	err = b.store.Write(t.Context(), acme, func(s store.WriteScope) (err error) {
		run, err = s.Runs().Add(t.Context(), curlew.Run{Kind: curlew.RunDrill, Scope: scope})
		return err
	})
	return run, err
}

// save locks a run, changes it, keeps it and returns it as it is then.
func (b *bench) save(t *testing.T, id curlew.RunID, change func(*curlew.Run)) (run curlew.Run) {
	t.Helper()
	b.write(t, acme, func(s store.WriteScope) error {
		run, err := s.Runs().Lock(t.Context(), id)
		must(t, err)
		change(&run)
		return s.Runs().Save(t.Context(), run)
	})
	run, err := b.store.Org(acme).Runs().Get(t.Context(), id)
	must(t, err)
	return run
}

func (b *bench) end(t *testing.T, id curlew.RunID, state curlew.RunState) curlew.Run {
	t.Helper()
	return b.save(t, id, func(r *curlew.Run) { r.State = state })
}

func runRace(t *testing.T, b *bench) {
	const scope = "source:one"
	wantOneWinner(t, together(8, func(int) error { _, err := b.addRun(t, scope); return err }), "run_active")
	active, err := b.store.Org(acme).Runs().Active(t.Context(), scope)
	must(t, err)
	for _, state := range []curlew.RunState{curlew.RunRunning, curlew.RunPaused} {
		b.end(t, active.ID, state)
		_, err := b.addRun(t, scope)
		wantFault(t, err, "run_active")
	}
	if _, err := b.addRun(t, "source:two"); err != nil {
		t.Errorf("another scope is held up: %v", err)
	}
	for _, state := range []curlew.RunState{curlew.RunSucceeded, curlew.RunFailed, curlew.RunCancelled} {
		b.end(t, active.ID, state)
		_, err := b.store.Org(acme).Runs().Active(t.Context(), scope)
		wantFault(t, err, "not_found")
		active, err = b.addRun(t, scope)
		must(t, err)
	}
}

func runStates(t *testing.T, b *bench) {
	added, err := b.addRun(t, "drill:1")
	must(t, err)
	if added.State != curlew.RunPending || added.StartedAt != nil || added.FinishedAt != nil || added.Fault != nil ||
		len(added.Counters) != 0 {
		t.Errorf("a new run is %+v", added)
	}
	counters := curlew.Counters{curlew.CountSteps: 1 << 40, curlew.CountErrors: 1}
	going := b.save(t, added.ID, func(r *curlew.Run) {
		r.State, r.Progress, r.Total, r.Slices, r.Counters = curlew.RunRunning, json.RawMessage(`{"at": 3}`), 10, 1, counters
	})
	if going.State != curlew.RunRunning || string(going.Progress) != `{"at": 3}` || going.Total != 10 || going.Slices != 1 ||
		!maps.Equal(going.Counters, counters) || going.StartedAt == nil || going.FinishedAt != nil {
		t.Errorf("a running run is %+v", going)
	}
	fault := &curlew.Fault{Kind: curlew.KindPermanent, Code: "gone", Sentence: words}
	failed := b.save(t, added.ID, func(r *curlew.Run) {
		r.State, r.Summary, r.Fault, r.Slices = curlew.RunFailed, words, fault, 2
	})
	if failed.Summary != words || failed.Fault == nil || *failed.Fault != *fault || failed.FinishedAt == nil ||
		!failed.StartedAt.Equal(*going.StartedAt) || failed.FinishedAt.Before(*failed.StartedAt) {
		t.Errorf("a failed run is %+v", failed)
	}
	again := b.save(t, added.ID, func(r *curlew.Run) { r.Summary = "told differently" })
	if !again.FinishedAt.Equal(*failed.FinishedAt) {
		t.Error("saving an ended run moves its end")
	}
}

func runNeverBegan(t *testing.T, b *bench) {
	for _, state := range []curlew.RunState{curlew.RunPaused, curlew.RunCancelled, curlew.RunFailed} {
		t.Run(string(state), func(t *testing.T) {
			added, err := b.addRun(t, "drill:"+string(state))
			must(t, err)
			if ended := b.end(t, added.ID, state); ended.StartedAt != nil || (ended.FinishedAt != nil) != state.Ended() {
				t.Errorf("a %s run started %v and ended %v", state, ended.StartedAt, ended.FinishedAt)
			}
		})
	}
	quick, err := b.addRun(t, "drill:quick")
	must(t, err)
	if done := b.save(t, quick.ID, func(r *curlew.Run) { r.State, r.Slices = curlew.RunSucceeded, 1 }); done.StartedAt == nil {
		t.Error("a run that is done after one slice never started")
	}
}

func runLog(t *testing.T, b *bench) {
	run, err := b.addRun(t, "drill:1")
	must(t, err)
	const writers = 6
	errs := together(writers, func(int) error {
		return b.store.Write(t.Context(), acme, func(s store.WriteScope) error {
			return s.Runs().AppendLog(t.Context(), run.ID, curlew.LogLine{Level: curlew.LogInfo, Text: "first"},
				curlew.LogLine{Level: curlew.LogError, Text: words})
		})
	})
	for _, err := range errs {
		must(t, err)
	}
	b.write(t, acme, func(s store.WriteScope) error { return s.Runs().AppendLog(t.Context(), run.ID) })
	var walked []curlew.LogLine
	for {
		some, err := b.store.Org(acme).Runs().Log(t.Context(), run.ID, int64(len(walked)), 5)
		must(t, err)
		if len(some) == 0 {
			break
		}
		walked = append(walked, some...)
	}
	for i, line := range walked {
		text := []string{"first", words}[i%2] // lines of one call stay together
		if line.Seq != int64(i+1) || line.Text != text || line.Run != run.ID || time.Since(line.At).Abs() > 30*time.Minute {
			t.Errorf("line %d is %+v", i+1, line)
		}
	}
	if len(walked) != writers*2 {
		t.Errorf("there are %d lines, want %d", len(walked), writers*2)
	}
}

func clearRuns(t *testing.T, b *bench) {
	needed := []curlew.RunID{}
	for _, refer := range []func(store.WriteScope, *world, curlew.RunID) error{
		func(s store.WriteScope, w *world, run curlew.RunID) error {
			_, err := s.Pages().Add(t.Context(), curlew.Page{Run: run, Outcome: curlew.OutcomeFetched})
			return err
		},
		func(s store.WriteScope, w *world, run curlew.RunID) error {
			record := sampleRecord(w)
			record.Run = run
			_, err := s.Records().Add(t.Context(), record)
			return err
		},
		func(s store.WriteScope, w *world, run curlew.RunID) error {
			_, err := s.Publications().Add(t.Context(), curlew.Publication{Run: run, Scope: string(run)})
			return err
		},
	} {
		w := b.fill(t, acme)
		run, err := b.addRun(t, "needed by "+string(w.source.ID))
		must(t, err)
		b.write(t, acme, func(s store.WriteScope) error { return refer(s, &w, run.ID) })
		b.end(t, run.ID, curlew.RunSucceeded)
		needed = append(needed, w.run.ID, run.ID) // the world's own run is active
	}
	done, err := b.addRun(t, "done")
	must(t, err)
	b.write(t, acme, func(s store.WriteScope) error {
		return s.Runs().AppendLog(t.Context(), done.ID, curlew.LogLine{Level: curlew.LogInfo, Text: "x"})
	})
	b.end(t, done.ID, curlew.RunCancelled)
	for i, c := range []struct {
		org  curlew.OrgID
		age  time.Duration
		want int64
	}{{acme, time.Hour, 0}, {birch, 0, 0}, {acme, 0, 1}, {acme, 0, 0}} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			b.write(t, c.org, func(s store.WriteScope) error {
				n, err := s.Runs().Clear(t.Context(), c.age, 10)
				if n != c.want {
					t.Errorf("%s clears %d runs older than %s, want %d", c.org, n, c.age, c.want)
				}
				return err
			})
		})
	}
	left, err := b.store.Org(acme).Runs().List(t.Context(), store.RunFilter{}, store.Window{})
	must(t, err)
	var ids []curlew.RunID
	for _, r := range left {
		ids = append(ids, r.ID)
	}
	slices.Sort(ids)
	slices.Sort(needed)
	lines, err := b.store.Org(acme).Runs().Log(t.Context(), done.ID, 0, 0)
	if err != nil || !slices.Equal(ids, needed) || len(lines) != 0 {
		t.Errorf("%v are left, want %v; of the log %v (%v)", ids, needed, lines, err)
	}
}
