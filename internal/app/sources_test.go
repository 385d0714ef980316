package app

import "testing"

// Addresses of a site are written with a slash at the end and without: both belong to it.
func TestASiteIsKnownHoweverItsAddressIsWritten(t *testing.T) {
	for address, want := range map[string]bool{"https://example.org": true, "https://example.org/": true, "https://Example.org/events": true,
		"http://example.org/": false, "https://example.org:8443": false, "https://example.com": false, "": false} {
		t.Run(address, func(t *testing.T) {
			if got := sameOrigin(address, "https://example.org/") == nil; got != want {
				t.Errorf("%q: %v", address, got)
			}
		})
	}
}
