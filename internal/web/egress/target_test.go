package egress

import (
	"net"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
)

// Spellings of loopback, and of hosts that hide it. The resolver takes every
// name for loopback, as the laxest one would.
var spellings = map[string]string{
	"2130706433":                        "url_refused", // decimal
	"017700000001":                      "url_refused", // octal
	"0x7f000001":                        "url_refused", // hexadecimal
	"0X7F000001":                        "url_refused",
	"0x7f.0.0.1":                        "url_refused",
	"0177.0.0.1":                        "url_refused",
	"0177.0.0.01":                       "url_refused",
	"127.1":                             "url_refused",
	"127.0.1":                           "url_refused",
	"127.0.0.001":                       "url_refused",
	"127.0.0.0x1":                       "url_refused",
	"0x7f.1":                            "url_refused",
	"0":                                 "url_refused",
	"0x":                                "url_refused",
	"127.0.0.1.5":                       "url_refused",
	"256.256.256.256":                   "url_refused",
	"18446744071692124161":              "url_refused", // overflows to loopback
	"127.0.0.1":                         "address_forbidden",
	"127.0.0.1.":                        "address_forbidden",
	"１２７.０.０.１":                         "address_forbidden", // fullwidth digits
	"127。0。0。1":                         "address_forbidden", // ideographic full stops
	"127．0．0．1":                         "address_forbidden", // fullwidth full stops
	"①②⑦.⓪.⓪.①":                         "address_forbidden", // circled digits
	"%EF%BC%91%EF%BC%92%EF%BC%97.0.0.1": "address_forbidden",
	"127.0.0.1%2e":                      "url_refused",
	"%31%32%37.0.0.1":                   "url_refused",
	"[::1]":                             "address_forbidden",
	"[::]":                              "address_forbidden",
	"[0:0:0:0:0:0:0:1]":                 "address_forbidden",
	"[0000:0000:0000:0000:0000:0000:0000:0001]": "address_forbidden",
	"[::ffff:127.0.0.1]":                        "address_forbidden",
	"[::FFFF:7F00:0001]":                        "address_forbidden",
	"[::1%25lo]":                                "url_refused", // zone
	"[fe80::1%25eth0]":                          "url_refused",
	"[127.0.0.1]":                               "url_refused",
	"[::1":                                      "url_refused",
	"::1":                                       "url_refused",
	"[v1.1]":                                    "url_refused",
	"localhost":                                 "address_forbidden",
	"LOCALHOST":                                 "address_forbidden",
	"localhost.":                                "address_forbidden",
	"ｌｏｃａｌｈｏｓｔ":                                 "address_forbidden",
	"loc\u00adalhost":                           "address_forbidden", // soft hyphen
	"localhost..":                               "url_refused",
	".localhost":                                "url_refused",
	"a..b":                                      "url_refused",
	"127.0.0.1.nip.io":                          "address_forbidden",
	"user@localhost":                            "url_refused",
	"user:password@127.0.0.1":                   "url_refused",
	"example.com@127.0.0.1":                     "url_refused",
	`example.com\@127.0.0.1`:                    "url_refused",
	"example.com:80@127.0.0.1":                  "url_refused",
	"127.0.0.1\r\nX: y":                         "url_refused",
	"127.0.0.1\t":                               "url_refused",
	"127.0.0.1\x00":                             "url_refused",
	"127.0.0.1 ":                                "url_refused",
	"127.0.0.1%20":                              "url_refused",
	"exa mple.com":                              "url_refused",
	"xn--a":                                     "url_refused", // no punycode
	"аррӏе.example":                             "address_forbidden",
	"\xa60":                                     "url_refused", // no UTF-8; found by fuzzing
	strings.Repeat("a", 64) + ".example":        "url_refused",
	strings.Repeat("a.", 130) + "example":       "url_refused",
	"":                                          "url_refused",
}

func TestNoSpellingReachesTheCanary(t *testing.T) {
	k := newCanary(t)
	c := client(t, Policy{Ports: []uint16{k.port}, Resolver: always("127.0.0.1")})
	for host, code := range spellings {
		t.Run(host, func(t *testing.T) {
			_, err := c.Do(t.Context(), Request{URL: k.oddly(host)})
			expectFault(t, err, curlew.KindRefused, code)
			expectFault(t, c.Check(t.Context(), k.oddly(host)), curlew.KindRefused, code)
		})
	}
	k.untouched(t)
}

func TestURLsThatAreNotFetched(t *testing.T) {
	c := client(t, Policy{Resolver: always("8.8.8.8")})
	for rawURL, code := range map[string]string{
		"":                               "scheme_forbidden",
		"example.com":                    "scheme_forbidden",
		"//example.com/":                 "scheme_forbidden",
		"/etc/passwd":                    "scheme_forbidden",
		"file:///etc/passwd":             "scheme_forbidden",
		"FILE:///etc/passwd":             "scheme_forbidden",
		"ftp://example.com/":             "scheme_forbidden",
		"gopher://example.com:80/":       "scheme_forbidden",
		"javascript:alert(1)":            "scheme_forbidden",
		"data:text/html,hello":           "scheme_forbidden",
		"ws://example.com/":              "scheme_forbidden",
		"unix:/run/docker.sock":          "scheme_forbidden",
		"http:example.com":               "url_refused",
		"http:/example.com":              "url_refused",
		"http:///example.com":            "url_refused",
		"http://":                        "url_refused",
		"http://:80/":                    "url_refused",
		"http://example.com:http/":       "url_refused",
		"http://example.com:0/":          "url_refused",
		"http://example.com:65536/":      "url_refused",
		"http://example.com:-80/":        "url_refused",
		"http://example.com:６３７９/":       "url_refused",
		"http://example.com/\r\nHost: x": "url_refused",
		"http://example.com/\x7f":        "url_refused",
		"http://example.com/%zz":         "url_refused",
		"http://example.com:6379/":       "port_forbidden",
		"https://example.com:22/":        "port_forbidden",
		"http://10.0.0.1:6379/":          "address_forbidden",
		"http://example.com/?" + strings.Repeat("ä", 400):    "url_refused",
		"http://example.com/" + strings.Repeat("a", maxURL):  "url_refused",
		"http://" + strings.Repeat("a", 50<<10) + ".example": "url_refused",
	} {
		expectFault(t, c.Check(t.Context(), rawURL), curlew.KindRefused, code)
	}
}

func TestURLsHaveOneSpelling(t *testing.T) {
	for rawURL, want := range map[string]string{
		"http://example.com":                "http://example.com/",
		"HTTP://EXAMPLE.com:80/a?b#c":       "http://example.com/a?b",
		"https://example.com.:0443/":        "https://example.com/",
		"https://example.com:80/":           "https://example.com:80/",
		"http://bücher.example/ä?q=ö x":     "http://xn--bcher-kva.example/%C3%A4?q=%C3%B6%20x",
		"http://BÜCHER.example/":            "http://xn--bcher-kva.example/",
		"http://[2606:4700:0000::1111]:80/": "http://[2606:4700::1111]/",
		"http://[2606:4700::1111]:8080/":    "http://[2606:4700::1111]:8080/",
		"http://[::ffff:8.8.8.8]/":          "http://8.8.8.8/",
		"http://under_score.example/a%2Fb":  "http://under_score.example/a%2Fb",
		"http://example.com/a b/../c":       "http://example.com/a%20b/../c",
		"http://a-.example/?":               "http://a-.example/?",
	} {
		t.Run(rawURL, func(t *testing.T) {
			got, err := parse(rawURL)
			if err != nil || got.String() != want {
				t.Errorf("%s becomes %v (%v), want %s", rawURL, got.url, err, want)
				return
			}
			if again, err := parse(got.String()); err != nil || again.String() != want {
				t.Errorf("%s is not stable: %v, %v", want, again.url, err)
			}
		})
	}
}

func TestRefusalsDoNotRepeatPasswords(t *testing.T) {
	_, err := parse("http://anna:s3cret@example.com/")
	if err == nil || strings.Contains(err.Error(), "s3cret") {
		t.Error(err)
	}
}

// oldReader reads a host as inet_aton does: what it takes for an address must
// never pass for a name.
func oldReader(host string) bool {
	parts := strings.Split(strings.TrimSuffix(host, "."), ".")
	if len(parts) > 4 {
		return false
	}
	for _, p := range parts {
		digits, isHex := strings.CutPrefix(strings.ToLower(p), "0x")
		set := "0123456789"
		if isHex {
			set += "abcdef"
		}
		if p == "" || strings.Trim(digits, set) != "" {
			return false
		}
	}
	return true
}

// FuzzCheck takes every name for the inside of the network and holds what
// passes against the standard library's idea of a public address.
func FuzzCheck(f *testing.F) {
	for host := range spellings {
		f.Add("http://" + host + "/")
	}
	for _, rawURL := range []string{"https://8.8.8.8/", "http://[2606:4700::1111]:443/a?b#c", "file:///x", "http://example.com/a b?c d"} {
		f.Add(rawURL)
	}
	c := New(Policy{Resolver: always("127.0.0.1")})
	f.Fuzz(func(t *testing.T, rawURL string) {
		if got, err := parse(rawURL); err == nil {
			checkOneReading(t, rawURL, got)
		}
		if c.Check(t.Context(), rawURL) != nil {
			return
		}
		u, err := url.Parse(rawURL)
		if err != nil || u.User != nil || len(rawURL) > maxURL {
			t.Fatalf("%q passed", rawURL)
		}
		got, err := parse(rawURL)
		if err != nil || got.port != 80 && got.port != 443 {
			t.Fatalf("%q passed with port %d: %v", rawURL, got.port, err)
		}
		ip := net.ParseIP(got.host)
		if ip == nil || !ip.IsGlobalUnicast() || ip.IsPrivate() || ip.IsLoopback() || ip.IsLinkLocalUnicast() {
			t.Fatalf("%q passed with the host %q", rawURL, got.host)
		}
	})
}

// checkOneReading holds a target against what others make of its URL.
func checkOneReading(t *testing.T, rawURL string, got target) {
	t.Helper()
	u, err := url.Parse(got.String())
	if err != nil || u.Hostname() != got.host {
		t.Fatalf("%q becomes %q, which reads as %q: %v", rawURL, got, u.Hostname(), err)
	}
	again, err := parse(got.String())
	if err != nil || again.String() != got.String() {
		t.Fatalf("%q becomes %q, then %v: %v", rawURL, got, again.url, err)
	}
	if _, err := netip.ParseAddr(got.host); err != nil && oldReader(got.host) {
		t.Fatalf("%q has the host %q, an address to some", rawURL, got.host)
	}
}
