package main

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/ops/failpoint"
)

// watchingPlan is how much of the campaign on watching is done: every failpoint is
// passed by processes on every engine, once per seed.
type watchingPlan struct {
	seed    uint64
	seeds   int
	chain   int // points at which the processes of one installation die, one after the other
	days    int // after the first check
	lanes   int // installations at once
	engines []string
	sites   []string
	hangs   int  // of so many seeds, one has a request that is never answered; 0 for none
	verbose bool // tell of every installation
}

// passes is how often a point may be passed before the process dies there, at most.
// Each is passed at least that often before the last day.
var passes = map[string]int{
	failpoint.TickInside: 2, failpoint.TickAfter: 2, failpoint.FetchAfter: 100, failpoint.StepAfter: 12,
	failpoint.PublishBefore: 4, failpoint.PublishInside: 4, failpoint.PublishTold: 2, failpoint.PublishAfter: 4,
	failpoint.SendBefore: 100, failpoint.SendAfter: 100, failpoint.SendNoted: 5, failpoint.SendCommitted: 5,
}

// blow is one installation whose processes die at points, one after the other.
type blow struct {
	engine string
	points []string
	seed   uint64
}

func (b blow) String() string {
	return fmt.Sprintf("%s on %s, seed %d", strings.Join(b.points, ", "), b.engine, b.seed)
}

// blows are all that the plan asks for. A job whose process dies three times in a row
// is quarantined, so a chain has two points at the most.
func (p watchingPlan) blows() []blow {
	points := failpoint.Points()
	var all []blow
	for seed := range uint64(p.seeds) {
		for i := range len(points) / p.chain {
			var some []string
			for j := range p.chain {
				some = append(some, points[i+j*len(points)/p.chain])
			}
			for _, engine := range p.engines {
				all = append(all, blow{engine, some, p.seed + seed})
			}
		}
	}
	return all
}

// tally sums up the runs of one row of the table.
type tally struct {
	runs, crashes, told, deliveries, again, lost, doubled, violations int
	broken                                                            bool
}

// verdicts gathers what the lanes find out.
type verdicts struct {
	sync.Mutex
	order   []string
	tallies map[string]*tally
	died    map[string]int
	errs    []error
}

// watching kills processes at every named moment of a change's life, and prints what
// came of it. A point at which no process ever died is a failure of the campaign.
func watching(ctx context.Context, y *workspace, plan watchingPlan, out io.Writer) (kills int, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	blows := make(chan blow)
	all := &verdicts{tallies: map[string]*tally{}, died: map[string]int{}}
	first, err := y.rehearse(ctx, plan)
	if err != nil {
		return 0, fmt.Errorf("undisturbed: %w", err)
	}
	defer first.close()
	var group sync.WaitGroup
	for range max(1, plan.lanes) {
		group.Go(func() {
			if err := y.lane(ctx, plan, first, blows, all); err != nil {
				all.Lock()
				all.errs = append(all.errs, err)
				all.Unlock()
				cancel()
			}
		})
	}
	for _, b := range plan.blows() {
		all.row(b)
		select {
		case blows <- b:
		case <-ctx.Done():
		}
	}
	close(blows)
	group.Wait()
	for _, a := range all.tallies {
		kills += a.crashes
	}
	return kills, all.conclude(out)
}

// row is where a blow counts; rows come in the order of the plan.
func (v *verdicts) row(b blow) *tally {
	v.Lock()
	defer v.Unlock()
	name := strings.Join(b.points, ", ") + "\t" + b.engine
	if v.tallies[name] == nil {
		v.order, v.tallies[name] = append(v.order, name), &tally{}
	}
	return v.tallies[name]
}

func (v *verdicts) add(b blow, r *summary) {
	a := v.row(b)
	v.Lock()
	defer v.Unlock()
	a.runs++
	a.crashes += len(r.died)
	a.told += r.told
	a.deliveries += r.deliveries
	a.again += r.again
	a.lost += r.lost
	a.doubled += r.doubled
	a.violations += r.violations
	for _, sentence := range r.broken {
		a.broken = true
		v.errs = append(v.errs, fmt.Errorf("%s: %s", b, sentence))
	}
	for _, point := range r.died {
		v.died[point]++
	}
}

// lane strikes one blow after another, each on a fresh installation.
func (y *workspace) lane(ctx context.Context, plan watchingPlan, first *stage, blows <-chan blow, all *verdicts) error {
	s, err := first.another(ctx)
	if err != nil {
		return err
	}
	defer s.close()
	for b := range blows {
		began := time.Now()
		r, err := y.struck(ctx, s, b, plan)
		if err != nil {
			return fmt.Errorf("%s: %w", b, err)
		}
		all.add(b, r)
		if len(r.broken) > 0 || plan.verbose {
			fmt.Fprintf(os.Stderr, "%s: died at %s, %d told, %d deliveries in %s %s\n", b, strings.Join(r.died, ", "), r.told, r.deliveries,
				time.Since(began).Round(100*time.Millisecond), strings.Join(r.broken, "; "))
		}
	}
	return nil
}

// rehearse opens a stage on which nothing goes wrong. What is not told even then is a
// matter of reading, which other tests look after; it must be little, and nothing may
// be invented.
func (y *workspace) rehearse(ctx context.Context, plan watchingPlan) (*stage, error) {
	scratch, err := y.target(ctx, "sqlite", nil)
	if err != nil {
		return nil, err
	}
	defer scratch.remove()
	defer scratch.end()
	s, err := newStage(ctx, scratch.store, plan.sites...)
	if err != nil {
		return nil, err
	}
	r, err := y.strike(ctx, s, blow{engine: "sqlite", seed: plan.seed}, plan, 0)
	if err == nil && (r.lost > r.told/50 || r.doubled > 0 || r.violations > 0) {
		err = fmt.Errorf("%d changes beside %d were not told, %d are wrong, fsck found %d: %s", r.lost, r.told, r.doubled, r.violations,
			strings.Join(r.broken, "; "))
	}
	if err != nil {
		s.close()
		return nil, err
	}
	s.unread = r.untold
	return s, nil
}

// struck strikes again where nothing passed the point as often as chance said.
func (y *workspace) struck(ctx context.Context, s *stage, b blow, plan watchingPlan) (r *summary, err error) {
	for late := range tries {
		if r, err = y.strike(ctx, s, b, plan, late); err != nil || len(r.died) > 0 || len(r.broken) > 0 {
			break
		}
	}
	return r, err
}

// strike lets one installation watch for some days, while its processes die at the
// points and its sinks fail at random.
func (y *workspace) strike(ctx context.Context, s *stage, b blow, plan watchingPlan, late int) (*summary, error) {
	name := fnv.New64a()
	_, _ = io.WriteString(name, b.String())
	chance := rand.New(rand.NewPCG(b.seed, name.Sum64()))
	t, err := y.target(ctx, b.engine, chance)
	if err != nil {
		return nil, err
	}
	defer t.remove()
	defer t.end()
	sinks, closeSinks, err := moody(b, plan, chance)
	if err != nil {
		return nil, err
	}
	defer closeSinks()
	v, err := newDeployment(ctx, t, s, sinks, wants{nil, {curlew.EntityChanged, curlew.EntityDisappeared}})
	if err != nil {
		return nil, err
	}
	for _, point := range b.points {
		most := passes[point]
		if plan.chain > 1 {
			most = 1
		}
		v.blows = append(v.blows, fmt.Sprintf("%s:%d", point, 1+chance.IntN(max(1, most>>(2*late)))))
	}
	if err := v.start(); err != nil {
		return nil, err
	}
	defer v.stop()
	if err := v.days(ctx, plan.days); err != nil {
		return nil, err
	}
	if err := v.delivered(ctx, 3*time.Minute); err != nil {
		return nil, err
	}
	v.stop()
	return v.summary(ctx)
}

// moody are two sinks that fail at random, the second more than the first.
func moody(b blow, plan watchingPlan, chance *rand.Rand) (sinks []*sink, closeAll func(), err error) {
	spoiled := moods{fail: 0.1 * chance.Float64(), reset: 0.1 * chance.Float64(), die: 0.1 * chance.Float64()}
	if plan.hangs > 0 && b.seed%uint64(plan.hangs) == 0 {
		spoiled.hangs = 1
	}
	closeAll = func() {
		for _, k := range sinks {
			k.close()
		}
	}
	for i, m := range []moods{spoiled, {fail: 0.3, die: 0.1}} {
		k, err := newSink(b.seed*2+uint64(i), m)
		if err != nil {
			closeAll()
			return nil, nil, err
		}
		sinks = append(sinks, k)
	}
	return sinks, closeAll, nil
}

// conclude prints the table, and says whether a promise was broken.
func (v *verdicts) conclude(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "DIED AT\tENGINE\tRUNS\tCRASHES\tCHANGES\tDELIVERIES\tCAME AGAIN\tLOST\tDOUBLED\tFSCK\tVERDICT")
	for _, row := range v.order {
		a := v.tallies[row]
		verdict := "kept"
		if a.broken {
			verdict = "BROKEN"
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%s\n", row, a.runs, a.crashes, a.told, a.deliveries, a.again, a.lost, a.doubled,
			a.violations, verdict)
	}
	_ = w.Flush()
	errs := v.errs
	for _, point := range failpoint.Points() {
		if v.died[point] == 0 {
			errs = append(errs, fmt.Errorf("no process ever died at %s", point))
		}
	}
	return errors.Join(errs...)
}
