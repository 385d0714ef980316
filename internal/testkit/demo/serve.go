package demo

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// Addresses say where to listen: the control server on FirstPort, the sites on
// the ports after it, in the order of Sites. FirstPort 0 takes any free ports.
type Addresses struct {
	Host      string // a loopback address; empty means 127.0.0.1
	FirstPort int
}

// closing is how long requests may take to end once the context is done.
const closing = time.Second

// Start listens for the control server and for every site, and returns when
// all of them can be dialled. They close when ctx is done; Wait waits for that.
func (w *Web) Start(ctx context.Context, where Addresses) error {
	host, err := loopback(where.Host)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.started {
		return curlew.Permanent("already_started", "this sample web is already being served")
	}
	listeners, err := listenAll(ctx, host, where.FirstPort, 1+len(w.order))
	if err != nil {
		return err
	}
	w.started = true
	w.control = "http://" + listeners[0].Addr().String()
	w.serve(ctx, listeners[0], w.Control())
	for i, name := range w.order {
		p := w.running[name]
		p.url = "http://" + listeners[i+1].Addr().String()
		w.serve(ctx, listeners[i+1], p.mux)
	}
	w.log.InfoContext(ctx, "the sample web is up", "control", w.control, "sites", len(w.order))
	return nil
}

// ControlURL is the address of the control server, once started.
func (w *Web) ControlURL() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.control
}

// Wait returns when everything that Start opened is closed.
func (w *Web) Wait() { w.done.Wait() }

func loopback(host string) (string, error) {
	if host == "" {
		return "127.0.0.1", nil
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsLoopback() {
		return host, nil
	}
	return "", curlew.Refused("not_loopback", "the sample web only listens on a loopback address such as 127.0.0.1, not on %q", host)
}

func listenAll(ctx context.Context, host string, first, count int) ([]net.Listener, error) {
	var all []net.Listener
	for i := range count {
		port := first
		if first != 0 {
			port += i
		}
		address := net.JoinHostPort(host, strconv.Itoa(port))
		l, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
		if err != nil {
			for _, open := range all {
				_ = open.Close()
			}
			return nil, curlew.Permanent("port_taken",
				"the sample web cannot listen on %s, port %d of the %d that it needs: free it or choose another first port",
				address, i+1, count).Because(err)
		}
		all = append(all, l)
	}
	return all, nil
}

// serve answers on a listener until ctx is done. Requests see that too, so
// that slow answers end.
func (w *Web) serve(ctx context.Context, l net.Listener, handler http.Handler) {
	server := &http.Server{
		Handler:           handler,
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       time.Minute,
		ErrorLog:          slog.NewLogLogger(w.log.Handler(), slog.LevelDebug),
	}
	w.done.Go(func() {
		if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			w.log.ErrorContext(ctx, "a site of the sample web stopped", "address", l.Addr().String(), "error", err)
		}
	})
	w.done.Go(func() {
		<-ctx.Done()
		// The context is done: what is left may take a moment, then it is cut.
		grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), closing)
		defer cancel()
		if server.Shutdown(grace) != nil {
			_ = server.Close()
		}
	})
}
