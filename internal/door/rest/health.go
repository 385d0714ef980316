// Package rest serves other programs: the REST API from one table of routes, its OpenAPI
// description, live events over server-sent events and WebSocket, feeds, health, readiness
// and metrics.
//
// It decides nothing: a handler reads path, query and body into a command, calls the use
// case in app, or reads plain rows, and writes the answer or the fault as JSON.
package rest

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/door/middleware"
)

// Readiness says whether work can be done now; the error says why not.
type Readiness interface {
	Ready(ctx context.Context) error
}

// readyWithin bounds the query of the database: an orchestrator waits seconds.
const readyWithin = 2 * time.Second

type health struct {
	Status string      `json:"status"`
	Reason string      `json:"reason,omitempty"`
	Code   curlew.Code `json:"code,omitempty"`
}

// Handler serves health and metrics, and what is added to them.
func Handler(ready Readiness, metrics http.Handler, more ...func(*http.ServeMux)) http.Handler {
	mux := http.NewServeMux()
	for _, path := range []string{"/healthz/live", "/healthz", "/healthz/{$}"} {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) { reply(w, http.StatusOK, health{Status: "live"}) })
	}
	mux.HandleFunc("GET /healthz/ready", func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), readyWithin)
		defer cancel()
		if err := ready.Ready(ctx); err != nil {
			fault := curlew.AsFault(err)
			reply(w, http.StatusServiceUnavailable, health{Status: "not ready", Reason: fault.Sentence, Code: fault.Code})
			return
		}
		reply(w, http.StatusOK, health{Status: "ready"})
	})
	mux.Handle("GET /metrics", metrics)
	for _, add := range more {
		add(mux)
	}
	return compressed(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		err := middleware.Guarded(w, r, func(w http.ResponseWriter) error {
			mux.ServeHTTP(w, r)
			return nil
		})
		if err != nil { // what else panics tells it in its own form
			refuse(w, curlew.AsFault(err))
		}
	}))
}

func reply(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(value) // the reader may have gone
}
