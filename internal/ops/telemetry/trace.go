package telemetry

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/ops/instrument"
	"github.com/curlew-data/curlew/internal/text"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// TraceOptions set up traces.
type TraceOptions struct {
	Endpoint string            // of the collector, without /v1/traces
	Headers  map[string]string // for the collector
	Sample   float64           // the share of runs that are traced
	Way      *http.Client      // to the collector; it should give up after ExportTime
	Service  Process
	Metrics  *Metrics // counts the spans; may be nil
	Log      *slog.Logger
}

// Process is who sends traces.
type Process struct{ Version, Instance, Role string }

// How much waits for a collector, and for how long: when it is away or slow, what is new
// is dropped, and nobody waits.
const (
	queuedSpans = 4096
	exportEvery = 2 * time.Second
	exportMost  = 512
	retryTime   = 8 * time.Second
)

// ExportTime is how long the collector may take for what is sent to it at once.
const ExportTime = 10 * time.Second

// Tracer sends the traces of runs to a collector.
type Tracer struct {
	provider *sdk.TracerProvider
	tracer   trace.Tracer
}

// NewTracer makes a tracer. It does not wait for the collector.
func NewTracer(ctx context.Context, o TraceOptions) (*Tracer, error) {
	exporter, err := otlptrace.New(ctx, otlptracehttp.NewClient(
		otlptracehttp.WithEndpointURL(strings.TrimRight(o.Endpoint, "/")+"/v1/traces"), otlptracehttp.WithHeaders(o.Headers),
		otlptracehttp.WithHTTPClient(o.Way), otlptracehttp.WithTimeout(ExportTime),
		otlptracehttp.WithRetry(otlptracehttp.RetryConfig{Enabled: true, InitialInterval: time.Second, MaxInterval: retryTime / 2,
			MaxElapsedTime: retryTime})))
	if err != nil {
		return nil, err
	}
	about, err := describe(ctx, o.Service)
	if err != nil {
		return nil, err
	}
	provider := sdk.NewTracerProvider(
		sdk.WithBatcher(&patient{exporter: exporter, log: o.Log, metrics: o.Metrics}, sdk.WithMaxQueueSize(queuedSpans),
			sdk.WithMaxExportBatchSize(exportMost), sdk.WithBatchTimeout(exportEvery), sdk.WithExportTimeout(ExportTime)),
		sdk.WithSampler(sdk.TraceIDRatioBased(o.Sample)), // by the run's trace id: the same in every process
		sdk.WithIDGenerator(ids{}), sdk.WithResource(about))
	return &Tracer{provider: provider, tracer: provider.Tracer("curlew")}, nil
}

func describe(ctx context.Context, s Process) (*resource.Resource, error) {
	ours := resource.NewSchemaless(attribute.String("service.name", "curlew"), attribute.String("service.version", s.Version),
		attribute.String("service.instance.id", s.Instance), attribute.String("curlew.role", s.Role))
	operators, err := resource.New(ctx, resource.WithFromEnv()) // OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES
	if err != nil {
		const sentence = "OTEL_RESOURCE_ATTRIBUTES cannot be read; it must be a list such as deployment.environment.name=production"
		return nil, curlew.Permanent("bad_resource", sentence).Because(err)
	}
	return resource.Merge(ours, operators)
}

// Close sends what waits, if the collector takes it in time.
func (t *Tracer) Close(ctx context.Context) { _ = t.provider.Shutdown(ctx) }

// Begin begins a span.
func (t *Tracer) Begin(ctx context.Context, s instrument.Start) (context.Context, instrument.Follower) {
	if s.Run != "" {
		ctx = t.place(ctx, s)
	}
	options := []trace.SpanStartOption{trace.WithSpanKind(kindOf(s))}
	if !s.Began.IsZero() {
		options = append(options, trace.WithTimestamp(s.Began))
	}
	for _, run := range s.Links {
		options = append(options, trace.WithLinks(trace.Link{SpanContext: known(run, instrument.SpanPublish)}))
	}
	ctx, span := t.tracer.Start(ctx, s.Name, options...)
	if s.Known != "" {
		ctx = context.WithValue(ctx, wantedKey{}, nil) // its children have ids of their own
	}
	return ctx, follower{span}
}

func kindOf(s instrument.Start) trace.SpanKind {
	if s.Client {
		return trace.SpanKindClient
	}
	return trace.SpanKindInternal
}

// place puts a span into the trace of its run: under the parent that it names, or under
// the span around it where that is of the same run.
func (t *Tracer) place(ctx context.Context, s instrument.Start) context.Context {
	if s.Known != "" {
		ctx = context.WithValue(ctx, wantedKey{}, wanted{traceOf(s.Run), spanOf(s.Run, s.Known)})
	}
	switch {
	case s.Under != "":
		return trace.ContextWithRemoteSpanContext(ctx, known(s.Run, s.Under))
	case s.Known == instrument.SpanRun:
		return trace.ContextWithSpanContext(ctx, trace.SpanContext{}) // the root
	case trace.SpanContextFromContext(ctx).TraceID() != traceOf(s.Run):
		return trace.ContextWithRemoteSpanContext(ctx, known(s.Run, instrument.SpanRun))
	}
	return ctx
}

// traceOf is the id of a run's trace. It follows from the run's id, so that slices and
// deliveries on any process find it without keeping anything.
func traceOf(run curlew.RunID) (id trace.TraceID) {
	sum := sha256.Sum256([]byte("trace " + run))
	copy(id[:], sum[:])
	return id
}

func spanOf(run curlew.RunID, name string) (id trace.SpanID) {
	sum := sha256.Sum256([]byte("span " + name + " " + string(run)))
	copy(id[:], sum[:])
	return id
}

func known(run curlew.RunID, name string) trace.SpanContext {
	return trace.NewSpanContext(trace.SpanContextConfig{TraceID: traceOf(run), SpanID: spanOf(run, name), TraceFlags: trace.FlagsSampled,
		Remote: true})
}

// Traceparent is the header of the W3C's Trace Context.
func (t *Tracer) Traceparent(ctx context.Context) string {
	c := trace.SpanContextFromContext(ctx)
	if !c.IsValid() {
		return ""
	}
	return "00-" + c.TraceID().String() + "-" + c.SpanID().String() + "-" + (c.TraceFlags() & trace.FlagsSampled).String()
}

type wantedKey struct{}

// wanted are the ids that a span must have.
type wanted struct {
	trace trace.TraceID
	span  trace.SpanID
}

// ids are random, but for the spans that others have to find.
type ids struct{}

// NewIDs makes those of a span without parent.
func (ids) NewIDs(ctx context.Context) (trace.TraceID, trace.SpanID) {
	if w, ok := ctx.Value(wantedKey{}).(wanted); ok {
		return w.trace, w.span
	}
	var t trace.TraceID
	_, _ = rand.Read(t[:]) // it cannot fail
	return t, randomSpan()
}

// NewSpanID makes that of a span with a parent.
func (ids) NewSpanID(ctx context.Context, _ trace.TraceID) trace.SpanID {
	if w, ok := ctx.Value(wantedKey{}).(wanted); ok {
		return w.span
	}
	return randomSpan()
}

func randomSpan() (s trace.SpanID) {
	_, _ = rand.Read(s[:]) // it cannot fail
	return s
}

type follower struct{ span trace.Span }

// Note adds attributes.
func (f follower) Note(attrs []slog.Attr) {
	if !f.span.IsRecording() {
		return
	}
	all := make([]attribute.KeyValue, 0, len(attrs))
	for _, a := range attrs {
		switch a.Value.Kind() {
		case slog.KindInt64:
			all = append(all, attribute.Int64(a.Key, a.Value.Int64()))
		case slog.KindBool:
			all = append(all, attribute.Bool(a.Key, a.Value.Bool()))
		default:
			all = append(all, attribute.String(a.Key, strings.ToValidUTF8(a.Value.String(), "\uFFFD")))
		}
	}
	f.span.SetAttributes(all...)
}

// End ends the span. Of a fault it tells kind and code: its sentence may name an address.
func (f follower) End(fault *curlew.Fault) {
	if fault != nil {
		f.span.SetAttributes(attribute.String("error.type", string(fault.Code)), attribute.String("curlew.fault", string(fault.Kind)))
		f.span.SetStatus(codes.Error, string(fault.Code))
	}
	f.span.End()
}

// patient exports spans, and tells once when the collector goes away and once when it is
// back: traces are a courtesy, and a log full of lost courtesies helps nobody.
type patient struct {
	exporter sdk.SpanExporter
	log      *slog.Logger
	metrics  *Metrics
	away     bool // only touched by the one goroutine that exports
}

// ExportSpans sends spans. It never fails: what cannot be sent is lost.
func (p *patient) ExportSpans(ctx context.Context, spans []sdk.ReadOnlySpan) error {
	err := p.exporter.ExportSpans(ctx, spans)
	result := "exported"
	switch {
	case err != nil:
		result = "lost"
		if !p.away {
			p.log.Warn("the collector of traces does not take them; they are dropped until it does, and nothing waits for it", "error", brief(err))
		}
	case p.away:
		p.log.Info("the collector of traces takes them again")
	}
	p.away = err != nil
	if p.metrics != nil {
		p.metrics.spans.WithLabelValues(result).Add(float64(len(spans)))
	}
	return nil
}

// brief keeps the answer of a strange server out of the log.
func brief(err error) string {
	if errors.Is(err, context.DeadlineExceeded) {
		return "it took too long"
	}
	return text.CutBytes(strings.ToValidUTF8(err.Error(), ""), 200)
}

// Shutdown ends the exporter.
func (p *patient) Shutdown(ctx context.Context) error { return p.exporter.Shutdown(ctx) }
