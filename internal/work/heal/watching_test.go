package heal_test

import (
	"testing"

	"github.com/curlew-data/curlew/internal/testkit/workers"
)

func TestMain(m *testing.M) { workers.Main(m) }

// watching is what the tests work with.
type watching struct{ *workers.Watching }

// observe runs a test on SQLite, or on both engines.
var observe = workers.Observing(func(w *workers.Watching) *watching { return &watching{w} })
