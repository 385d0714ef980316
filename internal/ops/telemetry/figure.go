package telemetry

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/ops/guard"
	"github.com/prometheus/client_golang/prometheus"
)

// Figure describes one metric.
type Figure struct {
	Name, Type, Help string
	Labels           []string
}

func (m *Metrics) add(kind, name, help string, labels []string, c prometheus.Collector) {
	m.registry.MustRegister(c)
	m.note(kind, name, help, labels)
}

func (m *Metrics) note(kind, name, help string, labels []string) {
	m.figures = append(m.figures, Figure{Name: name, Type: kind, Help: help, Labels: labels})
	slices.SortFunc(m.figures, func(a, b Figure) int { return strings.Compare(a.Name, b.Name) })
}

func (m *Metrics) counters(name, help string, labels ...string) *prometheus.CounterVec {
	c := prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	m.add("counter", name, help, labels, c)
	return c
}

func (m *Metrics) counter(name, help string) prometheus.Counter {
	c := prometheus.NewCounter(prometheus.CounterOpts{Name: name, Help: help})
	m.add("counter", name, help, nil, c)
	return c
}

func (m *Metrics) gauge(name, help string) prometheus.Gauge {
	g := prometheus.NewGauge(prometheus.GaugeOpts{Name: name, Help: help})
	m.add("gauge", name, help, nil, g)
	return g
}

func (m *Metrics) gauges(name, help string, labels ...string) *prometheus.GaugeVec {
	g := prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: name, Help: help}, labels)
	m.add("gauge", name, help, labels, g)
	return g
}

func (m *Metrics) histograms(name, help string, buckets []float64, labels ...string) *prometheus.HistogramVec {
	h := prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: name, Help: help, Buckets: buckets}, labels)
	m.add("histogram", name, help, labels, h)
	return h
}

func (m *Metrics) histogram(name, help string, buckets []float64) prometheus.Histogram {
	h := prometheus.NewHistogram(prometheus.HistogramOpts{Name: name, Help: help, Buckets: buckets})
	m.add("histogram", name, help, nil, h)
	return h
}

// Gauges are what all processes of an installation share, and whether this one can work; they are read when somebody
// scrapes.
type Gauges struct {
	Depth   func(context.Context) (Depth, error)
	Backlog func(context.Context) (Backlog, error)
	Ready   func(context.Context) error
	Free    func() (bytes uint64, err error) // of the disk of the data folder
}

// Depth is how much work waits and runs, over all workers.
type Depth struct {
	Waiting, Scheduled, Running int64
	Oldest                      time.Duration
}

// Backlog is what waits in the outbox, over all orgs.
type Backlog struct {
	Waiting int64         // pending deliveries, also those for later
	Oldest  time.Duration // how long the oldest has been due
}

// scrapeWithin bounds the query of the database: a scraper waits seconds.
const scrapeWithin = 2 * time.Second

// now reads the gauges when somebody asks. While the database is away there are no such
// figures, which is what a monitor should see.
type now struct {
	Gauges
	depth, backlog, ready, free []*prometheus.Desc
}

func (m *Metrics) defineNow(g Gauges) {
	n := &now{Gauges: g}
	describe := func(name, help string) *prometheus.Desc {
		m.note("gauge", name, help, nil)
		return prometheus.NewDesc(name, help, nil, nil)
	}
	if g.Depth != nil {
		n.depth = []*prometheus.Desc{
			describe("crawler_queue_depth_gauge", "Jobs that are due and wait for a worker."),
			describe("crawler_jobs_running_gauge", "Jobs that run at the moment, on all workers."),
			describe("curlew_jobs_scheduled", "Jobs that wait for their time."),
			describe("curlew_queue_oldest_seconds", "How long the oldest due job has been waiting."),
		}
	}
	if g.Backlog != nil {
		n.backlog = []*prometheus.Desc{
			describe("curlew_outbox_pending", "Deliveries that wait in the outbox, over all orgs; those for later too."),
			describe("curlew_outbox_oldest_seconds", "How long the oldest delivery has been due."),
		}
	}
	if g.Ready != nil {
		n.ready = []*prometheus.Desc{describe("curlew_ready", "1 while this process is ready, else 0, as at /healthz/ready.")}
	}
	if g.Free != nil {
		n.free = []*prometheus.Desc{describe("curlew_data_free_bytes", "Bytes that are free on the disk of the data folder.")}
	}
	m.registry.MustRegister(n)
}

// Describe lists the gauges.
func (n *now) Describe(out chan<- *prometheus.Desc) {
	for _, d := range slices.Concat(n.depth, n.backlog, n.ready, n.free) {
		out <- d
	}
}

// Collect asks the database and the disk.
func (n *now) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), scrapeWithin)
	defer cancel()
	show := func(descs []*prometheus.Desc, values ...float64) {
		for i, v := range values {
			out <- prometheus.MustNewConstMetric(descs[i], prometheus.GaugeValue, v)
		}
	}
	if n.Depth != nil {
		if d, err := n.Depth(ctx); err == nil {
			show(n.depth, float64(d.Waiting), float64(d.Running), float64(d.Scheduled), d.Oldest.Seconds())
		}
	}
	if n.Backlog != nil {
		if b, err := n.Backlog(ctx); err == nil {
			show(n.backlog, float64(b.Waiting), b.Oldest.Seconds())
		}
	}
	if n.Ready != nil {
		ready := 1.0
		if n.Ready(ctx) != nil {
			ready = 0
		}
		show(n.ready, ready)
	}
	if n.Free != nil {
		if bytes, err := n.Free(); err == nil {
			show(n.free, float64(bytes))
		}
	}
}

// readerPanics asks ops/guard at each scrape.
type readerPanics struct{ *prometheus.Desc }

func (m *Metrics) defineReaderPanics() {
	const name = "curlew_reader_panics_total"
	const help = "Panics of readers of pages and files, and of requests, by stage; the log has stack and page or path."
	m.add("counter", name, help, []string{"stage"}, readerPanics{prometheus.NewDesc(name, help, []string{"stage"}, nil)})
}

// Describe names the figure.
func (r readerPanics) Describe(out chan<- *prometheus.Desc) { out <- r.Desc }

// Collect gives what was counted.
func (r readerPanics) Collect(out chan<- prometheus.Metric) {
	for stage, n := range guard.Panics() {
		out <- prometheus.MustNewConstMetric(r.Desc, prometheus.CounterValue, float64(n), string(stage))
	}
}
