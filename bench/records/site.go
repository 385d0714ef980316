package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/curlew-data/curlew/bench/measure"
)

// place is where the pages are: one address for each number, and the list without one.
const place = "/numbered/"

// startSite starts a site of real pages, with structured data or without.
func startSite(ctx context.Context, corpus string, s sizes, told bool) (*measure.Site, error) {
	return measure.StartSite(ctx, "--corpus", corpus, "--pages", strconv.Itoa(s.pages), "--kinds", strconv.Itoa(s.kinds),
		fmt.Sprintf("--first=%t", s.first), fmt.Sprintf("--told=%t", told))
}

// serveSite is the process of a site.
func serveSite(ctx context.Context, args []string, in io.Reader, out io.Writer) error {
	flags := flag.NewFlagSet(measure.SiteCommand, flag.ContinueOnError)
	corpus := flags.String("corpus", "", "the folder of the real pages")
	n := flags.Int("pages", 1, "how many pages it has")
	kinds := flags.Int("kinds", 1, "how many different ones at most")
	first := flags.Bool("first", false, "take the first pages of the corpus that will do")
	told := flags.Bool("told", true, "pages with JSON-LD, not without structured data")
	if err := flags.Parse(args); err != nil {
		return err
	}
	wanted, what := measure.Unstructured, "without structured data"
	if *told {
		wanted, what = measure.Describes, "with JSON-LD"
	}
	most := 0
	if *first {
		most = *kinds
	}
	all, err := measure.RealPages(*corpus, most, wanted)
	if err != nil {
		return err
	}
	h := &handler{n: *n, pages: measure.Spread(all, *kinds)}
	size := 0
	for _, page := range h.pages {
		size += len(page)
	}
	measure.Progress{Writer: os.Stderr}.Say("%d of %d real pages %s, %d KB on average", len(h.pages), len(all), what, size/len(h.pages)/1000)
	return measure.ServeSite(ctx, h, in, out)
}

// handler serves real pages under numbers, and a list of them.
type handler struct {
	pages [][]byte
	n     int
	whole atomic.Int64 // pages answered
}

// ServeHTTP answers one request.
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	number, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, place))
	switch {
	case r.URL.Path == place:
		h.list(w)
	case r.URL.Path == "/robots.txt":
		w.Header().Set("Content-Type", "text/plain")
		_, _ = io.WriteString(w, "User-agent: *\nAllow: /\n")
	case r.URL.Path == measure.CountsPath:
		_ = json.NewEncoder(w).Encode(measure.Counts{Whole: int(h.whole.Swap(0))})
	case err != nil || number < 1 || number > h.n:
		http.NotFound(w, r)
	default:
		h.whole.Add(1)
		_, _ = w.Write(h.pages[number%len(h.pages)]) // whoever hangs up is counted by what it lacks
		_, _ = fmt.Fprintf(w, "\n<!-- %d -->\n", number)
	}
}

// list links to all pages, as a shop lists what it sells.
func (h *handler) list(w io.Writer) {
	_, _ = io.WriteString(w, `<!DOCTYPE html><html lang="en"><head><title>All products</title></head><body><h1>All products</h1><ul>`)
	for i := 1; i <= h.n; i++ {
		_, _ = fmt.Fprintf(w, `<li class="product"><h2><a href="%s%d">Lamp model %d</a></h2><span class="price">€ %d.50</span></li>`, place, i, i, 10+i%90)
	}
	_, _ = io.WriteString(w, `</ul></body></html>`)
}
