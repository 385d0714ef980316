package egress

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"syscall"

	"github.com/curlew-data/curlew/internal/curlew"
)

// The codes of connections that came to nothing.
const (
	ErrDNSFailed      curlew.Code = "dns_failed"
	ErrConnectFailed  curlew.Code = "connect_failed"
	ErrConnectionLost curlew.Code = "connection_lost"
)

// roundTripFault turns what kept a hop from answering into a fault. What the
// dialer found is one already.
func roundTripFault(ctx context.Context, host string, err error) error {
	var fault *curlew.Fault
	switch {
	case ctx.Err() != nil:
		return ended(ctx, host, "it did not answer in time")
	case errors.As(err, &fault):
		return fault
	case headerTooLarge(err):
		return curlew.Refused("header_too_large", "%s sent a header of more than %d bytes", host, maxHeader).Because(err)
	case lost(err):
		return curlew.Temporary(ErrConnectionLost, "%s closed the connection without an answer", host).Because(err)
	}
	return curlew.Temporary("protocol_error", "%s answered with something that is not HTTP", host).Because(err)
}

// headerTooLarge goes by the words of net/http, which has no error value for
// it; the tests would tell if they changed.
func headerTooLarge(err error) bool {
	text := err.Error()
	return strings.Contains(text, "response headers exceeded") || // HTTP/1.1
		strings.Contains(text, "response header list larger than") // HTTP/2
}

func lost(err error) bool {
	for _, broken := range []error{io.EOF, io.ErrUnexpectedEOF, syscall.ECONNRESET, syscall.EPIPE} {
		if errors.Is(err, broken) {
			return true
		}
	}
	var op *net.OpError
	return errors.As(err, &op) || strings.Contains(err.Error(), "server closed idle connection")
}

// ErrTooManyRedirects is the code of a request that was redirected too often.
const ErrTooManyRedirects curlew.Code = "too_many_redirects"

// ended tells a time that is up, which says something about the host, from a
// caller who went away, which does not.
func ended(ctx context.Context, host, what string) error {
	if !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return context.Cause(ctx)
	}
	return curlew.Temporary(curlew.ErrTimeout, "%s was given up: %s", host, what).Because(ctx.Err())
}
