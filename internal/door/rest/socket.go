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
	if !s.encrypted(r.Header.Get("Origin")) {
		return errCrossOrigin
	}
	v, at, leave, err := s.seat(r.Context(), l)
	if err != nil {
		return err
	}
	defer leave()
	h := &handshake{ResponseWriter: w}
	conn, err := websocket.Accept(h, r, nil) // refuses pages of other sites, since their user's cookies would come along
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
	if why, err := s.follow(r.WithContext(ctx), l, v, at, socketConn{ctx, conn}); errors.Is(err, errSentAway) {
		_ = conn.Close(websocket.StatusTryAgainLater, why) // it may have gone
	}
	return nil
}

var errCrossOrigin = curlew.Refused("cross_origin", "this request comes from a page of another site")

// encrypted says whether no page of our host asks that came without encryption where people come with it. The library
// compares hosts alone.
func (s *service) encrypted(origin string) bool {
	from, err := url.Parse(origin)
	base, wrong := url.Parse(s.Base)
	if err != nil || wrong != nil || base.Scheme != "https" || !strings.EqualFold(from.Hostname(), base.Hostname()) {
		return true
	}
	return from.Scheme == "https"
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
		return curlew.Permanent("upgrade_required", "this address speaks WebSocket, version 13; %s/stream speaks plain HTTP", Prefix)
	case http.StatusForbidden:
		return errCrossOrigin
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
