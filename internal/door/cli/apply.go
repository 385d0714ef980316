package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/learn/induce"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/work/watch"
)

type applyCommand struct {
	targets
	Blueprint string         `help:"The blueprint file." required:"" placeholder:"FILE" type:"existingfile"`
	Format    string         `help:"How to print it: ${enum}." enum:"json,jsonl,csv" default:"json" placeholder:"FORMAT"`
	Explain   bool           `help:"Show for every field which rule found it and where."`
	Signs     bool           `help:"With --by-page: print the evidence for and against every value." hidden:""`
	Delay     *time.Duration `help:"Pause between requests to a host; under 1s only for addresses allowed in configuration." placeholder:"1s"`
}

// applyReport is what a blueprint gave on one page, and how well it fits.
type applyReport struct {
	pageReport
	Fit *blueprint.FitReport `json:"fit,omitempty"`
}

// Run reads each target by the blueprint.
func (c *applyCommand) Run(a *program) error {
	b, err := readBlueprint(c.Blueprint)
	if err != nil {
		return err
	}
	compiled, err := extract.Compile(b)
	if err != nil {
		return err
	}
	all, err := c.list()
	if err != nil {
		return err
	}
	read, err := a.readingAlone()
	if err != nil {
		return err
	}
	options := read.Applying()
	options.Signs = c.Signs
	if options.Zone, err = c.zone(); err != nil {
		return err
	}
	web, err := fetcherFor(c.Delay)
	if err != nil {
		return err
	}
	defer web.close()
	printer := (&extractCommand{targets: c.targets, Format: c.Format, Explain: c.Explain}).printer(a)
	sum := fitSum{}
	err = eachPage(a, all, func(one target) applyReport {
		return applyPage(a, one, web, compiled, options)
	}, func(p applyReport) error {
		sum.add(p)
		if c.ByPage {
			return lines(a.Out).Encode(p)
		}
		return printer.page(p.pageReport)
	})
	if err == nil && !sum.failed() {
		err = printer.end()
	}
	if err != nil {
		return err
	}
	return sum.verdict(a)
}

func applyPage(a *program, one target, web *pageFetcher, compiled *extract.Compiled, o extract.ApplyOptions) applyReport {
	report := applyReport{pageReport: pageReport{Page: one.name, Records: []recordReport{}}}
	material, err := a.material(one, web)
	if err != nil {
		report.Fault = curlew.AsFault(err)
		return report
	}
	began := time.Now()
	applied := compiled.Apply(a.Context, material, o)
	if report.Fault = applied.Fault; report.Fault != nil {
		return report
	}
	fit := applied.Fit
	if fit.Fit == blueprint.FitEmpty {
		fit.Reasons = append(fit.Reasons, emptyWords[applied.Empty])
	}
	report.Fit, report.Tier, report.Schema = &fit, compiled.Blueprint.Tier, string(compiled.Blueprint.Schema)
	for _, note := range []string{applied.Cut, applied.Over} {
		if note != "" {
			report.Notes = append(report.Notes, note)
		}
	}
	for _, r := range applied.Readings {
		if r.Record.Whole() {
			report.Records = append(report.Records, recordOf(r))
		}
	}
	if applied.Partial > 0 {
		report.Notes = append(report.Notes, fmt.Sprintf("%d records lack what the schema requires and are left out", applied.Partial))
	}
	report.Millis = time.Since(began).Milliseconds()
	return report
}

// emptyWords say why a page gives no records.
var emptyWords = map[induce.Emptiness]string{
	induce.NothingToday: "the list is there and empty: probably nothing today",
	induce.Blocked:      "it blocks crawlers",
	induce.Broken:       "their container is missing: \"curlew heal\" may repair it",
}

// recordOf is a reading as it is printed.
func recordOf(r extract.ReadRecord) recordReport {
	var unsure []string
	for _, name := range slices.Sorted(maps.Keys(r.Record.Provenance)) {
		if r.Record.Provenance[name].Unsure() {
			unsure = append(unsure, name)
		}
	}
	return recordReport{Schema: r.Record.Schema, ExternalID: r.Record.ExternalID, URL: r.Record.URL, Confidence: r.Confidence,
		Fields: r.Record.Fields,
		Text:   r.Text, Node: r.Node, Provenance: r.Record.Provenance, Unsure: unsure, Estimates: r.Estimates, kind: r.Record.Kind()}
}

// fitSum adds up how all pages fit.
type fitSum struct {
	pageSum
	unfit   int
	reasons []string
}

func (s *fitSum) add(p applyReport) {
	s.pageSum.add(p.pageReport)
	if p.Fit != nil && (p.Fit.Fit == blueprint.FitNot || p.Fit.Fit == blueprint.FitEmpty) {
		s.unfit++
		if len(s.reasons) < 3 {
			s.reasons = append(s.reasons, p.Page+": "+strings.Join(p.Fit.Reasons, ", "))
		}
	}
}

// verdict says that the blueprint does not fit when it fits at most half of the pages
// that could be read.
func (s *fitSum) verdict(a *program) error {
	read := s.pages - len(s.faults)
	if read > 0 && s.unfit*2 >= read && s.unfit > 0 {
		return exitError{curlew.Permanent(watch.ErrUnfit, "the blueprint does not fit %d of %d pages: %s", s.unfit, read,
			strings.Join(s.reasons, "; ")), exitUnfit}
	}
	return s.pageSum.verdict(a, "the blueprint found nothing")
}
