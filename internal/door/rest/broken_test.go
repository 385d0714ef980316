package rest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/door/rest"
	"github.com/curlew-data/curlew/internal/testkit/world"
)

// A database that fails under a request is told as a fault of ours, by every operation that
// needs it, and never how it failed.
func TestADatabaseThatFailsIsToldWithoutItsCause(t *testing.T) {
	w := world.Open(t, world.Options{})
	has := w.Add("acme", "The Lantern")
	everything := func(*http.Request) (auth.Identity, error) { return auth.Operator("acme"), nil }
	handler := rest.Handler(w.I, http.NotFoundHandler(), rest.ServeAPI(rest.Options{App: w.App, Authenticate: everything}))
	if err := w.I.DB.Close(); err != nil {
		t.Fatal(err)
	}
	queries := map[string]string{"getEntityAt": "?at=2026-11-15T12:00:00Z", "getLatestPublication": "?watch_id=" + has["wat"],
		"deleteFieldWord": "?schema=product&field=availability&word=x"}
	for _, r := range rest.Routes() {
		if r.Name == "getSelf" || r.Name == "getSettings" {
			continue // which need no database
		}
		path, err := has.Path(rest.Prefix+r.Path, r.Params())
		if err != nil {
			t.Fatal(err)
		}
		body := []byte{}
		if r.Example != nil {
			if body, err = json.Marshal(r.Example); err != nil {
				t.Fatal(err)
			}
		}
		request := httptest.NewRequestWithContext(t.Context(), r.Method, "http://127.0.0.1"+path+queries[r.Name], bytes.NewReader(body))
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("X-Request-Id", r.Name) // one that was drawn may say anything
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, request)
		text := answer.Body.String()
		if answer.Code < 500 {
			t.Errorf("%s: %d %s", r.Name, answer.Code, text)
		}
		for i, cause := range []string{"sql", "database is closed", w.I.Config.Data, "SELECT"} {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				if strings.Contains(text, cause) {
					t.Errorf("%s tells the cause: %s", r.Name, text)
				}
			})
		}
	}
}
