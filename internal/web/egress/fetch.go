package egress

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
	"golang.org/x/net/http/httpguts"
)

// Request is one fetch.
type Request struct {
	Method string // empty means GET
	URL    string
	Header http.Header // Accept-Encoding is ours; a missing User-Agent becomes "Curlew"
	Body   []byte
	Budget Budget

	// Inspect, if set, is asked before each hop is looked up and dialled, the
	// redirects included. Its error ends the fetch and is returned as it is; the
	// time it takes is the fetch's.
	Inspect func(Hop) error
}

// Hop is one URL on the way. Status and Location are what it answered; they are
// empty in what Inspect sees.
type Hop struct {
	URL      string
	Status   int
	Location string
}

// Response is what came back, complete or not.
type Response struct {
	URL       string // of the last hop
	Chain     []Hop  // the redirects that led there
	Status    int
	Proto     string
	Header    http.Header // as received, Set-Cookie and Content-Encoding included
	Body      []byte      // decoded, at most the budget
	Encoding  string      // the content encodings that were undone, in the order they were applied
	Complete  bool        // the body is all that the server meant to send
	Why       Shortfall   // why it is not complete
	Remote    netip.AddrPort
	Took      time.Duration
	WireBytes int64 // of the body, before decoding
}

// Do fetches a URL, following redirects by hand: each is judged like the first.
// A failure before the status line is a *curlew.Fault; after it there is a
// response, which may be incomplete. When ctx itself ends, that is the error.
func (c *Client) Do(ctx context.Context, r Request) (*Response, error) {
	started := time.Now()
	r, err := r.checked()
	if err != nil {
		return nil, err
	}
	fetch, cancel := context.WithTimeout(ctx, r.Budget.Time)
	defer cancel()
	fetch = context.WithValue(fetch, fetchKey{}, fetch)
	response, err := c.follow(fetch, r)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, err
	}
	response.Took = time.Since(started)
	return response, nil
}

// follow goes from hop to hop until one is not a redirect.
func (c *Client) follow(ctx context.Context, r Request) (*Response, error) {
	var chain []Hop
	for {
		t, err := c.target(r.URL)
		if err != nil {
			return nil, err
		}
		if r.Inspect != nil {
			if err := r.Inspect(Hop{URL: t.String()}); err != nil {
				return nil, err
			}
		}
		answer, remote, err := c.send(ctx, t, r)
		if err != nil {
			return nil, roundTripFault(ctx, c.policy.called(t.host, t.port), err)
		}
		location := answer.Header.Get("Location")
		if r.Budget.Redirects <= 0 || location == "" || !redirects(answer.StatusCode) {
			response := receive(ctx, answer, r.Budget.Body)
			response.URL, response.Chain, response.Remote = t.String(), chain, remote
			return response, nil
		}
		discard(answer.Body)
		chain = append(chain, Hop{URL: t.String(), Status: answer.StatusCode, Location: location})
		if len(chain) > r.Budget.Redirects {
			return nil, curlew.Refused(ErrTooManyRedirects, "%s was redirected more than %d times",
				text.Clip(chain[0].URL, 120), r.Budget.Redirects)
		}
		if r, err = r.redirected(t, answer.StatusCode, location); err != nil {
			return nil, err
		}
	}
}

// send makes the request of one hop and gives the answer with its body unread.
func (c *Client) send(ctx context.Context, t target, r Request) (*http.Response, netip.AddrPort, error) {
	var remote netip.AddrPort
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(got httptrace.GotConnInfo) {
		remote, _ = netip.ParseAddrPort(got.Conn.RemoteAddr().String())
	}})
	// A bytes.Reader lets the transport ask for the body again, should a kept
	// connection turn out to be dead.
	request, err := http.NewRequestWithContext(ctx, r.Method, t.String(), bytes.NewReader(r.Body))
	if err != nil {
		return nil, remote, err
	}
	request.Header = r.Header
	answer, err := c.transport.RoundTrip(request)
	return answer, remote, err
}

// receive reads the body of the last hop.
func receive(ctx context.Context, answer *http.Response, budget int64) *Response {
	defer answer.Body.Close()
	body := read(ctx, answer, budget)
	return &Response{
		Status: answer.StatusCode, Proto: answer.Proto, Header: answer.Header,
		Body: body.bytes, Encoding: body.encoding, WireBytes: body.wire,
		Complete: body.why == "", Why: body.why,
	}
}

// discard reads the little that a redirect says, so that its connection can be
// used again; a long one is not worth it.
func discard(body io.ReadCloser) {
	io.CopyN(io.Discard, body, 4<<10) //nolint:errcheck // nobody reads it
	body.Close()
}

// acceptEncoding lists what body.go can undo.
const acceptEncoding = "gzip, br, zstd, deflate"

var methods = []string{
	http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut,
	http.MethodPatch, http.MethodDelete, http.MethodOptions,
}

// checked fills in what was left out and refuses what would not survive the
// way onto the wire.
func (r Request) checked() (Request, error) {
	r.Method = cmp.Or(r.Method, http.MethodGet)
	if !slices.Contains(methods, r.Method) {
		return r, curlew.Refused("method_forbidden", "the method %q is not allowed", text.Clip(r.Method, 120))
	}
	for name, values := range r.Header {
		if !httpguts.ValidHeaderFieldName(name) || slices.ContainsFunc(values, invalidValue) {
			return r, curlew.Refused("header_refused", "the header %q has characters that a header cannot carry", text.Clip(name, 120))
		}
	}
	r.Header = r.Header.Clone()
	if r.Header == nil {
		r.Header = http.Header{}
	}
	r.Header.Set("Accept-Encoding", acceptEncoding)
	if r.Header.Get("User-Agent") == "" {
		r.Header.Set("User-Agent", "Curlew")
	}
	r.Budget = r.Budget.filled()
	return r, nil
}

func invalidValue(v string) bool { return !httpguts.ValidHeaderFieldValue(v) }

func redirects(status int) bool {
	switch status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther,
		http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return true
	}
	return false
}

// redirected is the request of the next hop: a GET after 301, 302 and 303 as
// browsers do it, and without credentials when it goes to another origin.
func (r Request) redirected(from target, status int, location string) (Request, error) {
	relative, err := url.Parse(strings.TrimSpace(location))
	if err != nil {
		return r, refuseURL(location, "cannot be read: %v", reason(err))
	}
	r.URL = from.url.ResolveReference(relative).String()
	r.Header = r.Header.Clone()
	if to, err := parse(r.URL); err == nil && to.origin() != from.origin() {
		for _, name := range []string{"Authorization", "Cookie", "Proxy-Authorization"} {
			r.Header.Del(name)
		}
	}
	if status < http.StatusTemporaryRedirect && r.Method != http.MethodHead {
		r.Method, r.Body = http.MethodGet, nil
		for _, name := range []string{"Content-Type", "Content-Encoding", "Content-Language"} {
			r.Header.Del(name)
		}
	}
	return r, nil
}
