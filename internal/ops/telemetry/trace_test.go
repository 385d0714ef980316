package telemetry

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/curlew-data/curlew/internal/ops/instrument"
)

func TestTheLogSaysOnceThatTheCollectorIsAwayAndOnceThatItIsBack(t *testing.T) {
	var broken atomic.Bool
	broken.Store(true)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if broken.Load() {
			w.WriteHeader(http.StatusInternalServerError)
		}
	}))
	defer server.Close()
	var log bytes.Buffer
	m := New(Options{})
	tracer, err := NewTracer(t.Context(), TraceOptions{Endpoint: server.URL, Sample: 1, Way: server.Client(), Metrics: m, Log: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	send := func() {
		ctx := instrument.With(t.Context(), nil, tracer)
		_, span := instrument.Begin(ctx, instrument.Start{Name: "fetch"})
		span.End(nil)
		if err := tracer.provider.ForceFlush(ctx); err != nil {
			t.Error(err)
		}
	}
	send()
	send()
	broken.Store(false)
	send()
	send()
	tracer.Close(t.Context())
	if text := log.String(); strings.Count(text, "does not take them") != 1 || strings.Count(text, "takes them again") != 1 || strings.Count(text, "\n") != 2 {
		t.Errorf("the log says:\n%s", text)
	}
	if text := scrape(t, m); !strings.Contains(text, `curlew_trace_spans_total{result="lost"} 2`) || !strings.Contains(text, `curlew_trace_spans_total{result="exported"} 2`) {
		t.Error("the spans are not counted")
	}
}

func TestARunIsSampledWholeOrNotAtAll(t *testing.T) {
	tracer, err := NewTracer(t.Context(), TraceOptions{Endpoint: "http://127.0.0.1:1", Sample: 0, Way: http.DefaultClient, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	ctx := instrument.With(t.Context(), nil, tracer)
	slice, _ := instrument.Begin(ctx, instrument.Start{Name: "slice", Run: "run_1", Under: instrument.SpanRun})
	if parent := instrument.Traceparent(slice); !strings.HasPrefix(parent, "00-"+traceOf("run_1").String()+"-") || !strings.HasSuffix(parent, "-00") {
		t.Errorf("the header of a run that is not traced is %q", parent)
	}
	if parent := instrument.Traceparent(context.Background()); parent != "" {
		t.Errorf("without a tracer the header is %q", parent)
	}
}

// With nobody listening, a stage costs a look into the context and allocates nothing.
func BenchmarkAStageThatNobodyFollows(b *testing.B) {
	ctx := context.WithValue(context.WithValue(context.Background(), patternKey{}, 1), wantedKey{}, 2)
	b.ReportAllocs()
	for b.Loop() {
		ctx, span := instrument.Begin(ctx, instrument.Start{Name: "fetch"})
		instrument.Tell(ctx, instrument.Fetched{Outcome: "fetched", Bytes: 1})
		span.Note(slog.String("server.address", "example.org"), slog.Int("http.response.status_code", 200))
		span.End(nil)
	}
}
