package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"sync"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/ops/setup"
	"github.com/curlew-data/curlew/internal/work/pages"
)

// recordsAtOnce works a crawl off, and reads each page when it is fetched: nothing is archived.
func (c *crawlCommand) recordsAtOnce(a *program, i *setup.Installation, run curlew.Run) (curlew.Run, error) {
	options, err := pages.Options(a.Context, i.Store.Org(run.Org), c.kind)
	if err != nil {
		return run, err
	}
	out, err := c.output(a)
	if err != nil {
		return run, err
	}
	printer := recordPrinter{program: a, lines: &asLines{encoder: lines(out)}}
	var mu sync.Mutex
	var failed error
	before, read := run.Counters[curlew.CountParsed], int64(0)
	i.Reading.Crawl.Each = func(page curlew.Page, body []byte) {
		report := readPage(page, body, options)
		mu.Lock()
		defer mu.Unlock()
		read++
		failed = errors.Join(failed, printer.print(report))
	}
	run, err = a.workOff(i, run)
	if missing := run.Counters[curlew.CountParsed] - before - read; err == nil && missing > 0 {
		err = curlew.Permanent("read_elsewhere", "a server that works for the same database fetched %s, whose records are not here: "+
			"leave out --no-archive, or stop the server", curlew.Counted(missing, "page"))
	}
	return run, errors.Join(err, failed, out.Close())
}

// output is where records are written.
func (c *crawlCommand) output(a *program) (io.WriteCloser, error) {
	if c.Out == "" {
		return notClosed{a.Out}, nil
	}
	file, err := os.Create(c.Out)
	if err != nil {
		return nil, curlew.Permanent("cannot_write", "%s cannot be written: check the folder", c.Out).Because(err)
	}
	return file, nil
}

// notClosed is standard output, which others write to as well.
type notClosed struct{ io.Writer }

func (notClosed) Close() error { return nil }

// readPage reads the records of a page.
func readPage(page curlew.Page, body []byte, options extract.ExtractOptions) pageReport {
	report := pageReport{Page: page.URL}
	report.take(extract.Extract(extract.Material{Body: body, Charset: page.Charset, ContentType: page.ContentType,
		URL: page.FinalURL, Archived: page.ArchiveRef, Now: page.FetchedAt, Adapter: page.Adapter}, options))
	return report
}

// recordPrinter writes the records of pages, and says of which it could read none.
type recordPrinter struct {
	program *program
	lines   *asLines
}

func (p recordPrinter) print(report pageReport) error {
	if report.Fault != nil {
		fmt.Fprintf(p.program.Err, "curlew: %s: %s\n", printable(report.Page), printable(report.Fault.Sentence))
	}
	return p.lines.page(report)
}

// records reads what the crawl archived and writes one JSON line per record. Pages
// that had not changed since an earlier crawl are read from the copy of then, so a
// second crawl gives the same records as the first.
func (c *crawlCommand) records(a *program, i *setup.Installation, run curlew.Run) error {
	options, err := pages.Options(a.Context, i.Store.Org(run.Org), c.kind)
	if err != nil {
		return err
	}
	out, err := c.output(a)
	if err != nil {
		return err
	}
	printer := recordPrinter{program: a, lines: &asLines{encoder: lines(out)}}
	err = inOrder(func(each func(func() pageReport)) error {
		return archivedPages(a.Context, i, run, func(page curlew.Page, body []byte) error {
			each(func() pageReport { return readPage(page, body, options) })
			return nil
		})
	}, printer.print)
	return errors.Join(err, out.Close())
}

// inOrder does what is given to it on all processors, and takes the results in the order in which it was given.
func inOrder[T any](give func(each func(func() T)) error, take func(T) error) error {
	results, taken := make(chan chan T, runtime.GOMAXPROCS(0)), make(chan error)
	go func() {
		var err error
		for result := range results {
			if one := <-result; err == nil {
				err = take(one)
			}
		}
		taken <- err
	}()
	err := give(func(work func() T) {
		result := make(chan T, 1)
		results <- result
		go func() { result <- work() }()
	})
	close(results)
	return errors.Join(err, <-taken)
}

// archivedPages gives the latest whole copy of every page that the run saw, in its own
// charset.
func archivedPages(ctx context.Context, i *setup.Installation, run curlew.Run, each func(curlew.Page, []byte) error) error {
	const window = 500
	scope, err := useCases(i).Read(operator(run.Org))
	if err != nil {
		return err
	}
	for after := ""; ; {
		found, err := scope.URLs().List(ctx, run.Scope, true, store.Window{After: after, Limit: window})
		if err != nil {
			return err
		}
		for _, f := range found {
			after = f.Key
			if f.Page == "" || f.LastSeenAt.Before(run.CreatedAt) {
				continue
			}
			page, err := scope.Pages().Get(ctx, f.Page)
			if err != nil {
				return err
			}
			if page.Outcome != curlew.OutcomeFetched || page.ArchiveRef == "" {
				continue
			}
			exchange, err := i.Archived(ctx, page)
			if err != nil {
				return err
			}
			if err := each(page, exchange.Body); err != nil {
				return err
			}
		}
		if len(found) < window {
			return nil
		}
	}
}
