package middleware

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"
)

// bounded serves a handler that reads whatever it is sent, as forms or whole, and tells what came.
func bounded(t *testing.T, limits BodyLimits) (*httptest.Server, chan error) {
	t.Helper()
	read := make(chan error, 1)
	s := httptest.NewServer(Bodies(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = r.FormValue("next")
		body, err := io.ReadAll(r.Body)
		read <- err
		fmt.Fprintf(w, "%d bytes, next %q", len(body), r.PostFormValue("next"))
	}), limits))
	t.Cleanup(s.Close)
	return s, read
}

func TestBodiesAreBoundedBeforeAnybodyReadsThem(t *testing.T) {
	part := "--x\r\nContent-Disposition: form-data; name=\"f\"; filename=\"f\"\r\n\r\n" + strings.Repeat("0", 100<<10)
	form := strings.Repeat("a", 2000)
	for _, c := range []struct {
		name, method, kind, body string
		status                   int
		says, path               string
	}{
		{"a form that asks", http.MethodGet, "multipart/form-data; boundary=x", part, http.StatusOK, "0 bytes", ""},
		{"a form of parts", http.MethodPost, "multipart/form-data; boundary=x", part, http.StatusUnsupportedMediaType, "multipart", ""},
		{"a one-click form of parts", http.MethodPost, "multipart/form-data; boundary=x", part, http.StatusOK, "0 bytes", "/curlew/unsubscribe/sub/key"},
		{"a large body", http.MethodPost, "application/json", form, http.StatusOK, "1000 bytes", ""},
		{"a form", http.MethodPost, "application/x-www-form-urlencoded", "next=/sources", http.StatusOK, `next "/sources"`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, _ := bounded(t, BodyLimits{Most: 1000, Within: time.Minute})
			request, err := http.NewRequestWithContext(t.Context(), c.method, s.URL+c.path, strings.NewReader(c.body))
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("Content-Type", c.kind)
			answer, err := s.Client().Do(request)
			if err != nil {
				t.Fatal(err)
			}
			defer answer.Body.Close()
			said, _ := io.ReadAll(answer.Body)
			if answer.StatusCode != c.status || !strings.Contains(string(said), c.says) {
				t.Errorf("%s: %s", answer.Status, said)
			}
		})
	}
}

func TestABodyThatNeverEndsIsNotWaitedFor(t *testing.T) {
	s, read := bounded(t, BodyLimits{Most: 1000, Within: 50 * time.Millisecond})
	line, err := net.Dial("tcp", s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer line.Close()
	fmt.Fprintf(line, "POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{")
	if err := <-read; !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("the handler was told %v", err)
	}
}

func TestAnswersMayTakeLongerThanBodies(t *testing.T) {
	limits := BodyLimits{Most: 1000, Within: time.Second}
	s := httptest.NewServer(Bodies(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		for range 2 {
			select {
			case <-r.Context().Done():
				return
			case <-time.After(2 * limits.Within):
			}
			fmt.Fprintln(w, "still here")
			w.(http.Flusher).Flush()
		}
	}), limits))
	defer s.Close()
	answer, err := s.Client().Post(s.URL, "application/json", strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	lines := 0
	for scan := bufio.NewScanner(answer.Body); scan.Scan(); lines++ {
	}
	if lines != 2 {
		t.Errorf("%d lines of 2 came", lines)
	}
}

func TestABodyThatNobodyWantsIsNotWaitedForEither(t *testing.T) {
	s, _ := bounded(t, BodyLimits{Most: 1000, Within: 50 * time.Millisecond})
	line, err := net.Dial("tcp", s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer line.Close()
	fmt.Fprintf(line, "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 5000\r\n\r\n{")
	if answer, err := io.ReadAll(line); err != nil || !strings.HasPrefix(string(answer), "HTTP/1.1 200") {
		t.Errorf("the line ends with %q: %v", answer, err)
	}
}
