package demo

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// Control answers commands and tells the truth. It belongs on an address of its
// own; a page in a browser that comes from elsewhere cannot command it.
func (w *Web) Control() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", w.controlIndex)
	mux.HandleFunc("GET /truth/{site}", w.controlTruth)
	mux.HandleFunc("GET /truth/{site}/changes", w.controlChanges)
	mux.HandleFunc("POST /sites/{site}/{command}", w.controlCommand)
	mux.HandleFunc("POST /advance", func(rw http.ResponseWriter, r *http.Request) {
		w.AdvanceAll()
		w.controlIndex(rw, r)
	})
	mux.HandleFunc("POST /reset", func(rw http.ResponseWriter, r *http.Request) {
		w.Reset()
		w.controlIndex(rw, r)
	})
	mux.HandleFunc("/", func(rw http.ResponseWriter, r *http.Request) {
		fail(rw, curlew.Permanent(errUnknownPath,
			"the control address has no %s %s: GET /, GET /truth/{site}, GET /truth/{site}/changes?since_day=N, "+
				"POST /sites/{site}/advance|redesign|drift|break?mode=|repair, POST /advance, POST /reset", r.Method, r.URL.Path))
	})
	return http.NewCrossOriginProtection().Handler(mux)
}

func (w *Web) controlIndex(rw http.ResponseWriter, _ *http.Request) {
	tell(rw, http.StatusOK, map[string]any{
		"seed": w.seed, "first_day": w.today.Format(time.DateOnly), "sites": w.Sites(), "modes": Modes(),
	})
}

func (w *Web) controlTruth(rw http.ResponseWriter, r *http.Request) {
	name := r.PathValue("site")
	described, err := w.Site(name)
	if err != nil {
		fail(rw, err)
		return
	}
	records, err := w.Truth(name)
	if err != nil {
		fail(rw, err)
		return
	}
	tell(rw, http.StatusOK, map[string]any{"site": described, "records": records})
}

func (w *Web) controlChanges(rw http.ResponseWriter, r *http.Request) {
	since, err := strconv.Atoi(r.URL.Query().Get("since_day"))
	if err != nil {
		fail(rw, curlew.Permanent("wrong_day", "since_day must be a whole number, such as 0"))
		return
	}
	changes, err := w.Changes(r.PathValue("site"), since)
	if err != nil {
		fail(rw, err)
		return
	}
	tell(rw, http.StatusOK, map[string]any{"site": r.PathValue("site"), "since_day": since, "changes": changes})
}

func (w *Web) controlCommand(rw http.ResponseWriter, r *http.Request) {
	name := r.PathValue("site")
	if err := w.obey(name, r.PathValue("command"), Mode(r.URL.Query().Get("mode"))); err != nil {
		fail(rw, err)
		return
	}
	described, err := w.Site(name)
	if err != nil {
		fail(rw, err)
		return
	}
	tell(rw, http.StatusOK, described)
}

func (w *Web) obey(name, command string, mode Mode) error {
	switch command {
	case "advance":
		return w.Advance(name)
	case "redesign":
		return w.Redesign(name)
	case "drift":
		return w.Drift(name)
	case "break":
		return w.Break(name, mode)
	case "repair":
		return w.Repair(name)
	}
	return curlew.Permanent(errUnknownCommand, "there is no command %q: use advance, redesign, drift, break?mode= or repair", command)
}

func tell(rw http.ResponseWriter, status int, value any) {
	body, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		status, body = http.StatusInternalServerError, fmt.Appendf(nil, `{"error": %q}`, err)
	}
	rw.Header().Set("Content-Type", "application/json; charset=utf-8")
	rw.WriteHeader(status)
	_, _ = rw.Write(append(body, '\n')) // a client that has gone away is nobody's fault
}

// The codes of requests for what is not there.
const (
	errUnknownSite    curlew.Code = "unknown_site"
	errUnknownPath    curlew.Code = "unknown_path"
	errUnknownCommand curlew.Code = "unknown_command"
)

// fail answers with the fault's sentence.
func fail(rw http.ResponseWriter, err error) {
	fault := curlew.AsFault(err)
	status := http.StatusBadRequest
	switch {
	case errors.Is(fault, errUnknownSite), errors.Is(fault, errUnknownPath), errors.Is(fault, errUnknownCommand):
		status = http.StatusNotFound
	case errors.Is(fault, curlew.ErrUnexpected):
		status = http.StatusInternalServerError
	}
	tell(rw, status, map[string]any{"error": fault})
}
