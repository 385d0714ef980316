package rest

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
)

type readiness struct{ err error }

func (r readiness) Ready(context.Context) error { return r.err }

func get(t *testing.T, ready error, path string) (int, string) {
	t.Helper()
	metrics := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "up 1\n") })
	server := httptest.NewServer(Handler(readiness{ready}, metrics))
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
	if status, _ := get(t, away, "/healthz/live"); status != http.StatusOK {
		t.Errorf("live: %d", status)
	}
	status, body := get(t, away, "/healthz/ready")
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
	if status, body := get(t, nil, "/healthz/ready"); status != http.StatusOK || !strings.Contains(body, "ready") {
		t.Errorf("%d %s", status, body)
	}
}

func TestMetricsAreShown(t *testing.T) {
	if status, body := get(t, nil, "/metrics"); status != http.StatusOK || body != "up 1\n" {
		t.Errorf("%d %s", status, body)
	}
}
