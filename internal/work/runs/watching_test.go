package runs_test

import (
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/testkit/workers"
	"github.com/curlew-data/curlew/internal/work/runs"
)

func TestMain(m *testing.M) { workers.Main(m) }

// watching is what the tests work with.
type watching struct{ *workers.Watching }

// observe runs a test on SQLite, or on both engines.
var observe = workers.Observing(func(w *workers.Watching) *watching { return &watching{w} })

// engine is what the tests of runs alone work with.
type engine struct{ workers.Engine }

// each runs a test on both engines.
func each(t *testing.T, slicers map[curlew.RunKind]runs.Slicer, test func(h engine)) {
	t.Helper()
	workers.Each(t, slicers, func(e workers.Engine) { test(engine{e}) })
}
