package middleware

import (
	"io"
	"mime"
	"net/http"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/work/deliver"
)

// BodyLimits bound the bodies of requests.
type BodyLimits struct {
	Most   int64         // bytes
	Within time.Duration // from its first byte to its last
}

// DefaultBodyLimits leave room for the largest call over gRPC, sent over a slow line.
func DefaultBodyLimits() BodyLimits { return BodyLimits{Most: 5 << 20, Within: time.Minute} }

// Bodies bounds the body of every request before anybody reads it, whoever sends it. Requests
// that only ask have none, and none is multipart: no form here sends that, and whoever parses it
// writes it to the disk.
func Bodies(next http.Handler, limits BodyLimits) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body == nil || r.Body == http.NoBody {
			next.ServeHTTP(w, r)
			return
		}
		timed := &timedBody{ReadCloser: r.Body, control: http.NewResponseController(w)}
		timed.until(time.Now().Add(limits.Within)) // also for what is not read: the server waits for some of it
		kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
		switch {
		case r.Method == http.MethodGet || r.Method == http.MethodHead:
			w.Header().Set("Connection", "close") // what else it sends is not read
			r.Body = http.NoBody
		case strings.HasPrefix(kind, "multipart/") && strings.Contains(r.URL.Path, deliver.UnsubscribePath): // RFC 8058; nobody reads it
			w.Header().Set("Connection", "close")
			r.Body = http.NoBody
		case strings.HasPrefix(kind, "multipart/"):
			w.Header().Set("Connection", "close")
			http.Error(w, "multipart bodies are not taken here: send JSON, or a form as application/x-www-form-urlencoded",
				http.StatusUnsupportedMediaType)
			return
		default:
			r.Body = http.MaxBytesReader(w, timed, limits.Most)
		}
		next.ServeHTTP(w, r)
	})
}

// timedBody is a body that must be here in time. Once it is, the connection may stay open for as
// long as the answer takes: streams are read for hours.
type timedBody struct {
	io.ReadCloser
	control *http.ResponseController
}

func (b *timedBody) until(t time.Time) { _ = b.control.SetReadDeadline(t) }

func (b *timedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err == io.EOF {
		b.until(time.Time{})
	}
	return n, err
}
