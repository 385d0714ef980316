package runs_test

import (
	"context"
	"fmt"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/testkit/eventually"
	"github.com/curlew-data/curlew/internal/work/runs"
)

// slicerFunc is a slicer of one function.
type slicerFunc func(ctx context.Context, run curlew.Run) (runs.Step, error)

func (f slicerFunc) Step(ctx context.Context, run curlew.Run) (runs.Step, error) { return f(ctx, run) }

func (h engine) start(n runs.NewRun) curlew.RunID {
	h.Helper()
	if n.Scope == "" {
		n.Scope = "test"
	}
	run, err := h.Start(h.Context(), curlew.DefaultOrg, n)
	if err != nil {
		h.Fatal(err)
	}
	return run.ID
}

func (h engine) until(what string, holds func() bool) {
	h.Helper()
	eventually.True(h, what, holds)
}

func (h engine) eventually(id curlew.RunID, want curlew.RunState) curlew.Run {
	h.Helper()
	h.until(fmt.Sprintf("run is %s", want), func() bool { return h.RunOf(id).State == want })
	return h.RunOf(id)
}
