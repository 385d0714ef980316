package demo

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// patience bounds every slow answer; no reader should wait that long.
const patience = time.Minute

func rudeBodies() []rudeness {
	return []rudeness{
		{"/body/slow", "a byte per second, for a minute", streamed(byteBySecond)},
		{"/body/silent", "no answer at all, for a minute", streamed(silence)},
		{"/body/short", "fewer bytes than promised", streamed(func(w http.ResponseWriter, _ *http.Request) {
			sendShort(w, "text/html; charset=utf-8", []byte("<html><body><ul><li>first</li><li>sec"), 5000)
		})},
		{"/body/chunks", "chunks that make no sense", streamed(func(w http.ResponseWriter, _ *http.Request) {
			rawAnswer(w, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: "+
				"chunked\r\n\r\n10\r\n<html><body><p>a\r\nzz\r\nbroken\r\n")
		})},
		{"/body/garbage", "bytes that are no HTTP", streamed(func(w http.ResponseWriter, _ *http.Request) {
			rawAnswer(w, "\x00\x01\x02 SSH-2.0-nothing\r\n\r\n")
		})},
		{"/body/bad-crc", "gzip with a wrong checksum", streamed(badChecksum)},
	}
}

// byteBySecond drips a page.
func byteBySecond(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	flusher := http.NewResponseController(w)
	for _, letter := range []byte(fmt.Sprintf("%-*s", int(patience/time.Second), "<html><body><p>slow</p></body></html>")) {
		if _, err := w.Write([]byte{letter}); err != nil || flusher.Flush() != nil {
			return
		}
		select {
		case <-tick.C:
		case <-r.Context().Done():
			return
		}
	}
}

// silence accepts a request and says nothing.
func silence(w http.ResponseWriter, r *http.Request) {
	enough := time.NewTimer(patience)
	defer enough.Stop()
	select {
	case <-enough.C:
	case <-r.Context().Done():
	}
	rawAnswer(w, "")
}

// rawAnswer writes bytes as they are and hangs up. Where the connection cannot
// be had (a recorder in a test), they become the body.
func rawAnswer(w http.ResponseWriter, text string) {
	connection, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		_, _ = io.WriteString(w, text)
		return
	}
	defer connection.Close()
	_ = connection.SetWriteDeadline(time.Now().Add(closing))
	_, _ = io.WriteString(connection, text)
}

func badChecksum(w http.ResponseWriter, _ *http.Request) {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	_, _ = io.WriteString(z, "<html><body><p>"+strings.Repeat("All of this is true. ", 200)+"</p></body></html>")
	_ = z.Close()
	body := out.Bytes()
	body[len(body)-5] ^= 0xff // the last byte of the checksum
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Encoding", "gzip")
	_, _ = w.Write(body)
}

// giantHeaders sends lines of headers until there are 12 MiB of them.
func giantHeaders(w http.ResponseWriter, r *http.Request) {
	connection, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer connection.Close()
	// A reader that does not read would hold the write for ever.
	defer context.AfterFunc(r.Context(), func() { _ = connection.Close() })()
	_, _ = io.WriteString(connection, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n")
	filler := strings.Repeat("x", 8000)
	for i := range 12 << 20 / 8192 {
		_ = connection.SetWriteDeadline(time.Now().Add(patience / 6))
		if _, err := fmt.Fprintf(connection, "X-Filler-%d: %s\r\n", i, filler); err != nil {
			return
		}
	}
	_, _ = io.WriteString(connection, "\r\n<html></html>")
}

// repeated streams one piece of markup many times, a few kilobytes at once.
func repeated(head, piece string, count int, tail string) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		const batch = 1000
		block := []byte(strings.Repeat(piece, batch))
		_, _ = io.WriteString(w, head)
		for range count / batch {
			if _, err := w.Write(block); err != nil || r.Context().Err() != nil {
				return
			}
		}
		_, _ = io.WriteString(w, tail)
	}
}
