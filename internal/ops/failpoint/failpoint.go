// Package failpoint lets a test kill the process at a named moment, as a power cut
// would: nothing is flushed, closed or told. Unless the environment names the moment,
// it does nothing.
package failpoint

import (
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
)

// Variable arms a point: "outbox.after_send:3" kills the process when it passes that
// point for the third time.
const Variable = "CURLEW_FAILPOINT"

// The points, in the order of a change's life.
const (
	TickInside    = "tick.inside"        // runs are being started
	TickAfter     = "tick.after"         // they are started
	FetchAfter    = "watch.after_fetch"  // a page is archived, nobody has noted it
	StepAfter     = "watch.after_step"   // it is noted
	PublishBefore = "publish.before"     // decided, nothing written
	PublishInside = "publish.inside"     // entities written, changes not
	PublishTold   = "publish.told"       // all written, not committed
	PublishAfter  = "publish.after"      // committed
	SendBefore    = "outbox.before_send" // about to send
	SendAfter     = "outbox.after_send"  // sent, not noted
	SendNoted     = "outbox.noted"       // noted, not committed
	SendCommitted = "outbox.committed"   // committed
	MoveMarked    = "move.marked"        // an org is to be moved
	MovePaused    = "move.paused"        // its jobs are not claimed any more
	MoveFrozen    = "move.frozen"        // its rows cannot be changed
	MoveCopying   = "move.copying"       // a table is copied, nothing is committed
	MoveCopied    = "move.copied"        // all is copied
	MoveSwitched  = "move.switched"      // the directory names the other database
	MoveResumed   = "move.resumed"       // its jobs are claimed there
	MoveErasing   = "move.erasing"       // a table is emptied of its old rows
	MoveErased    = "move.erased"        // all old rows are gone
	UseCaseRows   = "app.after_rows"     // what a person changed is written, its audit line is not
)

// Points lists those of a change's life.
func Points() []string {
	return []string{TickInside, TickAfter, FetchAfter, StepAfter, PublishBefore, PublishInside, PublishTold, PublishAfter,
		SendBefore, SendAfter, SendNoted, SendCommitted}
}

// MovePoints lists those of an org that is moved, in order.
func MovePoints() []string {
	return []string{MoveMarked, MovePaused, MoveFrozen, MoveCopying, MoveCopied, MoveSwitched, MoveResumed, MoveErasing, MoveErased}
}

var (
	armed  string
	passes int64
	count  atomic.Int64
)

func init() {
	name, times, _ := strings.Cut(os.Getenv(Variable), ":")
	armed, passes = name, 1
	if n, err := strconv.ParseInt(times, 10, 64); err == nil && n > 0 {
		passes = n
	}
}

// Here is a moment at which the process may die.
func Here(name string) {
	if armed == "" || armed != name || count.Add(1) != passes {
		return
	}
	_ = syscall.Kill(syscall.Getpid(), syscall.SIGKILL)
	select {} // until the signal arrives
}
