package api

import (
	"context"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Depth is how much work waits and runs, over all workers.
type Depth struct {
	Waiting, Scheduled, Running int64
	Oldest                      time.Duration
}

// Metrics are the figures of one process. The labels are closed sets: kinds of
// job and their outcomes, never hosts or ids.
type Metrics struct {
	registry *prometheus.Registry
	attempts *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	crashes  *prometheus.CounterVec
}

// NewMetrics makes the figures of a process of the given version. depth is asked
// at each scrape.
func NewMetrics(version string, depth func(context.Context) (Depth, error)) *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		attempts: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "curlew_job_attempts_total",
			Help: "Attempts at jobs by kind and by the state that they led to."}, []string{"kind", "state"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "curlew_job_attempt_seconds",
			Help: "How long attempts took.", Buckets: prometheus.ExponentialBuckets(0.001, 4, 9)}, []string{"kind"}),
		crashes: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "curlew_job_crashes_total",
			Help: "Attempts that ended in a panic, or had to be given up."}, []string{"kind"}),
	}
	build := prometheus.NewGauge(prometheus.GaugeOpts{Name: "curlew_build_info", Help: "Always 1; the label tells the version.",
		ConstLabels: prometheus.Labels{"version": version}})
	build.Set(1)
	m.registry.MustRegister(m.attempts, m.seconds, m.crashes, build, newDepthCollector(depth),
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// Observe counts one attempt at a job.
func (m *Metrics) Observe(kind, state string, crash bool, took time.Duration) {
	m.attempts.WithLabelValues(kind, state).Inc()
	m.seconds.WithLabelValues(kind).Observe(took.Seconds())
	if crash {
		m.crashes.WithLabelValues(kind).Inc()
	}
}

// Handler serves the figures in Prometheus's text form.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{ErrorHandling: promhttp.ContinueOnError})
}

// depthCollector reads the queue when somebody asks. Its two first names are
// those of the monitoring plan that the product comes from.
type depthCollector struct {
	depth                               func(context.Context) (Depth, error)
	waiting, running, scheduled, oldest *prometheus.Desc
}

func newDepthCollector(depth func(context.Context) (Depth, error)) *depthCollector {
	describe := func(name, help string) *prometheus.Desc { return prometheus.NewDesc(name, help, nil, nil) }
	return &depthCollector{depth: depth,
		waiting:   describe("crawler_queue_depth_gauge", "Jobs that are due and wait for a worker."),
		running:   describe("crawler_jobs_running_gauge", "Jobs that run at the moment, on all workers."),
		scheduled: describe("curlew_jobs_scheduled", "Jobs that wait for their time."),
		oldest:    describe("curlew_queue_oldest_seconds", "How long the oldest due job has been waiting."),
	}
}

// Describe lists the figures.
func (c *depthCollector) Describe(out chan<- *prometheus.Desc) {
	out <- c.waiting
	out <- c.running
	out <- c.scheduled
	out <- c.oldest
}

// Collect asks the queue. While the database is away there are no figures, which
// is what a monitor should see.
func (c *depthCollector) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), readyWithin)
	defer cancel()
	d, err := c.depth(ctx)
	if err != nil {
		return
	}
	gauge := func(desc *prometheus.Desc, v float64) {
		out <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, v)
	}
	gauge(c.waiting, float64(d.Waiting))
	gauge(c.running, float64(d.Running))
	gauge(c.scheduled, float64(d.Scheduled))
	gauge(c.oldest, d.Oldest.Seconds())
}
