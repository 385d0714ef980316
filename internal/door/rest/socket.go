package rest

import (
	"bufio"
	"context"
	"crypto/sha1" //nolint:gosec // RFC 6455 asks for it, to recognise a handshake and nothing else
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"curlew/internal/curlew"
)

// The server's half of WebSocket (RFC 6455): it sends text, answers pings, and reads
// only to learn that the other side lives or leaves. No extensions.
const (
	frameText  = 0x1
	frameClose = 0x8
	framePing  = 0x9
	framePong  = 0xA

	closeNormal   = 1000
	closeProtocol = 1002
	closeTooBig   = 1009
	closeTryLater = 1013

	mostFrame   = 4 << 10 // viewers have nothing to say
	silentAfter = 3 * heartbeat
)

// acceptKey answers the key of a handshake (section 4.2.2).
func acceptKey(key string) string {
	sum := sha1.Sum([]byte(key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11")) //nolint:gosec // see above
	return base64.StdEncoding.EncodeToString(sum[:])
}

// checkHandshake says what is wrong with a request to open a socket. A page of another
// site may not, since its user's cookies would come along.
func checkHandshake(r *http.Request) error {
	has := func(name, word string) bool {
		for part := range strings.SplitSeq(strings.Join(r.Header.Values(name), ","), ",") {
			if strings.EqualFold(strings.TrimSpace(part), word) {
				return true
			}
		}
		return false
	}
	if !has("Connection", "upgrade") || !has("Upgrade", "websocket") || r.Header.Get("Sec-WebSocket-Version") != "13" {
		return curlew.Permanent("upgrade_required", "this address speaks WebSocket, version 13; %s/stream speaks plain HTTP", Prefix)
	}
	if key, err := base64.StdEncoding.DecodeString(r.Header.Get("Sec-WebSocket-Key")); err != nil || len(key) != 16 {
		return curlew.Permanent("bad_request", "the header Sec-WebSocket-Key is not 16 bytes in base64")
	}
	if origin := r.Header.Get("Origin"); origin != "" {
		if u, err := url.Parse(origin); err != nil || !strings.EqualFold(u.Host, r.Host) {
			return curlew.Refused("cross_origin", "this request comes from a page of another site")
		}
	}
	return nil
}

// socket serves events by WebSocket.
func (s *service) socket(w http.ResponseWriter, r *http.Request, who Identity, _ string) error {
	l, err := s.lookOn(r, who)
	if err != nil {
		return err
	}
	if err := checkHandshake(r); err != nil {
		if curlew.AsFault(err).Code == "upgrade_required" {
			w.Header().Set("Upgrade", "websocket")
			w.Header().Set("Connection", "Upgrade")
		}
		return err
	}
	v, at, leave, err := s.seat(r.Context(), l)
	if err != nil {
		return err
	}
	defer leave()
	wire, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return err
	}
	defer wire.Close()
	conn := &socketConn{wire: wire}
	_, err = io.WriteString(wire, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: "+
		acceptKey(r.Header.Get("Sec-WebSocket-Key"))+"\r\nX-Request-Id: "+w.Header().Get("X-Request-Id")+"\r\n\r\n")
	if err != nil {
		return nil
	}
	ctx, end := context.WithCancel(r.Context())
	defer end()
	go func() {
		defer end()
		conn.listen(buffered.Reader)
	}()
	why, err := s.follow(ctx, r, l, v, at, conn)
	code := uint16(closeNormal)
	if errors.Is(err, errSentAway) {
		code = closeTryLater
	}
	conn.close(code, why)
	return nil
}

// socketConn is an open socket.
type socketConn struct {
	wire net.Conn
	mu   sync.Mutex
	shut bool
}

func (c *socketConn) show(e Event) error {
	text, err := json.Marshal(e)
	if err != nil {
		return err
	}
	return c.send(frameText, text)
}

func (c *socketConn) beat() error { return c.send(framePing, nil) }

// send writes one frame; servers do not mask theirs.
func (c *socketConn) send(kind byte, payload []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.shut {
		return net.ErrClosed
	}
	c.shut = kind == frameClose
	head := []byte{0x80 | kind}
	switch n := len(payload); {
	case n < 126:
		head = append(head, byte(n))
	case n <= 0xffff:
		head = binary.BigEndian.AppendUint16(append(head, 126), uint16(n))
	default:
		head = binary.BigEndian.AppendUint64(append(head, 127), uint64(n))
	}
	_ = c.wire.SetWriteDeadline(time.Now().Add(writeWithin))
	_, err := (&net.Buffers{head, payload}).WriteTo(c.wire)
	return err
}

// close says goodbye with a reason, which has 123 bytes at most.
func (c *socketConn) close(code uint16, why string) {
	payload := append(binary.BigEndian.AppendUint16(nil, code), why[:min(len(why), 123)]...)
	_ = c.send(frameClose, payload) // the other side may have gone
}

// listen reads frames until the other side leaves, is silent for too long, or breaks
// the rules.
func (c *socketConn) listen(from *bufio.Reader) {
	for {
		_ = c.wire.SetReadDeadline(time.Now().Add(silentAfter))
		kind, payload, err := readFrame(from)
		switch {
		case errors.Is(err, errTooBig):
			c.close(closeTooBig, "you have nothing to say here")
			return
		case errors.Is(err, errProtocol):
			c.close(closeProtocol, "this is not WebSocket")
			return
		case err != nil:
			return
		case kind == frameClose:
			c.close(closeNormal, "")
			return
		case kind == framePing:
			if c.send(framePong, payload) != nil {
				return
			}
		}
	}
}

var (
	errTooBig   = errors.New("the frame is too big")
	errProtocol = errors.New("the frame breaks the rules")
)

// readFrame reads one frame of a client, which must be masked (section 5.2).
func readFrame(from io.Reader) (kind byte, payload []byte, err error) {
	var head [2]byte
	if _, err := io.ReadFull(from, head[:]); err != nil {
		return 0, nil, err
	}
	kind = head[0] & 0x0f
	size := uint64(head[1] & 0x7f)
	control := kind >= frameClose
	switch {
	case head[0]&0x70 != 0, head[1]&0x80 == 0, kind > 2 && kind < frameClose, kind > framePong, control && (size > 125 || head[0]&0x80 == 0):
		return 0, nil, errProtocol
	case size == 126:
		var wide [2]byte
		_, err = io.ReadFull(from, wide[:])
		size = uint64(binary.BigEndian.Uint16(wide[:]))
	case size == 127:
		var wide [8]byte
		_, err = io.ReadFull(from, wide[:])
		size = binary.BigEndian.Uint64(wide[:])
	}
	if err != nil {
		return 0, nil, err
	}
	if size > mostFrame {
		return 0, nil, errTooBig
	}
	body := make([]byte, 4+size)
	if _, err := io.ReadFull(from, body); err != nil {
		return 0, nil, err
	}
	payload = body[4:]
	for i := range payload {
		payload[i] ^= body[i%4]
	}
	return kind, payload, nil
}
