package rest

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/coder/websocket"
	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/door/middleware"
)

const (
	messageLimit = 4 << 10 // viewers have nothing to say
	pongWithin   = 2 * heartbeat
)

// socket serves events by WebSocket.
func (s *service) socket(w http.ResponseWriter, r *http.Request, who auth.Identity, _ string) error {
	l, err := s.viewerOf(r, who)
	if err != nil {
		return err
	}
	if !s.ownPage(r) {
		return middleware.ErrCrossOrigin
	}
	v, at, leave, err := s.admit(r.Context(), l)
	if err != nil {
		return err
	}
	defer leave()
	h := &handshake{ResponseWriter: w}
	conn, err := websocket.Accept(h, r, &websocket.AcceptOptions{InsecureSkipVerify: true}) // ownPage has looked
	if err != nil {
		return h.fault(err)
	}
	defer func() { _ = conn.CloseNow() }() // the other side may have gone
	conn.SetReadLimit(messageLimit)
	ctx, end := context.WithCancel(r.Context())
	defer end()
	go func() { // read only to answer pings, and to learn that the other side leaves
		defer end()
		for {
			if _, _, err := conn.Read(ctx); err != nil {
				return
			}
		}
	}()
	if why, err := s.follow(r.WithContext(ctx), l, v, at, socketConn{ctx, conn}); errors.Is(err, errStreamEnded) {
		_ = conn.Close(websocket.StatusTryAgainLater, why) // it may have gone
	}
	return nil
}

// ownPage says whether no page of another site asks, whose user's cookies would come along. Pages of the host of console.url
// have its whole origin; behind a proxy, the name of the host alone says less.
func (s *service) ownPage(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	from, err := url.Parse(origin)
	switch base, wrong := url.Parse(s.Base); {
	case origin == "":
		return true // no browser
	case err != nil:
		return false
	case wrong == nil && base.Hostname() != "" && strings.EqualFold(from.Hostname(), base.Hostname()):
		return from.Scheme == base.Scheme && portOf(from) == portOf(base)
	}
	return strings.EqualFold(from.Host, r.Host)
}

// portOf is the port of an address, also where it is that of its scheme.
func portOf(u *url.URL) string {
	if port := u.Port(); port != "" {
		return port
	}
	return map[string]string{"http": "80", "https": "443"}[u.Scheme]
}

// handshake keeps the library's refusal from being sent, so that it is told as any other problem.
type handshake struct {
	http.ResponseWriter
	status int
}

// Unwrap lets the library take the connection over.
func (h *handshake) Unwrap() http.ResponseWriter { return h.ResponseWriter }

// WriteHeader passes on only that the protocol is switched.
func (h *handshake) WriteHeader(status int) {
	if h.status = status; status == http.StatusSwitchingProtocols {
		h.ResponseWriter.WriteHeader(status)
	}
}

func (h *handshake) Write(b []byte) (int, error) { return len(b), nil }

// fault says why a handshake was refused.
func (h *handshake) fault(err error) error {
	switch h.status {
	case http.StatusUpgradeRequired:
		return curlew.Permanent("upgrade_required", "this endpoint requires WebSocket, version 13; use %s/stream for plain HTTP", Prefix)
	case http.StatusForbidden:
		return middleware.ErrCrossOrigin
	case http.StatusBadRequest:
		return curlew.Permanent("bad_request", "the handshake needs Sec-WebSocket-Version 13 and a Sec-WebSocket-Key of 16 bytes in base64")
	default:
		return err
	}
}

// socketConn shows events on an open socket.
type socketConn struct {
	ctx  context.Context //nolint:containedctx // of the request, which the socket does not outlive
	conn *websocket.Conn
}

func (c socketConn) show(e Event) error {
	text, err := json.Marshal(e)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(c.ctx, writeWithin)
	defer cancel()
	return c.conn.Write(ctx, websocket.MessageText, text)
}

func (c socketConn) beat() error {
	ctx, cancel := context.WithTimeout(c.ctx, pongWithin)
	defer cancel()
	return c.conn.Ping(ctx)
}
