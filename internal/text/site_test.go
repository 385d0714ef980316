package text

import "testing"

func TestSameSite(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"www.quay.example", "quay.example", true},
		{"m.quay.example", "de.QUAY.example", true},
		{"shop.example.co.uk", "example.co.uk", true},
		{"quay.example", "other.example", false},
		{"a.co.uk", "b.co.uk", false},
		{"ann.github.io", "joe.github.io", false},
		{"example.org.evil.example", "example.org", false},
		{"example", "example", true},
		{"www.example", "example", false},
		{"1.2.3.4", "9.2.3.4", false},
		{"[::1]", "[::2]", false},
		{"news.localhost", "shop.localhost", false},
		{"localhost", "localhost", true},
		{"quay.example", "", false},
	} {
		t.Run(c.a+" "+c.b, func(t *testing.T) {
			if SameSite(c.a, c.b) != c.want || SameSite(c.b, c.a) != c.want {
				t.Errorf("want %v", c.want)
			}
		})
	}
}
