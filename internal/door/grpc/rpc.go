// Package grpc serves BlueprintService, by which other programs fetch pages and learn,
// test and repair blueprints, CandidateService, by which they add sites, and KindService,
// by which they define kinds of things: over gRPC, gRPC-Web, and as JSON over plain HTTP (the Connect protocol), all on one address.
//
// It reads and fetches nothing itself: it checks who may call, bounds what is sent, makes
// commands of it, and puts what the use cases answer into messages.
package grpc

import (
	"log/slog"
	"net/http"
	"time"

	"connectrpc.com/connect"
	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/app/throttle"
	"github.com/curlew-data/curlew/internal/door/grpc/blueprintv1"
	"github.com/curlew-data/curlew/internal/door/grpc/candidatev1"
	"github.com/curlew-data/curlew/internal/door/grpc/kindv1"
	"github.com/curlew-data/curlew/internal/door/middleware"
)

//go:generate ./generate.sh

// Options set up the service.
type Options struct {
	App  *app.App
	Rate throttle.Rate
	Now  func() time.Time
	Log  *slog.Logger
	Most time.Duration // the longest that a call may take; 0 means two minutes

	// Authenticate tells who calls; nil asks the accounts. A request without credentials, or with
	// wrong ones, is a fault with the code unauthenticated.
	Authenticate func(*http.Request) (auth.Identity, error)
}

// longestCall is enough for a page, its doors and a handful of detail pages at the pace of
// one request a second.
const longestCall = 2 * time.Minute

// mostMessage bounds a request, unpacked. It is what gRPC clients take by default, so
// that answers stay below it as well.
const mostMessage = 4 << 20

// service is the BlueprintService of one process.
type service struct {
	Options
	access *middleware.Access
	limit  *middleware.ConcurrencyLimit
	errors *connect.ErrorWriter
}

// Serve adds the service to a mux.
func Serve(o Options) func(*http.ServeMux) {
	s := newService(o)
	return func(mux *http.ServeMux) {
		options := []connect.HandlerOption{readLimit, connect.WithCodec(strictJSON{}),
			connect.WithInterceptors(connect.UnaryInterceptorFunc(s.refuseMistakes))}
		path, handler := blueprintv1.NewBlueprintServiceHandler(s, options...)
		mux.Handle(path, s.entered(auth.EditBlueprints, handler))
		path, handler = candidatev1.NewCandidateServiceHandler(candidates{s}, options...)
		mux.Handle(path, s.entered(auth.EditCandidates, handler))
		path, handler = kindv1.NewKindServiceHandler(kinds{s}, options...)
		mux.Handle(path, s.entered(auth.EditBlueprints, handler))
		for path, handler := range reflections() {
			mux.Handle(path, s.entered(auth.EditBlueprints, handler))
		}
	}
}

var readLimit = connect.WithReadMaxBytes(mostMessage)

func newService(o Options) *service {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Most == 0 {
		o.Most = longestCall
	}
	who := middleware.Authentication{Authenticate: o.Authenticate}
	if o.Authenticate == nil {
		who = middleware.Authentication{Authenticate: o.App.Accounts.Authenticate, Suspects: o.App.Accounts.Suspects}
		o.Authenticate = who.Authenticate
	}
	return &service{Options: o, access: middleware.NewAccess("grpc", o.Rate, o.Now, who), limit: middleware.NewConcurrencyLimit(),
		errors: connect.NewErrorWriter(readLimit)}
}
