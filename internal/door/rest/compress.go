package rest

import (
	"bufio"
	"mime"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/klauspost/compress/gzhttp"
)

// compressFrom is from which length an answer is worth compressing: less fits into one
// packet anyway.
const compressFrom = 1400

// compressible are the types whose bodies become smaller. Live events are not among
// them: each must leave at once.
var compressible = map[string]bool{
	"text/html": true, "text/css": true, "text/plain": true, "text/csv": true, "text/calendar": true, "text/javascript": true,
	"application/javascript": true, "application/json": true, "application/problem+json": true, "application/feed+json": true,
	"application/x-ndjson": true, "application/jsonl": true, "application/atom+xml": true, "application/rss+xml": true,
	"application/xml": true, "image/svg+xml": true,
}

func isCompressible(contentType string) bool {
	kind, _, _ := mime.ParseMediaType(contentType)
	return compressible[kind]
}

// compressed compresses answers for those who take gzip, and says how long they took to
// make. Tokens in pages are masked anew each time, so their length tells nothing.
func compressed(next http.Handler) http.Handler {
	compress, err := gzhttp.NewWrapper(gzhttp.MinSize(compressFrom), gzhttp.ContentTypeFilter(isCompressible),
		gzhttp.CompressionLevel(5), // half the time of the default for 3 % more bytes, on our detail pages
		gzhttp.EnableZstd(false))
	if err != nil {
		panic(err) // the options are good ones
	}
	inner := compress(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(&answer{ResponseWriter: w, request: r, began: time.Now()}, r)
	}))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { inner(unwrapped{w}, r) })
}

// unwrapped flushes and hands over a connection that other handlers have wrapped, which
// gzhttp does not look into.
type unwrapped struct{ http.ResponseWriter }

// Unwrap is for http.ResponseController.
func (u unwrapped) Unwrap() http.ResponseWriter { return u.ResponseWriter }

// Flush sends what there is.
func (u unwrapped) Flush() { _ = http.NewResponseController(u.ResponseWriter).Flush() }

// Hijack hands the connection over.
func (u unwrapped) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	return http.NewResponseController(u.ResponseWriter).Hijack()
}

// answer adds headers that are only known when an answer begins.
type answer struct {
	http.ResponseWriter
	request *http.Request
	began   time.Time
	decided bool
}

// Unwrap lets a handler take the connection over, which is then its own.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// Flush sends what there is: streams of gRPC demand it of the writer itself.
func (a *answer) Flush() { _ = http.NewResponseController(a.ResponseWriter).Flush() }

// WriteHeader says how long the answer took, and that its tag is of the content and not of the bytes.
func (a *answer) WriteHeader(status int) {
	h := a.Header()
	if !a.decided && status >= http.StatusOK {
		a.decided = true
		if a.request.Method == http.MethodGet { // how long a password took to check is nobody's business
			h.Set("Server-Timing", "app;dur="+strconv.FormatFloat(float64(time.Since(a.began).Microseconds())/1000, 'f', 1, 64))
		}
		if tag := h.Get("ETag"); tag != "" && !strings.HasPrefix(tag, "W/") && isCompressible(h.Get("Content-Type")) {
			h.Set("ETag", "W/"+tag)
		}
	}
	a.ResponseWriter.WriteHeader(status)
}

// Write sends a part of the body.
func (a *answer) Write(part []byte) (int, error) {
	if !a.decided {
		a.WriteHeader(http.StatusOK)
	}
	return a.ResponseWriter.Write(part)
}
