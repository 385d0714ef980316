package browser

import (
	"bytes"
	"crypto/tls"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
)

// through gives a client that has only the proxy, and the means to permit.
func through(t *testing.T, transfer int64, full func()) (*http.Client, *proxy) {
	t.Helper()
	p, err := listen(door.dial, transfer, full)
	if err != nil {
		t.Fatal(err)
	}
	way, err := url.Parse(p.url())
	if err != nil {
		t.Fatal(err)
	}
	out := &http.Transport{Proxy: http.ProxyURL(way), TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}
	t.Cleanup(func() { out.CloseIdleConnections(); p.close() })
	return &http.Client{Transport: out}, p
}

func permit(t *testing.T, p *proxy, rawURL string) {
	t.Helper()
	u, err := url.Parse(rawURL)
	if err != nil {
		t.Fatal(err)
	}
	p.permit(u)
}

func TestTheProxyPassesOnWhatWasPermitted(t *testing.T) {
	t.Parallel()
	answer := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.Copy(w, r.Body) })
	plain, secure := httptest.NewServer(answer), httptest.NewTLSServer(answer)
	defer plain.Close()
	defer secure.Close()
	door.allow(plain.URL)
	door.allow(secure.URL)
	client, p := through(t, 1<<20, func() {})
	for i, site := range []string{plain.URL, secure.URL} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if _, err := client.Post(site, "text/plain", strings.NewReader("hello")); err == nil {
				t.Errorf("%s was reached without permission", site)
			}
			permit(t, p, site)
			r, err := client.Post(site, "text/plain", strings.NewReader("hello"))
			if err != nil {
				t.Errorf("%s: %v", site, err)
				return
			}
			body, err := io.ReadAll(r.Body)
			r.Body.Close()
			if string(body) != "hello" || err != nil {
				t.Errorf("%s: %q, %v", site, body, err)
			}
		})
	}
	if p.moved.Load() == 0 {
		t.Error("nothing was counted")
	}
}

func TestTheProxyStopsAtTheBudgetAndAtTheDialer(t *testing.T) {
	t.Parallel()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Write(bytes.Repeat([]byte("x"), 1<<20))
	}))
	defer site.Close()
	door.allow(site.URL)
	var calls atomic.Int64
	client, p := through(t, 100_000, func() { calls.Add(1) })
	permit(t, p, site.URL)
	if r, err := client.Get(site.URL); err == nil {
		if n, err := io.Copy(io.Discard, r.Body); err == nil || n > 200_000 {
			t.Errorf("%d bytes came through: %v", n, err)
		}
		r.Body.Close()
	}
	if calls.Load() != 1 {
		t.Errorf("the end of the budget was told %d times", calls.Load())
	}
	client, p = through(t, 1<<20, func() {})
	for _, target := range []string{"http://127.0.0.1:1/", "https://127.0.0.1:1/"} {
		t.Run(target, func(t *testing.T) {
			permit(t, p, target)
			if _, err := client.Get(target); err == nil {
				t.Errorf("%s was reached", target)
			}
			wantFault(t, p.failure(target), curlew.KindRefused, "address_forbidden")
		})
	}
}

func TestACertificateThatWillNotDo(t *testing.T) {
	t.Parallel()
	site := httptest.NewUnstartedServer(http.NotFoundHandler())
	site.Config.ErrorLog = log.New(io.Discard, "", 0) // it will complain
	site.StartTLS()
	defer site.Close()
	b := open(t, site)
	_, err := b.Render(t.Context(), RenderRequest{URL: site.URL, Budget: patient()})
	wantFault(t, err, curlew.KindPermanent, "navigation_failed")
}
