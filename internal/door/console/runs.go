package console

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/text"
)

// runRow is a run as a page shows it.
type runRow struct {
	curlew.Run
	subject
	Percent int64  // done; 0 when not known
	Lasted  string // so far, or in all
	Rate    string // steps per second, once there is one
}

// subject is what a run is about.
type subject struct {
	What string // its name
	At   string // where it is shown; "" when nowhere
}

// runRows find out what runs are about, and how they go.
func runRows(ctx context.Context, v *visit, runs []curlew.Run) ([]runRow, error) {
	about, err := subjects(ctx, v, runs)
	rows := make([]runRow, 0, len(runs))
	for _, r := range runs {
		rows = append(rows, readRun(r, about, v.clock))
	}
	return rows, err
}

func readRun(r curlew.Run, about map[string]subject, now time.Time) runRow {
	row := runRow{Run: r, subject: about[r.Scope]}
	if row.What == "" {
		row.What = text.Clip(clean(r.Scope), 60)
	}
	done := r.Counters[curlew.CountSteps]
	if r.Total > 0 {
		row.Percent = max(0, min(100, done*100/r.Total))
	}
	if r.StartedAt == nil {
		return row
	}
	end := now
	if r.FinishedAt != nil {
		end = *r.FinishedAt
	}
	lasted := max(0, end.Sub(*r.StartedAt))
	row.Lasted = brief(lasted)
	if lasted >= time.Second && done > 0 {
		row.Rate = fmt.Sprintf("%.1f", float64(done)/lasted.Seconds())
	}
	return row
}

// brief is a span of time in few characters.
func brief(d time.Duration) string {
	switch {
	case d < 10*time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < 100*time.Second:
		return fmt.Sprintf("%.0f s", d.Seconds())
	case d < 100*time.Minute:
		return fmt.Sprintf("%.0f min", d.Minutes())
	}
	return fmt.Sprintf("%.0f h", d.Hours())
}

// mostLookedUp bounds how many candidates and watches are asked for their names on one page.
const mostLookedUp = 60

// subjects names what runs are about, by their scopes.
func subjects(ctx context.Context, v *visit, runs []curlew.Run) (map[string]subject, error) {
	names, _, err := sourceNames(ctx, v)
	if err != nil {
		return nil, err
	}
	about := map[string]subject{}
	for _, r := range runs {
		if _, known := about[r.Scope]; known || len(about) >= mostLookedUp {
			continue
		}
		kind, id, _ := strings.Cut(r.Scope, ":")
		name, at := "", ""
		switch kind {
		case "source", "heal":
			name, at = names[curlew.SourceID(id)], "/sources/"
		case "candidate":
			var c curlew.Candidate
			c, err = v.read.Candidates().Get(ctx, curlew.CandidateID(id))
			name, at = c.Name, "/candidates/"
		case "watch":
			var w curlew.Watch
			w, err = v.read.Watches().Get(ctx, curlew.WatchID(id))
			name, at = w.Name, "/watches/"
		}
		if err != nil && !errors.Is(err, curlew.ErrNotFound) {
			return nil, err
		}
		if name != "" {
			about[r.Scope] = subject{text.Clip(clean(name), 80), at + id}
		}
	}
	return about, nil
}

type runList struct {
	Runs   []runRow
	Filter store.RunFilter
	Kinds  []curlew.RunKind
	States []curlew.RunState
	Next   string
	Later  bool // not the first page
}

func listRuns(ctx context.Context, v *visit) (view, error) {
	states := []curlew.RunState{curlew.RunPending, curlew.RunRunning, curlew.RunPaused, curlew.RunSucceeded, curlew.RunFailed,
		curlew.RunCancelled}
	l := runList{Later: v.later(), States: states,
		Kinds: []curlew.RunKind{curlew.RunWatch, curlew.RunCrawl, curlew.RunOnboard, curlew.RunHeal, curlew.RunDrill},
		Filter: store.RunFilter{State: chosen(v, "state", states...), Scope: v.query("scope"),
			Kind: chosen(v, "kind", curlew.RunDrill, curlew.RunWatch, curlew.RunCrawl, curlew.RunOnboard, curlew.RunHeal)}}
	all, err := v.read.Runs().List(ctx, l.Filter, v.window())
	if err != nil {
		return view{}, err
	}
	all, l.Next = paged(v, all, func(r curlew.Run) string { return string(r.ID) })
	l.Runs, err = runRows(ctx, v, all)
	return view{"runs", "Runs", l}, err
}

type runPage struct {
	runRow
	Figures []figure
	Log     []curlew.LogLine
	Earlier bool  // the log begins before what is shown
	Next    int64 // sequence after which the log goes on; 0 means that this is its end
	Levels  []curlew.LogLevel
	Level   curlew.LogLevel // the least that is shown
	Plan    string
	For     curlew.WatchID // whose run it is
	ForName string
	Changes []changeRow // what it changed, the first of it
	More    bool        // it changed more than that
}

// mostChanges is how many of the changes that came of a run its page shows.
const mostChanges = 20

type figure struct {
	Name  curlew.Counter
	Count int64
}

// logLines is how much of a log one page shows; of a run that goes on it is the end.
const logLines, logTail = 500, 200

func showRun(ctx context.Context, v *visit) (view, error) {
	run, err := v.read.Runs().Get(ctx, curlew.RunID(v.PathValue("id")))
	if err != nil {
		return view{}, err
	}
	rows, err := runRows(ctx, v, []curlew.Run{run})
	if err != nil {
		return view{}, err
	}
	p := runPage{runRow: rows[0]}
	for name, n := range run.Counters {
		p.Figures = append(p.Figures, figure{name, n})
	}
	slices.SortFunc(p.Figures, func(a, b figure) int { return cmp.Compare(a.Name, b.Name) })
	p.readPlan()
	if err := p.readChanges(ctx, v); err != nil {
		return view{}, err
	}
	p.Levels, p.Level = logLevels, curlew.LogLevel(v.query("level"))
	if p.Earlier = !run.State.Ended() && !v.later(); p.Earlier { // what it does now is at the end
		tail, err := v.read.Runs().LogTail(ctx, run.ID, logTail)
		p.Earlier = len(tail) > 0 && tail[0].Seq > 1
		p.keep(tail)
		return view{"run", p.What + ": " + word(run.Kind), p}, err
	}
	err = p.readLog(ctx, v)
	return view{"run", p.What + ": " + word(run.Kind), p}, err
}

func steerRun(
	done string, step func(*app.App, context.Context, auth.Identity, curlew.RunID) (curlew.Run, error),
) func(context.Context, *visit) (string, error) {
	return func(ctx context.Context, v *visit) (string, error) {
		id := curlew.RunID(v.PathValue("id"))
		_, err := step(v.app, ctx, v.who, id)
		return "/runs/" + string(id) + "?done=" + done, err
	}
}

// readPlan shows what the run was asked to do.
func (p *runPage) readPlan() {
	var named struct {
		Watch curlew.WatchID `json:"watch_id"`
	}
	_ = json.Unmarshal(p.Run.Plan, &named) // what names no watch is of none
	p.For = named.Watch
	var s bytes.Buffer
	if len(p.Run.Plan) > 0 && json.Indent(&s, p.Run.Plan, "", "  ") == nil {
		p.Plan = plainLines(text.Clip(s.String(), 8000))
	}
}

// readChanges finds what came of the run: its watch, and the changes that it made.
func (p *runPage) readChanges(ctx context.Context, v *visit) error {
	if p.For != "" {
		w, err := v.read.Watches().Get(ctx, p.For)
		if err != nil {
			if !errors.Is(err, curlew.ErrNotFound) {
				return err
			}
			p.For = "" // it was removed
		}
		p.ForName = text.Clip(clean(w.Name), 80)
	}
	changes, err := v.app.ChangesOfRun(ctx, v.who, p.Run, mostChanges+1)
	if err != nil {
		return err
	}
	if p.More = len(changes) > mostChanges; p.More {
		changes = changes[:mostChanges]
	}
	names, _, err := sourceNames(ctx, v)
	for _, c := range changes {
		p.Changes = append(p.Changes, readChange(c, names, v.kinds))
	}
	return err
}

// keep keeps the lines of the level that is asked for, and above.
func (p *runPage) keep(lines []curlew.LogLine) {
	least := slices.Index(p.Levels, p.Level)
	for _, line := range lines {
		if slices.Index(p.Levels, line.Level) >= least {
			p.Log = append(p.Log, line)
		}
	}
}

// mostLogLooks is how many lines are looked at for those of a level.
const mostLogLooks = 20 * logLines

// readLog reads the part of the log that an address asks for.
func (p *runPage) readLog(ctx context.Context, v *visit) error {
	at := v.sequence()
	for looked := 0; looked < mostLogLooks && len(p.Log) < logLines; looked += logLines {
		some, err := v.read.Runs().Log(ctx, p.Run.ID, at, logLines)
		if err != nil || len(some) == 0 {
			return err
		}
		p.keep(some)
		if at = some[len(some)-1].Seq; len(some) < logLines {
			return nil
		}
	}
	p.Next = at
	return nil
}
