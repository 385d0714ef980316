package browser

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
)

// navigate opens the page and waits until its document begins to arrive.
func (t *tab) navigate() error {
	_, _, text, download, err := page.Navigate(t.request.URL).Do(t.on(t.work))
	switch {
	case err != nil:
		return err
	case text == "" && !download:
		return t.checkKind(t.request.URL)
	}
	last, _ := t.traffic.lastVisit()
	return t.lostWay(last, text)
}

// lostWay says why the page's document did not come: because Allow refused it,
// because the way there is closed, or for a reason of Chromium's own.
func (t *tab) lostWay(address, s string) error {
	t.mu.Lock()
	barred := t.barred
	t.mu.Unlock()
	if barred != nil {
		return barred
	}
	if t.proxy.left.Load() <= 0 {
		return curlew.Refused(curlew.ErrOverBudget, "%s is larger than a page's transfer may be", text.Clip(address, 200))
	}
	if err := t.proxy.failure(address); err != nil {
		return err
	}
	return navigationFault(address, s)
}

// document is what page.js reads of a page.
type document struct {
	URL  string `json:"url"`
	HTML string `json:"html"`
	Cut  bool   `json:"cut"`
}

// read takes the document as it stands.
func (t *tab) read() (*RenderedPage, error) {
	ctx, cancel := context.WithDeadline(t.ctx, t.started.Add(t.request.Budget.Time))
	defer cancel()
	t.stayHere()
	if t.work.Err() != nil {
		t.note("its time was up")
		t.silence()
	}
	d, err := t.document(ctx)
	if err != nil {
		return nil, err
	}
	if strings.HasPrefix(d.URL, "chrome-error:") {
		return nil, t.lostWay(t.traffic.lastVisit())
	}
	if err := t.checkKind(d.URL); err != nil {
		return nil, err
	}
	status, _, header := t.traffic.answer()
	html := text.CutBytes(d.HTML, t.request.Budget.Bytes)
	cut := len(html) < len(d.HTML)
	if cut || d.Cut {
		t.note("its HTML is larger than %d bytes", t.request.Budget.Bytes)
	}
	for _, why := range t.traffic.unfinished() {
		t.note("%s", why)
	}
	return t.rendering(RenderedPage{URL: d.URL, Status: status, Header: header, HTML: []byte(html)}), nil
}

// document reads until there is one to read: a page may be on its way from one
// to the next.
func (t *tab) document(ctx context.Context) (d document, err error) {
	// A page that was silenced has not run our script either.
	read := fmt.Sprintf("globalThis.curlew || %s curlew.read(%d)", script, t.request.Budget.Bytes)
	tick := time.NewTicker(poll)
	defer tick.Stop()
	for {
		err = t.ask(ctx, t.main, read, &d)
		if err == nil {
			return d, nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return d, errors.Join(ctx.Err(), err)
		}
	}
}

// rendering adds the account of the tab.
func (t *tab) rendering(r RenderedPage) *RenderedPage {
	t.mu.Lock()
	defer t.mu.Unlock()
	r.Complete = len(t.why) == 0
	r.Why = strings.Join(t.why, "; ")
	r.Calls = t.traffic.recorded()
	r.Refused, r.Actions = t.refused, t.actions
	r.Requests = t.sent
	r.Transfer = t.proxy.moved.Load()
	r.Took = time.Since(t.started)
	return &r
}

// stayHere lets the page go nowhere any more.
func (t *tab) stayHere() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.stay = true
}

// silence stops the page's scripts, so that even one that runs for ever lets
// us read. Chromium obeys these in the middle of a script; it does not always
// answer, so nobody waits.
func (t *tab) silence() {
	t.do(func() { t.tell(runtime.TerminateExecution()) })
	t.do(func() { t.tell(emulation.SetScriptExecutionDisabled(true)) })
}

// checkKind refuses what Chromium shows with a viewer of its own.
func (t *tab) checkKind(address string) error {
	if _, kind, _ := t.traffic.answer(); !readable(kind) {
		return curlew.Permanent("navigation_failed", "%s is not a page but %s", text.Clip(address, 200), text.Clip(kind, 200))
	}
	return nil
}

// readable types are documents that Chromium shows as such.
func readable(contentType string) bool {
	return contentType == "" || strings.HasPrefix(contentType, "text/") || strings.HasSuffix(contentType, "xml") ||
		strings.HasSuffix(contentType, "json")
}
