package browser

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// greedy pages never come to an end by themselves.
var greedy = map[string]string{
	"/alerts":    `<p>shown<script>setTimeout(() => { for (;;) { alert("a"); confirm("b"); prompt("c") } }, 50)</script>`,
	"/loop":      `<p>shown<script>setTimeout(() => { for (;;); }, 50)</script>`,
	"/early":     `<p>shown<script>for (;;);</script>`,
	"/nodes":     `<p>shown<div id="d"></div><script>let h = ""; for (let i = 0; i < 100000; i++) h += "<i></i>"; d.innerHTML = h</script>`,
	"/growing":   `<p>shown<script>setInterval(() => { for (let i = 0; i < 50; i++) document.body.append(document.createElement("i")) }, 20)</script>`,
	"/redirects": `<p>shown<script>location = "/redirects?" + Math.random()</script>`,
	"/polling":   `<p>shown<script>setInterval(() => fetch("/empty"), 10)</script>`,
	"/many":      `<p>shown<script>for (let i = 0; i < 40; i++) fetch("/empty?" + i)</script>`,
	"/unload":    `<p>shown<script>onbeforeunload = (e) => { e.preventDefault(); return "stay" }; onunload = () => { for (;;); }</script>`,
	"/refresh":   `<meta http-equiv="refresh" content="0"><p>shown`,
	"/empty":     `{}`,
	"/feed": `<p>shown<div id="d"></div><script>const more = () => { for (let i = 0; i < 20; i++) { const p = document.createElement("p"); p.textContent = "item"; p.style.height = "200px"; d.append(p) } };
		more(); addEventListener("scroll", () => { if (innerHeight + scrollY > document.body.scrollHeight - 300) more() })</script>`,
	"/button": `<p>shown<ul id="l"></ul><button onclick="l.innerHTML += '<li>x</li>'">Show more</button>`,
}

func TestGreedyPagesEndWithinTheirBudget(t *testing.T) {
	t.Parallel()
	site := serve(t, greedy)
	b := open(t, site)
	const short, long = 4 * time.Second, 2 * time.Minute // what ends by itself has all the time of a busy machine
	cases := []struct {
		path, why string
		time      time.Duration
		complete  bool
	}{
		{"/alerts", "its time was up", short, false},
		{"/loop", "its time was up", short, false},
		{"/early", "its time was up", short, false},
		{"/nodes", "", long, true},
		{"/growing", "", short, false},
		{"/redirects", "", short, false},
		{"/polling", "", short, false},
		{"/many", "more than its 30 requests", long, false},
		{"/unload", "", long, true},
		{"/refresh", "", short, false},
		{"/feed", "still growing after 2 times of scrolling", long, false},
		{"/button", "more to load after 2 times", long, false},
	}
	var wait sync.WaitGroup
	for _, c := range cases {
		wait.Go(func() {
			t.Run(c.path, func(t *testing.T) {
				budget := RenderBudget{Time: c.time, Requests: 30, Scrolls: 2, Clicks: 2}
				got, err := b.Render(t.Context(), RenderRequest{URL: site.URL + c.path, Budget: budget})
				if err != nil && c.time == short {
					wantFault(t, err, curlew.KindTemporary, "timeout") // on a busy machine
					return
				}
				if err != nil {
					t.Errorf("%s: %v", c.path, err)
					return
				}
				t.Logf("%s: %v, %d requests: %s", c.path, got.Took, got.Requests, got.Why)
				if !strings.Contains(string(got.HTML), "shown") {
					t.Errorf("%s: %.200s", c.path, got.HTML)
				}
				if got.Complete != c.complete || !strings.Contains(got.Why, c.why) {
					t.Errorf("%s: complete %t: %q", c.path, got.Complete, got.Why)
				}
			})
		})
	}
	wait.Wait()
}

func TestMemoryTransferAndHTMLHaveTheirBudgets(t *testing.T) {
	t.Parallel()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		switch r.URL.Path {
		case "/hungry":
			fmt.Fprint(w, `<p>shown<script>const all = []; setInterval(() => all.push(new Uint8Array(32 << 20).fill(1)), 5)</script>`)
		case "/heap":
			fmt.Fprint(w, `<p>shown<script>const all = []; setTimeout(() => { for (;;) all.push(Array.from({length: 1000}, () => ({a: Math.random()}))) })</script>`)
		case "/large":
			w.Write(bytes.Repeat([]byte("<p>päge</p>"), 2_000))
		case "/endless":
			for r.Context().Err() == nil {
				if _, err := w.Write(bytes.Repeat([]byte("<p>page</p>"), 1000)); err != nil {
					return
				}
			}
		}
	}))
	defer site.Close()
	b := fresh(t, Options{Memory: 384 << 20}, site)
	_, err := b.Render(t.Context(), RenderRequest{URL: site.URL + "/hungry"})
	wantFault(t, err, curlew.KindRefused, "over_budget")
	_, err = b.Render(t.Context(), RenderRequest{URL: site.URL + "/heap", Budget: RenderBudget{Time: 2 * time.Minute}}) // its heap is full long before
	wantFault(t, err, curlew.KindRefused, "over_budget")
	got := render(t, b, RenderRequest{URL: site.URL + "/large", Budget: RenderBudget{Bytes: 10_000, Scrolls: -1}})
	if len(got.HTML) > 10_000 || len(got.HTML) < 9_990 || got.Complete {
		t.Errorf("%d bytes of HTML, complete %t", len(got.HTML), got.Complete)
	}
	got, err = b.Render(t.Context(), RenderRequest{URL: site.URL + "/endless", Budget: RenderBudget{Time: 3 * time.Second, Transfer: 1 << 20, Scrolls: -1}})
	if err == nil && (got.Complete || got.Transfer > 2<<20) {
		t.Errorf("an endless page: complete %t, %d bytes", got.Complete, got.Transfer)
	}
}
