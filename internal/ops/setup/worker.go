package setup

import (
	"context"
	"errors"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/ops/config"
	"github.com/curlew-data/curlew/internal/work/outbox"
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
		May:     i.mayWork(),
	}
}

// sendersAtOnce are the endpoints that a process sends to at the same time. They mostly wait for others to answer.
const sendersAtOnce = 32

// Work runs jobs until ctx ends: those that send apart from all others.
func (i *Installation) Work(ctx context.Context, o queue.WorkerOptions) {
	others, senders := Senders(o)
	var sending sync.WaitGroup
	defer sending.Wait()
	if len(senders.Handlers) > 0 {
		sending.Go(func() { i.Queue.Work(ctx, senders) })
	}
	i.Queue.Work(ctx, others)
}

// Senders parts the jobs that send from a worker's others: endpoints that keep us waiting hold up no check.
func Senders(o queue.WorkerOptions) (others, senders queue.WorkerOptions) {
	others, senders = o, o
	others.Handlers = maps.Clone(o.Handlers)
	delete(others.Handlers, runs.KindDeliver)
	senders.Name += "-sending"
	senders.Handlers = maps.Clone(o.Handlers)
	maps.DeleteFunc(senders.Handlers, func(kind string, _ queue.Handler) bool { return kind != runs.KindDeliver })
	senders.Concurrency, senders.Timeout, senders.Periodic = sendersAtOnce, max(o.Timeout, outbox.MostSending), nil
	return others, senders
}

// mayLookedAt is how often a worker looks whether it still has the key of secrets, and knows all shards.
const mayLookedAt = 5 * time.Second

// mayWork keeps a worker from taking jobs while it lacks the key of secrets, which another process has changed: it could deliver
// nothing, and would use up the attempts of what others can deliver. It also keeps one that knows only some of the shards from
// upkeep: what orgs on the others need seems to be needed by nobody.
func (i *Installation) mayWork() func(context.Context) error {
	var looked atomic.Int64 // several workers ask
	return func(ctx context.Context) error {
		if now := time.Now(); now.Sub(time.Unix(0, looked.Load())) >= mayLookedAt {
			if err := i.Store.CheckOwnSecrets(ctx); errors.Is(err, store.ErrSealed) {
				return err
			}
			if err := i.KnowsShards(ctx); err != nil {
				return err
			}
			looked.Store(now.UnixNano())
		}
		return nil
	}
}
