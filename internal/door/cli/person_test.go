package cli

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/curlew-data/curlew/internal/testkit/eventually"
)

// person looks at the console in a real browser, sees only what is visible, and notices
// all that should not be: dialogs, requests to elsewhere, failures, complaints.
type person struct {
	*chromium
	base     string
	training string // that was begun, if any
	dialogs  []string
	foreign  []string
	failures []string
	asked    map[network.RequestID]string
}

func newPerson(t *testing.T, base string) *person {
	t.Helper()
	p := &person{chromium: openChromium(t), base: base, asked: map[network.RequestID]string{}}
	chromedp.ListenTarget(p.Context, p.notice)
	p.do(t, page.Enable(), p.wide(1280))
	return p
}

func (p *person) wide(n int64) chromedp.Action {
	return emulation.SetDeviceMetricsOverride(n, 844, 1, n < 500)
}

func (p *person) notice(event any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e := event.(type) {
	case *page.EventJavascriptDialogOpening:
		p.dialogs = append(p.dialogs, e.URL+": "+e.Message)
		go func() { _ = chromedp.Run(p.Context, page.HandleJavaScriptDialog(false)) }() // or the page stands still
	case *network.EventRequestWillBeSent:
		p.asked[e.RequestID] = e.Request.URL
		if !strings.HasPrefix(e.Request.URL, p.base+"/") {
			p.foreign = append(p.foreign, e.DocumentURL+" asked for "+e.Request.URL)
		}
	case *network.EventResponseReceived:
		if e.Response.Status >= 400 {
			p.failures = append(p.failures, fmt.Sprint(e.Response.URL, " answered ", e.Response.Status))
		}
	case *network.EventLoadingFailed:
		if !e.Canceled { // whoever goes to another page ends what the first one asked for
			p.failures = append(p.failures, p.asked[e.RequestID]+" failed: "+e.ErrorText)
		}
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.APITypeError || e.Type == runtime.APITypeWarning {
			p.complaints = append(p.complaints, fmt.Sprint(e.Args))
		}
	case *log.EventEntryAdded: // what chromium does not collect by itself
		if e.Entry.Level == log.LevelWarning || e.Entry.Source == log.SourceSecurity && e.Entry.Level != log.LevelError {
			p.complaints = append(p.complaints, e.Entry.Text+" "+e.Entry.URL)
		}
	}
}

// undisturbed fails the test for everything that should not have been noticed.
func (p *person) undisturbed(t *testing.T) {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	for what, seen := range map[string]*[]string{"a dialog opened": &p.dialogs, "a request left the console": &p.foreign, "a request failed": &p.failures, "the browser complained": &p.complaints} {
		t.Run(what, func(t *testing.T) {
			for _, one := range *seen {
				t.Errorf("%s: %s", what, one)
			}
			*seen = nil
		})
	}
}

// forgive forgets failures that a test brought about by itself.
func (p *person) forgive(path string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, seen := range []*[]string{&p.failures, &p.complaints} {
		*seen = slices.DeleteFunc(*seen, func(one string) bool { return strings.Contains(one, p.base+path) })
	}
}

// open goes to a page of the console.
// Another page that is still on its way, such as the answer to a form, stops the browser from
// going there: then it is asked again.
func (p *person) open(t *testing.T, at string) {
	t.Helper()
	eventually.Told(t, "to open "+at, func() (bool, string) {
		ctx, cancel := context.WithTimeout(p.Context, 2*time.Minute)
		defer cancel()
		err := chromedp.Run(ctx, chromedp.Navigate(p.base+at), chromedp.WaitReady("body"))
		if err != nil && !strings.Contains(err.Error(), "ERR_ABORTED") {
			t.Fatal(err)
		}
		return err == nil, fmt.Sprint(err)
	})
}

// holds waits until an expression is true on the page, whichever page that is by then.
func (p *person) holds(t *testing.T, what, expression string) {
	t.Helper()
	eventually.Told(t, what, func() (yes bool, instead string) {
		ctx, cancel := context.WithTimeout(p.Context, time.Minute)
		defer cancel()
		err := chromedp.Run(ctx, chromedp.Evaluate(`document.readyState !== "loading" && !!(`+expression+`)`, &yes))
		if err != nil || !yes { // a page that is left cannot be asked
			_ = chromedp.Run(ctx, chromedp.Evaluate(`location.pathname + ": " + document.body.innerText.replace(/\s+/g, " ").slice(0, 1500)`, &instead))
		}
		return yes && err == nil, fmt.Sprint(instead, err)
	})
}

// sees waits until words can be read on the page.
func (p *person) sees(t *testing.T, words ...string) {
	t.Helper()
	for _, w := range words {
		p.holds(t, "to read "+w, fmt.Sprintf(`document.body.innerText.replace(/\s+/g, " ").toLowerCase().includes(%q.toLowerCase())`, w))
	}
}

// fill writes into the fields of a form, by their names.
func (p *person) fill(t *testing.T, pairs ...string) {
	t.Helper()
	for n := 0; n < len(pairs); n += 2 {
		at := fmt.Sprintf(`main [name=%q]`, pairs[n])
		p.do(t, chromedp.WaitVisible(at), chromedp.SetValue(at, pairs[n+1]))
	}
}

// presses clicks on the visible button, link or summary that is labelled so.
func (p *person) presses(t *testing.T, label string) {
	t.Helper()
	const find = `[...document.querySelectorAll("button, a, summary, label")].find(x => x.innerText.trim() === %q && x.checkVisibility() && x.getBoundingClientRect().width > 1)`
	what := fmt.Sprintf(find, label)
	for range 5 { // what is told live may move it away under the pointer
		p.holds(t, "to press "+label, what)
		p.do(t, chromedp.Evaluate(`(x => { x.scrollIntoView({ block: "center" }); x.setAttribute("data-pressed", ""); window.missed = true;
			x.addEventListener("click", () => { window.missed = false }) })(`+what+`)`, nil), chromedp.Click(`[data-pressed]`, chromedp.NodeVisible))
		var missed bool
		if err := chromedp.Run(p.Context, chromedp.Evaluate(`window.missed === true`, &missed)); err != nil || !missed {
			break
		}
	}
	_ = chromedp.Run(p.Context, chromedp.Evaluate(`document.querySelector("[data-pressed]")?.removeAttribute("data-pressed")`, nil)) // the page may have been left
}

// learns lets Curlew learn from one page how to read it.
func (p *person) learns(t *testing.T, address string) {
	t.Helper()
	p.open(t, "/blueprints/new")
	p.fill(t, "url", address)
	p.presses(t, "Fetch the page")
	p.is(t, "/blueprints/new/[^/]+_.+")
	p.training = path.Base(tell[string](t, p.chromium, `location.pathname`))
	p.holds(t, "the copy of the page", `document.querySelector("iframe")`)
}

// stays marks the page; stayed says whether it is still the same one.
func (p *person) stays(t *testing.T) {
	t.Helper()
	p.do(t, chromedp.Evaluate(`window.same = true`, nil))
}

func (p *person) stayed(t *testing.T) {
	t.Helper()
	if !tell[bool](t, p.chromium, `window.same === true`) {
		t.Error("the page was loaded again")
	}
}

// is waits until the page is at a path.
func (p *person) is(t *testing.T, path string) {
	t.Helper()
	p.holds(t, "to be at "+path, fmt.Sprintf(`location.pathname.match(%q)`, "^"+path+"$"))
}

// live waits until the page is told what happens.
func (p *person) live(t *testing.T) {
	t.Helper()
	p.holds(t, "the stream to be there", `document.querySelector(".live").dataset.state === "on"`)
}
