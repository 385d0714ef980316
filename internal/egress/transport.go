package egress

import "net/http"

// Transport lets a library that brings its own HTTP client go out through the
// same dialer and policy. It follows no redirects and keeps no budget: the library
// must.
func (c *Client) Transport() http.RoundTripper { return transport{c} }

type transport struct{ client *Client }

// RoundTrip judges the address like any other and sends the request.
func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	if _, err := t.client.target(r.URL.String()); err != nil {
		return nil, err
	}
	return t.client.transport.RoundTrip(r)
}
