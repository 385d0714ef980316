package runs

import (
	"context"
	"encoding/json"
	"log/slog"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/ops/instrument"
)

// submitted counts a run, once it is kept.
func submitted(ctx context.Context, w store.WriteScope, kind curlew.RunKind, plan json.RawMessage, priority curlew.Priority) {
	w.Tx.AfterCommit(func() { instrument.Tell(ctx, instrument.RunSubmitted{Mode: modeOf(kind, plan), Priority: priority}) })
}

// modeOf is the mode of a run as the monitoring plan has it: crawls are sequential or
// concurrent, other runs have no choice.
func modeOf(kind curlew.RunKind, plan json.RawMessage) string {
	if kind != curlew.RunCrawl {
		return string(kind)
	}
	var crawl struct {
		Concurrency int `json:"concurrency"`
	}
	if err := json.Unmarshal(plan, &crawl); err == nil && crawl.Concurrency > 1 {
		return "concurrent"
	}
	return "sequential"
}

// atEnd tells that a run has ended, once that is kept. began is when the work began that
// ended it, host the one that the run is about.
func (j *Jobs) atEnd(ctx context.Context, w store.WriteScope, run curlew.Run, host string, began time.Time) {
	w.Tx.AfterCommit(func() { j.ended(ctx, run, host, began) })
}

func (j *Jobs) ended(ctx context.Context, run curlew.Run, host string, began time.Time) {
	since := began
	if run.StartedAt != nil {
		since = *run.StartedAt
	}
	instrument.Tell(ctx, instrument.RunEnded{Kind: run.Kind, State: run.State, Host: host, Fault: run.Fault, Took: max(0, time.Since(since))})
	if publishes(run) {
		_, span := instrument.Begin(ctx, instrument.Start{Name: "publish", Run: run.ID, Known: instrument.SpanPublish, Under: underOf(ctx),
			Began: began})
		span.Note(figuresOf(run)...)
		span.End(nil)
	}
	_, span := instrument.Begin(ctx, instrument.Start{Name: "run " + string(run.Kind), Run: run.ID, Known: instrument.SpanRun,
		Began: run.CreatedAt})
	if span != nil {
		span.Note(append(figuresOf(run), slog.String("curlew.run", string(run.ID)), slog.String("curlew.state", string(run.State)),
			slog.Int("curlew.slices", run.Slices))...)
		if run.Fault != nil {
			span.End(run.Fault)
		} else {
			span.End(nil)
		}
	}
	j.o.Log.InfoContext(ctx, "a run has ended", "run", run.ID, "kind", run.Kind, "state", run.State, "summary", run.Summary)
}

// publishes says whether the end of a run may tell subscribers of changes.
func publishes(run curlew.Run) bool {
	return (run.Kind == curlew.RunWatch || run.Kind == curlew.RunHeal) && (run.State == curlew.RunSucceeded || run.State == curlew.RunFailed)
}

type slicing struct{}

// underOf is the parent of what a run publishes: the slice around it, or the run itself
// where it is ended from outside.
func underOf(ctx context.Context) string {
	if ctx.Value(slicing{}) != nil {
		return ""
	}
	return instrument.SpanRun
}

func figuresOf(run curlew.Run) []slog.Attr {
	attrs := make([]slog.Attr, 0, len(run.Counters)+4)
	for name, n := range run.Counters {
		attrs = append(attrs, slog.Int64("curlew."+string(name), n))
	}
	return attrs
}
