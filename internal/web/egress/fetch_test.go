package egress

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
)

func TestAFetchTellsWhatCameBack(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"7"`)
		w.WriteHeader(http.StatusTeapot)
		io.WriteString(w, r.Method+" "+r.Header.Get("User-Agent")+" "+r.Header.Get("Accept-Encoding"))
	})
	r := get(t, trusting(t, s.URL), s.URL)
	if r.URL != s.URL+"/" || r.Status != 418 || r.Proto != "HTTP/1.1" || r.Header.Get("ETag") != `"7"` || !r.Complete || r.Why != "" {
		t.Errorf("got %+v", r)
	}
	if string(r.Body) != "GET Curlew gzip, br, zstd, deflate" || r.WireBytes != int64(len(r.Body)) || r.Encoding != "" {
		t.Errorf("body %q, %d bytes on the wire", r.Body, r.WireBytes)
	}
	if "http://"+r.Remote.String() != s.URL || r.Took <= 0 {
		t.Errorf("from %v in %v", r.Remote, r.Took)
	}
}

func TestRequestsThatWouldNotSurviveTheWire(t *testing.T) {
	s := serve(t, func(http.ResponseWriter, *http.Request) {})
	c := trusting(t, s.URL)
	for code, r := range map[string]Request{
		"header_refused":   {URL: s.URL, Header: http.Header{"X": {"a\r\nEvil: yes"}}},
		"method_forbidden": {URL: s.URL, Method: "CONNECT"},
	} {
		t.Run(code, func(t *testing.T) {
			_, err := c.Do(t.Context(), r)
			expectFault(t, err, curlew.KindRefused, code)
		})
	}
	_, err := c.Do(t.Context(), Request{URL: s.URL, Header: http.Header{"X y": {"a"}}})
	expectFault(t, err, curlew.KindRefused, "header_refused")
	_, err = c.Do(t.Context(), Request{URL: s.URL, Method: "GET / HTTP/1.1\r\nX:"})
	expectFault(t, err, curlew.KindRefused, "method_forbidden")
	if s.hits.Load() != 0 {
		t.Error("something was sent")
	}
}

// The request is the caller's: nothing in it is changed.
func TestTheCallersHeaderIsLeftAlone(t *testing.T) {
	s := serve(t, hops)
	header := http.Header{"Accept-Encoding": {"identity"}}
	if _, err := trusting(t, s.URL).Do(t.Context(), Request{URL: s.URL + "/1", Header: header, Budget: DefaultBudget()}); err != nil {
		t.Fatal(err)
	}
	if len(header) != 1 || header.Get("Accept-Encoding") != "identity" {
		t.Errorf("the header became %v", header)
	}
}

func TestOddButHonestAnswersPass(t *testing.T) {
	for name, c := range map[string]struct {
		answer, body string
		status       int
	}{
		"HTML labelled PNG": {"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 13\r\n\r\n<html></html>", "<html></html>", 200},
		"unsolicited 304":   {"HTTP/1.1 304 Not Modified\r\nContent-Encoding: gzip\r\n\r\n", "", 304},
		"empty 200":         {"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "", 200},
		"empty gzip":        {"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 0\r\n\r\n", "", 200},
		"HTTP/1.0":          {"HTTP/1.0 200 OK\r\n\r\nhello", "hello", 200},
		"301 to nowhere":    {"HTTP/1.1 301 Moved\r\nContent-Length: 4\r\n\r\ngone", "gone", 301},
		"giant cookie":      {"HTTP/1.1 200 OK\r\nSet-Cookie: a=" + strings.Repeat("x", 40<<10) + "\r\nContent-Length: 2\r\n\r\nok", "ok", 200},
		"early hints":       {"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", "ok", 200},
	} {
		t.Run(name, func(t *testing.T) {
			url := raw(t, say(c.answer))
			r := get(t, trusting(t, url), url)
			if r.Status != c.status || string(r.Body) != c.body || !r.Complete {
				t.Errorf("got %+v", r)
			}
		})
	}
}

func TestHeadHasNoBody(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "br")
		w.Header().Set("Content-Length", "12345")
	})
	r, err := trusting(t, s.URL).Do(t.Context(), Request{Method: "HEAD", URL: s.URL})
	if err != nil || !r.Complete || len(r.Body) != 0 || r.Header.Get("Content-Length") != "12345" {
		t.Errorf("got %+v, %v", r, err)
	}
}

func TestConnectionsAreReused(t *testing.T) {
	var remotes sync.Map
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		remotes.Store(r.RemoteAddr, true)
		hops(w, r)
	})
	c := trusting(t, s.URL)
	for range 5 {
		get(t, c, s.URL+"/3")
	}
	n := 0
	remotes.Range(func(any, any) bool { n++; return true })
	if n != 1 || s.hits.Load() != 20 {
		t.Errorf("%d connections for %d requests", n, s.hits.Load())
	}
}

func TestNoProxyIsTakenFromTheEnvironment(t *testing.T) {
	proxy := serve(t, func(http.ResponseWriter, *http.Request) {})
	t.Setenv("HTTP_PROXY", proxy.URL)
	t.Setenv("ALL_PROXY", proxy.URL)
	c := client(t, Policy{Ports: []uint16{portIn(t, proxy.URL)}, Resolver: always("10.0.0.1")})
	_, err := c.Do(t.Context(), Request{URL: strings.Replace(proxy.URL, "127.0.0.1", "example.com", 1)})
	expectFault(t, err, curlew.KindRefused, "address_forbidden")
	if proxy.hits.Load() != 0 {
		t.Error("the proxy was used")
	}
}

func TestWhenTheCallerLeavesThatIsTheError(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	stopped := errors.New("stopped by a person")
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, "half")
		w.(http.Flusher).Flush()
		cancel(stopped)
		<-r.Context().Done()
	})
	if _, err := trusting(t, s.URL).Do(ctx, Request{URL: s.URL}); !errors.Is(err, stopped) {
		t.Errorf("got %v", err)
	}
	if _, err := trusting(t, s.URL).Do(ctx, Request{URL: s.URL}); !errors.Is(err, stopped) {
		t.Errorf("got %v", err)
	}
}

func TestManyFetchesAtOnce(t *testing.T) {
	page := bytes.Repeat([]byte("curlew "), 10_000)
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) { w.Write(page) })
	c := trusting(t, s.URL)
	var all sync.WaitGroup
	for range 100 {
		all.Go(func() {
			if r, err := c.Do(t.Context(), Request{URL: s.URL}); err != nil || !bytes.Equal(r.Body, page) {
				t.Errorf("got %v", err)
			}
		})
	}
	all.Wait()
}
