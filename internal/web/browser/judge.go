package browser

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"strings"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	"github.com/curlew-data/curlew/internal/text"
)

// maxVisits is how many times a page may send itself elsewhere. Browsers follow
// 20 redirects in a row (net/url_request/redirect_info.h); a site that needs
// more is going in circles.
const maxVisits = 20

// pixel is a transparent GIF of one pixel.
var pixel = base64.StdEncoding.EncodeToString([]byte("GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\x00\x00\x00" +
	"!\xf9\x04\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"))

// judge decides on a request that Chromium holds back, and says so.
func (t *tab) judge(e *fetch.EventRequestPaused) {
	switch {
	case t.unwanted(e.ResourceType):
		t.tell(fetch.FailRequest(e.RequestID, network.ErrorReasonBlockedByClient))
	case isImage(e) && !t.engine.options.Load.Images:
		t.tell(fetch.FulfillRequest(e.RequestID, 200).WithBody(pixel).
			WithResponseHeaders([]*fetch.HeaderEntry{{Name: "Content-Type", Value: "image/gif"},
				{Name: "Access-Control-Allow-Origin", Value: "*"}}))
	case t.leaves(e):
		t.tell(fetch.FailRequest(e.RequestID, network.ErrorReasonAborted)) // the page stays as it is
	default:
		t.put(e)
	}
}

// unwanted kinds bring nothing to read.
func (t *tab) unwanted(kind network.ResourceType) bool {
	switch kind {
	case network.ResourceTypeMedia, network.ResourceTypeTextTrack:
		return !t.engine.options.Load.Media
	case network.ResourceTypeFont:
		return !t.engine.options.Load.Fonts
	case network.ResourceTypePing, network.ResourceTypeCSPViolationReport, network.ResourceTypeManifest,
		network.ResourceTypePrefetch:
		return true
	}
	return false
}

// isImage knows the page's icon, too, which comes under no name of its own.
func isImage(e *fetch.EventRequestPaused) bool {
	accept, _ := e.Request.Headers["Accept"].(string)
	return e.ResourceType == network.ResourceTypeImage ||
		e.ResourceType == network.ResourceTypeOther && strings.HasPrefix(accept, "image/")
}

func (t *tab) navigates(e *fetch.EventRequestPaused) bool {
	return e.ResourceType == network.ResourceTypeDocument && e.FrameID == t.main
}

// maxReloads is how often a page that came to rest may load itself again, as
// some do after consent.
const maxReloads = 2

// leaves says whether a request would take the page elsewhere when it may not
// go: after it came to rest, or when it keeps going.
func (t *tab) leaves(e *fetch.EventRequestPaused) bool {
	if !t.navigates(e) {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.visits++
	switch {
	case t.visits > maxVisits:
		t.noteOnce(fmt.Sprintf("it went elsewhere more than %d times", maxVisits))
	case t.stay:
	case t.pinned == "":
		return false
	case t.pinned == e.Request.URL && t.reloads < maxReloads:
		t.reloads++
		return false
	default:
		t.noteOnce("it navigated to another page after loading")
	}
	return true
}

// put asks Allow and lets the request go, or not.
func (t *tab) put(e *fetch.EventRequestPaused) {
	u, err := url.Parse(e.Request.URL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		t.tell(fetch.FailRequest(e.RequestID, network.ErrorReasonBlockedByClient))
		return
	}
	if !t.spend() {
		t.tell(fetch.FailRequest(e.RequestID, network.ErrorReasonBlockedByClient))
		return
	}
	if err := t.request.Allow(t.ctx, e.Request.URL); err != nil {
		t.refuse(e, err)
		return
	}
	t.proxy.permit(u)
	t.tell(t.release(e, u))
}

// spend takes one request out of the budget.
func (t *tab) spend() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.sent >= t.request.Budget.Requests {
		t.noteOnce(fmt.Sprintf("it made more than its %d requests", t.request.Budget.Requests))
		return false
	}
	t.sent++
	return true
}

// refuse turns a request down. A page that may not be opened stays closed; a
// page that may not go on stays where it is.
func (t *tab) refuse(e *fetch.EventRequestPaused, why error) {
	t.mu.Lock()
	if len(t.refused) < maxRefused {
		t.refused = append(t.refused, BlockedRequest{URL: e.Request.URL, Why: why})
	}
	if t.navigates(e) && t.barred == nil {
		t.barred = why
	}
	t.mu.Unlock()
	if t.navigates(e) || t.ownSite(e.Request.URL) && carriesContent(e.ResourceType) {
		t.note("a request for %s was refused: %v", text.Clip(e.Request.URL, 200), why)
	}
	reason := network.ErrorReasonBlockedByClient
	if t.navigates(e) {
		reason = network.ErrorReasonAborted
	}
	t.tell(fetch.FailRequest(e.RequestID, reason))
}

// ownSite says whether a URL belongs to the site of the page.
func (t *tab) ownSite(rawURL string) bool {
	last, _ := t.traffic.lastVisit()
	page, err := url.Parse(last)
	if err != nil {
		return false
	}
	u, err := url.Parse(rawURL)
	if err != nil {
		return false
	}
	return text.SameSite(page.Hostname(), u.Hostname())
}

// carriesContent says whether a list can depend on such a request.
func carriesContent(kind network.ResourceType) bool {
	switch kind {
	case network.ResourceTypeXHR, network.ResourceTypeFetch, network.ResourceTypeScript, network.ResourceTypeDocument:
		return true
	}
	return false
}

// release lets a request go, with the extra headers where they belong.
func (t *tab) release(e *fetch.EventRequestPaused, u *url.URL) *fetch.ContinueRequestParams {
	answer := fetch.ContinueRequest(e.RequestID)
	if len(t.request.Header) == 0 || keyOf(u.Scheme, u.Hostname(), u.Port()) != t.origin {
		return answer
	}
	var headers []*fetch.HeaderEntry
	for name, value := range e.Request.Headers {
		if text, ok := value.(string); ok && t.request.Header.Get(name) == "" {
			headers = append(headers, &fetch.HeaderEntry{Name: name, Value: text})
		}
	}
	for name, values := range t.request.Header {
		for _, value := range values {
			headers = append(headers, &fetch.HeaderEntry{Name: name, Value: value})
		}
	}
	return answer.WithHeaders(headers)
}
