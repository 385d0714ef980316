package browser

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
)

// banner is a consent dialog that notes what was pressed.
func banner(attributes, text string, buttons ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<p id="pressed"></p><div %s><p>%s</p>`, attributes, text)
	for _, label := range buttons {
		fmt.Fprintf(&b, `<button onclick="pressed.textContent += 'pressed:%s'; this.parentNode.remove()">%s</button>`, label, label)
	}
	return b.String() + "</div>"
}

const list = `<ul id="l"><li>1</li></ul><script>let n = 1; function add() { if (n < 3) l.innerHTML += "<li>item" + ++n + "</li>" }</script>`

func TestWhatIsPressedAndWhatIsNot(t *testing.T) {
	t.Parallel()
	fixed := `style="position:fixed;bottom:0"`
	cases := []struct{ name, page, want, never string }{
		{"refusing is preferred", banner(fixed, "Wir verwenden Cookies", "Alle akzeptieren", "Nur notwendige", "Einstellungen"), ">pressed:Nur notwendige", ">pressed:Alle"},
		{"accepting where nothing else helps", banner(`role="dialog"`, "Nous respectons votre vie privée", "Paramétrer", "Tout accepter"), ">pressed:Tout accepter", ""},
		{"Japanese", banner(fixed, "当サイトはクッキーを使用します", "同意する", "すべて拒否する"), ">pressed:すべて拒否する", ""},
		{"no dialog, no press", banner(``, "Our cookies recipe", "Accept"), `id="pressed"></p>`, ">pressed:Accept"},
		{"a newsletter is closed", banner(`role="dialog" aria-modal="true"`, "Get our news", "Subscribe", "×"), ">pressed:×", ">pressed:Subscribe"},
		{"links are left alone", `<div role="dialog">Cookies <a href="/elsewhere">Accept all</a></div>`, "Accept all", "elsewhere page"},
		{"a form that leads away", `<div role="dialog">Cookies <form action="/elsewhere" method="post"><button>Reject all</button></form></div>`, "Reject all", "elsewhere page"},
		{"a press that leads away", `<div role="dialog">Cookies <button onclick="location='/elsewhere'">Reject all</button></div>`, "Reject all", "elsewhere page"},
		{"in a shadow root", `<div id="h"></div><p id="pressed"></p><script>const s = h.attachShadow({mode: "open"}); s.innerHTML = '<div role="dialog">cookies <button>Deny</button></div>';
			s.querySelector("button").onclick = () => { pressed.textContent = "pressed:" + "Deny" }</script>`, ">pressed:Deny", ""},
		{"in a frame", `<p id="pressed"></p><iframe srcdoc="<p>cookies</p><button onclick=&quot;parent.pressed.textContent = 'pressed:' + 'it'&quot;>Reject</button>"></iframe>`,
			">pressed:it", ""},
		{"load more in Polish", list + `<div role="button" onclick="add()">Pokaż więcej</div>`, "item3", ""},
		{"load more by its class", list + `<button class="btn load-more" onclick="add()">↓ Weiter stöbern</button>`, "item3", ""},
		{"pages are not turned", list + `<a href="/elsewhere" role="button">Load more</a>`, "Load more", "elsewhere page"},
		{"items keep their own buttons", strings.Repeat(`<div><button onclick="this.textContent = 'opened'">Show more</button></div>`, 4), "Show more", "opened</button>"},
	}
	pages := map[string]string{"/elsewhere": "<p>elsewhere page"}
	for i, c := range cases {
		pages[fmt.Sprintf("/%d", i)] = c.page
	}
	site := serve(t, pages)
	b := open(t, site)
	var wait sync.WaitGroup
	for i, c := range cases {
		wait.Go(func() {
			t.Run(c.name, func(t *testing.T) {
				got, err := b.Render(t.Context(), RenderRequest{URL: fmt.Sprintf("%s/%d", site.URL, i)})
				if err != nil {
					t.Errorf("%s: %v", c.name, err)
					return
				}
				html := string(got.HTML)
				if !strings.Contains(html, c.want) || c.never != "" && strings.Contains(html, c.never) {
					t.Errorf("%s: %v\n%s", c.name, got.Actions, html)
				}
			})
		})
	}
	wait.Wait()
}

func TestWhatAllowRefusesIsNotSent(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	seen := []string{}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		seen = append(seen, r.Method+" "+r.URL.Path+" "+r.Header.Get("X-Key")+" "+r.UserAgent())
		mu.Unlock()
		w.Header().Set("Content-Type", "text/html")
		w.Header().Add("X-Answer", "yes")
		switch r.URL.Path {
		case "/moved":
			http.Redirect(w, r, "/secret", http.StatusFound)
		case "/graph":
			w.Header().Set("Content-Type", "application/graphql-response+json")
			fmt.Fprint(w, `{"data":1}`)
		default:
			fmt.Fprint(w, `<p>shown<img src="/image.png"><script>fetch("/secret"); fetch("/graph", {method: "POST", body: '{"query":"{a}"}'})</script>`)
		}
	}))
	defer site.Close()
	b := open(t, site)
	allow := func(_ context.Context, url string) error {
		if strings.HasSuffix(url, "/secret") {
			return curlew.Refused("robots_disallowed", "robots.txt says no")
		}
		return nil
	}
	got := render(t, b, RenderRequest{URL: site.URL, Allow: allow, UserAgent: "Curlew/2", Header: http.Header{"X-Key": {"k"}}})
	if got.Complete || !strings.Contains(got.Why, "/secret") || len(got.Refused) != 1 || got.Header.Get("X-Answer") != "yes" {
		t.Errorf("%t %q %v %v", got.Complete, got.Why, got.Refused, got.Header)
	}
	i := slices.IndexFunc(got.Calls, func(c RecordedCall) bool { return c.URL == site.URL+"/graph" })
	if i < 0 || string(got.Calls[i].RequestBody) != `{"query":"{a}"}` || string(got.Calls[i].ResponseBody) != `{"data":1}` || got.Calls[i].Method != "POST" {
		t.Errorf("calls: %+v", got.Calls)
	}
	for _, path := range []string{"/secret", "/moved"} {
		_, err := b.Render(t.Context(), RenderRequest{URL: site.URL + path, Allow: allow, Budget: patient()})
		wantFault(t, err, curlew.KindRefused, "robots_disallowed")
	}
	mu.Lock()
	defer mu.Unlock()
	if !slices.Contains(seen, "GET / k Curlew/2") || !slices.Contains(seen, "POST /graph k Curlew/2") {
		t.Errorf("the site saw %q", seen)
	}
	for _, line := range seen {
		if strings.Contains(line, "/secret") || strings.Contains(line, "/image.png") {
			t.Errorf("the site saw %q", line)
		}
	}
}

func TestHeadersStayWithTheirOrigin(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	keys := []string{}
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		keys = append(keys, r.Header.Get("X-Key"))
		mu.Unlock()
		w.Header().Set("Access-Control-Allow-Origin", "*")
	}))
	defer other.Close()
	site := serve(t, map[string]string{"/": `<script>fetch("` + other.URL + `/")</script>`})
	b := open(t, site, other)
	render(t, b, RenderRequest{URL: site.URL, Header: http.Header{"X-Key": {"secret"}}})
	mu.Lock()
	defer mu.Unlock()
	if !slices.Equal(keys, []string{""}) {
		t.Errorf("the other site saw %q", keys)
	}
}

func TestWhatIsNoPage(t *testing.T) {
	t.Parallel()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/file":
			w.Header().Set("Content-Type", "application/zip")
			fmt.Fprint(w, "PK")
		case "/pdf":
			w.Header().Set("Content-Type", "application/pdf")
			fmt.Fprint(w, "%PDF-1.4")
		case "/empty":
			w.WriteHeader(http.StatusNoContent)
		case "/missing":
			w.Header().Set("Content-Type", "text/html")
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprint(w, "<p>not here")
		case "/cut":
			panic(http.ErrAbortHandler)
		}
	}))
	defer site.Close()
	b := open(t, site)
	var wait sync.WaitGroup
	for path, kind := range map[string]curlew.FaultKind{"/file": curlew.KindPermanent, "/pdf": curlew.KindPermanent,
		"/empty": curlew.KindPermanent, "/cut": curlew.KindTemporary} {
		wait.Go(func() {
			_, err := b.Render(t.Context(), RenderRequest{URL: site.URL + path, Budget: patient()})
			wantFault(t, err, kind, "navigation_failed")
		})
	}
	wait.Wait()
	for _, url := range []string{"file:///etc/passwd", "chrome://version", "data:text/html,x", "ftp://127.0.0.1/", "javascript:1"} {
		_, err := b.Render(t.Context(), RenderRequest{URL: url})
		wantFault(t, err, curlew.KindRefused, "scheme_forbidden")
	}
	if got := render(t, b, RenderRequest{URL: site.URL + "/missing"}); got.Status != 404 {
		t.Errorf("status %d", got.Status)
	}
	var fault *curlew.Fault
	if _, err := b.Render(t.Context(), RenderRequest{URL: "http://"}); !errors.As(err, &fault) {
		t.Errorf("got %v", err)
	}
}
