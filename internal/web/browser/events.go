package browser

import (
	"strings"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
)

// hear takes in what Chromium reports of the page. It must not block: answers
// are given beside it.
func (t *tab) hear(event any) {
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		t.traffic.sent(e, e.FrameID == t.main)
	case *network.EventResponseReceived:
		t.traffic.answered(e, e.FrameID == t.main)
	case *network.EventLoadingFinished:
		if call := t.traffic.finished(e); call != nil {
			t.do(func() { t.keepBody(e.RequestID, call) })
		}
	case *network.EventLoadingFailed:
		t.traffic.failed(e)
	case *fetch.EventRequestPaused:
		t.do(func() { t.judge(e) })
	case *fetch.EventAuthRequired:
		t.do(func() {
			no := &fetch.AuthChallengeResponse{Response: fetch.AuthChallengeResponseResponseCancelAuth}
			t.tell(fetch.ContinueWithAuth(e.RequestID, no))
		})
	case *page.EventJavascriptDialogOpening:
		t.do(func() { t.tell(page.HandleJavaScriptDialog(false)) })
	case *page.EventFrameNavigated:
		t.arrived(e.Frame)
	case *target.EventTargetCreated:
		t.popup(e.TargetInfo)
	case *target.EventTargetCrashed:
		t.crashed(e)
	}
}

// tell gives Chromium an answer. When it fails, the page or the request is gone
// and so is the need for an answer.
func (t *tab) tell(answer chromedp.Action) { _ = answer.Do(t.on(t.ctx)) }

// arrived notices where the page went. What is neither http nor https, nor
// empty, is nothing that a site shows.
func (t *tab) arrived(frame *cdp.Frame) {
	if frame.ParentID != "" {
		return
	}
	scheme, _, _ := strings.Cut(frame.URL, ":")
	switch scheme {
	case "http", "https", "about", "chrome-error":
	default:
		t.giveUp(curlew.Refused("scheme_forbidden", "the page went to the address %q", text.Clip(frame.URL, 200)))
	}
}

// popup closes windows that the page opened.
func (t *tab) popup(info *target.Info) {
	if info.Type != "page" || cdp.FrameID(info.TargetID) == t.main || info.BrowserContextID != t.browserContext {
		return
	}
	t.do(func() {
		ctx, cancel := t.engine.bounded(t.ctx, commandTime)
		defer cancel()
		_ = target.CloseTarget(info.TargetID).Do(ctx) // it may be gone by now
	})
}

// trap is the signal (SIGTRAP) by which Chromium ends a process of its own that
// has no memory left for its scripts.
const trap = 5

// crashed ends the work when the page's own process ended.
func (t *tab) crashed(e *target.EventTargetCrashed) {
	if cdp.FrameID(e.TargetID) != t.main {
		return
	}
	if t.engine.overweight() || e.Status == "oom" || e.ErrorCode == trap {
		t.giveUp(curlew.Refused(curlew.ErrOverBudget, "%s needs more memory than a page may have", text.Clip(t.request.URL, 200)))
		return
	}
	t.giveUp(crashedFault())
}
