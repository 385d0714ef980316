package setup

import (
	"time"

	"github.com/curlew-data/curlew/internal/ops/config"
	"github.com/curlew-data/curlew/internal/work/queue"
	"github.com/curlew-data/curlew/internal/work/runs"
)

// WorkerOptions are those of any worker of this installation.
func (i *Installation) WorkerOptions() queue.WorkerOptions {
	w := i.Config.Workers
	asking := time.Duration(0) // a model takes its time
	if m := i.Config.LLM; m.Provider != config.NoModel {
		asking = time.Duration(m.Rounds*m.Tries) * m.Timeout
	}
	return queue.WorkerOptions{
		Name: ProcessName(), Handlers: i.Jobs.Handlers(), Policy: runs.Policy(w.RetryBase, w.RetryCap),
		Concurrency: w.Concurrency, Lease: w.Lease, Heartbeat: w.Heartbeat, Drain: w.Drain,
		Timeout: w.SliceLimit + 15*time.Second + asking, // a slice ends by itself; this is for one that does not
		Log:     i.Log,
	}
}
