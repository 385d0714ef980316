package telemetry

import (
	"cmp"
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Requests measures the requests that a handler answers, by the pattern of their route.
func (m *Metrics) Requests(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		inner := new(string)
		r = r.WithContext(context.WithValue(r.Context(), patternKey{}, inner))
		answer := &answer{ResponseWriter: w}
		began := time.Now()
		next.ServeHTTP(answer, r)
		pattern := *inner
		if pattern == "" {
			pattern = r.Pattern
		}
		if strings.HasSuffix(pattern, "/stream") || strings.HasSuffix(pattern, "/ws") {
			return // they last as long as somebody looks on
		}
		m.requests.WithLabelValues(routeOf(pattern), methodOf(r.Method), answer.class()).Observe(time.Since(began).Seconds())
	})
}

type patternKey struct{}

// Inside lets a handler behind another one, and behind middleware, say which of its patterns
// was met.
func Inside(mux http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mux.ServeHTTP(w, r)
		if inner, ok := r.Context().Value(patternKey{}).(*string); ok {
			*inner = r.Pattern
		}
	})
}

// routeOf is a pattern without its method.
func routeOf(pattern string) string {
	if _, path, ok := strings.Cut(pattern, " "); ok {
		pattern = path
	}
	if pattern == "" {
		return "none"
	}
	return pattern
}

func methodOf(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return method
	}
	return other
}

// answer remembers the status. What else a connection can do is found by unwrapping it.
type answer struct {
	http.ResponseWriter
	status int
}

func (a *answer) WriteHeader(status int) {
	if a.status == 0 || a.status < 200 {
		a.status = status
	}
	a.ResponseWriter.WriteHeader(status)
}

func (a *answer) Write(b []byte) (int, error) {
	a.status = cmp.Or(a.status, http.StatusOK)
	return a.ResponseWriter.Write(b)
}

// Unwrap is for http.ResponseController.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

func (a *answer) class() string {
	status := a.status
	status = cmp.Or(status, http.StatusOK)
	return strconv.Itoa(min(max(status/100, 1), 5)) + "xx"
}
