package cli

import (
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/testkit/eventually"
	"github.com/curlew-data/curlew/internal/work/deliver/sinktest"
	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	otlp "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// receiver is a collector of traces.
type receiver struct {
	*httptest.Server
	mu      sync.Mutex
	spans   []*otlp.Span
	headers http.Header
	hold    chan struct{} // while open, nothing is answered
}

func newReceiver(t *testing.T, hangs bool) *receiver {
	t.Helper()
	r := &receiver{hold: make(chan struct{})}
	if !hangs {
		close(r.hold)
	}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		spans, err := spansOf(q)
		if err != nil || q.URL.Path != "/v1/traces" {
			t.Errorf("%s %s: %v", q.Method, q.URL.Path, err)
		}
		<-r.hold
		r.mu.Lock()
		defer r.mu.Unlock()
		r.headers, r.spans = q.Header, append(r.spans, spans...)
	}))
	t.Cleanup(r.Close)
	if hangs {
		t.Cleanup(func() { close(r.hold) }) // before the server closes
	}
	return r
}

func spansOf(q *http.Request) (spans []*otlp.Span, err error) {
	from := io.Reader(q.Body)
	if q.Header.Get("Content-Encoding") == "gzip" {
		if from, err = gzip.NewReader(from); err != nil {
			return nil, err
		}
	}
	body, err := io.ReadAll(from)
	if err != nil {
		return nil, err
	}
	var batch collector.ExportTraceServiceRequest
	err = proto.Unmarshal(body, &batch)
	for _, resource := range batch.ResourceSpans {
		for _, scope := range resource.ScopeSpans {
			spans = append(spans, scope.Spans...)
		}
	}
	return spans, err
}

// named are the spans of a trace by their names.
func (r *receiver) named(trace string) map[string][]*otlp.Span {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := map[string][]*otlp.Span{}
	for _, s := range r.spans {
		if hex.EncodeToString(s.TraceId) == trace {
			all[s.Name] = append(all[s.Name], s)
		}
	}
	return all
}

// server is a whole "curlew serve" in this process.
type server struct {
	*reader
	address string
	log     *spoken
	checks  []curlew.Run
	key     string
	end     func()
}

func (r *reader) serve(environ []string, args ...string) *server {
	r.Helper()
	s := &server{reader: r, address: "127.0.0.1:" + freePort(r.T), log: &spoken{}}
	ctx, cancel := context.WithCancel(context.Background())
	environ = append(environ, "CURLEW_EGRESS_ALLOW=127.0.0.0/8", "CURLEW_EGRESS_PORTS="+r.ports, "CURLEW_FETCH_BROWSER=off", "CURLEW_DELIVER_PLAIN_HTTP=true")
	done := make(chan int, 1)
	go func() {
		done <- Main(append([]string{"serve", "--data", r.data, "--listen", s.address, "--log-format", "json"}, args...),
			Environment{Context: ctx, In: strings.NewReader(""), Out: io.Discard, Err: s.log, Environ: environ})
	}()
	s.end = sync.OnceFunc(func() {
		cancel()
		if code := <-done; code != 0 {
			r.Errorf("the server ended with %d: %s", code, s.log)
		}
	})
	r.Cleanup(s.end)
	eventually.Told(r, "the server is up", func() (bool, string) {
		answer, err := http.Get("http://" + s.address + "/healthz/ready")
		if err != nil {
			return false, s.log.String()
		}
		_ = answer.Body.Close()
		return answer.StatusCode == http.StatusOK, s.log.String()
	})
	return s
}

// metrics reads the figures that are not zero.
func (r *reader) metrics(base string) map[string]string {
	r.Helper()
	answer, err := http.Get(base + "/metrics")
	if err != nil || answer.StatusCode != http.StatusOK {
		r.Fatalf("metrics: %v %v", answer, err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		r.Fatal(err)
	}
	all := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), " "); ok && !strings.HasPrefix(line, "#") && value != "0" {
			all[name] = value
		}
	}
	return all
}

// watchCouncil adds a watch of the council, subscribes a sink to it, and returns the watch.
func (r *reader) watchCouncil() (curlew.Watch, *sinktest.Sink, *sync.Map) {
	r.Helper()
	sink, parents := sinktest.New(1), &sync.Map{}
	hook := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		parents.Store(q.Header.Get("Webhook-Id"), q.Header.Get("Traceparent"))
		sink.ServeHTTP(w, q)
	}))
	r.Cleanup(hook.Close)
	u, _ := url.Parse(hook.URL)
	r.ports += "," + u.Port()
	var added struct{ Watch curlew.Watch }
	r.must(&added, "watches", "add", r.site("council"), "--delay", "0s", "--name", "council", "--schema", "event", "--every", "hourly")
	r.must(nil, "subscriptions", "add", "--channel", "webhook", "--to", hook.URL+"/hook?token=very-secret", "--watch", string(added.Watch.ID), "--name", "meetings")
	return added.Watch, sink, parents
}

// ask asks the server's API with a key.
func (s *server) ask(method, path string, into any) {
	s.Helper()
	if s.key == "" {
		s.key = strings.TrimSpace(s.must(nil, "keys", "add", "test", "--scope", "write", "--scope", "read"))
	}
	request, err := http.NewRequest(method, "http://"+s.address+"/api/v1"+path, nil)
	if err != nil {
		s.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+s.key)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		s.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err == nil {
		err = json.Unmarshal(body, into)
	}
	if err != nil || answer.StatusCode >= 300 {
		s.Fatalf("%s %s: %s %v: %s", method, path, answer.Status, err, body)
	}
}

// check lets the server look at the watch again, on a day on which something has changed.
func (s *server) check(watch curlew.Watch) curlew.Run {
	s.Helper()
	for day := 0; day < 20; day++ {
		s.web.AdvanceAll()
		var run curlew.Run
		s.ask(http.MethodPost, "/watches/"+string(watch.ID)+"/trigger", &run)
		eventually.True(s, "the run ends", func() bool {
			s.ask(http.MethodGet, "/runs/"+string(run.ID), &run)
			return run.State.Ended()
		})
		if run.State != curlew.RunSucceeded {
			s.Fatalf("the run: %+v", run)
		}
		s.checks = append(s.checks, run)
		if run.Counters["appeared"]+run.Counters["changed"]+run.Counters["disappeared"] > 0 {
			return run
		}
	}
	s.Fatal("nothing changed in twenty days")
	return curlew.Run{}
}

// until waits for something that happens by itself.
func (s *server) until(what string, happened func() bool) {
	s.Helper()
	eventually.Told(s, what, func() (bool, string) { return happened(), s.log.String() })
}

func TestACheckMovesEachFigureByWhatTheRunItselfCounts(t *testing.T) {
	r := newReader(t)
	watch, sink, _ := r.watchCouncil()
	s := r.serve(nil)
	s.check(watch)
	s.check(watch)
	sum := curlew.Counters{}
	ended := len(s.checks)
	for _, run := range s.checks {
		sum = sum.Plus(run.Counters)
	}
	changes := sum["appeared"] + sum["changed"] + sum["disappeared"]
	s.until("all changes are delivered", func() bool { return int64(sink.Ledger().Accepted) >= changes })
	var got map[string]string
	total := func(prefix string) (n int64) {
		for name, value := range got {
			if strings.HasPrefix(name, prefix) {
				var f float64
				_, _ = fmt.Sscan(value, &f) // what cannot be read counts nothing, and fails below
				n += int64(f)
			}
		}
		return n
	}
	s.until("the last delivery is counted and the outbox is empty", func() bool {
		got = s.metrics("http://" + s.address)
		return got[`curlew_deliveries_total{channel="webhook",outcome="delivered"}`] == fmt.Sprint(sink.Ledger().Accepted) &&
			total("curlew_outbox_pending") == 0
	})
	u, _ := url.Parse(watch.URL)
	for what, x := range map[string][2]int64{
		"runs submitted":  {total(`crawler_jobs_submitted_total{mode="watch"`), int64(ended)},
		"runs ended":      {total(`crawler_job_duration_seconds_count{kind="watch",state="succeeded"}`), int64(ended)},
		"pages processed": {total("crawler_articles_processed_total{"), sum[curlew.CountSteps]},
		"of that host":    {total(`crawler_articles_processed_total{domain="` + u.Host + `"`), sum[curlew.CountSteps]},
		"pages inserted":  {total("crawler_articles_inserted_total{"), sum[curlew.CountScraped]},
		"pages deduped":   {total("crawler_articles_deduped_total{"), sum[curlew.CountSkipped]},
		"fetches":         {total(`curlew_fetches_total{adapter="direct"`), sum[curlew.CountSteps]},
		"records read":    {total("curlew_records_read_total"), sum[curlew.CountParsed]},
		"appeared":        {total(`scout_monitor_events_total{event_type="entity_appeared"}`), sum["appeared"]},
		"disappeared":     {total(`scout_monitor_events_total{event_type="entity_disappeared"}`), sum["disappeared"]},
		"events":          {total("scout_monitor_events_total"), int64(sink.Ledger().Accepted)},
		"errors":          {total("crawler_extract_errors_total{"), sum[curlew.CountWarnings] + sum[curlew.CountErrors]},
	} {
		t.Run(what, func(t *testing.T) {
			if x[0] != x[1] {
				t.Errorf("%s: the metric says %d, the runs say %d", what, x[0], x[1])
			}
		})
	}
	if ended < 2 || changes == 0 {
		t.Errorf("%d runs, %d changes: too little to prove anything", ended, changes)
	}
}

// ids are those of a span.
func ids(s *otlp.Span) (span, parent string) {
	return hex.EncodeToString(s.SpanId), hex.EncodeToString(s.ParentSpanId)
}

func TestTheTraceOfACheckLeadsFromTheFetchToTheDelivery(t *testing.T) {
	r := newReader(t)
	watch, sink, parents := r.watchCouncil()
	collector := newReceiver(t, false)
	s := r.serve([]string{"OTEL_EXPORTER_OTLP_ENDPOINT=" + collector.URL, "OTEL_EXPORTER_OTLP_HEADERS=api-key=s3cret"})
	run := s.check(watch)
	changes := int(run.Counters["appeared"] + run.Counters["changed"] + run.Counters["disappeared"])
	sum := sha256.Sum256([]byte("trace " + run.ID)) // a run's trace id follows from its own
	trace := hex.EncodeToString(sum[:16])
	s.until("the changes are delivered", func() bool { return sink.Ledger().Accepted >= changes })
	s.until("the spans arrive", func() bool {
		got := collector.named(trace)
		return len(got["deliver"]) >= changes && len(got["run watch"]) == 1
	})
	got := collector.named(trace)
	root, top := ids(got["run watch"][0])
	if top != "" || len(got["slice"]) == 0 || len(got["publish"]) != 1 || int64(len(got["fetch"])) != run.Counters[curlew.CountSteps] || len(got["extract"]) == 0 {
		t.Fatalf("the trace has %d slices, %d fetches, %d extractions, %d publications; its root is under %q", len(got["slice"]), len(got["fetch"]), len(got["extract"]), len(got["publish"]), top)
	}
	slices := map[string]bool{}
	for _, span := range got["slice"] {
		id, parent := ids(span)
		slices[id] = true
		if parent != root {
			t.Errorf("a slice is under %s, not under the run", parent)
		}
	}
	published, _ := ids(got["publish"][0])
	for name, under := range map[string]map[string]bool{"fetch": slices, "extract": slices, "publish": slices, "deliver": {published: true}} {
		t.Run(name, func(t *testing.T) {
			for _, span := range got[name] {
				if _, parent := ids(span); !under[parent] {
					t.Errorf("a span %s is under %s", name, parent)
				}
			}
		})
	}
	fetch, deliver := got["fetch"][0], got["deliver"][0]
	publish := got["publish"][0] // a delivery may end before it: it begins with the commit
	if fetch.StartTimeUnixNano > publish.StartTimeUnixNano || publish.StartTimeUnixNano > deliver.StartTimeUnixNano {
		t.Error("fetching, publishing and delivering do not follow each other")
	}
	checkAttributes(t, got)
	checkParents(t, parents, trace, got["deliver"])
	if collector.headers.Get("Api-Key") != "s3cret" {
		t.Errorf("the collector was sent %v", collector.headers)
	}
	s.end()
	if !regexp.MustCompile(`"msg":"a run has ended".*"run":"` + string(run.ID) + `".*"trace_id":"` + trace + `"`).MatchString(s.log.String()) {
		t.Errorf("no line of the log leads to the trace: %s", s.log)
	}
	if strings.Contains(s.log.String(), "s3cret") || strings.Contains(s.log.String(), "very-secret") {
		t.Errorf("a secret is logged: %s", s.log)
	}
}

// checkAttributes: what is told of a stage is there, and nothing that must not be.
func checkAttributes(t *testing.T, got map[string][]*otlp.Span) {
	t.Helper()
	for name, want := range map[string][]string{"fetch": {"server.address", "curlew.outcome", "http.response.body.size", "curlew.waited_ms"},
		"extract": {"curlew.tier", "curlew.records"}, "publish": {"curlew.parsed"}, "deliver": {"curlew.channel", "curlew.outcome"}} {
		t.Run(name, func(t *testing.T) {
			has := map[string]bool{}
			for _, a := range got[name][0].Attributes {
				has[a.Key] = true
			}
			for _, key := range want {
				if !has[key] {
					t.Errorf("a span %s does not tell %s", name, key)
				}
			}
		})
	}
	for name, spans := range got {
		for _, span := range spans {
			if text := fmt.Sprint(span.Attributes, span.Status, span.Events); strings.Contains(text, "very-secret") || strings.Contains(text, "://") || strings.Contains(text, "?") {
				t.Errorf("a span %s tells too much: %s", name, text)
			}
		}
	}
}

// checkParents: every receiver of a change could join the trace.
func checkParents(t *testing.T, parents *sync.Map, trace string, spans []*otlp.Span) {
	t.Helper()
	sent := map[string]bool{}
	for _, span := range spans {
		id, _ := ids(span)
		sent["00-"+trace+"-"+id+"-01"] = true
	}
	n := 0
	parents.Range(func(_, value any) bool {
		if strings.Contains(value.(string), trace) {
			n++
			if !sent[value.(string)] {
				t.Errorf("the header %q names no span", value)
			}
		}
		return true
	})
	if n == 0 {
		t.Error("no webhook had a traceparent")
	}
}

// Whoever waited for the collector would wait until it gives up, which it never does.
func TestACollectorThatHangsHoldsUpNothing(t *testing.T) {
	r := newReader(t)
	watch, sink, _ := r.watchCouncil()
	collector := newReceiver(t, true)
	s := r.serve([]string{"OTEL_EXPORTER_OTLP_ENDPOINT=" + collector.URL})
	before := sink.Ledger().Accepted
	run := s.check(watch)
	changes := int(run.Counters["appeared"] + run.Counters["changed"] + run.Counters["disappeared"])
	s.until("the changes are delivered", func() bool { return sink.Ledger().Accepted >= before+changes })
	s.end()
}

// A real process shows all that the dashboard asks for, with an explanation.
func (r *reader) showsTheDashboard(base string) {
	r.Helper()
	board, err := os.ReadFile("../../../docs/grafana/curlew.json")
	if err != nil {
		r.Fatal(err)
	}
	answer, err := http.Get(base + "/metrics")
	if err != nil {
		r.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		r.Fatal(err)
	}
	names := regexp.MustCompile(`\b(?:crawler|scout|curlew)_[a-z_]+`).FindAllString(string(board), -1)
	for _, name := range names {
		if !regexp.MustCompile(`(?m)^` + name + `[ {]`).Match(text) {
			r.Errorf("the dashboard asks for %s, which the process does not show", name)
		}
	}
	if len(names) < 30 {
		r.Errorf("the dashboard names %d metrics", len(names))
	}
}

func TestMetricsOnAListenerOfTheirOwn(t *testing.T) {
	r := newReader(t)
	own := "127.0.0.1:" + freePort(t)
	s := r.serve(nil, "--metrics-listen", own)
	r.showsTheDashboard("http://" + own)
	if got := r.metrics("http://" + own); got[`curlew_build_info{version="`+version()+`"}`] != "1" {
		t.Errorf("the listener shows %v", got)
	}
	answer, err := http.Get("http://" + s.address + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	if answer.StatusCode != http.StatusNotFound {
		t.Errorf("the API shows them too: %d", answer.StatusCode)
	}
}
