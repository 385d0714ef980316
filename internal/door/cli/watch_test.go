package cli

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
)

// TestOneCommandWatchesAPage adds a page, tells what changed on it, and ends in peace when it is stopped; the second time it
// goes on with the watch that is there.
func TestOneCommandWatchesAPage(t *testing.T) {
	r := newReader(t)
	var asked, until atomic.Int64
	var price atomic.Value
	price.Store("3,291")
	var stop atomic.Value
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if req.URL.Path != "/rates" {
			http.NotFound(w, req)
			return
		}
		if n := asked.Add(1); n == until.Load()-2 {
			price.Store(fmt.Sprintf("4,%03d", n))
		} else if n == until.Load() {
			stop.Load().(context.CancelFunc)() // the change was told by now
		}
		fmt.Fprintf(w, "<html lang=en><head><title>Rates</title></head><body><main><h1>Rates</h1><table><tr><th>Country</th><th>Code</th><th>Rate</th><th>Unit</th></tr>")
		for i, country := range strings.Fields("Denmark Norway Sweden Iceland Finland Estonia Latvia") {
			fmt.Fprintf(w, "<tr><td>%s</td><td>%s</td><td>%s</td><td>%d00</td></tr>", country, strings.ToUpper(country[:3]), price.Load(), i+1)
		}
		fmt.Fprint(w, "</table></main></body></html>")
	}))
	t.Cleanup(server.Close)
	u, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	r.ports += "," + u.Port()
	for _, first := range []bool{true, false} {
		until.Store(asked.Load() + 8)
		ctx, cancel := context.WithCancel(t.Context())
		stop.Store(cancel)
		code, out, complaint := r.curlew(ctx, "watch", server.URL+"/rates", "--delay", "0s", "--every", "10ms")
		if code != exitDone || !strings.Contains(out, "→ 4,") || strings.Contains(out, "appeared") != first {
			t.Errorf("exit %d: %s\n%s", code, out, complaint)
		}
	}
	r.refused(exitUsage, "wait at least 1m0s between two checks", "watch", server.URL+"/rates", "--every", "2s")
}
