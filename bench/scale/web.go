package main

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/curlew-data/curlew/internal/web/archive"
	"github.com/curlew-data/curlew/internal/web/egress"
	"github.com/curlew-data/curlew/internal/work/deliver"
)

// web is the hosts, which answer from memory and note who asked when.
type web struct {
	clock *clock
	begin time.Time
	pages []site // by the number of the watch; that of the one that others are made of comes last

	mu        sync.Mutex
	hosts     []hostLog
	lateness  []float64 // in seconds
	bounds    time.Time // of what counts
	unchanged int       // answers with a body that was the same as before
	spared    int       // answers without a body
	asked     int       // for lists
}

// site is the page of one watch.
type site struct {
	perDay      float64   // changes
	phase       float64   // how much of the first change has passed when the day begins
	conditional bool      // answers to conditions
	due         time.Time // when it is to be asked next; zero when that is noted
	shown       int       // the version that was last sent
}

type hostLog struct {
	robots, pages  int
	last, lastPage time.Time
	gap, pageGap   time.Duration // least
}

// version is how often a page has changed since the day began.
func (w *web) version(s site) int {
	days := w.clock.now().Sub(w.begin).Hours() / 24
	return max(0, int(math.Floor(days*s.perDay+s.phase)))
}

// Do answers as a host would.
func (w *web) Do(_ context.Context, r egress.Request) (*egress.Response, error) {
	answer := &egress.Response{URL: r.URL, Status: http.StatusOK, Proto: "HTTP/1.1", Header: http.Header{}, Complete: true}
	host, watch, ok := placeOf(r.URL)
	if !ok { // no sitemap, no feed
		answer.Status = http.StatusNotFound
		w.note(host, strings.HasSuffix(r.URL, "/robots.txt"))
		if strings.HasSuffix(r.URL, "/robots.txt") {
			answer.Status, answer.Body = http.StatusOK, []byte("User-agent: *\nAllow: /\n")
		}
		return answer, nil
	}
	s := w.page(host, watch)
	answer.Header.Set("Content-Type", "text/html; charset=utf-8")
	tag := fmt.Sprintf(`"%d"`, s.shown)
	if s.conditional {
		answer.Header.Set("ETag", tag)
	}
	if s.conditional && r.Header.Get("If-None-Match") == tag {
		answer.Status = http.StatusNotModified
		w.mu.Lock()
		w.spared++
		w.mu.Unlock()
		return answer, nil
	}
	answer.Body = bodyOf(s.shown)
	return answer, nil
}

// note counts a request to a host that is for no list.
func (w *web) note(host int, robots bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.hosts[host].add(w.clock.now(), robots)
}

// page counts a request for a list, and how late it is.
func (w *web) page(host, watch int) site {
	now := w.clock.now()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.hosts[host].add(now, false)
	s := &w.pages[watch]
	version := w.version(*s)
	if version == s.shown && !s.conditional {
		w.unchanged++
	}
	s.shown = version
	w.asked++
	if !s.due.IsZero() {
		w.lateness = append(w.lateness, now.Sub(s.due).Seconds())
		s.due = time.Time{}
	}
	return *s
}

func (h *hostLog) add(now time.Time, robots bool) {
	if !h.last.IsZero() {
		h.gap = leastOf(h.gap, now.Sub(h.last))
	}
	h.last = now
	if robots {
		h.robots++
		return
	}
	h.pages++
	if !h.lastPage.IsZero() {
		h.pageGap = leastOf(h.pageGap, now.Sub(h.lastPage))
	}
	h.lastPage = now
}

// leastOf is the lesser of two durations of which the first may be unknown.
func leastOf(a, b time.Duration) time.Duration {
	if a == 0 {
		return b
	}
	return min(a, b)
}

// The addresses: https://h0000012.example/w0000123.
func addressOf(host, watch int) string {
	return fmt.Sprintf("https://h%07d.example/w%07d", host, watch)
}

func placeOf(address string) (host, watch int, ok bool) {
	rest, _ := strings.CutPrefix(address, "https://h")
	name, path, _ := strings.Cut(rest, ".example/")
	host, err := strconv.Atoi(name)
	if err != nil {
		return 0, 0, false
	}
	number, isList := strings.CutPrefix(path, "w")
	watch, err = strconv.Atoi(number)
	return host, watch, isList && err == nil
}

// bodyOf is a list of ten things, of which the price of one has changed with each version.
func bodyOf(version int) []byte {
	var b strings.Builder
	b.WriteString("<!doctype html><html lang=en><head><title>Things</title></head><body><h1>Things</h1><ul id=list>")
	for i := range 10 {
		price := 10*i + 9 + (version+9-i)/10
		fmt.Fprintf(&b, `<li class=card><h3>Thing number %d</h3><p>Made well and sold at a fair price.</p>`, i+1)
		fmt.Fprintf(&b, `<span class=price>%d.00 €</span></li>`, price)
	}
	b.WriteString("</ul></body></html>")
	return []byte(b.String())
}

// Write archives pages: a reference says which version it was, which is all there is to keep.
func (w *web) Write(_ context.Context, exchanges ...archive.Exchange) (all []archive.Entry, err error) {
	for _, x := range exchanges {
		version := 0
		for string(bodyOf(version)) != string(x.Body) {
			if version++; version > 1000 {
				return nil, fmt.Errorf("%s was answered with no page of the benchmark", x.URL)
			}
		}
		all = append(all, archive.Entry{Ref: archive.Ref(fmt.Sprintf("%s:%d:1", archiveFile, version)), URL: x.URL, At: x.At, Status: x.Status,
			Digest: fmt.Sprintf("sha256:%x", sha256.Sum256(x.Body)), Length: int64(len(x.Body))})
	}
	return all, nil
}

const archiveFile = "20260101000000-scale-1-00000000.warc.gz"

// Read gives an archived page back.
func (w *web) Read(_ context.Context, ref archive.Ref) (*archive.Exchange, error) {
	parts := strings.Split(string(ref), ":")
	version, err := strconv.Atoi(parts[1])
	return &archive.Exchange{Status: http.StatusOK, Body: bodyOf(version)}, err
}

// Send takes deliveries.
func (w *web) Send(context.Context, json.RawMessage, deliver.Message) (deliver.Answer, error) {
	return deliver.Answer{Status: http.StatusOK}, nil
}
