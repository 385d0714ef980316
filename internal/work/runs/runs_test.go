package runs_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/work/queue"
	"github.com/curlew-data/curlew/internal/work/runs"
)

func TestARunIsAChainOfSlices(t *testing.T) {
	each(t, nil, func(h engine) {
		id := h.start(runs.NewRun{Kind: curlew.RunDrill, Plan: runs.DrillPlan{Steps: 10, Slice: 3}, Total: 10})
		stop := h.Work()
		run := h.eventually(id, curlew.RunSucceeded)
		stop()
		if run.Counters[curlew.CountSteps] != 10 || run.Slices != 4 {
			h.Errorf("%d steps in %d slices, want 10 in 4", run.Counters[curlew.CountSteps], run.Slices)
		}
		if want := "drill test: done, steps=10, slices=4"; run.Summary != want {
			h.Errorf("summary %q, want %q", run.Summary, want)
		}
		if run.StartedAt == nil || run.FinishedAt == nil {
			h.Errorf("started %v, finished %v", run.StartedAt, run.FinishedAt)
		}
		jobs, _ := h.Queue.BySubject(h.Context(), curlew.DefaultOrg, string(id), 100)
		if len(jobs) != 4 {
			h.Errorf("%d jobs", len(jobs))
		}
		lines, _ := h.Store.Org(curlew.DefaultOrg).Runs().Log(h.Context(), id, 0, 100)
		if len(lines) != 11 || lines[10].Text != run.Summary {
			h.Errorf("log: %+v", lines)
		}
	})
}

func TestAScopeHasOneActiveRun(t *testing.T) {
	each(t, nil, func(h engine) {
		first := h.start(runs.NewRun{Kind: curlew.RunDrill, Scope: "source:1", Plan: runs.DrillPlan{Steps: 1}})
		_, err := h.Start(h.Context(), curlew.DefaultOrg, runs.NewRun{Kind: curlew.RunDrill, Scope: "source:1"})
		fault := curlew.AsFault(err)
		if !errors.Is(fault, curlew.ErrRunActive) || !strings.Contains(fault.Sentence, string(first)) {
			h.Errorf("the second start says: %v", err)
		}
		h.start(runs.NewRun{Kind: curlew.RunDrill, Scope: "source:2", Plan: runs.DrillPlan{Steps: 1}})
		stop := h.Work()
		h.eventually(first, curlew.RunSucceeded)
		stop()
		h.start(runs.NewRun{Kind: curlew.RunDrill, Scope: "source:1", Plan: runs.DrillPlan{Steps: 1}})
	})
}

func TestAPausedRunGoesOnWhereItWas(t *testing.T) {
	each(t, nil, func(h engine) {
		id := h.start(runs.NewRun{Kind: curlew.RunDrill, Plan: runs.DrillPlan{Steps: 60, Pause: 2 * time.Millisecond}})
		stop := h.Work()
		h.until("some steps are done", func() bool { return h.RunOf(id).Counters[curlew.CountSteps] >= 3 })
		if err := h.Pause(h.Context(), curlew.DefaultOrg, id, "ada"); err != nil {
			h.Fatal(err)
		}
		h.until("the slice has ended", func() bool {
			last, _ := h.Queue.BySubject(h.Context(), curlew.DefaultOrg, string(id), 1)
			return last[0].State.Finished()
		})
		rested := h.RunOf(id)
		if rested.State != curlew.RunPaused || rested.Counters[curlew.CountSteps] == 60 {
			h.Fatalf("run is %s after %d steps", rested.State, rested.Counters[curlew.CountSteps])
		}
		if err := h.Resume(h.Context(), curlew.DefaultOrg, id, "ada"); err != nil {
			h.Fatal(err)
		}
		run := h.eventually(id, curlew.RunSucceeded)
		stop()
		if run.Counters[curlew.CountSteps] != 60 {
			h.Errorf("%d steps, want 60", run.Counters[curlew.CountSteps])
		}
	})
}

func TestPausingBeforeTheFirstSliceAndResumingAtOnce(t *testing.T) {
	each(t, nil, func(h engine) {
		id := h.start(runs.NewRun{Kind: curlew.RunDrill, Plan: runs.DrillPlan{Steps: 5}})
		for range 3 {
			if err := h.Pause(h.Context(), curlew.DefaultOrg, id, "ada"); err != nil {
				h.Fatal(err)
			}
			if err := h.Resume(h.Context(), curlew.DefaultOrg, id, "ada"); err != nil {
				h.Fatal(err)
			}
		}
		stop := h.Work()
		h.eventually(id, curlew.RunSucceeded)
		stop()
	})
}

func TestAStoppedRunEndsAndFreesItsScope(t *testing.T) {
	each(t, nil, func(h engine) {
		id := h.start(runs.NewRun{Kind: curlew.RunDrill, Plan: runs.DrillPlan{Steps: 1000, Pause: time.Millisecond}})
		stop := h.Work()
		h.eventually(id, curlew.RunRunning)
		if err := h.Stop(h.Context(), curlew.DefaultOrg, id, "ada"); err != nil {
			h.Fatal(err)
		}
		h.until("the slice has ended", func() bool {
			last, _ := h.Queue.BySubject(h.Context(), curlew.DefaultOrg, string(id), 1)
			return last[0].State.Finished()
		})
		stop()
		run := h.RunOf(id)
		if run.State != curlew.RunCancelled || !strings.Contains(run.Summary, "stopped by ada") {
			h.Errorf("run is %s: %s", run.State, run.Summary)
		}
		if err := h.Resume(h.Context(), curlew.DefaultOrg, id, "ada"); !errors.Is(err, curlew.Code("illegal_transition")) {
			h.Errorf("resuming an ended run: %v", err)
		}
		h.start(runs.NewRun{Kind: curlew.RunDrill, Plan: runs.DrillPlan{Steps: 1}})
	})
}

func TestClearForgetsEndedRunsOnly(t *testing.T) {
	each(t, nil, func(h engine) {
		ended := h.start(runs.NewRun{Kind: curlew.RunDrill, Scope: "a", Plan: runs.DrillPlan{Steps: 1}})
		stop := h.Work()
		h.eventually(ended, curlew.RunSucceeded)
		stop()
		active := h.start(runs.NewRun{Kind: curlew.RunDrill, Scope: "b", Plan: runs.DrillPlan{Steps: 1}})
		if n, err := h.Clear(h.Context(), curlew.DefaultOrg); n != 1 || err != nil {
			h.Errorf("cleared %d, error %v", n, err)
		}
		h.RunOf(active)
	})
}

func TestTheFaultOfAStepDecidesTheRun(t *testing.T) {
	cases := map[curlew.RunKind]struct {
		fault    *curlew.Fault
		attempts int64
	}{
		"gone":    {curlew.Permanent("gone", "the site is gone"), 1},
		"robots":  {curlew.Refused("robots", "robots.txt forbids it"), 1},
		"trouble": {curlew.Temporary("trouble", "the site has trouble"), 3},
	}
	calls := map[curlew.RunKind]*atomic.Int64{}
	slicers := map[curlew.RunKind]runs.Slicer{}
	for kind, c := range cases {
		calls[kind] = new(atomic.Int64)
		slicers[kind] = slicerFunc(func(context.Context, curlew.Run) (runs.Step, error) {
			calls[kind].Add(1)
			return runs.Step{}, c.fault
		})
	}
	each(t, slicers, func(h engine) {
		ids := map[curlew.RunKind]curlew.RunID{}
		for kind := range cases {
			ids[kind] = h.start(runs.NewRun{Kind: kind, Scope: string(kind)})
		}
		stop := h.Work()
		for kind, c := range cases {
			run := h.eventually(ids[kind], curlew.RunFailed)
			if !errors.Is(run.Fault, c.fault.Code) || run.Fault.Kind != c.fault.Kind {
				h.Errorf("%s: fault %+v", kind, run.Fault)
			}
			if !strings.Contains(run.Summary, c.fault.Sentence) {
				h.Errorf("%s: summary %q", kind, run.Summary)
			}
		}
		stop()
	})
	t.Cleanup(func() {
		for kind, c := range cases {
			if n := calls[kind].Load(); n%c.attempts != 0 || n < c.attempts {
				t.Errorf("%s: %d calls, want %d per engine", kind, n, c.attempts)
			}
		}
	})
}

func TestARunOfAnUnknownKindFails(t *testing.T) {
	each(t, nil, func(h engine) {
		id := h.start(runs.NewRun{Kind: "from-the-future"})
		stop := h.Work()
		run := h.eventually(id, curlew.RunFailed)
		stop()
		if !errors.Is(run.Fault, curlew.Code("unknown_run_kind")) {
			h.Errorf("fault %+v", run.Fault)
		}
	})
}

func TestEffectAndProgressCommitTogether(t *testing.T) {
	boom := curlew.Temporary("boom", "the effect failed")
	var tries atomic.Int64
	kind := curlew.RunKind("effect")
	slicer := slicerFunc(func(_ context.Context, run curlew.Run) (runs.Step, error) {
		return runs.Step{Counters: curlew.Counters{curlew.CountSteps: 1}, Done: true,
			Effect: func(ctx context.Context, w store.WriteScope) error {
				if _, err := w.Sources().Add(ctx, curlew.Source{Name: "kept once", Trust: curlew.TrustProbation}); err != nil {
					return err
				}
				if tries.Add(1)%2 == 1 {
					return boom // the source must vanish with the step
				}
				return nil
			}}, nil
	})
	each(t, map[curlew.RunKind]runs.Slicer{kind: slicer}, func(h engine) {
		id := h.start(runs.NewRun{Kind: kind})
		stop := h.Work()
		run := h.eventually(id, curlew.RunSucceeded)
		stop()
		sources, err := h.Store.Org(curlew.DefaultOrg).Sources().List(h.Context(), store.Window{})
		if err != nil || len(sources) != 1 || run.Counters[curlew.CountSteps] != 1 {
			h.Errorf("%d sources, %d steps, error %v", len(sources), run.Counters[curlew.CountSteps], err)
		}
	})
}

func TestARunThatLostItsSliceIsEnded(t *testing.T) {
	kind := curlew.RunKind("poison")
	slicer := slicerFunc(func(context.Context, curlew.Run) (runs.Step, error) { panic("poison") })
	each(t, map[curlew.RunKind]runs.Slicer{kind: slicer}, func(h engine) {
		id := h.start(runs.NewRun{Kind: kind})
		stop := h.Work()
		var last []queue.Job
		h.until("the slice is quarantined", func() bool {
			last, _ = h.Queue.BySubject(h.Context(), curlew.DefaultOrg, string(id), 1)
			return last[0].Quarantined
		})
		stop()
		run := h.RunOf(id)
		err := h.Store.Write(h.Context(), run.Org, func(w store.WriteScope) error { // a sweep, ten seconds later
			return h.EndRun(h.Context(), w, id, last[0].Fault)
		})
		if run = h.RunOf(id); err != nil || run.State != curlew.RunFailed || !errors.Is(run.Fault, curlew.Code("panic")) {
			h.Errorf("run is %s with %+v, error %v", run.State, run.Fault, err)
		}
	})
}

func TestSweepLeavesHealthyRunsAlone(t *testing.T) {
	each(t, nil, func(h engine) {
		id := h.start(runs.NewRun{Kind: curlew.RunDrill, Plan: runs.DrillPlan{Steps: 1}})
		if err := h.Handlers()[runs.KindSweep](h.Context(), nil); err != nil {
			h.Fatal(err)
		}
		if run := h.RunOf(id); run.State != curlew.RunPending {
			h.Errorf("run is %s", run.State)
		}
	})
}

func TestDrainingEndsASliceAtAGoodPlace(t *testing.T) {
	each(t, nil, func(h engine) {
		id := h.start(runs.NewRun{Kind: curlew.RunDrill, Plan: runs.DrillPlan{Steps: 40, Pause: 5 * time.Millisecond}})
		stop := h.Work()
		h.until("some steps are done", func() bool { return h.RunOf(id).Counters[curlew.CountSteps] >= 2 })
		stop()
		jobs, _ := h.Queue.BySubject(h.Context(), curlew.DefaultOrg, string(id), 10)
		if len(jobs) != 2 || jobs[1].State != queue.Succeeded || jobs[0].State != queue.Pending || jobs[0].Attempt != 0 {
			out, _ := json.Marshal(jobs)
			h.Fatalf("after draining: %s", out)
		}
		stop = h.Work()
		run := h.eventually(id, curlew.RunSucceeded)
		stop()
		if run.Counters[curlew.CountSteps] != 40 {
			h.Errorf("%d steps, want 40", run.Counters[curlew.CountSteps])
		}
	})
}

func TestPolicy(t *testing.T) {
	policy := runs.Policy(15*time.Second, 300*time.Second)
	cases := []struct {
		kind    curlew.FaultKind
		attempt int
		again   bool
		about   time.Duration
	}{
		{curlew.KindTemporary, 1, true, 15 * time.Second},
		{curlew.KindTemporary, 2, true, 30 * time.Second},
		{curlew.KindTemporary, 5, true, 240 * time.Second},
		{curlew.KindTemporary, 6, true, 300 * time.Second},
		{curlew.KindTemporary, 99, true, 300 * time.Second},
		{curlew.KindPermanent, 1, false, 0},
		{curlew.KindRefused, 1, false, 0},
	}
	for _, c := range cases {
		t.Run(fmt.Sprintf("%s, attempt %d", c.kind, c.attempt), func(t *testing.T) {
			for range 50 {
				again, after := policy(&curlew.Fault{Kind: c.kind}, c.attempt)
				if again != c.again || after < c.about*9/10 || after > c.about*11/10+1 {
					t.Errorf("%s, attempt %d: again %v after %v, want %v after about %v", c.kind, c.attempt, again, after, c.again, c.about)
				}
			}
		})
	}
}
