package cli

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/learn/feasibility"
	"github.com/curlew-data/curlew/internal/ops/guard"
	"github.com/curlew-data/curlew/internal/read/structured"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/web/fetch"
	"github.com/curlew-data/curlew/internal/web/robots"
	"github.com/curlew-data/curlew/internal/work/onboard"
)

type inspectCommand struct {
	targets
	Schema   string         `aliases:"kind" help:"Kind of records: ${enum}." enum:"auto,event,product,job,article,organization,item,page" default:"auto" placeholder:"SCHEMA"`
	Readings bool           `help:"Print every reading of the page, best first."`
	Raw      bool           `help:"Print all structured data of the page, by syntax."`
	Delay    *time.Duration `help:"Pause between requests to a host; under 1s only for addresses allowed in configuration." placeholder:"1s"`
}

// inspectReport is the line that --by-page prints.
type inspectReport struct {
	Page     string              `json:"page"`
	Millis   int64               `json:"ms"`
	Fault    *curlew.Fault       `json:"fault"`
	Report   *feasibility.Report `json:"report,omitempty"`
	Readings []readingReport     `json:"readings,omitempty"`
	raw      any
	found    []onboard.Finding // the readings in short
}

// Run judges each target: whether and how it can be read.
func (c *inspectCommand) Run(a *program) error {
	all, err := c.list()
	if err != nil {
		return err
	}
	options, err := a.readingAlone()
	if err != nil {
		return err
	}
	if options.Zone, err = c.zone(); err != nil {
		return err
	}
	if c.Schema != "auto" {
		options.Schema = curlew.SchemaName(c.Schema)
	}
	web, err := fetcherFor(c.Delay)
	if err != nil {
		return err
	}
	defer web.close()
	var reports []inspectReport
	err = eachPage(a, all, func(one target) inspectReport {
		return c.inspect(a, one, web, options)
	}, func(p inspectReport) error {
		reports = append(reports, p)
		return c.print(a, p)
	})
	if err != nil {
		return err
	}
	if a.JSON && !c.ByPage && !c.Raw && !c.Readings {
		printReports(a, reports)
	}
	return c.verdict(reports)
}

func (c *inspectCommand) inspect(a *program, one target, web *pageFetcher, o extract.ExtractOptions) inspectReport {
	report := inspectReport{Page: one.name}
	began := time.Now()
	defer func() { report.Millis = time.Since(began).Milliseconds() }()
	inspection := onboard.Inspection{Web: inspecting{a, web}, Now: one.now, Options: o, Step: func(what string) {
		if a.Terminal {
			fmt.Fprintf(a.Err, "\r\x1b[K  asking %s", text.Clip(printable(what), 90))
		}
	}}
	if one.file == "" && !c.Raw && !c.Readings {
		judged, err := inspection.Inspect(a.Context, one.address)
		if a.Terminal {
			fmt.Fprint(a.Err, "\r\x1b[K")
		}
		if err != nil {
			report.Fault = curlew.AsFault(err)
			return report
		}
		report.Report = &judged.Report
		return report
	}
	material, err := a.material(one, web)
	if err != nil {
		report.Fault = curlew.AsFault(err)
		return report
	}
	report.Fault = material.Guarded(guard.Extract, func() {
		switch {
		case c.Raw:
			report.raw = structured.Read(material.Document())
		case c.Readings:
			all := extract.Readings(a.Context, material, o)
			report.Readings = readingReports(all)
			for _, r := range all {
				report.found = append(report.found, onboard.FindingOf(r))
			}
		default:
			judged := inspection.Offline(a.Context, material)
			report.Report = &judged.Report
		}
	})
	return report
}

func (c *inspectCommand) print(a *program, p inspectReport) error {
	switch {
	case c.Raw && p.Fault == nil:
		writeJSON(a.Out, p.raw)
	case c.ByPage:
		return lines(a.Out).Encode(p)
	case c.Readings && p.Fault == nil:
		printReadings(a, p)
	case p.Report != nil && !a.JSON:
		fmt.Fprintln(a.Out, p.Report.Text(78))
	}
	return nil
}

func printReadings(a *program, p inspectReport) {
	switch {
	case a.JSON:
		writeJSON(a.Out, map[string]any{"url": p.Page, "readings": p.Readings})
	case len(p.found) == 0:
		fmt.Fprintln(a.Out, "Nothing can be read from this page.")
	default:
		printFound(a, p.found)
	}
}

func printReports(a *program, reports []inspectReport) {
	if len(reports) == 1 && reports[0].Report != nil {
		writeJSON(a.Out, reports[0].Report)
		return
	}
	writeJSON(a.Out, reports)
}

// verdict is the error of the whole command: a page that cannot be looked at, or
// nothing but sites that are not worth reading.
func (c *inspectCommand) verdict(reports []inspectReport) error {
	feasible := false
	for _, p := range reports {
		if p.Fault != nil {
			return p.Fault
		}
		feasible = feasible || p.Report == nil || p.Report.Verdict == feasibility.Proceed
	}
	if !feasible && !c.ByPage {
		return curlew.Permanent(curlew.ErrNotFeasible, "not feasible: %s", reports[0].Report.Reason)
	}
	return nil
}

// inspecting asks the web for an inspection.
type inspecting struct {
	a   *program
	web *pageFetcher
}

// Fetch asks for a page.
func (i inspecting) Fetch(ctx context.Context, request fetch.PageRequest) (*fetch.Capture, error) {
	return i.web.Fetch(ctx, i.a, request)
}

// Robots asks what robots.txt says.
func (i inspecting) Robots(ctx context.Context, target *url.URL, fresh bool) (robots.SiteRules, error) {
	fetcher, err := i.web.fetcher(i.a)
	if err != nil {
		return robots.SiteRules{}, err
	}
	policy, err := fetcher.Robots(ctx, target, fresh)
	var busy *fetch.BusyError
	if errors.As(err, &busy) {
		return policy, curlew.Temporary("host_rests", "%s accepts the next request in %s: try again then", busy.Host, brief(busy.Wait))
	}
	return policy, err
}
