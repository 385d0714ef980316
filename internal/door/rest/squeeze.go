package rest

import (
	"compress/gzip"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// squeezeFrom is from which length an answer is worth compressing: less fits into one
// packet anyway. Answers that do not say how long they are count as long.
const squeezeFrom = 1400

// squeezable are the types whose bodies become smaller. Live events are not among
// them: each must leave at once.
var squeezable = map[string]bool{
	"text/html": true, "text/css": true, "text/plain": true, "text/csv": true, "text/calendar": true, "text/javascript": true,
	"application/javascript": true, "application/json": true, "application/problem+json": true, "application/feed+json": true,
	"application/x-ndjson": true, "application/jsonl": true, "application/atom+xml": true, "application/rss+xml": true,
	"application/xml": true, "image/svg+xml": true,
}

var squeezers = sync.Pool{New: func() any {
	w, err := gzip.NewWriterLevel(io.Discard, 5) // half the time of the default for 3 % more bytes, on our own pages
	if err != nil {
		panic(err) // the level is a good one
	}
	return w
}}

// squeezed compresses answers for those who take gzip, and says how long they took to
// make. Tokens in pages are masked anew each time, so their length tells nothing.
func squeezed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a := &answer{ResponseWriter: w, request: r, began: time.Now()}
		defer a.end()
		next.ServeHTTP(a, r)
	})
}

// answer is one that may become compressed.
type answer struct {
	http.ResponseWriter
	request *http.Request
	began   time.Time
	decided bool
	zip     *gzip.Writer
}

// Unwrap lets a handler take the connection over, which is then its own.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// WriteHeader decides how the body is sent.
func (a *answer) WriteHeader(status int) {
	if a.decided || status < http.StatusOK {
		a.ResponseWriter.WriteHeader(status)
		return
	}
	a.decided = true
	h := a.Header()
	if a.request.Method == http.MethodGet { // how long a password took to check is nobody's business
		h.Set("Server-Timing", "app;dur="+strconv.FormatFloat(float64(time.Since(a.began).Microseconds())/1000, 'f', 1, 64))
	}
	kind, _, _ := mime.ParseMediaType(h.Get("Content-Type"))
	if squeezable[kind] && status != http.StatusPartialContent && h.Get("Content-Encoding") == "" {
		h.Add("Vary", "Accept-Encoding")
		if takesGzip(a.request.Header.Values("Accept-Encoding")) {
			if tag := h.Get("ETag"); tag != "" && !strings.HasPrefix(tag, "W/") {
				h.Set("ETag", "W/"+tag) // the same content in other bytes
			}
			a.squeeze(status)
		}
	}
	a.ResponseWriter.WriteHeader(status)
}

// squeeze compresses the body, if there is one that is worth it.
func (a *answer) squeeze(status int) {
	h := a.Header()
	if length, err := strconv.Atoi(h.Get("Content-Length")); err == nil && length < squeezeFrom {
		return
	}
	if status == http.StatusNoContent || status == http.StatusNotModified || a.request.Method == http.MethodHead {
		return
	}
	h.Set("Content-Encoding", "gzip")
	h.Del("Content-Length")
	h.Del("Accept-Ranges")
	a.zip = squeezers.Get().(*gzip.Writer)
	a.zip.Reset(a.ResponseWriter)
}

// Write sends a part of the body.
func (a *answer) Write(part []byte) (int, error) {
	if !a.decided {
		if a.Header().Get("Content-Type") == "" {
			a.Header().Set("Content-Type", http.DetectContentType(part))
		}
		a.WriteHeader(http.StatusOK)
	}
	if a.zip != nil {
		return a.zip.Write(part)
	}
	return a.ResponseWriter.Write(part)
}

// Flush sends what there is, for those who do not ask whether that worked.
func (a *answer) Flush() { _ = a.FlushError() }

// FlushError sends what there is.
func (a *answer) FlushError() error {
	if !a.decided {
		a.WriteHeader(http.StatusOK)
	}
	if a.zip != nil {
		if err := a.zip.Flush(); err != nil {
			return err
		}
	}
	return http.NewResponseController(a.ResponseWriter).Flush()
}

func (a *answer) end() {
	if a.zip != nil {
		_ = a.zip.Close() // the reader may have gone
		a.zip.Reset(io.Discard)
		squeezers.Put(a.zip)
	}
}

// takesGzip reads Accept-Encoding.
func takesGzip(given []string) bool {
	taken := false
	for one := range strings.SplitSeq(strings.Join(given, ","), ",") {
		name, weight, weighed := strings.Cut(one, ";")
		name = strings.ToLower(strings.TrimSpace(name))
		if name != "gzip" && name != "*" {
			continue
		}
		taken = true
		if weighed {
			q, err := strconv.ParseFloat(strings.TrimPrefix(strings.TrimSpace(weight), "q="), 64)
			taken = err == nil && q > 0
		}
		if name == "gzip" {
			return taken
		}
	}
	return taken
}
