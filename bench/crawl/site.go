package main

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/curlew-data/curlew/bench/measure"
)

// serveSite is the process of the site.
func serveSite(ctx context.Context, args []string, in io.Reader, out io.Writer) error {
	flags := flag.NewFlagSet(measure.SiteCommand, flag.ContinueOnError)
	n := flags.Int("pages", 1, "how many pages it has")
	size := flags.Int("bytes", 1000, "how large they are")
	compress := flags.Bool("gzip", false, "compress the pages")
	if err := flags.Parse(args); err != nil {
		return err
	}
	return measure.ServeSite(ctx, newHandler(makePages(*n, *size), *compress), in, out)
}

// handler serves the pages with entity tags.
type handler struct {
	pages       *pages
	numbers     map[string]int // by path
	packed      [][]byte       // the pages compressed; nil when they are not
	buffers     sync.Pool
	whole, same atomic.Int64
}

func newHandler(p *pages, compress bool) *handler {
	h := &handler{pages: p, numbers: map[string]int{}}
	h.buffers.New = func() any { return new([]byte) }
	for i := range p.heads {
		h.numbers[pagePath(i)] = i
		if compress {
			h.packed = append(h.packed, packed(p.append(nil, i)))
		}
	}
	return h
}

func packed(page []byte) []byte {
	var b strings.Builder
	w := gzip.NewWriter(&b)
	_, _ = w.Write(page) // to memory
	_ = w.Close()
	return []byte(b.String())
}

// ServeHTTP answers one request.
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	number, found := h.numbers[r.URL.Path]
	switch {
	case r.URL.Path == "/robots.txt":
		_, _ = io.WriteString(w, "User-agent: *\nAllow: /\n")
	case r.URL.Path == measure.CountsPath:
		_ = json.NewEncoder(w).Encode(measure.Counts{Whole: int(h.whole.Swap(0)), NotModified: int(h.same.Swap(0))})
	case !found:
		http.NotFound(w, r)
	default:
		h.serve(w, r, number)
	}
}

func (h *handler) serve(w http.ResponseWriter, r *http.Request, number int) {
	tag := fmt.Sprintf(`"v1-%d"`, number)
	w.Header().Set("ETag", tag)
	if r.Header.Get("If-None-Match") == tag {
		h.same.Add(1)
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.whole.Add(1)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if h.packed != nil && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		w.Header().Set("Content-Encoding", "gzip")
		w.Header().Set("Content-Length", strconv.Itoa(len(h.packed[number])))
		_, _ = w.Write(h.packed[number]) // whoever hangs up is counted by what it lacks
		return
	}
	w.Header().Set("Content-Length", strconv.Itoa(h.pages.sizes[number]))
	buffer := h.buffers.Get().(*[]byte)
	defer h.buffers.Put(buffer)
	*buffer = h.pages.append((*buffer)[:0], number)
	_, _ = w.Write(*buffer)
}

func startSite(ctx context.Context, s sizes, compress bool) (*measure.Site, error) {
	return measure.StartSite(ctx, "--pages", strconv.Itoa(s.pages), "--bytes", strconv.Itoa(s.bytes), fmt.Sprintf("--gzip=%t", compress))
}
