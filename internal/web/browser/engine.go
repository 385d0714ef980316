package browser

import (
	"context"
	"net"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp"
	"github.com/curlew-data/curlew/internal/curlew"
)

// engine is one running Chromium and the connection to it.
type engine struct {
	options Options
	process *process
	nothing *proxy          // for what Chromium asks for by itself: it gets nothing
	ctx     context.Context // chromedp's, for the whole browser
	cancel  func()
	watch   sync.WaitGroup
	stopped chan struct{}
	wornOut atomic.Bool  // it did not close a page
	fat     atomic.Int64 // when a process was last killed for its size, Unix milliseconds

	users, rendered int  // guarded by Browser.mu
	retired         bool // so is this
}

// start launches Chromium and connects to it.
func start(ctx context.Context, o Options) (*engine, error) {
	nothing, err := listen(noWayOut, 1, func() {})
	if err != nil {
		return nil, err
	}
	p, err := launch(ctx, o, nothing.url())
	if err != nil {
		nothing.close()
		return nil, err
	}
	e := &engine{options: o, process: p, nothing: nothing, stopped: make(chan struct{})}
	e.connect()
	hung := time.AfterFunc(startTime, func() { killGroup(p.cmd) })
	defer hung.Stop()
	if _, err := chromedp.Targets(e.ctx); err != nil {
		_ = e.stop() // the failure to connect is what matters
		return nil, notStarted("").Because(err)
	}
	e.watch.Go(e.weigh)
	o.Log.InfoContext(ctx, "the browser is up", "pid", p.cmd.Process.Pid)
	return e, nil
}

// connect prepares chromedp; it dials with the first command.
func (e *engine) connect() {
	debug := func(string, ...any) {} // it logs what hostile pages make it stumble over
	far, closeFar := chromedp.NewRemoteAllocator(context.Background(), e.process.endpoint, chromedp.NoModifyURL)
	near, closeNear := chromedp.NewContext(far, chromedp.WithLogf(debug), chromedp.WithErrorf(debug))
	ctx, cancel := context.WithCancelCause(near)
	e.ctx = ctx
	stop := make(chan struct{})
	e.watch.Go(func() {
		select {
		case <-e.process.exited:
			cancel(crashedFault())
		case <-stop:
		}
	})
	e.cancel = sync.OnceFunc(func() {
		close(stop)
		cancel(crashedFault())
		closeNear()
		closeFar()
	})
}

// commandTime is what Chromium may take to make or remove a browser context.
const commandTime = 10 * time.Second

// bounded directs commands at the browser itself, for a limited time.
func (e *engine) bounded(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	unhook := context.AfterFunc(e.ctx, cancel)
	return cdp.WithExecutor(ctx, chromedp.FromContext(e.ctx).Browser), func() { unhook(); cancel() }
}

func (e *engine) alive() bool {
	select {
	case <-e.process.exited:
		return false
	default:
		return e.ctx.Err() == nil
	}
}

// stop ends Chromium and everything that belongs to it.
func (e *engine) stop() error {
	close(e.stopped)
	err := e.process.stop()
	e.cancel()
	e.watch.Wait()
	e.nothing.close()
	return err
}

// weigh kills those of Chromium's processes that have grown too large: a page
// can fill memory that is not counted as its scripts' heap.
func (e *engine) weigh() {
	tick := time.NewTicker(250 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-e.stopped:
			return
		case <-e.process.exited:
			return
		case now := <-tick.C:
			for _, m := range group(e.process.cmd) {
				if m.resident > e.options.Memory {
					e.fat.Store(now.UnixMilli())
					kill(m.pid)
				}
			}
		}
	}
}

// overweight says whether a process that just ended was killed for its size.
func (e *engine) overweight() bool {
	return time.Since(time.UnixMilli(e.fat.Load())) < 5*time.Second
}

// dial goes where Options.Dial goes, but never to the port by which Chromium
// itself is steered.
func (e *engine) dial(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := e.options.Dial(ctx, network, address)
	if err != nil {
		return nil, err
	}
	at, ok := conn.RemoteAddr().(*net.TCPAddr)
	if ok && at.IP.IsLoopback() && strconv.Itoa(at.Port) == e.process.port() {
		conn.Close()
		return nil, curlew.Refused("address_forbidden", "pages may not access the browser that renders them")
	}
	return conn, nil
}
