// Command faults hurts a running Curlew on purpose, on both engines, and checks
// that nothing was lost and nothing was done twice. It drives real processes of
// the real program: kill -9, also of a command between its rows and its audit line,
// SIGSTOP, SIGTERM, two schedulers, a database that goes away, a full disk, endpoints
// that fail or hang. Then it kills processes that watch the sample web at every named
// moment of a change's life.
//
//	go run ./faults [--seed N] [--only NAME] [--seeds N] [--lanes N]      (make faults)
//
// It prints two tables and exits with 1 when a promise was broken.
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
	"syscall"
	"text/tabwriter"
	"time"
)

// watchingName is by what --only selects the deaths at named points.
const watchingName = "watching"

// outcome is what a scenario did and what came of it.
type outcome struct {
	did        string
	jobs       int
	lost       int
	doubled    int
	violations int
	note       string
	broken     []string // promises, in sentences
}

// scenario is one way to hurt Curlew. Those that make no sense on an engine say
// so by returning nil.
type scenario struct {
	name string
	run  func(ctx context.Context, t *target) (*outcome, error)
}

func scenarios() []scenario {
	return []scenario{
		{"kill -9 at random", killAtRandom},
		{"kill -9, time to rerun", timeToRerun},
		{"SIGSTOP past the lease", freezePastLease},
		{"SIGTERM", terminate},
		{"two schedulers", twoSchedulers},
		{"database restart", restartDatabase},
		{"database locked 10 s", lockDatabase},
		{"disk full", fillDisk},
		{"kill -9 of a crawl", killCrawl},
		{"kill -9 of a watch", killWatch},
		{"kill -9 before the audit line", killUseCase},
		{"endpoint down for days", sinkDown},
		{"endpoint hangs", hangingEndpoint},
		{"database restart while sending", restartWhileSending},
	}
}

func main() {
	if len(os.Args) > 1 && strings.HasPrefix(os.Args[1], "child:") {
		os.Exit(child(os.Args[1:]))
	}
	seed := flag.Uint64("seed", uint64(time.Now().UnixNano()), "seed of all chance")
	only := flag.String("only", "", "run only scenarios whose name contains this")
	seeds := flag.Int("seeds", 20, "how often processes die at each named point while watching")
	lanes := flag.Int("lanes", 4, "how many of them at once")
	verbose := flag.Bool("verbose", false, "tell of every single one of them")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := campaign(ctx, *seed, *only, watchingPlan{seeds: *seeds, chain: 1, lanes: *lanes, days: 2, sites: []string{"shop", "concerts"},
		hangs: 10, verbose: *verbose}); err != nil {
		fmt.Fprintln(os.Stderr, "faults:", err)
		os.Exit(1)
	}
}

func campaign(ctx context.Context, seed uint64, only string, plan watchingPlan) error {
	space, err := newWorkspace(ctx, "")
	if err != nil {
		return err
	}
	defer space.clean()
	fmt.Fprintf(os.Stderr, "seed %d\n", seed)
	broken := space.hurt(ctx, seed, only)
	if !strings.Contains(watchingName, only) {
		return broken
	}
	plan.seed, plan.engines = seed%1_000_000, []string{"sqlite", "postgres"}
	fmt.Println()
	return errors.Join(broken, watching(ctx, space, plan, os.Stdout))
}

// hurt runs the scenarios and prints their table.
func (y *workspace) hurt(ctx context.Context, seed uint64, only string) error {
	out := tabwriter.NewWriter(os.Stdout, 0, 8, 2, ' ', 0)
	fmt.Fprintln(out, "FAULT\tENGINE\tDONE\tJOBS\tLOST\tDOUBLED\tFSCK\tVERDICT\tNOTE")
	broken := 0
	for _, s := range scenarios() {
		if !strings.Contains(s.name, only) {
			continue
		}
		for _, engine := range []string{"sqlite", "postgres"} {
			began := time.Now()
			t, err := y.target(ctx, engine, rand.New(rand.NewPCG(seed, uint64(len(s.name)))))
			if err != nil {
				return err
			}
			o, err := s.run(ctx, t)
			t.end()
			if err != nil {
				return fmt.Errorf("%s on %s: %w", s.name, engine, err)
			}
			if o == nil {
				continue
			}
			verdict := "kept"
			if len(o.broken) > 0 {
				verdict = "BROKEN"
				broken++
			}
			fmt.Fprintf(out, "%s\t%s\t%s\t%d\t%d\t%d\t%d\t%s\t%s\n", s.name, engine, o.did, o.jobs, o.lost, o.doubled, o.violations, verdict,
				strings.Join(append(o.broken, o.note), "; "))
			fmt.Fprintf(os.Stderr, "%s on %s: %s in %s\n", s.name, engine, verdict, time.Since(began).Round(time.Second))
		}
	}
	_ = out.Flush()
	if broken > 0 {
		return fmt.Errorf("%d promises were broken", broken)
	}
	return nil
}
