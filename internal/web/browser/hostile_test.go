package browser

import (
	"context"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
)

// canary listens where no page may go, on TCP and UDP, and counts who comes.
type canary struct {
	addr string
	hits atomic.Int64
}

func newCanary(t *testing.T) *canary {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := &canary{addr: l.Addr().String()}
	u, err := net.ListenPacket("udp", c.addr)
	if err != nil {
		t.Fatal(err)
	}
	var done sync.WaitGroup
	done.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			c.hits.Add(1)
			conn.Close()
		}
	})
	done.Go(func() {
		for {
			if _, _, err := u.ReadFrom(make([]byte, 2000)); err != nil {
				return
			}
			c.hits.Add(1)
		}
	})
	t.Cleanup(func() { l.Close(); u.Close(); done.Wait() })
	return c
}

// escapes is a page that tries every way out that stays on the page.
const escapes = `<!DOCTYPE html><title>hostile</title>
<link rel="dns-prefetch" href="//CANARY"><link rel="preconnect" href="http://CANARY"><link rel="preconnect" href="https://CANARY">
<link rel="prefetch" href="http://CANARY/prefetch"><link rel="preload" as="script" href="http://CANARY/preload">
<link rel="modulepreload" href="http://CANARY/module"><link rel="stylesheet" href="http://CANARY/style.css"><link rel="icon" href="http://CANARY/icon.ico">
<link rel="manifest" href="http://CANARY/manifest.json">
<script type="speculationrules">{"prefetch":[{"urls":["http://CANARY/s"],"eagerness":"immediate"}],"prerender":[{"urls":["http://CANARY/p"],"eagerness":"immediate"}]}</script>
<style>@import "http://CANARY/import.css"; @font-face{font-family:x;src:url(http://CANARY/font)} body{font-family:x;background:url(http://CANARY/bg.png)}</style>
<img src="http://CANARY/img"><iframe src="http://CANARY/frame"></iframe><iframe srcdoc="<img src='http://CANARY/inner'><script>fetch('http://CANARY/inner2')</script>"></iframe>
<video src="http://CANARY/video" autoplay></video><object data="http://CANARY/object"></object><embed src="http://CANARY/embed">
<iframe name="sink"></iframe><form id="f" action="http://CANARY/form" method="post" target="sink"><input name="a" value="b"></form>
<iframe src="file:///etc/passwd"></iframe><a id="ping" href="#x" ping="http://CANARY/ping">x</a>
<script>
const tries = [
  () => fetch("http://CANARY/fetch"), () => fetch("http://CANARY/nocors", {mode:"no-cors"}), () => fetch("https://CANARY/tls"), () => fetch("/bounce"),
  () => { const x = new XMLHttpRequest(); x.open("POST", "http://CANARY/xhr"); x.send("a") },
  () => new WebSocket("ws://CANARY/ws"), () => new WebSocket("wss://CANARY/wss"), () => new EventSource("http://CANARY/events"),
  () => navigator.sendBeacon("http://CANARY/beacon", "a"),
  () => window.open("http://CANARY/popup"), () => document.getElementById("f").submit(),
  () => document.getElementById("ping").click(),
  () => navigator.serviceWorker.register("/sw.js"), () => navigator.geolocation.getCurrentPosition(() => fetch("http://CANARY/geo")),
  () => new WebTransport("https://CANARY/wt"),
  () => { const s = document.createElement("iframe"); document.body.append(s); new s.contentWindow.WebSocket("ws://CANARY/ws2") },
  () => { const s = document.createElement("iframe"); document.body.append(s); const w = s.contentWindow; rtc(w.RTCPeerConnection || w.webkitRTCPeerConnection) },
  () => rtc(window.RTCPeerConnection),
  () => { const code = "fetch('http://CANARY/worker').catch(()=>0); new WebSocket('ws://CANARY/workerws'); importScripts('http://CANARY/import')"; new Worker(URL.createObjectURL(new Blob([code]))) },
  () => { const code = "onconnect=()=>0;fetch('http://CANARY/shared')"; new SharedWorker(URL.createObjectURL(new Blob([code]))) },
];
function rtc(Peer) {
  const p = new Peer({iceServers: [{urls: ["stun:CANARY", "turn:CANARY?transport=udp", "turn:CANARY?transport=tcp"], username: "a", credential: "b"}]});
  p.createDataChannel("x"); p.createOffer().then(o => p.setLocalDescription(o));
}
document.body.insertAdjacentHTML("beforeend", '<i id="ran"></i>');
tries.forEach((f) => { try { Promise.resolve(f()).catch(() => 0) } catch (e) {} });
</script>`

func TestAHostilePageReachesNothing(t *testing.T) {
	t.Parallel()
	prey := newCanary(t)
	there := func(page string) string { return strings.ReplaceAll(page, "CANARY", prey.addr) }
	site := serve(t, map[string]string{
		"/": there(escapes), "/bounce": there("-> http://CANARY/"), "/redirect": there("-> http://CANARY/"),
		"/sw.js":    there(`fetch("http://CANARY/sw"); onfetch = e => e.respondWith(fetch("http://CANARY/swf"))`),
		"/meta":     there(`<meta http-equiv="refresh" content="0;url=http://CANARY/">`),
		"/script":   there(`<script>location = "http://CANARY/"</script>`),
		"/post":     there(`<form action="http://CANARY/" method="post"></form><script>document.forms[0].submit()</script>`),
		"/download": there(`<a href="http://CANARY/" download>x</a><script>document.links[0].click()</script>`),
		"/file":     `<script>location = "file:///etc/passwd"</script><p>still here`,
		"/data":     `<script>location = "data:text/html,<p>elsewhere"</script><p>still here`,
		"/chrome":   `<script>location = "chrome://version"</script><p>still here`,
	})
	b := open(t, site)
	got := render(t, b, RenderRequest{URL: site.URL, Budget: patient()})
	if !strings.Contains(string(got.HTML), `<i id="ran">`) || got.Complete {
		t.Errorf("the page did not run, or nothing of it failed: %s", got.Why)
	}
	var wait sync.WaitGroup
	for _, url := range []string{site.URL + "/meta", site.URL + "/script", site.URL + "/post", site.URL + "/download",
		site.URL + "/redirect", "http://" + prey.addr} {
		wait.Go(func() {
			_, err := b.Render(t.Context(), RenderRequest{URL: url, Budget: patient()})
			wantFault(t, err, curlew.KindRefused, "address_forbidden")
		})
	}
	for _, path := range []string{"/file", "/data", "/chrome"} {
		wait.Go(func() {
			t.Run(path, func(t *testing.T) {
				got, err := b.Render(t.Context(), RenderRequest{URL: site.URL + path, Budget: patient()})
				if err != nil || !strings.Contains(string(got.HTML), "still here") || got.URL != site.URL+path {
					t.Errorf("%s went elsewhere: %v", path, err)
				}
			})
		})
	}
	wait.Wait()
	if n := prey.hits.Load(); n != 0 {
		t.Errorf("the canary was reached %d times", n)
	}
	if door.askedFor(prey.addr) == 0 {
		t.Error("nothing was tried: the test proves nothing")
	}
}

// TestEveryRequestIsPutToAllow opens the gate for the canary, so that Allow is
// all that stands in the way.
func TestEveryRequestIsPutToAllow(t *testing.T) {
	t.Parallel()
	prey := newCanary(t)
	site := serve(t, map[string]string{
		"/": strings.ReplaceAll(escapes, "CANARY", prey.addr), "/sw.js": "", "/bounce": ""})
	b := open(t, site)
	door.allow(prey.addr)
	var mu sync.Mutex
	asked := map[string]bool{}
	got := render(t, b, RenderRequest{URL: site.URL, Budget: patient(), Allow: func(_ context.Context, url string) error {
		mu.Lock()
		defer mu.Unlock()
		asked[strings.TrimPrefix(strings.TrimPrefix(url, site.URL), "http://"+prey.addr)] = true
		if strings.Contains(url, prey.addr) {
			return curlew.Refused("robots_disallowed", "no")
		}
		return nil
	}})
	mu.Lock()
	defer mu.Unlock()
	for _, path := range []string{"/", "/fetch", "/nocors", "/xhr", "/frame", "/inner2", "/style.css", "/form"} {
		t.Run(path, func(t *testing.T) {
			if !asked[path] {
				t.Errorf("nobody was asked about %s", path)
			}
		})
	}
	if len(got.Refused) == 0 {
		t.Error("no refusal was recorded")
	}
	if n := prey.hits.Load(); n != 0 {
		t.Errorf("the canary was reached %d times past Allow", n)
	}
}
