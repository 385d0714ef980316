package fetch

import (
	"context"
	"sync"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// Alone are the Hosts of a process that shares them with nobody: a command that
// reads a page or two and has no database. It keeps the pace within the process.
type Alone struct {
	Now func() time.Time // nil means time.Now

	mu     sync.Mutex
	next   map[string]time.Time
	robots map[string]freshRobots
	spent  map[curlew.DayBudget]int64
}

type freshRobots struct {
	file  curlew.RobotsFile
	until time.Time
}

func (a *Alone) now() time.Time {
	if a.Now != nil {
		return a.Now()
	}
	return time.Now()
}

// ReserveHost takes the next turn to ask a host.
func (a *Alone) ReserveHost(_ context.Context, host string, gap, most time.Duration) (time.Duration, bool, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := a.now()
	turn := now
	if next := a.next[host]; next.After(now) {
		turn = next
	}
	wait := turn.Sub(now)
	if wait > most {
		return wait, false, nil
	}
	a.setNext(host, turn.Add(gap))
	return wait, true, nil
}

func (a *Alone) setNext(host string, at time.Time) {
	if a.next == nil {
		a.next = map[string]time.Time{}
	}
	a.next[host] = at
}

// RestHost lets a host alone for a while.
func (a *Alone) RestHost(_ context.Context, host string, d time.Duration, _ string) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if until := a.now().Add(d); until.After(a.next[host]) {
		a.setNext(host, until)
	}
	return nil
}

// Robots returns the robots.txt of an origin while it is fresh.
func (a *Alone) Robots(_ context.Context, origin string) (curlew.RobotsFile, bool, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	kept, found := a.robots[origin]
	return kept.file, found && a.now().Before(kept.until), nil
}

// KeepRobots keeps a robots.txt for a while.
func (a *Alone) KeepRobots(_ context.Context, file curlew.RobotsFile, keep time.Duration) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.robots == nil {
		a.robots = map[string]freshRobots{}
	}
	now := a.now()
	file.FetchedAt = now
	a.robots[file.Origin] = freshRobots{file, now.Add(keep)}
	return nil
}

// Spend counts requests against budgets, for as long as the process lives.
func (a *Alone) Spend(_ context.Context, _ curlew.OrgID, day string, n int64, budgets ...curlew.DayBudget) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.spent == nil {
		a.spent = map[curlew.DayBudget]int64{}
	}
	for _, b := range budgets {
		if b.Most > 0 && a.spent[b]+n > b.Most {
			return curlew.Refused(curlew.ErrOverBudget, "the budget of %d requests for %s is used: raise it, or wait for tomorrow", b.Most, day)
		}
	}
	for _, b := range budgets {
		a.spent[b] += n
	}
	return nil
}
