package rest

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/work/runs"
)

// Problem is a failure as RFC 9457 writes it.
type Problem struct {
	Type    string      `json:"type"`   // names the kind of problem
	Title   string      `json:"title"`  // the status in words
	Status  int         `json:"status"` // of the answer
	Detail  string      `json:"detail"` // a sentence: what is wrong and what to do
	Code    curlew.Code `json:"code"`   // stable, for programs
	Request string      `json:"request_id"`
	Errors  []Mistake   `json:"errors,omitempty"` // what is wrong with the request, and where

	passes bool // by itself, within seconds
}

// Mistake is one thing that is wrong with a request.
type Mistake struct {
	Place    string `json:"place"` // "query limit", or a JSON pointer into the body: "/urls/0"
	Sentence string `json:"sentence"`
}

// placed puts problems at their places in the request. Those of commands name a field of the
// body; what reads the request names the place itself.
func placed(problems curlew.Problems) (all []Mistake) {
	for _, p := range problems[:min(len(problems), mostMistakes)] {
		place := p.Field
		if !strings.HasPrefix(place, "/") && !strings.HasPrefix(place, "query ") {
			place = "/" + place
		}
		all = append(all, Mistake{place, p.Sentence})
	}
	return all
}

// statuses of the codes that mean something of their own over HTTP.
var statuses = map[curlew.Code]int{
	"not_found":            http.StatusNotFound,
	"bad_id":               http.StatusNotFound,
	"unauthenticated":      http.StatusUnauthorized,
	"signed_out":           http.StatusUnauthorized,
	"bad_key":              http.StatusUnauthorized,
	"too_many_attempts":    http.StatusTooManyRequests,
	"forbidden":            http.StatusForbidden,
	"cross_origin":         http.StatusForbidden,
	"method_not_allowed":   http.StatusMethodNotAllowed,
	"bad_request":          http.StatusBadRequest,
	"bad_cursor":           http.StatusBadRequest,
	"bad_idempotency_key":  http.StatusBadRequest,
	"too_large":            http.StatusRequestEntityTooLarge,
	"not_json":             http.StatusUnsupportedMediaType,
	"too_many_requests":    http.StatusTooManyRequests,
	"too_many_viewers":     http.StatusTooManyRequests,
	"key_in_use":           http.StatusConflict,
	"key_reused":           http.StatusUnprocessableEntity,
	"upgrade_required":     http.StatusUpgradeRequired,
	"unexpected":           http.StatusInternalServerError,
	"database_unavailable": http.StatusServiceUnavailable,
	"run_active":           http.StatusConflict,
	"still_ending":         http.StatusConflict,
	"illegal_transition":   http.StatusConflict,
	"exists_already":       http.StatusConflict,
	"proposed_already":     http.StatusConflict,
	"watched_already":      http.StatusConflict,
	"watch_in_use":         http.StatusConflict,
	"nothing_held":         http.StatusConflict,
	"dead_link":            http.StatusConflict,
	"nothing_to_approve":   http.StatusConflict,
	"no_such_reading":      http.StatusConflict,
	"candidate_deployed":   http.StatusConflict,
	"nothing_to_resume":    http.StatusConflict,
	"nothing_to_promote":   http.StatusConflict,
	"nothing_to_roll_back": http.StatusConflict,
	"nothing_to_heal":      http.StatusConflict,
	"would_lose_data":      http.StatusConflict,
	"source_archived":      http.StatusConflict,
	"last_owner":           http.StatusConflict,
	"not_delivered":        http.StatusConflict,
}

// status is the HTTP status of a fault, by its code or its kind; codeOf of door/grpc says the same of gRPC.
func status(f *curlew.Fault) int {
	if s, ok := statuses[f.Code]; ok {
		return s
	}
	switch f.Kind {
	case curlew.KindTemporary:
		return http.StatusServiceUnavailable
	case curlew.KindRefused:
		return http.StatusForbidden
	default:
		return http.StatusUnprocessableEntity
	}
}

// problemOf puts a failure into its form. It never tells a cause.
func problemOf(err error, request string) Problem {
	p := Problem{Request: request}
	var problems curlew.Problems
	if errors.As(err, &problems) {
		p.Status, p.Code, p.Errors = http.StatusBadRequest, "bad_request", placed(problems)
		p.Detail = p.Errors[0].Place + ": " + p.Errors[0].Sentence
	} else {
		fault := curlew.AsFault(err)
		p.Status, p.Code, p.Detail = status(fault), fault.Code, fault.Sentence
		p.passes = p.Status == http.StatusServiceUnavailable || errors.Is(fault, errKeyInUse) || errors.Is(fault, runs.ErrStillEnding)
		if errors.Is(fault, curlew.ErrUnexpected) {
			p.Detail = "internal error: try again later, and give the operator the request id"
		}
	}
	p.Type, p.Title = "urn:curlew:problem:"+string(p.Code), http.StatusText(p.Status)
	return p
}

// tell answers with a problem.
func tell(w http.ResponseWriter, p Problem) {
	h := w.Header()
	h.Set("Content-Type", "application/problem+json")
	h.Set("Cache-Control", "no-store")
	if p.Status == http.StatusUnauthorized {
		h.Set("WWW-Authenticate", `Bearer realm="curlew"`)
	}
	if p.passes && h.Get("Retry-After") == "" {
		h.Set("Retry-After", "5")
	}
	w.WriteHeader(p.Status)
	_ = json.NewEncoder(w).Encode(p) // the reader may have gone
}
