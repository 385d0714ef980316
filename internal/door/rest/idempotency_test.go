package rest

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/testkit/world"
)

func TestARequestThatPanickedMayComeAgainWithItsKey(t *testing.T) {
	w := world.Open(t, world.Options{})
	w.AddOrg("acme", "The Lantern")
	broken := true
	serve := func(context.Context, *Call) (any, error) {
		if broken {
			panic("broken")
		}
		return "done", nil
	}
	s := &service{Options: Options{App: w.App}}
	route := &Route{Action: auth.View, Status: http.StatusOK, serve: serve}
	handler := Handler(readiness{}, http.NotFoundHandler(), func(mux *http.ServeMux) {
		mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
			if err := s.call(w, r, auth.Operator("acme"), "", map[string]*Route{http.MethodPost: route}); err != nil {
				tell(w, problemOf(err, ""))
			}
		})
	})
	for _, want := range []int{http.StatusInternalServerError, http.StatusOK} {
		request := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", http.NoBody)
		request.Header.Set("Idempotency-Key", "k-1")
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, request)
		if answer.Code != want {
			t.Errorf("%d %s, want %d", answer.Code, answer.Body, want)
		}
		broken = false
	}
}
