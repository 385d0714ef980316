package app

import "testing"

// Sources that were onboarded are kept without the slash at the end, those of people with
// it: an address belongs to either.
func TestASiteIsKnownHoweverItsAddressIsWritten(t *testing.T) {
	for address, want := range map[string]bool{"https://example.org": true, "https://example.org/": true, "https://Example.org/events": true,
		"http://example.org/": false, "https://example.org:8443": false, "https://example.com": false, "": false} {
		t.Run(address, func(t *testing.T) {
			if got := sameSite(address, "https://example.org/") == nil; got != want {
				t.Errorf("%q: %v", address, got)
			}
		})
	}
}
