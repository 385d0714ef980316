package setup

import (
	"context"
	"errors"
	"net/url"
	"time"

	"github.com/curlew-data/curlew/internal/web/fetch"
	"github.com/curlew-data/curlew/internal/web/robots"
)

// PacedWeb asks the web on behalf of an installation, for somebody who waits: its pace is
// that of all others.
type PacedWeb struct {
	Fetcher *fetch.Fetcher
	Delay   *time.Duration // nil means the pace
}

// Fetch asks for a page.
func (w PacedWeb) Fetch(ctx context.Context, request fetch.PageRequest) (*fetch.Capture, error) {
	request.Delay = w.Delay
	result, err := w.Fetcher.Fetch(ctx, request)
	return result, rests(err)
}

// Robots asks what robots.txt says.
func (w PacedWeb) Robots(ctx context.Context, target *url.URL, fresh bool) (robots.SiteRules, error) {
	policy, err := w.Fetcher.Robots(ctx, target, fresh)
	return policy, rests(err)
}

// rests puts a host that has no time into a sentence.
func rests(err error) error {
	var busy *fetch.BusyError
	if errors.As(err, &busy) {
		return busy.Fault()
	}
	return err
}
