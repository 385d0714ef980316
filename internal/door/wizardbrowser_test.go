package door_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/curlew-data/curlew/internal/web/browser"
)

// glass is a real browser in front of the console, and what it was seen to do.
type glass struct {
	*testing.T
	context.Context
	base string

	mu       sync.Mutex
	strange  []string // requests that leave the console
	dialogs  []string
	wandered []string // where the top frame went
}

// glass opens the console in Chromium, signed in.
func (p *novice) glass() *glass {
	p.Helper()
	if _, err := browser.Available(""); err != nil {
		p.Skipf("this test needs a real browser: %v", err)
	}
	profile, err := os.MkdirTemp("", "wizard-")
	if err != nil {
		p.Fatal(err)
	}
	p.Cleanup(func() { _ = os.RemoveAll(profile) }) // Chromium may still be writing there
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.DisableGPU, chromedp.UserDataDir(profile), chromedp.WindowSize(1280, 900),
		chromedp.Flag("disable-features", "IsolateSandboxedIframes,site-per-process,Translate"), chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true))
	ctx, end := chromedp.NewExecAllocator(context.WithoutCancel(p.Context()), options...)
	p.Cleanup(end)
	ctx, end = context.WithTimeout(ctx, 10*time.Minute)
	p.Cleanup(end)
	ctx, end = chromedp.NewContext(ctx)
	p.Cleanup(func() { _ = chromedp.Cancel(ctx); end() })
	w := &glass{T: p.T, Context: ctx, base: p.base}
	chromedp.ListenTarget(ctx, w.watch)
	home, err := url.Parse(p.base)
	if err != nil {
		p.Fatal(err)
	}
	var signs []chromedp.Action
	for _, c := range p.client.Jar.Cookies(home) {
		signs = append(signs, network.SetCookie(c.Name, c.Value).WithURL(p.base))
	}
	w.do(append([]chromedp.Action{network.Enable(), page.Enable()}, signs...)...)
	return w
}

// watch notes what a copy must never bring about.
func (w *glass) watch(event any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		if !strings.HasPrefix(e.Request.URL, w.base+"/") {
			w.strange = append(w.strange, e.Request.URL)
		}
	case *page.EventJavascriptDialogOpening:
		w.dialogs = append(w.dialogs, e.Message)
	case *page.EventFrameNavigated:
		if e.Frame.ParentID == "" {
			w.wandered = append(w.wandered, e.Frame.URL)
		}
	}
}

func (w *glass) do(actions ...chromedp.Action) {
	w.Helper()
	if err := chromedp.Run(w.Context, actions...); err != nil {
		w.Fatal(err)
	}
}

// inside evaluates an expression in the frame of the copy.
func (w *glass) inside(expression string, into any) {
	w.Helper()
	w.do(chromedp.ActionFunc(func(ctx context.Context) error {
		tree, err := page.GetFrameTree().Do(ctx)
		if err != nil {
			return err
		}
		var frame cdp.FrameID
		for _, c := range tree.ChildFrames {
			frame = c.Frame.ID
		}
		world, err := page.CreateIsolatedWorld(frame).Do(ctx)
		if err != nil {
			return err
		}
		result, failed, err := runtime.Evaluate(expression).WithContextID(world).WithReturnByValue(true).Do(ctx)
		if err == nil && failed != nil {
			err = failed
		}
		if err != nil {
			return err
		}
		return json.Unmarshal(result.Value, into)
	}))
}

// click clicks with the mouse at an element of the copy.
func (w *glass) click(selector string) {
	w.Helper()
	var frame, at struct{ X, Y float64 }
	place := `(() => { const at = document.querySelector(%s); at.scrollIntoView({block: "center"}); const r = at.getBoundingClientRect(); return {X: r.x + Math.min(8, r.width / 2), Y: r.y + r.height / 2} })()`
	quoted := func(s string) string { text, _ := json.Marshal(s); return string(text) } // a text always can
	w.inside(strings.Replace(place, "%s", quoted(selector), 1), &at)                    // first, since it scrolls the page around it too
	w.do(chromedp.Evaluate(`(() => { const r = document.querySelector("iframe[data-copy]").getBoundingClientRect(); return {X: r.x, Y: r.y} })()`, &frame))
	w.do(chromedp.MouseClickXY(frame.X+at.X, frame.Y+at.Y))
}

func TestAValueIsClickedInTheCopyAndTheRulesAreLearnedAnew(t *testing.T) {
	p := newNovice(t)
	training, _ := p.done("/blueprints/new", url.Values{"url": {p.site("shop")}, "schema": {"product"}})
	w := p.glass()
	w.do(chromedp.Navigate(p.base+training), chromedp.WaitVisible(`form[data-pick]`))
	var selector string
	w.inside(`(() => { const all = [...document.querySelectorAll('[data-r="2"] [data-n]')].filter((at) => at.textContent === "Rijwielhuis"); return '[data-n="' + all[0].dataset.n + '"]' })()`, &selector)
	w.click(selector)
	var clicked, record, alert string
	w.do(chromedp.WaitVisible(`[data-picked]`), chromedp.Value(`form[data-pick] [name=text]`, &clicked), chromedp.Value(`form[data-pick] [name=record]`, &record))
	if clicked != "Rijwielhuis" || record != "2" {
		t.Errorf("clicked %q of record %s", clicked, record)
	}
	w.do(chromedp.SetValue(`form[data-pick] [name=field]`, "brand"), chromedp.Click(`[data-picked] .main`), chromedp.WaitVisible(`.notice`), chromedp.Text(`.values`, &alert))
	p.shows(strings.Join(strings.Fields(alert), " "), "brand you said so 24 of 24")
	p.shows(p.see(training), "Rijwielhuis", "Velomaat", "Kettinga")
	// A value of the table is shown in the page.
	w.do(chromedp.WaitReady(`iframe[data-copy]`), chromedp.Click(`.all tr:nth-child(7) a[data-see=brand]`), chromedp.Poll(`document.querySelector("iframe[data-copy]") !== null`, nil))
	var shown string
	w.until(`(() => { const on = document.querySelector('[data-r="6"] [data-f~="brand"].on'); return on ? on.textContent : "" })()`, &shown)
	if shown != "Rijwielhuis" {
		t.Errorf("shown is %q", shown)
	}
	// More of the page than was clicked.
	w.click(selector)
	w.do(chromedp.WaitVisible(`[data-picked]`), chromedp.Click(`[data-wider]`), chromedp.Poll(`document.querySelector('form[data-pick] [name=text]').value.length > 20`, nil))
	w.calm()
}

// until evaluates an expression in the copy until it gives something.
func (w *glass) until(expression string, into *string) {
	w.Helper()
	for *into == "" && w.Context.Err() == nil {
		w.inside(expression, into)
		w.do(chromedp.Poll(`true`, nil)) // one more frame
	}
}

// calm checks that nothing happened that only a page could want.
func (w *glass) calm() {
	w.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.strange) > 0 || len(w.dialogs) > 0 {
		w.Errorf("requests %q, dialogs %q", w.strange, w.dialogs)
	}
	for _, at := range w.wandered {
		if !strings.HasPrefix(at, w.base+"/") && at != "about:blank" {
			w.Errorf("the window went to %s", at)
		}
	}
}

// mean is a page that tries to get out of the copy, into the wizard, and back home.
const mean = `<!doctype html><html><head><base href="CANARY/"><meta http-equiv="refresh" content="0;url=CANARY/refresh"><link rel="stylesheet" href="CANARY/x.css">
<style>@import "CANARY/y.css"; body{background:url(CANARY/bg)}</style><script>top.location="CANARY/top";alert(1)</script></head>
<body onload="alert(2)"><iframe src="CANARY/frame"></iframe><img src="CANARY/img" onerror="alert(3)" alt="a">
<form name="elements" action="CANARY/form"><input name="place" autofocus onfocus="alert(4)"><button id="data-pick">send</button></form>
<ul>ROWS</ul><a href="javascript:alert(5)" target="_top" id="away">away</a><svg onload="alert(6)"><image href="CANARY/svg"/></svg><object data="CANARY/o"></object><video src="CANARY/v" autoplay></video>
<p data-n="0" data-r="0" data-f="name" class="on" id="r0" onclick="alert(7)">clobbered</p></body></html>`

const meanRow = `<li class="card"><h3><a href="javascript:alert(8)//NUMBER" onclick="alert(9)">Thing NUMBER &lt;img src=x onerror=alert(10)&gt;</a></h3> <b onmouseover="alert(11)">NUMBER,50 €</b> <i>maker NUMBER</i></li>`

// setTrap gives the address of a server that nothing may ask for anything.
func setTrap(t *testing.T) string {
	t.Helper()
	var mu sync.Mutex
	var asked []string
	trap := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		asked = append(asked, r.URL.Path)
	}))
	t.Cleanup(func() {
		trap.Close()
		if len(asked) > 0 {
			t.Errorf("the trap was asked for %q", asked)
		}
	})
	return trap.URL
}

func TestAHostilePageStaysInItsCopy(t *testing.T) {
	trap := setTrap(t)
	var rows strings.Builder
	for _, n := range []string{"11", "12", "13", "14", "15", "16", "17"} {
		rows.WriteString(strings.ReplaceAll(meanRow, "NUMBER", n))
	}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(strings.NewReplacer("CANARY", trap, "ROWS", rows.String()).Replace(mean)))
	}))
	t.Cleanup(site.Close)
	p := newNovice(t, site)
	training, body := p.done("/blueprints/new", url.Values{"url": {site.URL + "/"}, "schema": {"product"}, "page": {"list"}})
	p.shows(body, "<strong>7</strong> product")
	w := p.glass()
	w.do(chromedp.Navigate(p.base+training), chromedp.WaitVisible(`form[data-pick]`))
	var elements int
	w.inside(`document.body.querySelectorAll("script, style, link, meta, base, iframe, img, form, input, a, svg, object, video, [onclick], [style], [name], [href], [src]").length + 100 * document.scripts.length`, &elements)
	if elements != 100 { // our script
		t.Errorf("the copy has %d elements that could act", elements)
	}
	var reach string
	w.inside(`(() => { let reach = origin; try { reach += parent.document.title } catch { reach += " alone" } try { localStorage.x = 1; reach += " stores" } catch { reach += " forgets" } return reach })()`, &reach)
	if reach != "null alone forgets" {
		t.Errorf("the copy is %q", reach)
	}
	w.click(`[data-r="3"] i`)
	var clicked string
	w.do(chromedp.WaitVisible(`[data-picked]`), chromedp.Value(`form[data-pick] [name=text]`, &clicked))
	if clicked != "maker 14" {
		t.Errorf("clicked %q", clicked)
	}
	w.do(chromedp.SetValue(`form[data-pick] [name=field]`, "brand"), chromedp.Click(`[data-picked] .main`), chromedp.WaitVisible(`.notice`))
	p.shows(p.see(training), "maker 11", "maker 17")
	w.click(`[data-r="1"] h3`)                                                   // a link of the page leads nowhere
	w.do(chromedp.Navigate(p.base+training+"/page"), chromedp.WaitReady(`body`)) // nor does the copy by itself
	var alone string
	w.do(chromedp.Evaluate(`origin`, &alone))
	if alone != "null" {
		t.Errorf("opened by itself, the copy runs in %q", alone)
	}
	w.calm()
}
