package rest_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/door/rest"
)

type readiness struct{ error }

func (r readiness) Ready(context.Context) error { return r.error }

// Probes that name no more than /healthz hear that the process lives, also while it is not ready.
func TestHealthSaysThatTheProcessLives(t *testing.T) {
	handler := rest.Handler(readiness{curlew.Temporary("disk_full", "the disk is full")}, http.NotFoundHandler())
	for path, want := range map[string]int{"/healthz": http.StatusOK, "/healthz/": http.StatusOK, "/healthz/live": http.StatusOK,
		"/healthz/ready": http.StatusServiceUnavailable, "/healthz/other": http.StatusNotFound} {
		t.Run(path, func(t *testing.T) {
			answer := httptest.NewRecorder()
			handler.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, path, nil))
			if answer.Code != want || want == http.StatusOK && !strings.Contains(answer.Body.String(), `"status":"live"`) {
				t.Errorf("%s: %d %s", path, answer.Code, answer.Body)
			}
		})
	}
}
