package egress

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/curlew-data/curlew/internal/ops/guard"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
)

// Shortfall says why a body is not complete.
type Shortfall string

const (
	// OverBudget means that there was more than the budget allows.
	OverBudget Shortfall = "over_budget"
	// OutOfTime means that the body was still coming when the time was up.
	OutOfTime Shortfall = "out_of_time"
	// CutShort means that the connection ended, or its framing broke, before the body did.
	CutShort Shortfall = "cut_short"
	// BadEncoding means that the body arrived but does not decode to its end.
	BadEncoding Shortfall = "bad_encoding"
	// UnknownEncoding means that the body is as received: its encoding is none
	// that was asked for, or there are more than two.
	UnknownEncoding Shortfall = "unknown_encoding"
)

// content is a body as far as it could be had.
type content struct {
	bytes    []byte
	encoding string
	wire     int64
	why      Shortfall
}

var errOverBudget = errors.New("more than the budget allows")

// meter counts what passes and stops it a little above the budget. There is one
// before each decoder, because a stream can also be long and decode to nothing.
type meter struct {
	from  io.Reader
	most  int64
	n     int64
	fault error // the first that was not the end
}

func (m *meter) Read(p []byte) (int, error) {
	if m.n > m.most {
		m.fault = errOverBudget
		return 0, m.fault
	}
	n, err := m.from.Read(p)
	m.n += int64(n)
	if err != nil && err != io.EOF && m.fault == nil {
		m.fault = err
	}
	return n, err
}

// slack is what an encoding may add to a body that does not compress: deflate
// adds 5 bytes to each 64 KiB at worst, the others less.
const slack = 64 << 10

// read takes what the budget allows of a body and undoes its encodings.
func read(ctx context.Context, answer *http.Response, budget int64) content {
	wire := &meter{from: answer.Body, most: budget + slack}
	codings, known := codingsOf(answer.Header)
	c := content{encoding: strings.Join(codings, ", ")}
	if !known {
		c.encoding, codings = "", nil
	}
	var meters []*meter
	err := guard.Read(guard.Body, address(answer), func() (err error) {
		meters, err = c.decode(wire, codings, budget)
		return err
	})
	c.wire = wire.n
	c.why = shortfall(ctx, wire, meters, err)
	if int64(len(c.bytes)) > budget {
		c.bytes, c.why = c.bytes[:budget], OverBudget
	}
	if c.why == "" && !known {
		c.why = UnknownEncoding
	}
	return c
}

// address is what was asked for.
func address(answer *http.Response) string {
	if answer.Request == nil {
		return ""
	}
	return answer.Request.URL.String()
}

// decode reads through the decoders, one byte beyond the budget at most.
func (c *content) decode(wire *meter, codings []string, budget int64) ([]*meter, error) {
	meters := []*meter{wire}
	var from io.Reader = wire
	if len(codings) > 0 {
		buffered := bufio.NewReader(wire)
		if _, err := buffered.Peek(1); err == io.EOF {
			return meters, nil // 204, 304, HEAD: the encoding of nothing is nothing
		}
		from = buffered
	}
	for _, coding := range slices.Backward(codings) {
		decoder, err := undo(coding, from)
		if err != nil {
			return meters, err
		}
		defer decoder.Close()
		next := &meter{from: decoder, most: budget + slack}
		meters = append(meters, next)
		from = next
	}
	var err error
	c.bytes, err = io.ReadAll(io.LimitReader(from, budget+1))
	if err == nil && int64(len(c.bytes)) <= budget {
		// A decoder may be content before the connection is: what the framing
		// says about the end is still to be read.
		_, err = io.Copy(io.Discard, wire)
	}
	return meters, err
}

// shortfall tells whose fault it was. The connection comes before the decoder,
// which only suffers from it.
func shortfall(ctx context.Context, wire *meter, meters []*meter, err error) Shortfall {
	over := func(m *meter) bool { return errors.Is(m.fault, errOverBudget) }
	switch {
	case slices.ContainsFunc(meters, over):
		return OverBudget
	case wire.fault != nil && ctx.Err() != nil:
		return OutOfTime
	case wire.fault != nil:
		return CutShort
	case err != nil:
		return BadEncoding
	}
	return ""
}

// codingsOf lists the content codings in the order they were applied, and
// whether all of them can be undone. Two are seen in the wild, by servers
// behind proxies that both compress; more are an attack.
func codingsOf(h http.Header) ([]string, bool) {
	var all []string
	for name := range strings.SplitSeq(strings.Join(h.Values("Content-Encoding"), ","), ",") {
		switch name = strings.ToLower(strings.TrimSpace(name)); name {
		case "", "identity":
		case "gzip", "x-gzip":
			all = append(all, "gzip")
		case "br", "zstd", "deflate":
			all = append(all, name)
		default:
			return nil, false
		}
	}
	return all, len(all) <= 2
}

// zstdWindow is the largest window that HTTP allows (RFC 9659).
const zstdWindow = 8 << 20

func undo(coding string, from io.Reader) (io.ReadCloser, error) {
	switch coding {
	case "gzip":
		return gzip.NewReader(from)
	case "br":
		return io.NopCloser(brotli.NewReader(from)), nil
	case "zstd":
		decoder, err := zstd.NewReader(from, zstd.WithDecoderConcurrency(1),
			zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(zstdWindow))
		if err != nil {
			return nil, err
		}
		return decoder.IOReadCloser(), nil
	default:
		return inflate(from)
	}
}

// inflate undoes "deflate", which is zlib by the standard (RFC 9110, 8.4.1.2)
// and bare deflate by the habit of some servers. The header's checksum tells.
func inflate(from io.Reader) (io.ReadCloser, error) {
	buffered := bufio.NewReader(from)
	head, err := buffered.Peek(2)
	if err == nil && head[0]&0x0f == 8 && (int(head[0])<<8|int(head[1]))%31 == 0 {
		return zlib.NewReader(buffered)
	}
	return flate.NewReader(buffered), nil
}
