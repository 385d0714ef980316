package console

import (
	"cmp"
	"context"
	"slices"

	"curlew/internal/curlew"
)

type runList struct {
	Runs   []curlew.Run
	Filter RunFilter
	Kinds  []curlew.RunKind
	States []curlew.RunState
	Next   string
}

func listRuns(ctx context.Context, v *visit) (view, error) {
	l := runList{Kinds: []curlew.RunKind{curlew.RunWatch, curlew.RunCrawl, curlew.RunOnboard, curlew.RunHeal, curlew.RunDrill},
		States: []curlew.RunState{curlew.RunPending, curlew.RunRunning, curlew.RunPaused, curlew.RunSucceeded, curlew.RunFailed, curlew.RunCancelled},
		Filter: RunFilter{Kind: curlew.RunKind(v.query("kind")), State: curlew.RunState(v.query("state")), Scope: v.query("scope")}}
	all, err := v.rooms.Runs.Runs(ctx, l.Filter, v.window())
	l.Runs, l.Next = paged(v, all, func(r curlew.Run) string { return string(r.ID) })
	return view{"runs", "Runs", l}, err
}

type runPage struct {
	curlew.Run
	Figures []figure
	Log     []curlew.LogLine
	Next    int64 // sequence after which the log goes on; 0 means that this is its end
}

type figure struct {
	Name  curlew.Counter
	Count int64
}

// logLines is how much of a log one page shows.
const logLines = 500

func showRun(ctx context.Context, v *visit) (view, error) {
	run, err := v.rooms.Runs.Run(ctx, curlew.RunID(v.PathValue("id")))
	if err != nil {
		return view{}, err
	}
	p := runPage{Run: run}
	for name, n := range run.Counters {
		p.Figures = append(p.Figures, figure{name, n})
	}
	slices.SortFunc(p.Figures, func(a, b figure) int { return cmp.Compare(a.Name, b.Name) })
	p.Log, err = v.rooms.Runs.Log(ctx, run.ID, v.sequence(), logLines)
	if len(p.Log) == logLines {
		p.Next = p.Log[logLines-1].Seq
	}
	return view{"run", "Run: " + word(run.Kind), p}, err
}

func steerRun(s Step) func(context.Context, *visit) (string, error) {
	return func(ctx context.Context, v *visit) (string, error) {
		id := curlew.RunID(v.PathValue("id"))
		return "/runs/" + string(id) + "?done=" + string(s), v.rooms.Runs.Steer(ctx, id, s)
	}
}
