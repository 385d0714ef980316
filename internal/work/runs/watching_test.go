package runs_test

import (
	"os"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/testkit/workers"
	"github.com/curlew-data/curlew/internal/work/runs"
)

// TestMain lets the tests read files in a process of their own, as a server does.
func TestMain(m *testing.M) {
	extract.ServeReaders(os.Args[1:])
	os.Exit(m.Run())
}

// watching is what the tests work with.
type watching struct{ *workers.Watching }

// observe runs a test on SQLite, or on both engines.
func observe(t *testing.T, every bool, test func(o *watching)) {
	t.Helper()
	workers.Observe(t, every, func(w *workers.Watching) { test(&watching{w}) })
}

func newWatching(t *testing.T, db *database.DB) *watching {
	t.Helper()
	return &watching{workers.New(t, db)}
}

// engine is what the tests of runs alone work with.
type engine struct{ workers.Engine }

// each runs a test on both engines.
func each(t *testing.T, slicers map[curlew.RunKind]runs.Slicer, test func(h engine)) {
	t.Helper()
	workers.Each(t, slicers, func(e workers.Engine) { test(engine{e}) })
}
