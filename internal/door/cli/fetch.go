package cli

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"curlew/internal/app"
	"curlew/internal/curlew"
	"curlew/internal/data/store"
	"curlew/internal/ops/setup"
	"curlew/internal/text"
	"curlew/internal/web/fetch"
)

type fetchCommand struct {
	URLs      []string       `arg:"" name:"url" help:"Addresses to ask for."`
	Adapter   string         `help:"Only this way: direct, browser or proxy." enum:",direct,browser,proxy" default:"" placeholder:"NAME"`
	Delay     *time.Duration `help:"Pause between requests to a host; under 1s only for addresses allowed in configuration." placeholder:"1s"`
	Refetch   bool           `help:"Ask for the whole page although a copy is known."`
	NoArchive bool           `help:"Do not archive the answer."`
	Show      bool           `help:"Print the archived page and ask nobody."`
	At        string         `help:"With --show: the page as it was then (RFC 3339)." placeholder:"TIME"`
}

func (c *fetchCommand) Run(a *program) error {
	org, err := a.org()
	if err != nil {
		return err
	}
	for _, address := range c.URLs {
		if err := (app.FetchPage{URL: address}).Check().Err(); err != nil {
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
	var reports []fetchReport
	var failed error
	for _, address := range c.URLs {
		report, err := c.one(a.Context, i, org, address)
		reports = append(reports, report)
		if !a.JSON {
			report.print(a)
		}
		failed = errors.Join(failed, err)
	}
	if a.JSON {
		writeJSON(a.Out, reports)
	}
	return firstError(failed)
}

// firstError tells the first of several failures; all were shown already.
func firstError(err error) error {
	var joined interface{ Unwrap() []error }
	if errors.As(err, &joined) {
		return joined.Unwrap()[0]
	}
	return err
}

// fetchScope is where single fetches keep their validators.
const fetchScope = "fetch"

// fetchReport is what one fetch came to.
type fetchReport struct {
	URL    string        `json:"url"`
	Robots string        `json:"robots"`
	Page   *curlew.Page  `json:"page,omitempty"`
	Fault  *curlew.Fault `json:"fault,omitempty"`
}

func (c *fetchCommand) one(ctx context.Context, i *setup.Installation, org curlew.OrgID, address string) (fetchReport, error) {
	report := fetchReport{URL: address}
	request := fetch.PageRequest{Org: org, URL: address, Delay: c.Delay, Adapter: curlew.AdapterName(c.Adapter),
		Budgets: []curlew.DayBudget{{Most: int64(i.Config.Fetch.PerOrgDay)}}}
	known, err := i.Store.Org(org).URLs().Found(ctx, fetchScope, []string{address})
	if err != nil {
		return report, err
	}
	if !c.Refetch {
		request.ETag, request.LastModified = known[address].ETag, known[address].LastModified
	}
	result, err := patientRead(ctx, i, request)
	report.Robots = robotsWord(ctx, i, address, err)
	if err != nil {
		report.Fault = curlew.AsFault(err)
		return report, err
	}
	page := result.Page
	err = i.Store.Write(ctx, org, func(w store.WriteScope) error {
		visit := curlew.Visit{URL: address, Key: address}
		if err := w.URLs().Seen(ctx, fetchScope, []curlew.Visit{visit}); err != nil {
			return err
		}
		if page.Outcome != curlew.OutcomeNotModified {
			if page, err = w.Pages().Add(ctx, page); err != nil {
				return err
			}
		}
		return w.URLs().Fetched(ctx, fetchScope, visit, page)
	})
	report.Page = &page
	if err == nil && page.Outcome != curlew.OutcomeFetched && page.Outcome != curlew.OutcomeNotModified {
		err = curlew.Permanent("not_fetched", "%s was not fetched: %s", address, page.OutcomeWords())
	}
	return report, err
}

// patientRead waits for its turn, however long: a person asked.
func patientRead(ctx context.Context, i *setup.Installation, request fetch.PageRequest) (*fetch.Capture, error) {
	for {
		result, err := i.Reading.Reader.Read(ctx, request)
		var busy *fetch.BusyError
		if !errors.As(err, &busy) {
			return result, err
		}
		if busy.Wait > time.Minute {
			return nil, busy.Fault()
		}
		if !pause(ctx, busy.Wait) {
			return nil, ctx.Err()
		}
	}
}

func robotsWord(ctx context.Context, i *setup.Installation, address string, err error) string {
	if fault := curlew.AsFault(err); fault != nil && strings.HasPrefix(string(fault.Code), "robots") {
		return fault.Sentence
	}
	target, parseErr := url.Parse(address)
	if parseErr != nil {
		return "not asked"
	}
	file, found, storeErr := i.Store.Robots(ctx, target.Scheme+"://"+target.Host)
	if storeErr != nil || !found {
		return "not asked"
	}
	return fmt.Sprintf("allowed (robots.txt: status %d, read %s)", file.Status, moment(&file.FetchedAt))
}

func (r fetchReport) print(a *program) {
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
		page, err := i.Store.Org(org).Pages().At(a.Context, address, at)
		if err != nil {
			return err
		}
		exchange, err := i.Archived(a.Context, page)
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
