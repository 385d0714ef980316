// Package telemetry shows operators what a process does: figures in Prometheus's form,
// and traces of runs to an OpenTelemetry collector where one is configured.
//
// It listens; no other package knows these libraries. Its labels are bounded: closed sets
// and a limited number of hosts, never ids. It dials nothing itself: the way to the
// collector is given to it.
package telemetry

import (
	"net/http"
	"slices"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/ops/instrument"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Options set up the figures of a process.
type Options struct {
	Version string
	Now     Gauges
	Hosts   int      // that the domain label names; 0 names none
	Busiest []string // the hosts that are named before any other
}

// Metrics are the figures of one process.
type Metrics struct {
	registry *prometheus.Registry
	figures  []Figure
	hosts    *names
	codes    *names
	methods  *names

	attempts *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	crashes  *prometheus.CounterVec

	submitted *prometheus.CounterVec
	duration  *prometheus.HistogramVec
	processed *prometheus.CounterVec
	inserted  *prometheus.CounterVec
	deduped   *prometheus.CounterVec
	errors    *prometheus.CounterVec
	events    *prometheus.CounterVec
	records   prometheus.Counter

	fetches      *prometheus.CounterVec
	fetchBytes   *prometheus.CounterVec
	fetchSeconds *prometheus.HistogramVec
	waits        prometheus.Histogram

	deliveries      *prometheus.CounterVec
	deliverySeconds *prometheus.HistogramVec
	heals           *prometheus.CounterVec
	candidates      *prometheus.CounterVec
	tokens          *prometheus.CounterVec
	cost            *prometheus.CounterVec
	viewers         prometheus.Gauge
	serviceUp       *prometheus.GaugeVec
	serviceFailures *prometheus.CounterVec
	requests        *prometheus.HistogramVec
	spans           *prometheus.CounterVec
}

// New makes the figures of a process. Gauges are asked at each scrape.
func New(o Options) *Metrics {
	m := &Metrics{registry: prometheus.NewRegistry(), hosts: newNames(o.Hosts, o.Busiest), codes: newNames(mostCodes, nil),
		methods: newNames(mostMethods, nil)}
	m.defineRuns()
	m.defineReading()
	m.defineTelling()
	m.defineProcess(o.Version)
	m.defineReaderPanics()
	m.defineNow(o.Now)
	m.registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m.begin()
	return m
}

// The names that begin with crawler_ and scout_ are those of the monitoring plan that the
// product comes from, where a run is a job and a page an article.
func (m *Metrics) defineRuns() {
	m.submitted = m.counters("crawler_jobs_submitted_total",
		"Runs submitted, by mode (sequential or concurrent for crawls, else the kind of run) and priority.", "mode", "priority")
	m.duration = m.histograms("crawler_job_duration_seconds", "How long runs took from their first slice to their end, by kind and state.",
		[]float64{0.5, 2, 5, 15, 60, 300, 1800, 7200, 86400}, "kind", "state")
	m.processed = m.counters("crawler_articles_processed_total", "Pages that runs fetched, by host and adapter.", "domain",
		"extraction_method")
	m.inserted = m.counters("crawler_articles_inserted_total", "Pages of runs that were new or had changed, by host.", "domain")
	m.deduped = m.counters("crawler_articles_deduped_total", "Pages of runs that had not changed, by host.", "domain")
	m.errors = m.counters("crawler_extract_errors_total",
		"Pages that could not be fetched (by outcome) and failed runs (by fault), by host.", "domain", "error_type")
	m.events = m.counters("scout_monitor_events_total", "Changes published, by kind.", "event_type")
	m.records = m.counter("curlew_records_read_total", "Records of checks that were published.")
}

func (m *Metrics) defineReading() {
	m.fetches = m.counters("curlew_fetches_total", "Requests for pages, by adapter and outcome.", "adapter", "outcome")
	m.fetchBytes = m.counters("curlew_fetch_bytes_total", "Bytes of pages, decoded, by adapter.", "adapter")
	m.fetchSeconds = m.histograms("curlew_fetch_seconds", "How long answers took, by adapter.",
		[]float64{0.01, 0.05, 0.2, 0.5, 1, 2.5, 5, 10, 30}, "adapter")
	m.waits = m.histogram("curlew_politeness_wait_seconds", "How long requests waited for our turn with their host.",
		[]float64{0.01, 0.1, 0.5, 1, 2, 5, 10, 30})
	m.heals = m.counters("curlew_heals_total", "Attempts to heal sources, by result.", "result")
	m.candidates = m.counters("curlew_candidate_moves_total", "Moves of candidates, by the status that they led to.", "status")
	m.tokens = m.counters("curlew_model_tokens_total", "Tokens of language models, by purpose and direction.", "purpose", "direction")
	m.cost = m.counters("curlew_model_cost_dollars_total", "What language models cost by the configured prices, by purpose.", "purpose")
}

func (m *Metrics) defineTelling() {
	m.deliveries = m.counters("curlew_deliveries_total", "Attempts at deliveries, by channel and outcome: delivered, retry or dead.",
		"channel", "outcome")
	m.deliverySeconds = m.histograms("curlew_delivery_seconds", "How long receivers took, by channel.", []float64{0.01, 0.05, 0.2, 1, 5, 15},
		"channel")
	m.serviceUp = m.gauges("curlew_service_up", "1, or 0 while tries of a service of the configuration fail.", "service")
	m.serviceFailures = m.counters("curlew_service_failures_total", "Failed tries of services of the configuration.", "service")
	m.viewers = m.gauge("curlew_live_viewers", "Live connections of this process.")
	m.requests = m.histograms("curlew_http_request_seconds",
		"How long answers of this server took, by pattern of the route, method and class of status; live streams apart.",
		[]float64{0.005, 0.025, 0.1, 0.5, 2.5, 10}, "route", "method", "code")
	m.spans = m.counters("curlew_trace_spans_total", "Spans of traces, by what became of them: exported or lost.", "result")
}

func (m *Metrics) defineProcess(version string) {
	m.attempts = m.counters("curlew_job_attempts_total",
		"Attempts at jobs, the pieces of runs and upkeep, by kind and by the state that they led to.", "kind", "state")
	m.seconds = m.histograms("curlew_job_attempt_seconds", "How long attempts at jobs took.", prometheus.ExponentialBuckets(0.001, 4, 9),
		"kind")
	m.crashes = m.counters("curlew_job_crashes_total", "Attempts at jobs that ended in a panic, or had to be given up.", "kind")
	build := prometheus.NewGauge(prometheus.GaugeOpts{Name: "curlew_build_info", Help: "Always 1; the label is the version.",
		ConstLabels: prometheus.Labels{"version": version}})
	build.Set(1)
	m.add("gauge", "curlew_build_info", "Always 1; the label is the version.", []string{"version"}, build)
}

// Attempt counts one attempt at a job.
func (m *Metrics) Attempt(kind, state string, crash bool, took time.Duration) {
	m.attempts.WithLabelValues(kind, state).Inc()
	m.seconds.WithLabelValues(kind).Observe(took.Seconds())
	if crash {
		m.crashes.WithLabelValues(kind).Inc()
	}
}

// Count counts what has happened.
func (m *Metrics) Count(h instrument.Happening) {
	switch h := h.(type) {
	case instrument.RunSubmitted:
		m.submitted.WithLabelValues(h.Mode, priorityWord(h.Priority)).Inc()
	case instrument.RunEnded:
		m.runEnded(h)
	case instrument.PageAsked:
		m.pageAsked(h)
	case instrument.RecordsRead:
		m.records.Add(float64(h.N))
	case instrument.Fetched:
		m.fetched(h)
	case instrument.Changed:
		m.events.WithLabelValues(string(h.Kind)).Add(float64(h.N))
	case instrument.DeliveryTried:
		m.deliveries.WithLabelValues(string(h.Channel), h.Result).Inc()
		m.deliverySeconds.WithLabelValues(string(h.Channel)).Observe(h.Took.Seconds())
	case instrument.Healed:
		m.heals.WithLabelValues(string(h.Outcome)).Inc()
	case instrument.CandidateMoved:
		m.candidates.WithLabelValues(string(h.To)).Inc()
	case instrument.ModelAsked:
		m.tokens.WithLabelValues(string(h.Purpose), "input").Add(float64(h.InputTokens))
		m.tokens.WithLabelValues(string(h.Purpose), "output").Add(float64(h.OutputTokens))
		m.cost.WithLabelValues(string(h.Purpose)).Add(float64(h.CostMicros) / 1e6)
	case instrument.ServiceTried:
		m.serviceTried(h)
	case instrument.Viewing:
		m.viewers.Add(float64(h.By))
	}
}

func (m *Metrics) serviceTried(h instrument.ServiceTried) {
	if h.Works {
		m.serviceUp.WithLabelValues(string(h.Service)).Set(1)
		return
	}
	m.serviceUp.WithLabelValues(string(h.Service)).Set(0)
	m.serviceFailures.WithLabelValues(string(h.Service)).Inc()
}

func (m *Metrics) runEnded(h instrument.RunEnded) {
	m.duration.WithLabelValues(string(h.Kind), string(h.State)).Observe(h.Took.Seconds())
	if h.Fault != nil {
		m.errors.WithLabelValues(m.hosts.of(h.Host), m.codes.of(string(h.Fault.Code))).Inc()
	}
}

func (m *Metrics) pageAsked(h instrument.PageAsked) {
	domain := m.hosts.of(h.Host)
	m.processed.WithLabelValues(domain, m.methods.of(h.Method)).Inc()
	switch h.Outcome {
	case curlew.OutcomeFetched:
		m.inserted.WithLabelValues(domain).Inc()
	case curlew.OutcomeNotModified:
		m.deduped.WithLabelValues(domain).Inc()
	default:
		m.errors.WithLabelValues(domain, "page_"+string(h.Outcome)).Inc()
	}
}

func (m *Metrics) fetched(h instrument.Fetched) {
	adapter := string(h.Adapter)
	if adapter == "" {
		m.fetches.WithLabelValues("none", string(h.Outcome)).Inc()
		return
	}
	m.fetches.WithLabelValues(adapter, string(h.Outcome)).Inc()
	m.fetchBytes.WithLabelValues(adapter).Add(float64(h.Bytes))
	m.fetchSeconds.WithLabelValues(adapter).Observe(h.Took.Seconds())
	m.waits.Observe(h.Waited.Seconds())
}

func priorityWord(p curlew.Priority) string {
	switch p {
	case curlew.PriorityHigh:
		return "high"
	case curlew.PriorityLow:
		return "low"
	}
	return "normal"
}

// begin shows the closed sets from the start: a counter that appears with its first
// event has no rise that a monitor could see.
func (m *Metrics) begin() {
	for _, mode := range []string{"sequential", "concurrent", string(curlew.RunWatch), string(curlew.RunOnboard), string(curlew.RunHeal)} {
		m.submitted.WithLabelValues(mode, "normal")
	}
	for _, kind := range []curlew.RunKind{curlew.RunWatch, curlew.RunCrawl, curlew.RunOnboard, curlew.RunHeal} {
		m.duration.WithLabelValues(string(kind), string(curlew.RunSucceeded))
		m.duration.WithLabelValues(string(kind), string(curlew.RunFailed))
	}
	m.processed.WithLabelValues(other, "links")
	m.inserted.WithLabelValues(other)
	m.deduped.WithLabelValues(other)
	m.errors.WithLabelValues(other, "page_failed")
	for _, kind := range curlew.ChangeKinds() {
		m.events.WithLabelValues(string(kind))
	}
	for _, outcome := range []string{string(curlew.OutcomeFetched), string(curlew.OutcomeNotModified), string(curlew.OutcomeBlocked),
		string(curlew.OutcomeFailed)} {
		m.fetches.WithLabelValues(string(curlew.AdapterDirect), outcome)
	}
	for _, outcome := range []instrument.FetchOutcome{instrument.FetchRefused, instrument.FetchPostponed, instrument.FetchUnreachable} {
		m.fetches.WithLabelValues("none", string(outcome))
	}
	m.fetchBytes.WithLabelValues(string(curlew.AdapterDirect))
	m.fetchSeconds.WithLabelValues(string(curlew.AdapterDirect))
	for _, outcome := range []curlew.HealOutcome{curlew.HealDone, curlew.HealFailed, curlew.HealKept} {
		m.heals.WithLabelValues(string(outcome))
	}
	m.candidates.WithLabelValues(string(curlew.CandidateDeployed))
	for _, purpose := range []curlew.ModelPurpose{curlew.PurposeLearn, curlew.PurposeHeal} {
		m.tokens.WithLabelValues(string(purpose), "input")
		m.tokens.WithLabelValues(string(purpose), "output")
		m.cost.WithLabelValues(string(purpose))
	}
	for _, service := range []curlew.Service{curlew.ServiceMail, curlew.ServiceArchive, curlew.ServiceSignIn} {
		m.serviceUp.WithLabelValues(string(service)).Set(1)
		m.serviceFailures.WithLabelValues(string(service))
	}
	for _, channel := range curlew.Channels() {
		for _, outcome := range []string{"delivered", "retry", "dead"} {
			m.deliveries.WithLabelValues(string(channel), outcome)
		}
		m.deliverySeconds.WithLabelValues(string(channel))
	}
	m.requests.WithLabelValues("/metrics", http.MethodGet, "2xx")
	m.spans.WithLabelValues("exported")
	m.spans.WithLabelValues("lost")
	for _, kind := range []string{"slice", "deliver"} {
		m.attempts.WithLabelValues(kind, "succeeded")
		m.attempts.WithLabelValues(kind, "failed")
		m.seconds.WithLabelValues(kind)
		m.crashes.WithLabelValues(kind)
	}
}

// Handler serves the figures in Prometheus's text form.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{ErrorHandling: promhttp.ContinueOnError})
}

// Figures lists what is shown, by name; what the Go runtime and the process show by
// themselves is not among it.
func (m *Metrics) Figures() []Figure { return slices.Clone(m.figures) }
