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

// readAtOnce works a crawl off, and reads each page when it is fetched: nothing is archived.
func (c *crawlCommand) readAtOnce(a *program, i *setup.Installation, run curlew.Run) (curlew.Run, error) {
	each, end, err := c.readers(a, i, run)
	if err != nil {
		return run, err
	}
	var mu sync.Mutex
	var failed error
	before, read := run.Counters[curlew.CountParsed], int64(0)
	slots := make(chan struct{}, runtime.GOMAXPROCS(0)) // more pages at once take memory and no less time
	i.Reading.Crawl.Each = func(page curlew.Page, body []byte) {
		slots <- struct{}{}
		write := each(page, body)
		<-slots
		mu.Lock()
		defer mu.Unlock()
		read++
		failed = errors.Join(failed, write())
	}
	run, err = a.workOff(i, run)
	if missing := run.Counters[curlew.CountParsed] - before - read; err == nil && missing > 0 {
		err = curlew.Permanent("read_elsewhere", "a server that works for the same database fetched %s, which are not here: "+
			"leave out --no-archive, or stop the server", curlew.Counted(missing, "page"))
	}
	return run, errors.Join(err, failed, end())
}

// pageReading reads a page, beside others, and gives what writes the result down, one after another.
type pageReading func(page curlew.Page, body []byte) (write func() error)

// readers is how pages are read, and what ends it.
func (c *crawlCommand) readers(a *program, i *setup.Installation, run curlew.Run) (each pageReading, end func() error, err error) {
	if c.Markdown != "" {
		folder, err := newMarkdownFolder(c.Markdown)
		if err != nil {
			return nil, nil, err
		}
		return func(page curlew.Page, body []byte) func() error {
			one := readMarkdown(page, body)
			return func() error { return folder.write(one) }
		}, folder.close, nil
	}
	options, err := pages.Options(a.Context, i.Store.Org(run.Org), c.kind)
	if err != nil {
		return nil, nil, err
	}
	options.Tier = curlew.Tier(c.Tier)
	options.Unverified = options.Tier == curlew.TierStructured
	out, err := c.output(a)
	if err != nil {
		return nil, nil, err
	}
	printer := recordPrinter{program: a, lines: &asLines{encoder: lines(out)}}
	return func(page curlew.Page, body []byte) func() error {
		report := readPage(a.Context, page, body, options)
		return func() error { return printer.print(report) }
	}, out.Close, nil
}

// output is where records are written.
func (c *crawlCommand) output(a *program) (io.WriteCloser, error) {
	if c.Out == "" {
		return notClosed{a.Out}, nil
	}
	file, err := os.Create(c.Out)
	if err != nil {
		return nil, unwritable(c.Out, err)
	}
	return file, nil
}

// notClosed is standard output, which others write to as well.
type notClosed struct{ io.Writer }

func (notClosed) Close() error { return nil }

// readPage reads the records of a page.
func readPage(ctx context.Context, page curlew.Page, body []byte, options extract.ExtractOptions) pageReport {
	report := pageReport{Page: page.URL}
	report.take(extract.Extract(ctx, materialOf(page, body), options))
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

// readArchived reads what the crawl archived. Pages that had not changed since an earlier crawl are read from the copy of
// then, so a second crawl gives the same as the first.
func (c *crawlCommand) readArchived(a *program, i *setup.Installation, run curlew.Run) error {
	each, end, err := c.readers(a, i, run)
	if err != nil {
		return err
	}
	err = inOrder(func(work func(func() func() error)) error {
		return archivedPages(a.Context, i, run, func(page curlew.Page, body []byte) error {
			work(func() func() error { return each(page, body) })
			return nil
		})
	}, func(write func() error) error { return write() })
	return errors.Join(err, end())
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
