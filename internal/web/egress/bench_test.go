package egress

import (
	"net/http"
	"strings"
	"testing"
)

// BenchmarkDo fetches a page of 60 KiB, gzipped, over kept connections.
func BenchmarkDo(b *testing.B) {
	page := []byte(strings.Repeat("<li><a href=\"/a\">The curlew calls.</a></li>", 1400))
	zipped := encode(b, page, "gzip")
	s := serve(b, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		w.Write(zipped)
	})
	c := trusting(b, s.URL)
	b.SetBytes(int64(len(page)))
	b.ReportAllocs()
	for b.Loop() {
		if r, err := c.Do(b.Context(), Request{URL: s.URL}); err != nil || !r.Complete {
			b.Fatal(r, err)
		}
	}
}

// BenchmarkCheck judges a URL whose name is resolved at once.
func BenchmarkCheck(b *testing.B) {
	c := New(Policy{Resolver: always("8.8.8.8")})
	b.ReportAllocs()
	for b.Loop() {
		if err := c.Check(b.Context(), "https://www.example.com/a/b?c=d"); err != nil {
			b.Fatal(err)
		}
	}
}
