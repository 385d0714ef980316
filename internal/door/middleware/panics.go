package middleware

import (
	"net/http"
	"strings"

	"github.com/curlew-data/curlew/internal/ops/guard"
)

// Guarded answers a request. A panic is an error that the caller can still tell in its own form;
// where a part of the answer has left already, the connection ends.
func Guarded(w http.ResponseWriter, r *http.Request, answer func(http.ResponseWriter) error) error {
	out, ended := &outgoing{ResponseWriter: w}, false
	err := guard.Handle(func() string { return r.Method + " " + PathOf(r) }, func() error {
		err := answer(out)
		ended = true
		return err
	})
	if !ended && out.began {
		panic(http.ErrAbortHandler)
	}
	return err
}

// PathOf is the path of a request for the log, without the token that it may hold.
func PathOf(r *http.Request) string {
	if token := r.PathValue("token"); token != "" {
		return strings.ReplaceAll(r.URL.Path, token, "{token}")
	}
	return r.URL.Path
}

// outgoing remembers whether a part of an answer has left.
type outgoing struct {
	http.ResponseWriter
	began bool
}

// Unwrap is for http.ResponseController.
func (o *outgoing) Unwrap() http.ResponseWriter { return o.ResponseWriter }

// WriteHeader begins the answer.
func (o *outgoing) WriteHeader(status int) {
	o.began = true
	o.ResponseWriter.WriteHeader(status)
}

// Write takes a part of the answer.
func (o *outgoing) Write(part []byte) (int, error) {
	o.began = true
	return o.ResponseWriter.Write(part)
}

// Flush sends what there is: streams of gRPC demand it of the writer itself.
func (o *outgoing) Flush() { _ = http.NewResponseController(o.ResponseWriter).Flush() }
