package browser

import (
	"context"
	"errors"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
)

func closedFault() *curlew.Fault {
	return curlew.Temporary("browser_closed", "the browser was closed")
}

func crashedFault() *curlew.Fault {
	return curlew.Temporary("browser_crashed", "the browser ended in the middle of a page; the next page starts a new one")
}

func timeoutFault(url string) *curlew.Fault {
	return curlew.Temporary(curlew.ErrTimeout, "%s rendered nothing in time", text.Clip(url, 200))
}

// interrupted says why a context ended: by a fault of ours, or by the caller.
func interrupted(ctx context.Context) error {
	cause := context.Cause(ctx)
	var fault *curlew.Fault
	if errors.As(cause, &fault) {
		return fault
	}
	return curlew.Temporary(curlew.ErrTimeout, "rendering the page was aborted").Because(cause)
}

// navigationFault tells what stays so until somebody changes it from what may
// pass. The words are those of net/base/net_error_list.h.
func navigationFault(url, s string) *curlew.Fault {
	s = strings.TrimPrefix(s, "net::")
	switch {
	case strings.HasPrefix(s, "ERR_CERT_"), s == "ERR_INVALID_URL", s == "ERR_UNSAFE_PORT",
		s == "ERR_DISALLOWED_URL_SCHEME", s == "ERR_UNKNOWN_URL_SCHEME":
		return curlew.Permanent("navigation_failed", "the browser cannot open %s: %s", text.Clip(url, 200), s)
	case s == "ERR_ABORTED":
		return curlew.Permanent("navigation_failed", "%s is not a page but a file, or empty", text.Clip(url, 200))
	}
	return curlew.Temporary("navigation_failed", "the browser could not open %s: %s", text.Clip(url, 200), s)
}
