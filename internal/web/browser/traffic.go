package browser

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/curlew-data/curlew/internal/text"
)

// traffic keeps account of a page's requests.
type traffic struct {
	mu       sync.Mutex
	running  map[network.RequestID]string // their URLs
	moved    time.Time                    // when a request last began or ended
	restless bool                         // something runs beside the page that may bring more at any time
	document *network.Response            // the page's own, the latest
	wanted   string                       // where the page last went
	lost     string                       // why it did not arrive
	own      map[network.RequestID]bool   // requests of the page's own site that carry content
	failures []string
	pending  map[network.RequestID]*RecordedCall
	calls    []*RecordedCall
	reading  int // bodies on their way to us
	bodies   int // bytes kept
}

func newTraffic() *traffic {
	return &traffic{running: map[network.RequestID]string{}, own: map[network.RequestID]bool{},
		pending: map[network.RequestID]*RecordedCall{}, moved: time.Now()}
}

// ofWorker says whether a request is for a worker's script. It is known by an id
// without a number, as only documents have beside it.
func ofWorker(e *network.EventRequestWillBeSent) bool {
	return e.Type != network.ResourceTypeDocument && !strings.Contains(string(e.RequestID), ".")
}

// aside are requests that a page need not wait for: they stay open, or bring
// nothing to read. The end of a worker's script is not even reported.
func aside(e *network.EventRequestWillBeSent) bool {
	switch e.Type {
	case network.ResourceTypeDocument:
		return false
	case network.ResourceTypeEventSource, network.ResourceTypeWebSocket, network.ResourceTypeMedia,
		network.ResourceTypePing, network.ResourceTypePrefetch, network.ResourceTypeOther:
		return true
	}
	return !strings.HasPrefix(e.Request.URL, "http") || ofWorker(e)
}

func (n *traffic) sent(e *network.EventRequestWillBeSent, main bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if main && e.Type == network.ResourceTypeDocument {
		clear(n.running) // what the former document asked for
		clear(n.own)
		n.wanted, n.lost = e.Request.URL, ""
		n.failures = nil
		n.restless = false
	}
	n.restless = n.restless || e.Type == network.ResourceTypeEventSource || ofWorker(e)
	if aside(e) {
		return
	}
	n.moved = time.Now()
	n.running[e.RequestID] = e.Request.URL
	if e.Request.IsSameSite && carriesContent(e.Type) {
		n.own[e.RequestID] = true
	}
	if e.Type == network.ResourceTypeXHR || e.Type == network.ResourceTypeFetch {
		n.called(e)
	}
}

// called begins the record of a call, or goes on with it after a redirect.
func (n *traffic) called(e *network.EventRequestWillBeSent) {
	if n.pending[e.RequestID] != nil || len(n.calls) >= maxCalls || e.Request.Method == http.MethodOptions {
		return
	}
	call := &RecordedCall{Method: e.Request.Method, URL: e.Request.URL}
	for _, part := range e.Request.PostDataEntries {
		data, err := base64.StdEncoding.DecodeString(part.Bytes)
		if err != nil || len(call.RequestBody)+len(data) > maxRequestBody {
			call.Cut = true
			break
		}
		call.RequestBody = append(call.RequestBody, data...)
	}
	call.Cut = call.Cut || e.Request.HasPostData && len(call.RequestBody) == 0
	n.pending[e.RequestID] = call
	n.calls = append(n.calls, call)
}

func (n *traffic) answered(e *network.EventResponseReceived, main bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	isPage := main && e.Type == network.ResourceTypeDocument
	if isPage {
		n.document = e.Response
	}
	if call := n.pending[e.RequestID]; call != nil {
		call.Status, call.ContentType = int(e.Response.Status), e.Response.MimeType
	}
	failed := e.Response.Status >= 500 || e.Response.Status == http.StatusTooManyRequests
	if failed && n.own[e.RequestID] && !isPage {
		n.failures = append(n.failures, fmt.Sprintf("%s answered %d", text.Clip(e.Response.URL, 200), e.Response.Status))
	}
}

// finished gives the call whose body can now be read.
func (n *traffic) finished(e *network.EventLoadingFinished) *RecordedCall {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.ended(e.RequestID)
	call := n.pending[e.RequestID]
	delete(n.pending, e.RequestID)
	if call == nil || !jsonLike(call.ContentType) {
		return nil
	}
	n.reading++
	return call
}

func (n *traffic) failed(e *network.EventLoadingFailed) {
	n.mu.Lock()
	defer n.mu.Unlock()
	url := n.running[e.RequestID]
	if url == n.wanted && url != "" {
		n.lost = e.ErrorText
	}
	if n.own[e.RequestID] && !e.Canceled && e.BlockedReason == "" && e.CorsErrorStatus == nil {
		n.failures = append(n.failures, fmt.Sprintf("%s failed: %s", text.Clip(url, 200), e.ErrorText))
	}
	n.ended(e.RequestID)
	delete(n.pending, e.RequestID)
}

func (n *traffic) ended(id network.RequestID) {
	if _, known := n.running[id]; known {
		delete(n.running, id)
		n.moved = time.Now()
	}
}

// idle says how long nothing has been running, and 0 while something is.
func (n *traffic) idle() time.Duration {
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.running) > 0 || n.reading > 0 {
		return 0
	}
	return time.Since(n.moved)
}

// beside says whether a worker or a stream may bring more at any time.
func (n *traffic) beside() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.restless
}

// unfinished says what keeps the page from being complete.
func (n *traffic) unfinished() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	all := slices.Clone(n.failures[:min(len(n.failures), 3)])
	for id, url := range n.running {
		if n.own[id] {
			return append(all, "it was still waiting for "+text.Clip(url, 200))
		}
	}
	return all
}

// jsonLike types are what pages fetch their data in.
func jsonLike(contentType string) bool {
	kind, _, _ := strings.Cut(strings.ToLower(contentType), ";")
	kind = strings.TrimSpace(kind)
	switch kind {
	case "application/json", "text/json", "application/x-json", "application/x-ndjson", "application/jsonl",
		"application/json-seq", "application/graphql":
		return true
	}
	return strings.HasSuffix(kind, "+json")
}

// keepBody reads the body of a call and keeps it, if there is room.
func (t *tab) keepBody(id network.RequestID, call *RecordedCall) {
	body, err := network.GetResponseBody(id).Do(t.on(t.ctx))
	n := t.traffic
	n.mu.Lock()
	defer n.mu.Unlock()
	n.reading--
	if err != nil || len(body) > maxBody || n.bodies+len(body) > maxBodies {
		call.Cut = true
		return
	}
	n.bodies += len(body)
	call.ResponseBody = body
}

// recorded gives copies of the calls: late bodies must not change them.
func (n *traffic) recorded() []RecordedCall {
	n.mu.Lock()
	defer n.mu.Unlock()
	all := make([]RecordedCall, 0, len(n.calls))
	for _, call := range n.calls {
		all = append(all, *call)
	}
	return all
}

// lastVisit says where the page last went, and why it did not arrive.
func (n *traffic) lastVisit() (url, why string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.wanted, n.lost
}

// answer gives the status and header of the page's own document.
func (n *traffic) answer() (status int, contentType string, header http.Header) {
	n.mu.Lock()
	defer n.mu.Unlock()
	header = http.Header{}
	if n.document == nil {
		return 0, "", header
	}
	for name, value := range n.document.Headers {
		if text, ok := value.(string); ok {
			for line := range strings.SplitSeq(text, "\n") { // how DevTools joins repeated ones
				header.Add(name, line)
			}
		}
	}
	return int(n.document.Status), n.document.MimeType, header
}
