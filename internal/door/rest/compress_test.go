package rest

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

var long = strings.Repeat("the same words again ", 200)

// serveText serves a text of a type, with more headers, as all answers are served.
func serveText(kind, text string, more ...string) http.Handler {
	return compressed(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		for i := 0; i+1 < len(more); i += 2 {
			w.Header().Set(more[i], more[i+1])
		}
		_, _ = io.WriteString(w, text)
	}))
}

func askFor(h http.Handler, method, encodings string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "/", nil)
	if encodings != "" {
		r.Header.Set("Accept-Encoding", encodings)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestAnswersAreCompressedForThoseWhoTakeIt(t *testing.T) {
	for encodings, want := range map[string]bool{"gzip": true, "br, gzip;q=0.5": true, "GZIP": true,
		"": false, "*": false, "br": false, "gzip;q=0": false, "*, gzip;q=0": false, "gzip;q=x": false, "gzip; q=0.0": false, "identity": false} {
		t.Run(encodings, func(t *testing.T) {
			w := askFor(serveText("text/html; charset=utf-8", long, "ETag", `"one"`), http.MethodGet, encodings)
			if got := w.Header().Get("Content-Encoding") == "gzip"; got != want {
				t.Errorf("%q: compressed is %v, want %v", encodings, got, want)
			}
			if w.Header().Get("Vary") != "Accept-Encoding" {
				t.Errorf("%q: a cache is not told that it depends", encodings)
			}
			if !want {
				if w.Body.String() != long || w.Header().Get("ETag") != `W/"one"` {
					t.Errorf("%q: what is not compressed differs", encodings)
				}
				return
			}
			unzip, err := gzip.NewReader(w.Body)
			if err != nil {
				t.Fatal(err)
			}
			if body, err := io.ReadAll(unzip); err != nil || string(body) != long || w.Header().Get("ETag") != `W/"one"` {
				t.Errorf("%q: came back as %d bytes (%v) with the tag %s", encodings, len(body), err, w.Header().Get("ETag"))
			}
		})
	}
}

func TestWhatIsNotWorthItOrMustLeaveAtOnceIsNotCompressed(t *testing.T) {
	for what, h := range map[string]http.Handler{
		"live events":    serveText("text/event-stream", long),
		"an image":       serveText("image/png", long),
		"zipped already": serveText("text/plain", long, "Content-Encoding", "zstd"),
		"a short one":    serveText("text/plain", "short", "Content-Length", "5"),
		"a part of a file": compressed(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/plain")
			w.Header().Set("Content-Range", "bytes 0-4199/9000")
			w.WriteHeader(http.StatusPartialContent)
			_, _ = io.WriteString(w, long)
		})),
		"nothing new": compressed(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/plain")
			w.WriteHeader(http.StatusNotModified)
		})),
	} {
		t.Run(what, func(t *testing.T) {
			if w := askFor(h, http.MethodGet, "gzip"); w.Header().Get("Content-Encoding") == "gzip" {
				t.Errorf("%s is compressed", what)
			}
		})
	}
}

func TestAnAnswerSaysHowLongItTookUnlessASecretWasChecked(t *testing.T) {
	h := serveText("text/html", long)
	if got := askFor(h, http.MethodGet, "").Header().Get("Server-Timing"); !strings.HasPrefix(got, "app;dur=") {
		t.Errorf("a page says %q", got)
	}
	if got := askFor(h, http.MethodPost, "").Header().Get("Server-Timing"); got != "" {
		t.Errorf("a form says %q", got)
	}
}

// wrapper is what other handlers put around a connection: it can be unwrapped and nothing else.
type wrapper struct{ inside http.ResponseWriter }

func (w wrapper) Unwrap() http.ResponseWriter { return w.inside }

func TestWhatIsFlushedArrivesBeforeTheEnd(t *testing.T) {
	asked := make(chan struct{})
	inner := compressed(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/x-ndjson")
		_, _ = io.WriteString(w, "first\n")
		if err := http.NewResponseController(w).Flush(); err != nil {
			t.Error(err)
		}
		<-asked
	}))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		inner.ServeHTTP(struct {
			http.ResponseWriter
			wrapper
		}{w, wrapper{w}}, r)
	}))
	defer server.Close()
	answer, err := server.Client().Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	line := make([]byte, 6)
	if _, err := io.ReadFull(answer.Body, line); err != nil || string(line) != "first\n" || !answer.Uncompressed {
		t.Errorf("got %q (%v), compressed: %v", line, err, answer.Uncompressed)
	}
	close(asked)
}
