package api

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"curlew/internal/curlew"
)

type readiness struct{ err error }

func (r readiness) Ready(context.Context) error { return r.err }

func get(t *testing.T, ready error, depth error, path string) (int, string) {
	t.Helper()
	metrics := NewMetrics("1.2.3", func(context.Context) (Depth, error) {
		return Depth{Waiting: 7, Running: 2, Oldest: 3 * time.Second}, depth
	})
	metrics.Observe("slice", "succeeded", false, time.Second)
	metrics.Observe("slice", "failed", true, time.Second)
	server := httptest.NewServer(Handler(readiness{ready}, metrics.Handler()))
	defer server.Close()
	answer, err := http.Get(server.URL + path)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(body)
}

func TestAProcessIsAliveEvenWhenItIsNotReady(t *testing.T) {
	away := curlew.Temporary("database_unavailable", "the database does not answer").Because(errors.New("password=secret"))
	if status, _ := get(t, away, nil, "/healthz/live"); status != http.StatusOK {
		t.Errorf("live: %d", status)
	}
	status, body := get(t, away, nil, "/healthz/ready")
	var h health
	if err := json.Unmarshal([]byte(body), &h); err != nil {
		t.Fatal(err)
	}
	if status != http.StatusServiceUnavailable || h.Code != "database_unavailable" || h.Reason != "the database does not answer" {
		t.Errorf("ready: %d %s", status, body)
	}
	if strings.Contains(body, "secret") {
		t.Errorf("the cause is told to strangers: %s", body)
	}
}

func TestReady(t *testing.T) {
	if status, body := get(t, nil, nil, "/healthz/ready"); status != http.StatusOK || !strings.Contains(body, "ready") {
		t.Errorf("%d %s", status, body)
	}
}

func TestMetrics(t *testing.T) {
	_, body := get(t, nil, nil, "/metrics")
	for _, want := range []string{"crawler_queue_depth_gauge 7", "crawler_jobs_running_gauge 2", "curlew_queue_oldest_seconds 3",
		`curlew_job_attempts_total{kind="slice",state="failed"} 1`, `curlew_job_crashes_total{kind="slice"} 1`, `curlew_build_info{version="1.2.3"} 1`} {
		if !strings.Contains(body, want) {
			t.Errorf("%s is missing", want)
		}
	}
}

func TestMetricsWhileTheDatabaseIsAway(t *testing.T) {
	status, body := get(t, nil, errors.New("away"), "/metrics")
	if status != http.StatusOK || strings.Contains(body, "crawler_queue_depth_gauge 7") || !strings.Contains(body, "curlew_job_attempts_total") {
		t.Errorf("%d\n%s", status, body)
	}
}
