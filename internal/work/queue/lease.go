package queue

import (
	"context"
	"database/sql"
	"errors"
	"sync/atomic"

	"github.com/curlew-data/curlew/internal/data/database"
)

// Lease is a claimed job in the hands of its handler.
type Lease struct {
	Job
	queue    *Queue
	who      string
	draining <-chan struct{}

	completing atomic.Bool // between Complete's first and last moment
	completed  bool
}

// Draining is closed when the worker wants to end: a handler that can stop at a
// good place should do so now.
func (l *Lease) Draining() <-chan struct{} { return l.draining }

// Drained says whether Draining is closed.
func (l *Lease) Drained() bool {
	select {
	case <-l.draining:
		return true
	default:
		return false
	}
}

// Commit runs fn in a transaction that commits only while the lease holds: a
// worker that lost it cannot write, whatever it believes.
func (l *Lease) Commit(ctx context.Context, fn func(*database.Tx) error) error {
	return l.queue.db.Write(ctx, func(tx *database.Tx) error {
		if err := l.check(ctx, tx); err != nil {
			return err
		}
		return fn(tx)
	})
}

// Complete is Commit that also ends the job as succeeded, in one transaction:
// its effect and its end are one.
func (l *Lease) Complete(ctx context.Context, fn func(*database.Tx) error) error {
	l.completing.Store(true)
	defer l.completing.Store(false)
	err := l.Commit(ctx, func(tx *database.Tx) error {
		if err := fn(tx); err != nil {
			return err
		}
		return finish(ctx, tx, l.Job, l.who, ending{to: Succeeded})
	})
	l.completed = err == nil
	return err
}

// check locks the job's row, so that nobody takes the job over before the
// transaction ends, and looks at fence and clock.
func (l *Lease) check(ctx context.Context, tx *database.Tx) error {
	var one int
	err := tx.QueryRow(ctx, `SELECT 1 FROM jobs WHERE id = ? AND fence = ? AND state = 'running'
		AND lease_until > {clock} {for_update}`, l.ID, l.Fence).Scan(&one)
	if errors.Is(err, sql.ErrNoRows) {
		return ErrLeaseLost
	}
	return err
}
