package setup_test

import (
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/ops/setup"
	"github.com/curlew-data/curlew/internal/work/queue"
	"github.com/curlew-data/curlew/internal/work/runs"
)

// Endpoints that keep us waiting hold up no check, and a slow mail server has its time whatever a slice may take.
func TestSendingIsPartedFromOtherWork(t *testing.T) {
	o := queue.WorkerOptions{Name: "one", Concurrency: 2, Timeout: 20 * time.Second, Periodic: []queue.Periodic{{Name: "x"}},
		Handlers: map[string]queue.Handler{runs.KindDeliver: nil, runs.KindOutbox: nil, "slice": nil}}
	others, senders := setup.Senders(o)
	if got := slices.Sorted(maps.Keys(others.Handlers)); !slices.Equal(got, []string{"outbox", "slice"}) || others.Concurrency != 2 || len(others.Periodic) != 1 {
		t.Errorf("others: %v %+v", got, others)
	}
	if got := slices.Sorted(maps.Keys(senders.Handlers)); !slices.Equal(got, []string{"deliver"}) || senders.Name == others.Name ||
		senders.Timeout < 3*time.Minute || senders.Concurrency <= 8 || len(senders.Periodic) != 0 {
		t.Errorf("senders: %v %+v", got, senders)
	}
}
