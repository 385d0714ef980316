package telemetry

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/ops/guard"
	"github.com/curlew-data/curlew/internal/ops/instrument"
)

// scrape reads what a monitor would.
func scrape(t *testing.T, m *Metrics) string {
	t.Helper()
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	body, err := io.ReadAll(w.Result().Body)
	if err != nil || w.Code != http.StatusOK {
		t.Fatalf("%d %v", w.Code, err)
	}
	return string(body)
}

// series counts the lines that a metric has.
func series(text, name string) (n int) {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, name+"{") || strings.HasPrefix(line, name+" ") {
			n++
		}
	}
	return n
}

func gauges(err error) Gauges {
	return Gauges{
		Depth: func(context.Context) (Depth, error) {
			return Depth{Waiting: 7, Running: 2, Oldest: 3 * time.Second}, err
		},
		Backlog: func(context.Context) (Backlog, error) {
			return Backlog{Waiting: 12, Oldest: time.Minute}, err
		},
		Ready: func(context.Context) error { return err },
		Free:  func() (uint64, error) { return 4096, err },
	}
}

func TestFiguresOfAProcess(t *testing.T) {
	m := New(Options{Version: "1.2.3", Now: gauges(nil), Hosts: 10})
	m.Attempt("slice", "failed", true, time.Second)
	for _, h := range []instrument.Happening{
		instrument.RunSubmitted{Mode: "concurrent", Priority: curlew.PriorityHigh},
		instrument.RunEnded{Kind: curlew.RunWatch, State: curlew.RunFailed, Host: "example.org", Fault: curlew.Permanent("does_not_fit", "no"), Took: time.Minute},
		instrument.PageAsked{Host: "example.org", Method: "html", Outcome: curlew.OutcomeFetched},
		instrument.PageAsked{Host: "EXAMPLE.org", Method: "html", Outcome: curlew.OutcomeNotModified},
		instrument.PageAsked{Host: "example.org", Method: "html", Outcome: curlew.OutcomeBlocked},
		instrument.RecordsRead{N: 30},
		instrument.Fetched{Adapter: curlew.AdapterDirect, Outcome: "fetched", Bytes: 1000, Took: time.Second, Waited: 3 * time.Second},
		instrument.Fetched{Outcome: instrument.FetchRefused},
		instrument.Changed{Kind: curlew.EntityAppeared, N: 4},
		instrument.DeliveryTried{Channel: curlew.ChannelWebhook, Result: "dead"},
		instrument.Healed{Outcome: curlew.HealDone},
		instrument.CandidateMoved{To: curlew.CandidateDeployed},
		instrument.ModelAsked{ModelUsage: curlew.ModelUsage{Purpose: curlew.PurposeLearn, InputTokens: 900, OutputTokens: 80, CostMicros: 2_500_000}},
		instrument.ServiceTried{Service: curlew.ServiceMail}, instrument.ServiceTried{Service: curlew.ServiceArchive, Works: true},
		instrument.Viewing{By: 1}, instrument.Viewing{By: 1}, instrument.Viewing{By: -1},
	} {
		m.Count(h)
	}
	_ = guard.Read(guard.Extract, "https://example.org/", func() error { panic("of a reader") })
	text := scrape(t, m)
	for i, want := range []string{"crawler_queue_depth_gauge 7", "crawler_jobs_running_gauge 2", "curlew_queue_oldest_seconds 3", "curlew_outbox_pending 12", "curlew_outbox_oldest_seconds 60", "curlew_ready 1", "curlew_data_free_bytes 4096",
		`curlew_job_attempts_total{kind="slice",state="failed"} 1`, `curlew_job_crashes_total{kind="slice"} 1`, `curlew_build_info{version="1.2.3"} 1`,
		`crawler_jobs_submitted_total{mode="concurrent",priority="high"} 1`, `crawler_job_duration_seconds_sum{kind="watch",state="failed"} 60`,
		`crawler_articles_processed_total{domain="example.org",extraction_method="html"} 3`, `crawler_articles_inserted_total{domain="example.org"} 1`,
		`crawler_articles_deduped_total{domain="example.org"} 1`, `crawler_extract_errors_total{domain="example.org",error_type="page_blocked"} 1`,
		`crawler_extract_errors_total{domain="example.org",error_type="does_not_fit"} 1`, `scout_monitor_events_total{event_type="entity_appeared"} 4`,
		"curlew_records_read_total 30", `curlew_fetches_total{adapter="direct",outcome="fetched"} 1`, `curlew_fetches_total{adapter="none",outcome="refused"} 1`,
		`curlew_fetch_bytes_total{adapter="direct"} 1000`, "curlew_politeness_wait_seconds_sum 3", `curlew_deliveries_total{channel="webhook",outcome="dead"} 1`,
		`curlew_heals_total{result="healed"} 1`, `curlew_candidate_moves_total{status="deployed"} 1`, `curlew_model_tokens_total{direction="input",purpose="learn"} 900`,
		`curlew_model_cost_dollars_total{purpose="learn"} 2.5`, "curlew_live_viewers 1", `curlew_service_up{service="mail"} 0`, `curlew_service_up{service="archive"} 1`, `curlew_service_failures_total{service="mail"} 1`,
		`curlew_reader_panics_total{stage="extract"} 1`} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if !strings.Contains(text, want+"\n") {
				t.Errorf("%s is missing", want)
			}
		})
	}
}

func TestFiguresWhileTheDatabaseIsAway(t *testing.T) {
	text := scrape(t, New(Options{Now: gauges(errors.New("away"))}))
	if strings.Contains(text, "crawler_queue_depth_gauge 7") || strings.Contains(text, "curlew_outbox_pending 12") || !strings.Contains(text, "curlew_job_attempts_total") {
		t.Error(text)
	}
}

func TestEveryFigureIsShownFromTheStartAndExplained(t *testing.T) {
	m := New(Options{Now: gauges(nil)})
	text := scrape(t, m)
	for _, f := range m.Figures() {
		if !strings.Contains(text, "# HELP "+f.Name+" "+f.Help+"\n") || len(f.Help) < 20 {
			t.Errorf("%s has no help", f.Name)
		}
		name := f.Name
		if f.Type == "histogram" {
			name += "_count"
		}
		if series(text, name) == 0 {
			t.Errorf("%s is not shown before something happens", f.Name)
		}
	}
}

// Ten thousand hosts, names that are none, and codes that nobody foresaw: the number of
// series stays what it was meant to be.
func TestLabelsStayBoundedUnderTenThousandHosts(t *testing.T) {
	m := New(Options{Now: gauges(nil), Hosts: 50, Busiest: []string{"busy.example.org", "second.example.org"}})
	for n := range 10_000 {
		host := fmt.Sprintf("host-%d.example.org", n)
		m.Count(instrument.PageAsked{Host: host, Method: fmt.Sprintf("method-%d", n), Outcome: curlew.OutcomeFetched})
		m.Count(instrument.PageAsked{Host: host, Method: "html", Outcome: curlew.OutcomeNotModified})
		m.Count(instrument.RunEnded{Kind: curlew.RunWatch, State: curlew.RunFailed, Host: host, Fault: curlew.Permanent(curlew.Code(fmt.Sprintf("code_%d", n)), "no")})
	}
	for _, hostile := range []string{"", "\xff\xfe.example", strings.Repeat("a", 10_000) + ".org", "new\nline\"quote"} {
		m.Count(instrument.PageAsked{Host: hostile, Method: hostile, Outcome: curlew.OutcomeFetched})
	}
	m.Count(instrument.PageAsked{Host: "busy.example.org", Method: "html", Outcome: curlew.OutcomeFetched})
	text := scrape(t, m)
	for name, most := range map[string]int{"crawler_articles_inserted_total": 51, "crawler_articles_deduped_total": 51,
		"crawler_articles_processed_total": 51 * 21, "crawler_extract_errors_total": 51 * 102} {
		t.Run(name, func(t *testing.T) {
			if n := series(text, name); n == 0 || n > most {
				t.Errorf("%s has %d series, want at most %d", name, n, most)
			}
		})
	}
	if !strings.Contains(text, `crawler_articles_inserted_total{domain="busy.example.org"} 1`) {
		t.Error("the busiest host has no name")
	}
	if n := strings.Count(text, "\n"); n > 3500 {
		t.Errorf("a scrape has %d lines", n)
	}
	if !strings.Contains(text, `crawler_articles_deduped_total{domain="other"} 9952`) {
		t.Error("what is not named is not counted together")
	}
}

func TestWithoutHostsNoneIsNamed(t *testing.T) {
	m := New(Options{Hosts: 0, Busiest: []string{"secret.example.org"}})
	m.Count(instrument.PageAsked{Host: "secret.example.org", Method: "html", Outcome: curlew.OutcomeFetched})
	if text := scrape(t, m); strings.Contains(text, "secret") || !strings.Contains(text, `crawler_articles_inserted_total{domain="other"} 1`) {
		t.Error("a host is named")
	}
}

func TestRequestsAreMeasuredByThePatternOfTheirRoute(t *testing.T) {
	m := New(Options{})
	inside := http.NewServeMux()
	inside.HandleFunc("GET /candidates/{id}", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) })
	mux := http.NewServeMux()
	mux.HandleFunc("/api/v1/watches/{id}", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "{}") })
	mux.HandleFunc("/api/v1/stream", func(http.ResponseWriter, *http.Request) {})
	mux.Handle("/", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { // as middleware does
		Inside(inside).ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), patternKey{}, r.Context().Value(patternKey{}))))
	}))
	server := m.Requests(mux)
	for n := range 1000 {
		for _, path := range []string{"/api/v1/watches/wat_%d", "/candidates/can_%d", "/nowhere/%d", "/api/v1/stream?n=%d"} {
			server.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest([]string{"GET", "BREW"}[n%2], fmt.Sprintf(path, n), nil))
		}
	}
	text := scrape(t, m)
	for i, want := range []string{`curlew_http_request_seconds_count{code="2xx",method="GET",route="/api/v1/watches/{id}"} 500`,
		`curlew_http_request_seconds_count{code="2xx",method="other",route="/api/v1/watches/{id}"} 500`,
		`curlew_http_request_seconds_count{code="4xx",method="GET",route="/candidates/{id}"} 500`} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if !strings.Contains(text, want+"\n") {
				t.Errorf("%s is missing", want)
			}
		})
	}
	if n := series(text, "curlew_http_request_seconds_count"); n > 8 || strings.Contains(text, `route="/api/v1/stream"`) {
		t.Errorf("%d series:\n%s", n, text)
	}
}
