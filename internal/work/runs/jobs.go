// Package runs knows the kinds of job and what a failure means for them. Its workers are
// thin: they load a run, let the Slicer of its kind do a bounded piece of work, and commit
// what came of it together with the next piece. It also looks after runs that are stuck,
// and checks the invariants of runs and their jobs.
//
// It knows nothing of websites, watches and subscribers: that comes with the slicers and
// the handlers of the packages beside this one.
package runs

import (
	"context"
	"encoding/json"
	"log/slog"
	"maps"
	"math/rand/v2"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/work/queue"
)

// The kinds of job.
const (
	KindSlice = "slice" // a piece of a run
	KindSweep = "sweep" // finds runs that lost their slices
	KindPrune = "prune" // forgets what is old

	KindTick    = "tick"    // starts the runs of watches whose time has come
	KindOutbox  = "outbox"  // wakes senders
	KindDeliver = "deliver" // sends what waits for one subscription
)

// Options set up the workers.
type Options struct {
	Slicers     map[curlew.RunKind]Slicer
	SliceLimit  time.Duration // the most that one slice may take
	MaxAttempts int           // at one slice
	RetryBase   time.Duration
	RetryCap    time.Duration
	KeepJobs    time.Duration // how long finished jobs are kept
	KeepRuns    time.Duration // how long ended runs and their logs are kept

	KeepDeliveries time.Duration // how long deliveries are kept that arrived or were given up; 0 for ever

	Handlers map[string]queue.Handler    // of the kinds of job that belong to a subject, in processes that do them
	Upkeep   func(context.Context) error // further upkeep, once an hour; may be nil
	Log      *slog.Logger
}

// Jobs runs jobs on one database.
type Jobs struct {
	store *store.Store
	queue *queue.Queue
	o     Options
}

// New returns the jobs of one database.
func New(s *store.Store, q *queue.Queue, o Options) *Jobs {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Jobs{s, q, o}
}

// Handlers are the handlers of all kinds of job.
func (j *Jobs) Handlers() map[string]queue.Handler {
	all := map[string]queue.Handler{KindSlice: j.slice, KindSweep: j.sweep, KindPrune: j.prune}
	maps.Copy(all, j.o.Handlers)
	return all
}

// tickEvery is how often it is looked which watches are due, and for whom deliveries wait.
const tickEvery = 5 * time.Second

// Periodic are the jobs that come again and again.
func (j *Jobs) Periodic() []queue.Periodic {
	return []queue.Periodic{
		{Name: KindSweep, Next: queue.Every(15 * time.Second), Job: upkeep(KindSweep)},
		{Name: KindPrune, Next: queue.Every(time.Hour), Job: upkeep(KindPrune)},
		{Name: KindTick, Next: queue.Every(tickEvery), Job: upkeep(KindTick)},
		{Name: KindOutbox, Next: queue.Every(tickEvery), Job: upkeep(KindOutbox)},
	}
}

func upkeep(kind string) queue.NewJob {
	return queue.NewJob{Org: curlew.SystemOrg, Kind: kind, UniqueKey: kind, Priority: curlew.PriorityHigh}
}

// Policy says by the kind of a fault when a job is tried again: after temporary
// ones, with a delay that doubles from base up to the cap and is spread by
// a fifth so that what failed together does not return together; after others never.
// What is tried again within a job or a candidate is for work/watch, work/onboard,
// web/fetch and web/llm.
func Policy(base, most time.Duration) queue.Policy {
	return func(fault *curlew.Fault, attempt int) (bool, time.Duration) {
		if fault.Kind != curlew.KindTemporary {
			return false, 0
		}
		delay := most
		if attempt < 32 && base<<(attempt-1) < most && base<<(attempt-1) > 0 {
			delay = base << (attempt - 1)
		}
		return true, delay - delay/10 + rand.N(delay/5+1)
	}
}

// ArgsOf are the arguments of a job.
func ArgsOf[T any](lease *queue.Lease) (args T, err error) {
	if err := json.Unmarshal(lease.Args, &args); err != nil {
		return args, curlew.Permanent("bad_args", "the arguments of job %d cannot be read", lease.ID).Because(err)
	}
	return args, nil
}
