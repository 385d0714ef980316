// Package grpc serves BlueprintService, by which other programs fetch pages and learn,
// test and repair blueprints: over gRPC, gRPC-Web, and as JSON over plain HTTP (the
// Connect protocol), all on one address.
//
// It does no reading and no asking itself: it says who may call, checks and bounds what
// is sent, and puts what its backend answers into messages. What the calls find is kept
// nowhere.
package grpc

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"connectrpc.com/connect"

	"curlew/internal/curlew"
	"curlew/internal/door/grpc/blueprintv1"
	"curlew/internal/door/throttle"
	"curlew/internal/extract"
	"curlew/internal/learn/induce"
	"curlew/internal/read/blueprint"
	"curlew/internal/web/fetch"
	"curlew/internal/work/onboard"
)

//go:generate ./generate.sh

// Caller is who calls. There is no way to anything kept but through its org.
type Caller struct {
	Org     curlew.OrgID
	Subject string                                                   // whose rate limit it is
	May     bool                                                     // learn and change blueprints
	Record  func(ctx context.Context, operation, thing string) error // writes down what was done; may be nil
}

// Gate tells who calls. A request without credentials, or with wrong ones, is a fault
// with the code unauthenticated.
type Gate interface {
	Caller(r *http.Request) (Caller, error)
}

// House opens what works for the org of a caller.
type House interface {
	Open(who Caller) Backend
}

// Backend does the work of the calls. All of its faults are told to the caller.
type Backend interface {
	// Fetch asks for a page; with render only by a browser. Every answer of a server is a
	// result.
	Fetch(ctx context.Context, address string, render bool) (*fetch.Capture, error)
	Generate(ctx context.Context, t GenerateTask) (Generated, error)
	Test(ctx context.Context, t TestTask) (Tested, error)
	Repair(ctx context.Context, t RepairTask) (Repaired, error)
}

// Page is a page at an address, or the page itself.
type Page struct {
	URL  string
	HTML string // "" means that the address is asked
}

// Rules are a blueprint, or name one that is kept.
type Rules struct {
	Blueprint *blueprint.Blueprint
	ID        curlew.BlueprintID
}

// Known is a record of which values are known, as texts by field.
type Known map[string][]string

// GenerateTask says what is to be learned.
type GenerateTask struct {
	Page         Page
	Schema       curlew.SchemaName // "" finds out
	Type         curlew.PageType   // "" takes either
	Known        []Known
	Instructions string
	Zone         *time.Location // nil when nobody said
}

// Generated is what was learned: the trial that won, and all of them.
type Generated struct {
	Best   onboard.Trial
	How    string
	Trials []onboard.Trial
	Proof  *induce.Proof // where values were known
}

// TestTask says what is to be tested.
type TestTask struct {
	Page   Page // without an address and a text, the page that the kept blueprint is for
	Rules  Rules
	Schema curlew.SchemaName // that the blueprint must have; "" for any
	Zone   *time.Location
	Follow int // own pages of records to read
}

// Tested is what a blueprint gave.
type Tested struct {
	URL     string
	Applied extract.Applied
	Trial   onboard.Trial   // the judgement on the whole records
	Faults  []*curlew.Fault // of what could not be read
}

// RepairTask says what is to be repaired.
type RepairTask struct {
	Page  Page
	Rules Rules
	Known []Known // none: what the watch of a kept blueprint has seen
	Zone  *time.Location
}

// Repaired is a new blueprint, or why there is none.
type Repaired struct {
	Blueprint *blueprint.Blueprint // nil when there is none
	Kept      bool                 // the old one does as well
	URL       string
	How       string
	Changes   []string
	Reasons   []string
	Proof     induce.Proof
	Report    curlew.HealReport // of repairing by what a watch has seen
	Readings  []extract.ReadRecord
}

// Options set up the service.
type Options struct {
	Gate  Gate
	House House
	Rate  throttle.Rate
	Now   func() time.Time
	Log   *slog.Logger
	Most  time.Duration // the longest that a call may take; 0 means two minutes
}

// longestCall is enough for a page, its doors and a handful of own pages at the pace of
// one request a second.
const longestCall = 2 * time.Minute

// mostMessage bounds a request, unpacked. It is what gRPC clients take by default, so
// that answers stay below it as well.
const mostMessage = 4 << 20

// service is the BlueprintService of one process.
type service struct {
	Options
	calls, failures *throttle.Limiter
	seats           *seats
	origin          *http.CrossOriginProtection
	errors          *connect.ErrorWriter
}

// Serve adds the service to a mux.
func Serve(o Options) func(*http.ServeMux) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Most == 0 {
		o.Most = longestCall
	}
	options := []connect.HandlerOption{connect.WithReadMaxBytes(mostMessage)}
	s := &service{Options: o, calls: throttle.New(o.Rate, o.Now), failures: throttle.New(failureRate, o.Now), seats: newSeats(),
		origin: http.NewCrossOriginProtection(), errors: connect.NewErrorWriter(options...)}
	path, handler := blueprintv1.NewBlueprintServiceHandler(s, options...)
	return func(mux *http.ServeMux) {
		mux.Handle(path, s.entered(handler))
		for path, handler := range reflections() {
			mux.Handle(path, s.entered(handler))
		}
	}
}
