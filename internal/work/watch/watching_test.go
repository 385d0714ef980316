package watch_test

import (
	"os"
	"testing"

	"github.com/curlew-data/curlew/internal/data/database"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/testkit/workers"
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
