// Command faults hurts a running Curlew on purpose, on both engines, and checks
// that nothing was lost and nothing was done twice. It drives real processes of
// the real program: kill -9, also of a command between its rows and its audit line,
// SIGSTOP, SIGTERM, two schedulers, a database that goes away, a full disk, endpoints
// that fail or hang. Then it kills processes that watch the sample web at every named
// moment of a change's life, and lets the sample web drift and its days go by.
//
//	go run ./faults [--seed N] [--only NAME]                              (make faults)
//	go run ./faults --long --document docs/faults.md --commit ID          (make faults-long)
//
// It prints its tables and exits with 1 when a promise was broken. What came too late to
// hurt is tried again.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"text/tabwriter"
	"time"
)

// By these --only selects the deaths at named points, and what goes on without a fault.
const (
	watchingName = "watching"
	seasonsName  = "drifts and days"
)

// outcome is what a scenario did and what came of it.
type outcome struct {
	did        string
	kills      int
	jobs       int
	lost       int
	doubled    int
	violations int
	note       string
	broken     []string // promises, in sentences
}

// add sums up what was done again and what came of it.
func (o *outcome) add(more *outcome) {
	if o.did != more.did {
		o.did += ", " + more.did
	}
	o.kills += more.kills
	o.jobs += more.jobs
	o.lost += more.lost
	o.doubled += more.doubled
	o.violations += more.violations
	o.note = more.note
	o.broken = append(o.broken, more.broken...)
}

// errTooLate says that it was all over before it was hurt: nothing was found out, and it is tried again.
var errTooLate = errors.New("it was over before it was hurt")

// tries is how often something is hurt that may be over before.
const tries = 4

// scenario is one way to hurt Curlew. Those that make no sense on an engine say
// so by returning nil.
type scenario struct {
	name  string
	run   func(ctx context.Context, t *target) (*outcome, error)
	kills bool // the moment is by chance: a long campaign does it more often
	alone bool // it compares times: nothing else is hurt meanwhile
}

func scenarios() []scenario {
	return []scenario{
		{name: "kill -9 at random", run: killAtRandom, kills: true},
		{name: "kill -9, time to rerun", run: timeToRerun},
		{name: "SIGSTOP past the lease", run: freezePastLease},
		{name: "SIGTERM", run: terminate},
		{name: "two schedulers", run: twoSchedulers},
		{name: "database restart", run: restartDatabase},
		{name: "database locked 10 s", run: lockDatabase},
		{name: "disk full", run: fillDisk},
		{name: "kill -9 of a crawl", run: killCrawl, kills: true},
		{name: "kill -9 of a watch", run: killWatch, kills: true},
		{name: "kill -9 before the audit line", run: killUseCase},
		{name: "endpoint down for days", run: sinkDown},
		{name: "endpoint hangs", run: hangingEndpoint, alone: true},
		{name: "database restart while sending", run: restartWhileSending},
	}
}

// plan is how much a campaign does.
type plan struct {
	seed     uint64
	only     string
	rounds   int // of what kills at random
	watching watchingPlan
	drifts   int
	days     int
}

func planned(long bool) plan {
	p := plan{rounds: 1, drifts: 5, days: 3, watching: watchingPlan{seeds: 1, chain: 1, lanes: 4, days: 2, engines: engines,
		sites: []string{"shop", "concerts"}, hangs: 10}}
	if long {
		p.rounds, p.drifts, p.days, p.watching.seeds = 6, 200, 50, 20
	}
	return p
}

func main() {
	if len(os.Args) > 1 && strings.HasPrefix(os.Args[1], "child:") {
		os.Exit(child(os.Args[1:]))
	}
	seed := flag.Uint64("seed", uint64(time.Now().UnixNano()), "seed of all chance")
	only := flag.String("only", "", "run only what has a name that contains this")
	long := flag.Bool("long", false, "every named point twenty times, and at least 1,000 kill -9 in all")
	document := flag.String("document", "", "also put the tables into this document")
	commit := flag.String("commit", "unknown", "that is hurt, for the document")
	verbose := flag.Bool("verbose", false, "tell of every single installation that watches")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	p, form := planned(*long), "make faults"
	if *long {
		form = "make faults-long"
	}
	p.seed, p.only, p.watching.seed, p.watching.verbose = *seed, *only, *seed%1_000_000, *verbose
	r := newReport(form, *commit, *seed)
	err := p.campaign(ctx, r)
	if *document != "" && ctx.Err() == nil {
		err = errors.Join(err, r.keep(*document, err))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "faults:", err)
		os.Exit(1)
	}
}

func (p plan) campaign(ctx context.Context, r *report) error {
	space, err := newWorkspace(ctx, "")
	if err != nil {
		return err
	}
	defer space.clean()
	fmt.Fprintf(os.Stderr, "seed %d\n", p.seed)
	broken := p.hurt(ctx, space, r)
	if strings.Contains(watchingName, p.only) {
		fmt.Fprintln(r.out)
		kills, err := watching(ctx, space, p.watching, r.out)
		r.kills.Add(int64(kills))
		broken = errors.Join(broken, err)
	}
	if strings.Contains(seasonsName, p.only) {
		broken = errors.Join(broken, seasons(ctx, p.drifts, p.days, r.out))
	}
	return broken
}

// hurt runs the scenarios on both engines and prints their table.
func (p plan) hurt(ctx context.Context, y *workspace, r *report) error {
	out := tabwriter.NewWriter(r.out, 0, 8, 2, ' ', 0)
	defer out.Flush()
	fmt.Fprintln(out, "FAULT\tENGINE\tDONE\tJOBS\tLOST\tDOUBLED\tFSCK\tVERDICT\tNOTE")
	var broken []error
	for _, s := range scenarios() {
		if !strings.Contains(s.name, p.only) {
			continue
		}
		outcomes, err := p.onBoth(ctx, y, s)
		if err != nil {
			return errors.Join(append(broken, err)...)
		}
		for i, o := range outcomes {
			if o == nil {
				continue
			}
			verdict := "kept"
			if len(o.broken) > 0 {
				verdict = "BROKEN"
				broken = append(broken, fmt.Errorf("%s on %s: %s", s.name, engines[i], strings.Join(o.broken, "; ")))
			}
			r.kills.Add(int64(o.kills))
			fmt.Fprintf(out, "%s\t%s\t%s\t%d\t%d\t%d\t%d\t%s\t%s\n", s.name, engines[i], o.did, o.jobs, o.lost, o.doubled, o.violations,
				verdict, o.note)
		}
	}
	return errors.Join(broken...)
}

var engines = []string{"sqlite", "postgres"}

// onBoth runs a scenario on both engines, at the same time unless it compares times.
func (p plan) onBoth(ctx context.Context, y *workspace, s scenario) ([]*outcome, error) {
	outcomes, errs := make([]*outcome, len(engines)), make([]error, len(engines))
	var group sync.WaitGroup
	for i, engine := range engines {
		group.Go(func() {
			began := time.Now()
			if outcomes[i], errs[i] = p.again(ctx, y, s, engine); errs[i] != nil {
				errs[i] = fmt.Errorf("%s on %s: %w", s.name, engine, errs[i])
			}
			fmt.Fprintf(os.Stderr, "%s on %s: %s\n", s.name, engine, time.Since(began).Round(time.Second))
		})
		if s.alone {
			group.Wait()
		}
	}
	group.Wait()
	return outcomes, errors.Join(errs...)
}

// again runs a scenario as often as the plan says, and once more where it came too late.
func (p plan) again(ctx context.Context, y *workspace, s scenario, engine string) (sum *outcome, err error) {
	rounds := 1
	if s.kills {
		rounds = p.rounds
	}
	for round := range rounds {
		var o *outcome
		for late := range tries {
			chance := rand.New(rand.NewPCG(p.seed, uint64(len(s.name)+100*round+1000*late)))
			if o, err = y.once(ctx, s, engine, chance, late); !errors.Is(err, errTooLate) {
				break
			}
		}
		switch {
		case errors.Is(err, errTooLate):
			o = &outcome{broken: []string{fmt.Sprintf("%s, %d times", err, tries)}}
		case err != nil || o == nil:
			return sum, err
		}
		if sum == nil {
			sum = o
		} else {
			sum.add(o)
		}
	}
	if sum.kills > 0 {
		sum.did = fmt.Sprintf("%d kills", sum.kills)
	}
	return sum, nil
}

func (y *workspace) once(ctx context.Context, s scenario, engine string, chance *rand.Rand, late int) (*outcome, error) {
	t, err := y.target(ctx, engine, chance)
	if err != nil {
		return nil, err
	}
	defer t.remove()
	defer t.end()
	t.late = late
	return s.run(ctx, t)
}
