package main

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

// siteCommand is the argument that makes this program the site. It says its
// address when it listens, and ends with its input.
const siteCommand = "site"

// countsPath is where the site says what it was asked for since the last time.
const countsPath = "/-/counts"

// counts are what the site answered.
type counts struct{ Whole, NotModified int }

// serveSite is the process of the site.
func serveSite(ctx context.Context, args []string, in io.Reader, out io.Writer) error {
	flags := flag.NewFlagSet(siteCommand, flag.ContinueOnError)
	n := flags.Int("pages", 1, "how many pages it has")
	size := flags.Int("bytes", 1000, "how large they are")
	compress := flags.Bool("gzip", false, "compress the pages")
	if err := flags.Parse(args); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		defer cancel()
		_, _ = io.Copy(io.Discard, in)
	}()
	server := &http.Server{Handler: newHandler(makePages(*n, *size), *compress)}
	context.AfterFunc(ctx, func() { _ = server.Close() })
	fmt.Fprintln(out, listener.Addr())
	if err := server.Serve(listener); err != http.ErrServerClosed {
		return err
	}
	return nil
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
	case r.URL.Path == countsPath:
		_ = json.NewEncoder(w).Encode(counts{int(h.whole.Swap(0)), int(h.same.Swap(0))})
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

// site is the process of the site, as its parent sees it.
type site struct {
	command   *exec.Cmd
	in        io.Closer
	url, port string
}

// siteVariable tells the test binary that it is the site.
const siteVariable = "CURLEW_BENCH_SITE"

func startSite(ctx context.Context, s sizes, compress bool) (*site, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	command := exec.CommandContext(ctx, self, siteCommand, "--pages", strconv.Itoa(s.pages), "--bytes", strconv.Itoa(s.bytes),
		fmt.Sprintf("--gzip=%t", compress))
	command.Stderr = os.Stderr
	command.Env = append(os.Environ(), siteVariable+"=1")
	in, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	made := &site{command: command, in: in}
	address, err := bufio.NewReader(out).ReadString('\n')
	if err == nil {
		address = strings.TrimSpace(address)
		made.url = "http://" + address + "/"
		_, made.port, err = net.SplitHostPort(address)
	}
	if err != nil {
		made.end()
		return nil, fmt.Errorf("start the site: %w", err)
	}
	return made, nil
}

// counted says what the site was asked for since the last time.
func (s *site) counted(ctx context.Context) (c counts, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(s.url, "/")+countsPath, nil)
	if err != nil {
		return c, err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return c, err
	}
	defer answer.Body.Close()
	return c, json.NewDecoder(answer.Body).Decode(&c)
}

func (s *site) end() {
	_ = s.in.Close()
	_ = s.command.Wait()
}
