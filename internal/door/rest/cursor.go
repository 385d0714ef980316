package rest

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"net/url"

	"github.com/curlew-data/curlew/internal/curlew"
)

// A cursor is a place in one listing of one org. It carries a sum over all three, so
// that one from elsewhere, or one that somebody made up, is refused. The sum has no
// secret: a cursor that is forged with care is a place in the forger's own listing.
const cursorSum = 9

func sumOf(parts ...string) []byte {
	h := sha256.New()
	for _, p := range parts {
		h.Write([]byte(p))
		h.Write([]byte{0})
	}
	return h.Sum(nil)[:cursorSum]
}

func packCursor(org curlew.OrgID, listing, place string) string {
	return base64.RawURLEncoding.EncodeToString(append(sumOf(string(org), listing, place), place...))
}

func unpackCursor(org curlew.OrgID, listing, text string) (string, error) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || len(raw) <= cursorSum {
		return "", errBadCursor
	}
	place := string(raw[cursorSum:])
	if subtle.ConstantTimeCompare(raw[:cursorSum], sumOf(string(org), listing, place)) != 1 {
		return "", errBadCursor
	}
	return place, nil
}

var errBadCursor = curlew.Permanent("bad_cursor", "this cursor does not belong to this listing: use next_cursor of the page before, "+
	"with the same filters, or begin without a cursor")

// listing names the listing of a call: its address and its filters.
func (c *Call) listing() string {
	filters := url.Values{}
	for name, values := range c.request.URL.Query() {
		if name != "cursor" && name != "limit" {
			filters[name] = values
		}
	}
	return c.request.URL.Path + "?" + filters.Encode()
}

func (c *Call) cursor(place string) string { return packCursor(c.Caller.Org, c.listing(), place) }

// after is the place that a cursor names; "" for the beginning.
func (c *Call) after(cursor string) (string, error) {
	if cursor == "" {
		return "", nil
	}
	return unpackCursor(c.Caller.Org, c.listing(), cursor)
}
