// Package guard stands around every reader of what strangers wrote: pages, feeds,
// sitemaps, expressions. One of them must not end a run over thousands.
package guard

import (
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync/atomic"

	"github.com/curlew-data/curlew/internal/curlew"
)

// ErrReaderFailed is the code of a page that made a reader panic.
const ErrReaderFailed curlew.Code = "reader_failed"

// Stage names what reads.
type Stage string

// The stages.
const (
	Extract     Stage = "extract"
	Apply       Stage = "apply"
	Teach       Stage = "teach"
	Links       Stage = "links" // also of sitemaps
	Feasibility Stage = "feasibility"
	Robots      Stage = "robots"
	Trafilatura Stage = "trafilatura"
	Markdown    Stage = "markdown"
	XPath       Stage = "xpath"
	RPC         Stage = "rpc"
)

type panics struct {
	count atomic.Int64
	page  atomic.Value // of the last one
}

var counted = map[Stage]*panics{Extract: {}, Apply: {}, Teach: {}, Links: {}, Feasibility: {}, Robots: {},
	Trafilatura: {}, Markdown: {}, XPath: {}, RPC: {}}

// Read runs a reader. Its panic becomes a fault; it is counted, and its stack logged
// with the page: the reference of its archived copy, or its address where it has none.
// Further panics of the stage on the same page are only counted: a rule that panics
// does so for each record.
func Read(stage Stage, page string, read func() error) (err error) {
	defer func() {
		if failure := recover(); failure != nil {
			counted[stage].count.Add(1)
			if counted[stage].page.Swap(page) != any(page) {
				slog.Error("a reader panicked", "stage", stage, "page", page, "panic", fmt.Sprint(failure), "stack", string(debug.Stack()))
			}
			err = curlew.Permanent(ErrReaderFailed, "the page made a reader fail: please report it with the page").
				Because(fmt.Errorf("%v", failure))
		}
	}()
	return read()
}

// Panics are how many panics there were in this process, by stage.
func Panics() map[Stage]int64 {
	all := map[Stage]int64{}
	for stage, p := range counted {
		all[stage] = p.count.Load()
	}
	return all
}
