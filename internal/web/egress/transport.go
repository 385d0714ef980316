package egress

import (
	"net/http"
	"time"
)

// Transport lets a library that brings its own HTTP client go out through the
// same dialer and policy. It follows no redirects and keeps no budget: the library
// must.
func (c *Client) Transport() http.RoundTripper { return transport{c} }

// HTTPClient is the same for a library that insists on a client. It follows no redirects
// and gives up after the given time.
func (c *Client) HTTPClient(most time.Duration) *http.Client {
	return &http.Client{Transport: c.Transport(), Timeout: most,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

type transport struct{ client *Client }

// RoundTrip judges the address like any other and sends the request.
func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	if _, err := t.client.target(r.URL.String()); err != nil {
		return nil, err
	}
	return t.client.transport.RoundTrip(r)
}
