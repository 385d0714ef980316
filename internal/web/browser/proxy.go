package browser

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// patience is how long a connection waits for a request that was allowed.
// Chromium opens connections on a guess, a moment before it asks for them.
const patience = time.Second

// proxy is the way out of one page. It passes on what was permitted before, to
// where its dialer agrees to go, until the page's transfer is used up.
type proxy struct {
	dial   Dial
	server *http.Server
	out    *http.Transport
	addr   string
	left   atomic.Int64 // bytes of the transfer budget
	moved  atomic.Int64
	full   func() // called when the budget is used up
	life   context.Context
	end    context.CancelFunc
	work   sync.WaitGroup

	mu        sync.Mutex
	changed   chan struct{}    // closed when permitted grows
	permitted map[string]bool  // origins, as keyOf writes them
	failures  map[string]error // of dialling, by host:port
	tunnels   map[net.Conn]bool
}

// listen starts a proxy on loopback.
func listen(dial Dial, transfer int64, full func()) (*proxy, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &proxy{dial: dial, addr: l.Addr().String(), full: full, changed: make(chan struct{}),
		permitted: map[string]bool{}, failures: map[string]error{}, tunnels: map[net.Conn]bool{}}
	p.left.Store(transfer)
	p.life, p.end = context.WithCancel(context.Background())
	p.out = &http.Transport{
		DialContext: p.reach, DisableCompression: true, MaxConnsPerHost: 6, MaxIdleConnsPerHost: 6,
		MaxResponseHeaderBytes: 256 << 10, IdleConnTimeout: 10 * time.Second,
	}
	quiet := log.New(io.Discard, "", 0) // what goes wrong is the page's to notice
	forward := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {}, Transport: p.out, FlushInterval: -1, ErrorLog: quiet,
		ErrorHandler: func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
	}
	p.server = &http.Server{Handler: p.handler(forward), ReadHeaderTimeout: 30 * time.Second, ErrorLog: quiet,
		BaseContext: func(net.Listener) context.Context { return p.life }}
	p.work.Go(func() { _ = p.server.Serve(l) }) // always ErrServerClosed
	return p, nil
}

func (p *proxy) url() string { return "http://" + p.addr }

// close ends every connection and waits for those who served them.
func (p *proxy) close() {
	p.end()
	_ = p.server.Close() // the listener's own error: it is gone either way
	p.out.CloseIdleConnections()
	p.mu.Lock()
	for c := range p.tunnels {
		c.Close()
	}
	p.mu.Unlock()
	p.work.Wait()
}

// keyOf names an origin: scheme, host and port.
func keyOf(scheme, host, port string) string {
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[scheme]
	}
	return scheme + "://" + net.JoinHostPort(host, port)
}

// permit opens the way to a URL's origin.
func (p *proxy) permit(u *url.URL) {
	p.mu.Lock()
	defer p.mu.Unlock()
	key := keyOf(u.Scheme, u.Hostname(), u.Port())
	if !p.permitted[key] {
		p.permitted[key] = true
		close(p.changed)
		p.changed = make(chan struct{})
	}
}

func (p *proxy) allowed(ctx context.Context, key string) bool {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		p.mu.Lock()
		ok, changed := p.permitted[key], p.changed
		p.mu.Unlock()
		if ok {
			return true
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return false
		}
	}
}

func (p *proxy) handler(forward http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !p.enter() {
			panic(http.ErrAbortHandler)
		}
		defer p.work.Done()
		switch {
		case r.Method == http.MethodConnect:
			p.tunnel(w, r)
		case r.URL.Scheme != "http" || r.Header.Get("Upgrade") != "":
			http.Error(w, "not a request for a proxy", http.StatusBadRequest)
		case !p.allowed(r.Context(), keyOf("http", r.URL.Hostname(), r.URL.Port())):
			panic(http.ErrAbortHandler) // a broken connection cannot be taken for the site's answer
		default:
			forward.ServeHTTP(w, r)
		}
	})
}

// enter counts a request in, unless the proxy is closing.
func (p *proxy) enter() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.life.Err() != nil {
		return false
	}
	p.work.Add(1)
	return true
}

// tunnel connects Chromium with an https server. Sockets of other kinds would
// be tunnelled as well; their ports were never permitted.
func (p *proxy) tunnel(w http.ResponseWriter, r *http.Request) {
	host, port, err := net.SplitHostPort(r.Host)
	if err != nil || !p.allowed(r.Context(), keyOf("https", host, port)) {
		http.Error(w, "refused", http.StatusForbidden)
		return
	}
	there, err := p.reach(r.Context(), "tcp", r.Host)
	if err != nil {
		http.Error(w, "refused", http.StatusBadGateway)
		return
	}
	defer there.Close()
	here, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer here.Close()
	if !p.keep(here) {
		return
	}
	defer p.forget(here)
	if _, err := io.WriteString(here, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil {
		return
	}
	var both sync.WaitGroup
	both.Go(func() { pass(there, buffered); closeWrite(there) })
	both.Go(func() { pass(here, there); closeWrite(here) })
	both.Wait()
}

// pass copies until either side has enough; the other side learns of it by the
// connections' end.
func pass(to io.Writer, from io.Reader) { _, _ = io.Copy(to, from) }

func closeWrite(c net.Conn) {
	if half, ok := c.(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite() // the connection is about to be closed anyway
		return
	}
	c.Close()
}

func (p *proxy) keep(c net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.life.Err() != nil {
		return false
	}
	p.tunnels[c] = true
	return true
}

func (p *proxy) forget(c net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.tunnels, c)
}

// reach dials, remembers refusals, and counts what is moved.
func (p *proxy) reach(ctx context.Context, network, address string) (net.Conn, error) {
	if p.left.Load() <= 0 {
		return nil, errTransfer
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(p.life, cancel)() // the transport dials beyond its request
	conn, err := p.dial(ctx, network, address)
	if err != nil {
		p.mu.Lock()
		p.failures[address] = err
		p.mu.Unlock()
		return nil, err
	}
	counted := &metered{Conn: conn, proxy: p}
	counted.release = context.AfterFunc(p.life, func() { conn.Close() })
	return counted, nil
}

// failure is what kept the proxy from reaching an address of the web.
func (p *proxy) failure(rawURL string) error {
	u, err := url.Parse(rawURL)
	if err != nil {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	_, address, _ := strings.Cut(keyOf(u.Scheme, u.Hostname(), u.Port()), "://")
	return p.failures[address]
}

var errTransfer = errors.New("the page has used up its transfer")

// metered is a connection that counts.
type metered struct {
	net.Conn
	proxy   *proxy
	release func() bool
}

func (m *metered) count(n int, err error) (int, error) {
	m.proxy.moved.Add(int64(n))
	left := m.proxy.left.Add(-int64(n))
	if left > 0 {
		return n, err
	}
	if left+int64(n) > 0 {
		m.proxy.full()
	}
	return n, errTransfer
}

func (m *metered) Read(p []byte) (int, error)  { return m.count(m.Conn.Read(p)) }
func (m *metered) Write(p []byte) (int, error) { return m.count(m.Conn.Write(p)) }

func (m *metered) Close() error {
	m.release()
	return m.Conn.Close()
}

// CloseWrite ends one direction of a tunnel, where the connection can.
func (m *metered) CloseWrite() error {
	if half, ok := m.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return m.Close()
}
