package setup

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/ops/failpoint"
)

// Moved is what became of an org that was to be moved.
type Moved struct {
	Org       curlew.OrgID `json:"org"`
	From      string       `json:"from"`
	To        string       `json:"to"`
	Rows      int64        `json:"rows"` // that were copied now: 0 where an earlier attempt did it
	TakenBack bool         `json:"taken_back,omitempty"`
}

// MoveOptions say how an org is moved. The times are for tests to shorten.
type MoveOptions struct {
	Began func(store.Place) curlew.AuditEntry // what the audit log says of a move that nobody began before
	Wait  time.Duration                       // for its jobs to end; 0 means 3 minutes
	Grace time.Duration                       // after the switch, before the old rows go; 0 means FollowsWithin and as much again
}

// FollowsWithin is how long a process that works on an org may take to learn that it has moved.
const FollowsWithin = 5 * time.Second

// move is an org on its way from one database to another. What it does can end at any moment and be done again: which steps are
// left is in the directory, which one statement switches. Until then the org lives where it was.
type move struct {
	MoveOptions
	home  *Installation
	place store.Place
}

// MoveOrg moves an org to another shard, or finishes that where it was interrupted. To name the shard on which it still is takes
// an unfinished move back.
func (i *Installation) MoveOrg(ctx context.Context, org curlew.OrgID, to string, o MoveOptions) (done Moved, err error) {
	if o.Wait == 0 {
		o.Wait = 3 * time.Minute
	}
	if o.Grace == 0 {
		o.Grace = 2 * FollowsWithin
	}
	if err := i.Home.movable(org); err != nil {
		return done, err
	}
	release, err := i.Home.Store.Moving(ctx, org)
	if err != nil {
		return done, err
	}
	defer release()
	m := move{MoveOptions: o, home: i.Home}
	if m.place, err = m.home.Store.Place(ctx, org); err != nil {
		return done, err
	}
	done = Moved{Org: org, From: cmp.Or(m.place.Leaving, m.place.Shard), To: to}
	switch p := m.place; {
	case p.Leaving != "" && p.Shard == to: // only the end is left
	case p.MovingTo != "" && p.Shard == to:
		done.From, done.TakenBack = p.MovingTo, true
		err = m.relocate(ctx, store.Place{Org: org, Shard: p.Shard, Leaving: p.MovingTo})
	case p.Shard == to:
		return done, curlew.Permanent("there_already", "the org %q is on the shard %s already", org, to)
	case p.Leaving != "" || p.MovingTo != "" && p.MovingTo != to:
		return done, curlew.Permanent("moved_elsewhere", "the org %q is being moved to the shard %s: finish that first, with "+
			"\"curlew orgs move %[1]s --to %[2]s\"", org, cmp.Or(p.MovingTo, p.Shard))
	default:
		done.Rows, err = m.bring(ctx, to)
	}
	if err != nil {
		return done, err
	}
	return done, m.finish(ctx)
}

// movable says why an org can never be moved.
func (i *Installation) movable(org curlew.OrgID) error {
	if org == curlew.SystemOrg {
		return curlew.Permanent("not_movable", "the org %q is the upkeep of each database and stays there", org)
	}
	if i.Config.SQLitePath() != "" {
		return curlew.Permanent("not_movable", "orgs are moved between Postgres databases, and this installation is on SQLite: move it to "+
			"Postgres first (docs/operations.md)")
	}
	return nil
}

// relocate notes how far it is.
func (m *move) relocate(ctx context.Context, now store.Place, entries ...curlew.AuditEntry) error {
	if err := m.home.Store.Relocate(ctx, m.place, now, entries...); err != nil {
		return err
	}
	m.place = now
	return nil
}

// bring copies the org to the other database and lets the directory name that.
func (m *move) bring(ctx context.Context, shard string) (rows int64, err error) {
	org := m.place.Org
	from, err := m.home.On(ctx, m.place.Shard)
	if err != nil {
		return 0, err
	}
	to, err := m.home.On(ctx, shard)
	if err != nil {
		return 0, err
	}
	if m.place.Settled() {
		var noted []curlew.AuditEntry
		if m.Began != nil {
			noted = append(noted, m.Began(m.place))
		}
		if err := m.relocate(ctx, store.Place{Org: org, Shard: from.Shard, MovingTo: shard}, noted...); err != nil {
			return 0, err
		}
	}
	failpoint.Here(failpoint.MoveMarked)
	if err := from.Queue.PauseOrg(ctx, org); err != nil {
		return 0, err
	}
	failpoint.Here(failpoint.MovePaused)
	if err := m.freeze(ctx, from); err != nil {
		return 0, err
	}
	failpoint.Here(failpoint.MoveFrozen)
	known, err := m.home.Store.Org(org).Orgs().Get(ctx)
	if err != nil {
		return 0, err
	}
	if err := errors.Join(to.Queue.PauseOrg(ctx, org), to.Store.Arrive(ctx, known)); err != nil {
		return 0, err
	}
	if rows, err = from.Store.CopyTo(ctx, org, to.Store); err != nil {
		return 0, err
	}
	failpoint.Here(failpoint.MoveCopied)
	return rows, m.relocate(ctx, store.Place{Org: org, Shard: to.Shard, Leaving: from.Shard})
}

// errBusy says that a job runs.
var errBusy = curlew.Temporary("org_busy", "a job of the org is still running: try again, or undo the move")

// freeze waits until no job of the org runs, whose worker may have died, and keeps its rows from being changed.
func (m *move) freeze(ctx context.Context, from *Installation) error {
	org := m.place.Org
	idle := func(ctx context.Context) error {
		n, err := from.Queue.RunningOf(ctx, org)
		if err == nil && n > 0 {
			err = errBusy
		}
		return err
	}
	for end := time.Now().Add(m.Wait); ; {
		if _, err := from.Queue.Rescue(ctx, ProcessName(), from.WorkerOptions().Policy); err != nil {
			return err
		}
		err := idle(ctx)
		if err == nil {
			err = from.Store.Freeze(ctx, org, idle)
		}
		if !errors.Is(err, errBusy) || time.Now().After(end) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// finish lets the org work where it is now, and removes its old rows once all processes know.
func (m *move) finish(ctx context.Context) error {
	org := m.place.Org
	here, err := m.home.On(ctx, m.place.Shard)
	if err != nil {
		return err
	}
	failpoint.Here(failpoint.MoveSwitched)
	if here != m.home { // which knows it as the directory
		if err := here.Store.Settle(ctx, org); err != nil {
			return err
		}
	}
	if err := errors.Join(here.Store.Thaw(ctx, org), here.Queue.ResumeOrg(ctx, org)); err != nil {
		return err
	}
	failpoint.Here(failpoint.MoveResumed)
	if m.home.Config.HasShard(m.place.Leaving) { // else its database is gone for good
		if err := m.clear(ctx); err != nil {
			return err
		}
	}
	return m.relocate(ctx, store.Place{Org: org, Shard: here.Shard})
}

// clear removes the rows of the org where it was.
func (m *move) clear(ctx context.Context) error {
	org := m.place.Org
	old, err := m.home.On(ctx, m.place.Leaving)
	if err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(m.Grace):
	}
	if old != m.home { // which knows it as the directory
		if err := old.Store.Left(ctx, org, m.place.Shard); err != nil {
			return err
		}
	}
	if err := old.Store.EraseMoved(ctx, org); err != nil {
		return err
	}
	failpoint.Here(failpoint.MoveErased)
	return errors.Join(old.Store.Thaw(ctx, org), old.Queue.ResumeOrg(ctx, org))
}
