package browser

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// late pages draw what they are about a while after they have loaded, each by
// other means. Every one of them ends with the word "arrived".
var late = map[string]string{
	"a timer":              `setTimeout(draw, 1500)`,
	"a timer from text":    `setTimeout("draw()", 1200)`,
	"a slow call":          `fetch("/slow").then(draw)`,
	"a call after a timer": `setTimeout(() => fetch("/slow").then(draw), 900)`,
	"timers in a row":      `setTimeout(() => setTimeout(() => setTimeout(draw, 350), 350), 350)`,
	"an interval":          `let n = 0; const id = setInterval(() => { if (++n > 3) { clearInterval(id); draw() } }, 90)`,
	"frames in a row":      `let n = 0; const step = () => ++n > 15 ? draw() : requestAnimationFrame(step); step()`,
	"the end of an animation": `document.body.insertAdjacentHTML("beforeend", "<style>@keyframes k { to { opacity: 0.5 } } b { animation: k 0.3s }</style><b>b</b>");
		document.querySelector("b").addEventListener("animationend", draw)`,
	"being seen":          `document.body.insertAdjacentHTML("beforeend", "<u>u</u>"); new IntersectionObserver((all) => { if (all.some((e) => e.isIntersecting)) draw() }).observe(document.querySelector("u"))`,
	"a worker":            `new Worker(URL.createObjectURL(new Blob(["setTimeout(() => postMessage(1), 250)"]))).onmessage = draw`,
	"a stream of events":  `const s = new EventSource("/events"); s.onmessage = () => { s.close(); draw() }`,
	"a frame's own timer": `document.body.insertAdjacentHTML("beforeend", "<iframe srcdoc='<script>setTimeout(() => parent.draw(), 250)<\/script>'></iframe>")`,
	"a script in a row of scripts": `const next = (url, then) => { const s = document.createElement("script"); s.src = url; s.onload = then; document.body.append(s) };
		next("/one.js", () => next("/two.js", draw))`,
	"a message to itself": `onmessage = () => setTimeout(draw, 200); postMessage(1, "*")`,
	"a press":             `document.body.insertAdjacentHTML("beforeend", "<div role=dialog>Cookies <button onclick='setTimeout(draw, 700)'>Reject all</button></div>")`,
}

// A page is read when it has come to rest, which is not to say when it has been
// quiet for some time.
func TestWhatComesLateIsReadToo(t *testing.T) {
	t.Parallel()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/slow":
			if err := pause(r, 1500*time.Millisecond); err == nil {
				fmt.Fprint(w, "done")
			}
		case "/events":
			w.Header().Set("Content-Type", "text/event-stream")
			if err := pause(r, 250*time.Millisecond); err == nil {
				fmt.Fprint(w, "data: x\n\n")
			}
		case "/one.js", "/two.js":
			w.Header().Set("Content-Type", "text/javascript")
			_ = pause(r, 150*time.Millisecond)
		default:
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprintf(w, `<p>shown<script>function draw() { document.body.append("arr" + "ived") }; %s</script>`, late[strings.ReplaceAll(r.URL.Path[1:], "_", " ")])
		}
	}))
	defer site.Close()
	b := open(t, site)
	var wait sync.WaitGroup
	for means := range late {
		wait.Go(func() {
			t.Run(means, func(t *testing.T) {
				got, err := b.Render(t.Context(), RenderRequest{URL: site.URL + "/" + strings.ReplaceAll(means, " ", "_")})
				if err != nil {
					t.Errorf("%s: %v", means, err)
					return
				}
				t.Logf("%s: %v", means, got.Took)
				if !strings.Contains(string(got.HTML), "arrived") || !got.Complete {
					t.Errorf("by %s: complete %t (%s): %s", means, got.Complete, got.Why, got.HTML)
				}
			})
		})
	}
	wait.Wait()
}

// pause is a server that takes its time, unless nobody waits any more.
func pause(r *http.Request, d time.Duration) error {
	select {
	case <-r.Context().Done():
		return r.Context().Err()
	case <-time.After(d):
		return nil
	}
}

// Pages that never stop waiting for something, as those with counters and
// adverts do, come to rest all the same.
func TestAPageThatKeepsWaitingIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	site := serve(t, map[string]string{
		"/poll":     `<p>shown<script>const look = () => { if (!window.never) setTimeout(look, 50) }; look()</script>`,
		"/interval": `<p>shown<script>setInterval(() => window.never, 100)</script>`,
		"/minute":   `<p>shown<script>setTimeout(() => location.reload(), 60000)</script>`,
		"/dropped":  `<p>shown<script>clearTimeout(setTimeout(() => document.body.append("dropped"), 1500))</script>`,
		"/storm":    `<p>shown<script>for (let i = 0; i < 20000; i++) setTimeout(() => 1, 3000 + i)</script>`,
		"/patched":  `<p>shown<script>const native = setTimeout; setTimeout = (f, ms) => native(f, ms); Map.prototype.delete = Object.keys = null; setTimeout(() => document.body.append("ran"), 50)</script>`,
	})
	b := open(t, site)
	for path, want := range map[string]string{"/poll": "shown", "/interval": "shown", "/minute": "shown", "/dropped": "shown", "/storm": "shown", "/patched": "ran</body>"} {
		t.Run(path, func(t *testing.T) {
			got := render(t, b, RenderRequest{URL: site.URL + path})
			t.Logf("%s: %v", path, got.Took)
			if !got.Complete || !strings.Contains(string(got.HTML), want) {
				t.Errorf("%s: complete %t (%s) after %v: %s", path, got.Complete, got.Why, got.Took, got.HTML)
			}
		})
	}
}

// Timers of ours behave like the browser's own.
func TestTimersStayWhatTheyAre(t *testing.T) {
	t.Parallel()
	site := serve(t, map[string]string{"/": `<p id="p"></p><script>
		const say = (text) => { p.textContent += text + ";" };
		const id = setTimeout(function (a, b) { say("this " + (this === window)); say(a + b) }, 20, "a", "b");
		say(typeof id);
		clearInterval(setTimeout(() => say("cleared"), 30)); // either clears either
		let n = 0;
		const every = setInterval((x) => { say(x + n); if (++n === 2) clearTimeout(every) }, 20, "tick");
		setTimeout(() => say("object"), { valueOf: () => 60 });
		try { setTimeout(() => say("symbol"), Symbol()) } catch (e) { say(e.name) }
		say(setTimeout.name);
		window.addEventListener("error", (e) => { say(e.message); e.preventDefault() });
		setTimeout(() => { throw new Error("thrown") }, 90);
		setTimeout("say('text')", 120);
	</script>`})
	b := open(t, site)
	html := string(render(t, b, RenderRequest{URL: site.URL}).HTML)
	for _, want := range []string{"this true;", "ab;", "number;", "tick0;", "tick1;", "object;", "TypeError;", "setTimeout;", "Uncaught Error: thrown;", "text;"} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(html, want) {
				t.Errorf("%q is missing in %s", want, html)
			}
		})
	}
	for _, never := range []string{"cleared;", "tick2", "symbol;"} {
		t.Run(never, func(t *testing.T) {
			if strings.Contains(html, never) {
				t.Errorf("%q is in %s", never, html)
			}
		})
	}
}
