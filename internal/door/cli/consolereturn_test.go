package cli

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// serveUntil serves an installation until it is told to stop.
func serveUntil(t *testing.T, folder, listen string) (said *spoken, stop func()) {
	t.Helper()
	ctx, end := context.WithCancel(context.Background())
	said = &spoken{}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		Main([]string{"serve", "--data", folder, "--listen", listen}, Environment{Context: ctx, Out: said, Err: io.Discard, In: strings.NewReader("")})
	}()
	stop = func() { end(); <-ended }
	t.Cleanup(stop)
	return said, stop
}

// proposeBeside adds a candidate from another process than the server.
func proposeBeside(t *testing.T, folder, address, name string) {
	t.Helper()
	said := &spoken{}
	if code := Main([]string{"add", address, "--name", name, "--data", folder}, Environment{Context: t.Context(), Out: said, Err: said, In: strings.NewReader("")}); code != 0 {
		t.Fatalf("curlew add ended with %d: %s", code, said)
	}
}

func TestAPageOutlivesItsServerInARealBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts a server twice and a browser")
	}
	folder := t.TempDir()
	said, stop := serveUntil(t, folder, "127.0.0.1:0")
	link := said.await(t, `http://\S+/link\?token=\S+`)
	base, _, _ := strings.Cut(link, "/link")
	p := newPerson(t, base)
	p.do(t, chromedp.Navigate(link))
	p.fill(t, "email", ownerEmail, "name", "Ada", "password", ownerPassword)
	p.presses(t, "Begin")
	p.sees(t, "Nothing is watched yet")
	p.open(t, "/candidates")
	p.live(t)
	p.stays(t)
	proposeBeside(t, folder, "http://127.0.0.1:1/before", "Before the night")
	p.sees(t, "Before the night")

	stop()
	p.sees(t, "Not live: what you see may be old")
	p.holds(t, "what was there to stay", `document.querySelector("main").innerText.includes("Before the night")`)
	proposeBeside(t, folder, "http://127.0.0.1:1/night", "In the night")

	serveUntil(t, folder, strings.TrimPrefix(base, "http://"))
	p.live(t)
	p.holds(t, "no word of old things any more", `document.querySelector(".away").hidden`)
	p.sees(t, "In the night")
	p.stayed(t)
	p.mu.Lock()
	defer p.mu.Unlock()
	from := ""
	for _, asked := range p.asked {
		if strings.Contains(asked, "/api/v1/stream?") && strings.Contains(asked, "cursor=") {
			from = asked
		}
	}
	if from == "" {
		t.Error("the page never went on from where it was")
	}
}
