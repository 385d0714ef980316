// Package instrument is how packages tell what happens in them to whoever counts it and
// follows it: figures once a thing is certain, spans while it goes on.
//
// It does nothing by itself and knows no library of that trade. What listens is carried
// by the context, because it has to reach every stage of a run and of a request, and
// none of them depends on it: without a listener each call costs a read of the
// context and no allocation.
package instrument

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// Counter is told what has happened. Count must be quick and safe for concurrent use.
type Counter interface {
	Count(h Happening)
}

// Tracer follows runs through their stages.
type Tracer interface {
	// Begin begins a span; what happens under the returned context belongs to it.
	Begin(ctx context.Context, s Start) (context.Context, Follower)
	// Traceparent is the W3C header that lets a receiver join the trace; "" for none.
	Traceparent(ctx context.Context) string
}

// Follower is a span that has begun.
type Follower interface {
	Note(attrs []slog.Attr)
	End(fault *curlew.Fault)
}

// Start is where a span belongs. A run has one trace, whose id follows from the run's,
// and spans that others have to find have names there: so nothing needs to be kept for
// slices, processes and deliveries to find each other.
type Start struct {
	Name   string
	Run    curlew.RunID   // whose trace it is; "" means that of the span around it
	Known  string         // the name under which others find it; "" when nobody has to
	Under  string         // the known name of its parent; "" means the span around it
	Links  []curlew.RunID // further runs that it belongs to, by what they published
	Began  time.Time      // zero means now
	Client bool           // it asks somebody else
}

// The spans of a run that others find.
const (
	SpanRun     = "run"
	SpanPublish = "publish"
)

type listeners struct {
	counter Counter
	tracer  Tracer
}

type contextKey struct{}

// With lets those be told who are given, under the returned context; nil is nobody.
func With(ctx context.Context, c Counter, t Tracer) context.Context {
	return context.WithValue(ctx, contextKey{}, listeners{c, t})
}

func of(ctx context.Context) listeners {
	l, _ := ctx.Value(contextKey{}).(listeners)
	return l
}

// Tell counts what has happened. It is generic so that nothing is allocated where nobody
// listens.
func Tell[H Happening](ctx context.Context, h H) {
	if l := of(ctx); l.counter != nil {
		l.counter.Count(h)
	}
}

// Span is a stage under way. All of its methods may be called on nil, which is the span
// of those whom nobody follows.
type Span struct{ follower Follower }

// Begin begins a stage.
func Begin(ctx context.Context, s Start) (context.Context, *Span) {
	l := of(ctx)
	if l.tracer == nil {
		return ctx, nil
	}
	ctx, follower := l.tracer.Begin(ctx, s)
	return ctx, &Span{follower}
}

// Note adds what is known of the stage: hosts, outcomes and counts, never addresses with
// their queries, texts of pages, or anything about a person.
func (s *Span) Note(attrs ...slog.Attr) {
	if s != nil {
		s.follower.Note(slices.Clone(attrs)) // a copy, so that the caller's stays on its stack
	}
}

// End ends the stage, with the fault that it ended in.
func (s *Span) End(err error) {
	if s != nil {
		s.follower.End(curlew.AsFault(err))
	}
}

// Traceparent is the W3C header by which a receiver joins the trace of the stage around
// it; "" when nobody follows.
func Traceparent(ctx context.Context) string {
	l := of(ctx)
	if l.tracer == nil {
		return ""
	}
	return l.tracer.Traceparent(ctx)
}
