// Package guard keeps a panic from ending the process: it stands around every reader of
// what strangers wrote (pages, feeds, sitemaps, expressions) and around requests. A panic
// is logged, counted and becomes a fault. Files whose readers may also run out of memory
// or time are read in a bounded child process.
package guard

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"sync/atomic"

	"github.com/curlew-data/curlew/internal/curlew"
)

// ErrReaderFailed is the code of a page that made a reader panic.
const ErrReaderFailed curlew.Code = "reader_failed"

// ErrEnough is what a reader panics with that has no other way to end once it has read as much
// as is wanted: Read returns it, and nothing is counted.
var ErrEnough = errors.New("as much was read as is wanted")

// Stage names what reads.
type Stage string

// The stages.
const (
	Extract     Stage = "extract"
	Apply       Stage = "apply"
	Onboard     Stage = "onboard"
	Heal        Stage = "heal"
	Teach       Stage = "teach"
	Links       Stage = "links" // also of sitemaps
	Feasibility Stage = "feasibility"
	Robots      Stage = "robots"
	Trafilatura Stage = "trafilatura"
	Markdown    Stage = "markdown"
	XPath       Stage = "xpath"
	File        Stage = "file"  // such as PDF, in a child process
	Fetch       Stage = "fetch" // from the address to the charset
	Body        Stage = "body"  // its content encodings
	Picture     Stage = "picture"
	List        Stage = "list" // of sites, that somebody brings along
	Blueprint   Stage = "blueprint"
	RPC         Stage = "rpc"
	Request     Stage = "request" // of HTTP
)

type panics struct {
	count atomic.Int64
	page  atomic.Value // of the last one
}

var counted = map[Stage]*panics{Extract: {}, Apply: {}, Onboard: {}, Heal: {}, Teach: {}, Links: {}, Feasibility: {}, Robots: {},
	Trafilatura: {}, Markdown: {}, XPath: {}, File: {}, Fetch: {}, Body: {}, Picture: {}, List: {}, Blueprint: {}, RPC: {}, Request: {}}

// broughtAlong is what a stage reads that is no page.
var broughtAlong = map[Stage]string{List: "list", Blueprint: "blueprint", Picture: "picture"}

// panicReport is what is known of a panic.
type panicReport struct {
	Stage Stage  `json:"stage"`
	Page  string `json:"page"`
	Panic string `json:"panic"`
	Stack string `json:"stack"`
}

// report counts a panic and logs it, unless it follows one of its stage on the same page: a rule
// that panics does so for each record. A child process tells its parent instead.
var report = func(p panicReport) {
	at := counted[p.Stage]
	at.count.Add(1)
	if at.page.Swap(p.Page) != any(p.Page) {
		slog.Error("a panic was caught", "stage", p.Stage, "page", p.Page, "panic", p.Panic, "stack", p.Stack)
	}
}

// Read runs a reader. Its panic becomes a fault; it is counted, and its stack logged with the
// page: the reference of its archived copy, or its address where it has none.
func Read(stage Stage, page string, read func() error) (err error) {
	return around(stage, func() string { return page }, read)
}

func around(stage Stage, page func() string, read func() error) (err error) {
	defer func() {
		switch failure := recover(); {
		case failure == nil:
		case failure == ErrEnough:
			err = ErrEnough
		case failure == http.ErrAbortHandler && stage == Request:
			panic(failure) // it ends the connection, which is for the server to do
		default:
			report(panicReport{stage, page(), fmt.Sprint(failure), string(debug.Stack())})
			err = faultOf(stage, fmt.Errorf("panic: %v", failure))
		}
	}()
	return read()
}

// faultOf is what is told of a panic. That of a request is a mistake of ours, whatever was read.
func faultOf(stage Stage, cause error) error {
	if stage == Request {
		return cause
	}
	return curlew.Permanent(ErrReaderFailed, "the %[1]s made a reader fail: please report it with the %[1]s",
		cmp.Or(broughtAlong[stage], "page")).Because(cause)
}

// Handle answers a request of HTTP. A panic becomes an unexpected error; it is counted, and its
// stack logged with the name of the request, which may only be known then. http.ErrAbortHandler goes on.
func Handle(name func() string, answer func() error) error { return around(Request, name, answer) }

// taken is the page that a call took in last.
type taken struct{ page atomic.Value }

type takenKey struct{}

// Call is Read of work that takes in pages as it goes on, such as that of a request: a panic is
// logged with the page that Takes named last, and with the name of the call where there was none.
func Call(ctx context.Context, stage Stage, name string, do func(ctx context.Context) error) error {
	pages := &taken{}
	ctx = context.WithValue(ctx, takenKey{}, pages)
	return around(stage, func() string {
		page, _ := pages.page.Load().(string)
		return cmp.Or(page, name)
	}, func() error { return do(ctx) })
}

// Takes says which page a call reads from here on, by its reference or address.
func Takes(ctx context.Context, page string) {
	if pages, ok := ctx.Value(takenKey{}).(*taken); ok {
		pages.page.Store(page)
	}
}

// Panics are how many panics there were in this process, by stage.
func Panics() map[Stage]int64 {
	all := map[Stage]int64{}
	for stage, p := range counted {
		all[stage] = p.count.Load()
	}
	return all
}
