package cli

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/ops/setup"
	"github.com/curlew-data/curlew/internal/text"
)

type fetchCommand struct {
	URLs      []string       `arg:"" name:"url" help:"Addresses to fetch."`
	Adapter   string         `help:"Only this way: direct, browser or proxy." enum:",direct,browser,proxy" default:"" placeholder:"NAME"`
	Delay     *time.Duration `help:"Pause between requests to a host; under 1s only for addresses allowed in configuration." placeholder:"1s"`
	Refetch   bool           `help:"Fetch the page again even if it has not changed."`
	NoArchive bool           `help:"Do not archive the answer."`
	Show      bool           `help:"Print the archived page, without a request."`
	At        string         `help:"With --show: the page as it was then (RFC 3339)." placeholder:"TIME"`
}

func (c *fetchCommand) Run(a *program) error {
	org, err := a.org()
	if err != nil {
		return err
	}
	for _, address := range c.URLs {
		if err := c.command(address).Check().Err(); err != nil {
			return err
		}
	}
	location := ""
	if c.NoArchive {
		location = setup.NoArchive
	}
	i, err := a.openToRead(a.Context, location)
	if err != nil {
		return err
	}
	defer i.Close()
	if c.Show {
		return c.show(a, i, org)
	}
	use := useCases(i)
	var reports []app.ArchivedFetch
	var failed error
	for _, address := range c.URLs {
		report, err := use.ArchivePage(a.Context, operator(org), c.command(address))
		reports = append(reports, report)
		if !a.JSON {
			printFetch(a, report)
		}
		failed = errors.Join(failed, err)
	}
	if a.JSON {
		writeJSON(a.Out, reports)
	}
	return firstError(failed)
}

func (c *fetchCommand) command(address string) app.ArchivePage {
	return app.ArchivePage{URL: address, Adapter: curlew.AdapterName(c.Adapter), Delay: (*curlew.Duration)(c.Delay), Refetch: c.Refetch}
}

// firstError tells the first of several failures; all were shown already.
func firstError(err error) error {
	var joined interface{ Unwrap() []error }
	if errors.As(err, &joined) {
		return joined.Unwrap()[0]
	}
	return err
}

func printFetch(a *program, r app.ArchivedFetch) {
	fmt.Fprintln(a.Out, printable(r.URL))
	line := func(name, value string) {
		if value != "" {
			fmt.Fprintf(a.Out, "  %-10s %s\n", name, printable(value))
		}
	}
	line("robots", r.Robots)
	if r.Page == nil {
		line("outcome", "not fetched")
		return
	}
	p := r.Page
	line("outcome", p.OutcomeWords())
	line("status", fmt.Sprintf("%d in %d ms, by %s", p.Status, p.TookMillis, p.Adapter))
	line("fallback", p.FallbackWhy)
	for _, hop := range p.Redirects {
		line("redirect", fmt.Sprintf("%d %s", hop.Status, hop.URL))
	}
	if p.FinalURL != p.URL {
		line("final", p.FinalURL)
	}
	line("type", strings.TrimSuffix(fmt.Sprintf("%s, %s", p.ContentType, p.Charset), ", "))
	line("size", fmt.Sprintf("%d bytes, complete: %v", p.Bytes, p.Complete))
	line("validators", strings.TrimSpace(p.ETag+" "+p.LastModified))
	line("archive", p.ArchiveRef)
}

// show prints archived pages as they were.
func (c *fetchCommand) show(a *program, i *setup.Installation, org curlew.OrgID) error {
	at := time.Time{}
	if c.At != "" {
		var err error
		if at, err = time.Parse(time.RFC3339, c.At); err != nil {
			return exitError{curlew.Permanent("wrong_usage", "--at is %q: it must be a time such as 2026-03-02T12:00:00Z", c.At), exitUsage}
		}
	}
	for _, address := range c.URLs {
		page, exchange, err := useCases(i).ArchivedPage(a.Context, operator(org), address, at)
		if err != nil {
			return err
		}
		if a.JSON {
			writeJSON(a.Out, map[string]any{"page": page, "header": exchange.Header, "body": string(text.UTF8(exchange.Body, page.Charset))})
			continue
		}
		if _, err := a.Out.Write(exchange.Body); err != nil {
			return err
		}
	}
	return nil
}
