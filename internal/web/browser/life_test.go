package browser

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// processesWith counts living processes whose command line names a directory.
func processesWith(t *testing.T, dir string) int {
	t.Helper()
	entries, err := os.ReadDir("/proc")
	if err != nil {
		t.Skip("this test needs /proc")
	}
	n := 0
	for _, e := range entries {
		line, err := os.ReadFile("/proc/" + e.Name() + "/cmdline")
		if err == nil && strings.Contains(string(line), dir) {
			n++
		}
	}
	return n
}

// slow answers when it is told to, and says when it is asked.
func slow(t *testing.T) (site *httptest.Server, asked chan struct{}) {
	t.Helper()
	asked = make(chan struct{}, 10)
	done := make(chan struct{})
	site = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if r.URL.Path != "/slow" {
			fmt.Fprint(w, "<p>quick")
			return
		}
		asked <- struct{}{}
		select {
		case <-r.Context().Done():
		case <-done:
		}
	}))
	t.Cleanup(func() { close(done); site.Close() })
	return site, asked
}

func TestAKilledBrowserIsReplaced(t *testing.T) {
	t.Parallel()
	site, asked := slow(t)
	b := fresh(t, Options{}, site)
	failed := make(chan error, 1)
	go func() {
		_, err := b.Render(t.Context(), RenderRequest{URL: site.URL + "/slow"})
		failed <- err
	}()
	<-asked
	b.mu.Lock()
	dead := b.current.process
	b.mu.Unlock()
	if err := syscall.Kill(dead.cmd.Process.Pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	wantFault(t, <-failed, curlew.KindTemporary, "browser_crashed")
	if got := render(t, b, RenderRequest{URL: site.URL}); !strings.Contains(string(got.HTML), "quick") {
		t.Errorf("after the crash: %s", got.HTML)
	}
	gone(t, dead)
	old := b.current
	old.rendered = lifetime
	render(t, b, RenderRequest{URL: site.URL})
	if b.current == old {
		t.Error("an old browser was not replaced")
	}
	gone(t, old.process)
}

// gone checks that nothing is left of a Chromium.
func gone(t *testing.T, p *process) {
	t.Helper()
	if n := processesWith(t, p.dir); n != 0 {
		t.Errorf("%d processes are left", n)
	}
	if _, err := os.Stat(p.dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the directory is left: %v", err)
	}
}

func TestCloseEndsWhatIsBeingRendered(t *testing.T) {
	t.Parallel()
	site, asked := slow(t)
	b := fresh(t, Options{}, site)
	failed := make(chan error, 1)
	go func() {
		_, err := b.Render(t.Context(), RenderRequest{URL: site.URL + "/slow"})
		failed <- err
	}()
	<-asked
	p := b.current.process
	if processesWith(t, p.dir) == 0 {
		t.Error("no process was found: the test proves nothing")
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	wantFault(t, <-failed, curlew.KindTemporary, "browser_closed")
	gone(t, p)
	_, err := b.Render(t.Context(), RenderRequest{URL: site.URL})
	wantFault(t, err, curlew.KindTemporary, "browser_closed")
}

func TestAPageDoesNotReachTheBrowserItself(t *testing.T) {
	t.Parallel()
	site, _ := slow(t)
	b := fresh(t, Options{}, site)
	render(t, b, RenderRequest{URL: site.URL})
	address := "127.0.0.1:" + b.current.process.port()
	door.allow(address)
	_, err := b.Render(t.Context(), RenderRequest{URL: "http://" + address + "/json/version", Budget: patient()})
	wantFault(t, err, curlew.KindRefused, "address_forbidden")
	if door.askedFor(address) == 0 {
		t.Error("the door was not tried")
	}
}

func TestACallerWhoLeavesIsNotKeptWaiting(t *testing.T) {
	t.Parallel()
	site, asked := slow(t)
	b := open(t, site)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-asked; cancel() }()
	_, err := b.Render(ctx, RenderRequest{URL: site.URL + "/slow"})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	_, err = b.Render(t.Context(), RenderRequest{URL: site.URL + "/slow", Budget: RenderBudget{Time: 2 * time.Second}})
	wantFault(t, err, curlew.KindTemporary, "timeout")
}

func TestNoMorePagesAtOnceThanAllowed(t *testing.T) {
	t.Parallel()
	var now, most atomic.Int64
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if _, err := r.Cookie("seen"); err == nil {
			t.Error("a page brought another page's cookie")
		}
		http.SetCookie(w, &http.Cookie{Name: "seen", Value: "1"})
		fmt.Fprintf(w, "<p>page %s", r.URL.Path)
	}))
	defer site.Close()
	b := fresh(t, Options{Pages: 2}, site)
	count := func(_ context.Context, url string) error {
		most.Store(max(most.Load(), now.Add(1)))
		return nil
	}
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Go(func() {
			url := fmt.Sprintf("%s/%d", site.URL, i)
			got, err := b.Render(t.Context(), RenderRequest{URL: url, Allow: count})
			now.Add(-1)
			if err != nil {
				t.Error(err)
				return
			}
			if !strings.Contains(string(got.HTML), fmt.Sprintf("page /%d", i)) || !got.Complete || got.URL != url {
				t.Errorf("page %d: %s %s", i, got.Why, got.HTML)
			}
		})
	}
	wait.Wait()
	if most.Load() > 2 {
		t.Errorf("%d pages were open at once", most.Load())
	}
}

func TestAMissingBrowserIsSaidSo(t *testing.T) {
	t.Parallel()
	b := New(Options{Path: "/nowhere/chromium"})
	defer b.Close()
	_, err := b.Render(t.Context(), RenderRequest{URL: "http://127.0.0.1/"})
	wantFault(t, err, curlew.KindPermanent, "browser_missing")
	_, err = Available("/nowhere/chromium")
	wantFault(t, err, curlew.KindPermanent, "browser_missing")
	if !strings.Contains(err.Error(), "apt install chromium") {
		t.Errorf("%v does not say what to do", err)
	}
}

func TestTheBrowserSaysItsVersion(t *testing.T) {
	t.Parallel()
	needChromium(t)
	version, err := Available("")
	if err != nil || !strings.Contains(version, "Chrom") {
		t.Errorf("%q, %v", version, err)
	}
}

func TestABrowserThatDoesNotStart(t *testing.T) {
	t.Parallel()
	b := New(Options{Path: "/bin/false"})
	defer b.Close()
	_, err := b.Render(t.Context(), RenderRequest{URL: "http://127.0.0.1/"})
	wantFault(t, err, curlew.KindTemporary, "browser_crashed")
}
