package cli

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// A site that forbids what it allowed before wants to tell us something.
func TestACrawlStopsForAPersonWhenRobotsForbidsWhatWasRead(t *testing.T) {
	var strict atomic.Bool
	var asked atomic.Int64
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/robots.txt" && strict.Load():
			fmt.Fprint(w, "User-agent: *\nDisallow: /agenda\n")
		case r.URL.Path == "/robots.txt":
		default:
			asked.Add(1)
			fmt.Fprintf(w, `<p>%s</p><a href="/agenda">agenda</a>`, strings.Repeat("Some honest text. ", 60))
		}
	}))
	defer site.Close()
	r := &reader{T: t, data: t.TempDir(), ports: site.URL[strings.LastIndex(site.URL, ":")+1:]}
	if code, out, complaint := r.curlew(t.Context(), "crawl", site.URL, "--delay", "0s"); code != 0 || asked.Load() != 2 {
		t.Fatalf("exit %d after %d requests: %s%s", code, asked.Load(), out, complaint)
	}
	strict.Store(true)
	code, _, complaint := r.curlew(t.Context(), "crawl", site.URL, "--delay", "0s")
	if code != exitRefused || !strings.Contains(complaint, "/agenda, which was allowed before: line 2 says") {
		t.Errorf("exit %d: %s", code, complaint)
	}
	if asked.Load() != 2 {
		t.Errorf("%d further requests went out", asked.Load()-2)
	}
}
