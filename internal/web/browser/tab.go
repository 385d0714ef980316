package browser

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"sync"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/css"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/fetch"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
)

// guard runs in every document before its own scripts and takes away what
// opens sockets, windows and dialogs. The proxy and we would stop these anyway;
// without them pages do not wait for what never comes.
//
//go:embed guard.js
var guard string

// tab is one page being rendered, in a browser context of its own.
type tab struct {
	engine  *engine
	request RenderRequest
	origin  string // of the request's URL
	started time.Time
	proxy   *proxy
	traffic *traffic

	browserContext cdp.BrowserContextID
	main           cdp.FrameID     // the page's own, which is named like its target
	ctx            context.Context // of the tab; ends when it is closed
	close          context.CancelFunc

	work   context.Context // ends at the deadline, or with a reason to stop
	giveUp context.CancelCauseFunc

	mu      sync.Mutex
	closing bool
	tasks   sync.WaitGroup // answers to Chromium that are being given
	pinned  string         // the page that may not be left any more
	stay    bool           // the document is being read
	visits  int            // navigations of the page itself
	reloads int            // those to the pinned page
	sent    int            // requests
	refused []BlockedRequest
	barred  error    // why the page's own navigation was refused
	why     []string // the rendering is not complete
	actions []string
}

// reserve is the part of the time that is kept for reading the document.
func reserve(b RenderBudget) time.Duration { return min(3*time.Second, b.Time/4) }

// render opens a tab, renders, and closes it.
func (e *engine) render(ctx context.Context, request RenderRequest) (*RenderedPage, error) {
	t := &tab{engine: e, request: request, started: time.Now(), traffic: newTraffic()}
	u, err := url.Parse(request.URL)
	if err != nil {
		return nil, fmt.Errorf("read the address again: %w", err)
	}
	t.origin = keyOf(u.Scheme, u.Hostname(), u.Port())
	t.proxy, err = listen(e.dial, request.Budget.Transfer, func() {
		t.note("its transfer budget of %d bytes was used up", request.Budget.Transfer)
	})
	if err != nil {
		return nil, fmt.Errorf("open the page's proxy: %w", err)
	}
	defer t.proxy.close()
	stop, err := t.prepare(ctx)
	if err != nil {
		return nil, t.reason(ctx, err)
	}
	defer stop()
	rendering, err := t.run()
	if err != nil {
		return nil, t.reason(ctx, err)
	}
	return rendering, nil
}

// prepare makes the browser context with its empty page, and the contexts of
// the work in it.
func (t *tab) prepare(ctx context.Context) (stop func(), err error) {
	if err := t.create(ctx); err != nil {
		return nil, err
	}
	t.ctx, t.close = chromedp.NewContext(t.engine.ctx, chromedp.WithTargetID(target.ID(t.main)))
	chromedp.ListenTarget(t.ctx, t.hear)
	work, giveUp := context.WithCancelCause(t.ctx)
	deadline := t.started.Add(t.request.Budget.Time - reserve(t.request.Budget))
	work, cancel := context.WithDeadline(work, deadline)
	t.work, t.giveUp = work, giveUp
	unhook := context.AfterFunc(ctx, func() { giveUp(interrupted(ctx)) })
	return func() {
		unhook()
		giveUp(nil)
		cancel()
		t.mu.Lock()
		t.closing = true
		t.mu.Unlock()
		// While chromedp still listens: it stalls when the events of a page
		// that it no longer listens to pile up.
		t.dispose()
		t.close()
		t.tasks.Wait()
	}, nil
}

// create makes a browser context with the page's own way out, and an empty
// window in it.
func (t *tab) create(ctx context.Context) error {
	ctx, cancel := t.engine.bounded(ctx, commandTime)
	defer cancel()
	var err error
	t.browserContext, err = target.CreateBrowserContext().WithDisposeOnDetach(true).
		WithProxyServer(t.proxy.url()).WithProxyBypassList("<-loopback>").Do(ctx)
	if err != nil {
		return err
	}
	if err := cdpbrowser.SetDownloadBehavior(cdpbrowser.SetDownloadBehaviorBehaviorDeny).
		WithBrowserContextID(t.browserContext).Do(ctx); err != nil {
		return err
	}
	id, err := target.CreateTarget("about:blank").WithBrowserContextID(t.browserContext).WithNewWindow(true).Do(ctx)
	t.main = cdp.FrameID(id)
	return err
}

// dispose removes the browser context. A Chromium that does not manage to is
// replaced as soon as nobody uses it.
func (t *tab) dispose() {
	ctx, cancel := t.engine.bounded(context.Background(), commandTime)
	defer cancel()
	err := target.DisposeBrowserContext(t.browserContext).Do(ctx)
	if err != nil && t.engine.alive() {
		t.engine.options.Log.Warn("the browser did not close a page and will be replaced", "error", err)
		t.engine.wornOut.Store(true)
	}
}

// reason prefers what ended the work over what failed because of it.
func (t *tab) reason(ctx context.Context, err error) error {
	var fault *curlew.Fault
	switch {
	case ctx.Err() != nil:
		return interrupted(ctx)
	case !t.engine.alive():
		return crashedFault().Because(err)
	case t.work != nil && errors.As(context.Cause(t.work), &fault), errors.As(err, &fault):
		return fault
	case errors.Is(err, context.DeadlineExceeded):
		return timeoutFault(t.request.URL).Because(err)
	}
	return curlew.Temporary("navigation_failed", "the browser could not render %s", text.Clip(t.request.URL, 200)).Because(err)
}

// run is the whole of a rendering.
func (t *tab) run() (*RenderedPage, error) {
	if err := t.open(); err != nil {
		return nil, err
	}
	if err := t.navigate(); err != nil {
		return nil, err
	}
	if err := t.act(); err != nil && !errors.Is(context.Cause(t.work), context.DeadlineExceeded) {
		return nil, err
	}
	return t.read()
}

// open attaches to the page and sets its rules. The first command's context is
// the tab's own, because chromedp ties the page's events to it.
func (t *tab) open() error {
	late := context.AfterFunc(t.work, t.close)
	defer late()
	if err := chromedp.Run(t.ctx); err != nil {
		return err
	}
	for _, action := range t.rules() {
		if err := action.Do(t.on(t.work)); err != nil {
			return err
		}
	}
	return nil
}

// on directs a command at the page.
func (t *tab) on(ctx context.Context) context.Context {
	return cdp.WithExecutor(ctx, chromedp.FromContext(t.ctx).Target)
}

// rules are what holds for the page before it is opened.
func (t *tab) rules() []chromedp.Action {
	all := []chromedp.Action{
		// chromedp listens to more than is needed; a page can flood these.
		css.Disable(), dom.Disable(), cdplog.Disable(), runtime.Disable(),
		network.Enable().WithMaxPostDataSize(maxRequestBody).WithMaxResourceBufferSize(2 * maxBody).
			WithMaxTotalBufferSize(2 * maxBodies),
		network.SetBypassServiceWorker(true),
		fetch.Enable().WithPatterns([]*fetch.RequestPattern{{URLPattern: "*"}}).WithHandleAuthRequests(true),
		emulation.SetFocusEmulationEnabled(true),
		addScript(guard, ""),
		addScript(script, world),
	}
	if t.request.UserAgent != "" {
		all = append(all, emulation.SetUserAgentOverride(t.request.UserAgent))
	}
	return all
}

func addScript(source, world string) chromedp.Action {
	return chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := page.AddScriptToEvaluateOnNewDocument(source).WithWorldName(world).Do(ctx)
		return err
	})
}

// do runs an answer to Chromium beside the events, which must not wait.
func (t *tab) do(task func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.closing {
		t.tasks.Go(task)
	}
}

// note says why the rendering is not complete.
func (t *tab) note(format string, args ...any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.noteOnce(fmt.Sprintf(format, args...))
}

// noteOnce is note for those who hold the lock.
func (t *tab) noteOnce(why string) {
	if len(t.why) < 5 && !slices.Contains(t.why, why) {
		t.why = append(t.why, why)
	}
}

// acted records what was done to the page.
func (t *tab) acted(format string, args ...any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.actions = append(t.actions, fmt.Sprintf(format, args...))
}
