package dom

import "testing"

func TestResolveReadsAddressesAsBrowsersDo(t *testing.T) {
	cases := []struct{ reference, want string }{
		{"c", "https://example.org/a/c"},
		{"/c?d=e&f=g", "https://example.org/c?d=e&f=g"},
		{"/", "https://example.org/"},
		{"/c?", "https://example.org/c?"},
		{"/c?d=/../e", "https://example.org/c?d=/../e"},
		{"/c/../d/./e", "https://example.org/d/e"},
		{"//other.example/c", "https://other.example/c"},
		{"?page=2", "https://example.org/a/b?page=2"},
		{" /c\n/d ", "https://example.org/c/d"},
		{`\c\d?e\f`, `https://example.org/c/d?e\f`},
		{"/a b?c d", "https://example.org/a%20b?c%20d"},
		{"/100%", "https://example.org/100%25"},
		{"/ż", "https://example.org/%C5%BC"},
		{"HTTPS://Example.com/x", "https://Example.com/x"},
		{"mailto:a@example.org", ""},
		{"javascript:void(0)", ""},
		{"JavaScript:alert(1)", ""},
		{"data:text/html,x", ""},
		{"tel:123", ""},
		{"http://", ""},
		{"http://[::1", ""},
		{"ftp://example.org/", ""},
	}
	d := page("")
	for _, c := range cases {
		t.Run(c.reference, func(t *testing.T) {
			if got := d.Resolve(c.reference); got != c.want {
				t.Errorf("%q is %q, want %q", c.reference, got, c.want)
			}
		})
	}
}

func TestResolveIsTheSameFastAndSlow(t *testing.T) {
	d := page("")
	for _, reference := range []string{"/", "/a", "/a/b.html", "/a?b=c", "/a?b?c", "/a?", "/.a", "/a/.", "/a..b", "/a//b", "/?/..", "/a&b=c"} {
		t.Run(reference, func(t *testing.T) {
			slow, _ := resolve(d.Base(), reference)
			if got := d.Resolve(reference); slow == nil || got != slow.String() {
				t.Errorf("%q is %q, want %v", reference, got, slow)
			}
		})
	}
}
