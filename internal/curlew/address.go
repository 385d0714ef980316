package curlew

import (
	"net/url"
	"strings"
	"unicode"
)

// OriginOf is the scheme and host of an address, by which sources are known: "https://example.org".
func OriginOf(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return "", Permanent("url_refused", "%q is not an address: write it as https://example.org/events", address)
	}
	return u.Scheme + "://" + strings.ToLower(u.Host), nil
}

// NameOf is what an address is called by default: itself without the scheme.
func NameOf(address string) string {
	_, rest, _ := strings.Cut(address, "://")
	return strings.TrimSuffix(rest, "/")
}

// Printable keeps text that comes from elsewhere from steering a terminal or breaking a
// line.
func Printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\t' || r == '\n' {
			return ' '
		}
		if unicode.IsControl(r) || unicode.In(r, unicode.Cf) {
			return -1
		}
		return r
	}, text)
}
