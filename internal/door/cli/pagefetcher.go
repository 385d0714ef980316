package cli

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/ops/setup"
	"github.com/curlew-data/curlew/internal/web/fetch"
	"github.com/curlew-data/curlew/internal/work/pages"
)

// pageFetcher reads pages for one command, without a database and without an archive:
// politely, but known to nobody else.
type pageFetcher struct {
	delay *time.Duration

	open    sync.Once
	err     error
	reading *setup.Reading
}

// fetcherFor is one that pauses between requests, where somebody said for how long.
func fetcherFor(delay *time.Duration) (*pageFetcher, error) {
	if why := app.DelayProblem((*curlew.Duration)(delay)); why != "" {
		return nil, curlew.ProblemIn("delay", why)
	}
	return &pageFetcher{delay: delay}, nil
}

// fetcher opens the way out when the first page is asked for.
func (l *pageFetcher) fetcher(a *program) (*fetch.Fetcher, error) {
	l.open.Do(func() {
		cfg, err := a.load()
		if err != nil {
			l.err = err
			return
		}
		l.reading = setup.ReadAlone(cfg, a.options())
	})
	if l.err != nil {
		return nil, l.err
	}
	return l.reading.Reader.Fetcher, nil
}

// read asks for a target's page.
func (l *pageFetcher) read(a *program, one target) (extract.Material, error) {
	result, err := l.fetch(a, fetch.PageRequest{URL: one.address})
	if err != nil {
		return extract.Material{URL: one.address}, err
	}
	return pages.MaterialOf(result, one.now), nil
}

// fetch asks for one page and takes nothing but a complete one.
func (l *pageFetcher) fetch(a *program, request fetch.PageRequest) (*fetch.Capture, error) {
	result, err := l.Fetch(a.Context, a, request)
	if err == nil && result.Page.Outcome != curlew.OutcomeFetched {
		return nil, curlew.Permanent("not_fetched", "%s was not fetched: %s", request.URL, result.Page.OutcomeWords())
	}
	return result, err
}

// Fetch asks for one page, whatever comes.
func (l *pageFetcher) Fetch(ctx context.Context, a *program, request fetch.PageRequest) (*fetch.Capture, error) {
	fetcher, err := l.fetcher(a)
	if err != nil {
		return nil, err
	}
	request.Delay = l.delay
	result, err := fetcher.Fetch(ctx, request)
	var busy *fetch.BusyError
	if errors.As(err, &busy) {
		return nil, busy.Fault()
	}
	return result, err
}

func (l *pageFetcher) close() {
	if l.reading != nil {
		l.reading.Close()
	}
}
