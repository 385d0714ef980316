// Package browser reads pages that exist only in a browser. It drives one
// headless Chromium over the DevTools protocol, waits until a page has come to
// rest, puts consent dialogs away, scrolls, presses "load more", and gives the
// document back as HTML together with the JSON that the page asked for.
//
// Chromium runs in a cage. Its only way out is a proxy of ours, one for each
// page, which dials with Options.Dial and nothing else; it resolves no names
// and gets no variable of our environment. Every request a page makes is put to
// Request.Allow first. Every page has a browser context of its own, so that no
// cookie, cache or storage is shared, and a budget of time, memory, transfer
// and requests.
//
// It refuses to leave the page it was sent to on a click, to download files, to
// open windows, to grant permissions, to run service workers, and to open
// sockets other than HTTP.
package browser

import (
	"context"
	"log/slog"
	"net"
	"sync"

	"github.com/curlew-data/curlew/internal/curlew"
)

// Dial opens a connection to host:port, or refuses with a fault.
type Dial func(ctx context.Context, network, address string) (net.Conn, error)

// Options are what a browser is made with.
type Options struct {
	Path      string       // of Chromium; "" looks for it in $PATH
	Dial      Dial         // the only way out; nil lets nothing out
	UserAgent string       // for requests that name none; "" is Chromium's own
	Pages     int          // rendered at once; 0 means 2
	Memory    int64        // bytes that one of Chromium's processes may occupy; 0 means 1 GiB
	Load      Resources    // what is loaded besides documents, scripts, styles and data
	Log       *slog.Logger // nil logs nothing
}

// Resources says which kinds of resources are worth their traffic. Images that are
// not loaded are answered with an empty one, so that lists which wait for their
// pictures, or drop what has none, stay whole.
type Resources struct {
	Images, Media, Fonts bool
}

const (
	defaultPages  = 2
	defaultMemory = 1 << 30
	// lifetime is how many pages one Chromium renders before a fresh one takes
	// over, so that what it leaks does not add up.
	lifetime = 200
)

// Browser renders pages. It is safe for concurrent use.
type Browser struct {
	options Options
	slots   chan struct{}      // one for each page that may be rendered now
	turn    chan struct{}      // held while Chromium is being started
	life    context.Context    // ends with Close
	end     context.CancelFunc // of life

	mu      sync.Mutex
	current *engine
	closed  bool
	renders sync.WaitGroup
}

// New makes a browser. Chromium is started by the first Render.
func New(options Options) *Browser {
	if options.Pages <= 0 {
		options.Pages = defaultPages
	}
	if options.Memory <= 0 {
		options.Memory = defaultMemory
	}
	if options.Dial == nil {
		options.Dial = noWayOut
	}
	if options.Log == nil {
		options.Log = slog.New(slog.DiscardHandler)
	}
	b := &Browser{options: options, slots: make(chan struct{}, options.Pages), turn: make(chan struct{}, 1)}
	b.life, b.end = context.WithCancel(context.Background())
	return b
}

func noWayOut(_ context.Context, _, address string) (net.Conn, error) {
	return nil, curlew.Refused("address_forbidden", "the browser has no network access to %s", address)
}

// Render opens a page, lets it come to rest and gives what it shows. The
// budget's time starts when it is the request's turn. A page that showed
// something but was cut short is a rendering that is not Complete; a page that
// showed nothing is a fault.
func (b *Browser) Render(ctx context.Context, request RenderRequest) (*RenderedPage, error) {
	request, err := request.filled(b.options)
	if err != nil {
		return nil, err
	}
	if !b.enter() {
		return nil, closedFault()
	}
	defer b.renders.Done()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(b.life, func() { cancel(closedFault()) })()
	select {
	case b.slots <- struct{}{}:
		defer func() { <-b.slots }()
	case <-ctx.Done():
		return nil, interrupted(ctx)
	}
	e, err := b.acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer b.release(e)
	return e.render(ctx, request)
}

// enter counts a render in, unless the browser is closed.
func (b *Browser) enter() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return false
	}
	b.renders.Add(1)
	return true
}

// acquire gives a Chromium that runs, and starts one where none does.
func (b *Browser) acquire(ctx context.Context) (*engine, error) {
	select {
	case b.turn <- struct{}{}:
		defer func() { <-b.turn }()
	case <-ctx.Done():
		return nil, interrupted(ctx)
	}
	if e := b.running(); e != nil {
		return e, nil
	}
	e, err := start(ctx, b.options)
	if err != nil {
		return nil, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.current = e
	e.users, e.rendered = 1, 1
	return e, nil
}

// usable says whether an engine lives and is not to be replaced.
func (e *engine) usable() bool {
	return e.alive() && !e.retired && !e.wornOut.Load() && e.rendered < lifetime
}

// running counts a user in and gives the current Chromium, if it lives and is
// not to be replaced.
func (b *Browser) running() *engine {
	b.mu.Lock()
	e := b.current
	if e != nil && e.usable() {
		e.users++
		e.rendered++
		b.mu.Unlock()
		return e
	}
	b.current = nil
	idle := e != nil && e.users == 0
	if e != nil {
		e.retired = true
	}
	b.mu.Unlock()
	if idle {
		b.stop(e)
	}
	return nil
}

// release counts a user out; the last one of a retired Chromium stops it.
func (b *Browser) release(e *engine) {
	b.mu.Lock()
	e.users--
	last := e.users == 0 && e.retired
	if last && b.current == e {
		b.current = nil
	}
	b.mu.Unlock()
	if last {
		b.stop(e)
	}
}

func (b *Browser) stop(e *engine) {
	if err := e.stop(); err != nil {
		b.options.Log.Warn("the browser left something behind", "error", err)
	}
}

// Close ends what is being rendered and Chromium itself, and removes its
// directory. It may be called more than once.
func (b *Browser) Close() error {
	b.mu.Lock()
	b.closed = true
	b.mu.Unlock()
	b.end()
	b.renders.Wait()
	b.mu.Lock()
	e := b.current
	b.current = nil
	b.mu.Unlock()
	if e == nil {
		return nil
	}
	return e.stop()
}
