package cli

import (
	"fmt"
	"strings"
	"time"

	"curlew/internal/blueprint"
	"curlew/internal/curlew"
	"curlew/internal/dates"
	"curlew/internal/dom"
	"curlew/internal/induce"
	"curlew/internal/language"
	"curlew/internal/normalise"
)

type applyCommand struct {
	targets
	Blueprint string         `help:"The blueprint file." required:"" placeholder:"FILE" type:"existingfile"`
	Format    string         `help:"How to print it: ${enum}." enum:"json,jsonl,csv" default:"json" placeholder:"FORMAT"`
	Explain   bool           `help:"Show for every field which rule found it and where."`
	Delay     *time.Duration `help:"Pause between requests to a host; under 1s only for addresses allowed in configuration." placeholder:"1s"`
}

// applyReport is what a blueprint gave on one page, and how well it fits.
type applyReport struct {
	pageReport
	Fit *blueprint.Verdict `json:"fit,omitempty"`
}

// Run reads each target by the blueprint.
func (c *applyCommand) Run(a *app) error {
	b, err := readBlueprint(c.Blueprint)
	if err != nil {
		return err
	}
	compiled, err := blueprint.Compile(b)
	if err != nil {
		return err
	}
	all, err := c.list()
	if err != nil {
		return err
	}
	zone, err := c.zone()
	if err != nil {
		return err
	}
	web := &loner{delay: c.Delay}
	defer web.close()
	printer := (&extractCommand{targets: c.targets, Format: c.Format, Explain: c.Explain}).printer(a)
	sum := fitSum{}
	err = eachPage(a, all, func(one target) applyReport {
		return applyPage(a, one, web, compiled, zone)
	}, func(p applyReport) error {
		sum.add(p)
		if c.ByPage {
			return lines(a.Out).Encode(p)
		}
		return printer.page(p.pageReport)
	})
	if err == nil {
		err = printer.end()
	}
	if err != nil {
		return err
	}
	return sum.verdict(a)
}

func applyPage(a *app, one target, web *loner, c *blueprint.Compiled, zone *time.Location) applyReport {
	report := applyReport{pageReport: pageReport{Page: one.name, Records: []recordReport{}}}
	material, err := a.material(one, web)
	if err != nil {
		report.Fault = curlew.AsFault(err)
		return report
	}
	began := time.Now()
	doc := material.Document()
	b := c.Blueprint()
	context := contextOf(b, doc, material.Now, zone)
	result := c.Apply(blueprint.Page{Document: doc, Now: material.Now, Lang: context.Lang})
	fit := blueprint.Fits(result, b.Expect)
	if fit.Fit == blueprint.FitEmpty {
		fit.Reasons = append(fit.Reasons, emptyWords[induce.WhyEmpty(b, doc)])
	}
	report.Fit, report.Tier, report.Schema = &fit, b.Tier, string(b.Schema)
	if result.Cut != "" {
		report.Notes = append(report.Notes, result.Cut)
	}
	for _, d := range result.Drafts {
		if r := recordOf(d, context); curlew.Whole(r.Schema, r.Fields) {
			report.Records = append(report.Records, r)
		}
	}
	if n := len(result.Drafts) - len(report.Records); n > 0 {
		report.Notes = append(report.Notes, fmt.Sprintf("%d records lack what the schema requires and are left out", n))
	}
	report.Millis = time.Since(began).Milliseconds()
	return report
}

// emptyWords say why a page gives no records.
var emptyWords = map[induce.Emptiness]string{
	induce.NothingToday: "what held them is there and empty: nothing today, it seems",
	induce.Blocked:      "it turns machines away",
	induce.Broken:       "what held them is gone: \"curlew heal\" may repair it",
}

// recordOf normalises a draft; the fields of a schema of the user's own stay as found.
func recordOf(d curlew.Draft, context normalise.Context) recordReport {
	r := recordReport{Schema: d.Schema, ExternalID: d.ExternalID, URL: d.URL, Confidence: d.Confidence, Fields: d.Fields,
		Text: d.Text, Node: d.Node, Provenance: d.Provenance}
	if d.Schema != blueprint.SchemaCustom {
		record, _ := normalise.Record(d, context)
		r.ExternalID, r.URL, r.Fields, r.Provenance = record.ExternalID, record.URL, record.Fields, record.Provenance
	}
	return r
}

// contextOf is what values need to be read: from the page, the blueprint and the
// command line, the last one deciding.
func contextOf(b *blueprint.Blueprint, doc *dom.Document, now time.Time, zone *time.Location) normalise.Context {
	tag, _ := language.Of(doc)
	c := normalise.Context{Now: now, Zone: zone, Lang: tag, Base: doc.URL().String()}
	if x := b.Context; x != nil {
		if x.Language != "" {
			c.Lang = x.Language
		}
		c.Country, c.Currency = x.Country, x.Currency
		if c.Zone == nil && x.Timezone != "" {
			c.Zone, _ = time.LoadLocation(x.Timezone)
		}
		c.Order = map[string]dates.Order{"day_first": dates.DayFirst, "month_first": dates.MonthFirst}[x.DateOrder]
	}
	return c
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
func (s *fitSum) verdict(a *app) error {
	read := s.pages - len(s.faults)
	if read > 0 && s.unfit*2 >= read && s.unfit > 0 {
		return exitError{curlew.Permanent("does_not_fit", "the blueprint does not fit %d of %d pages: %s", s.unfit, read, strings.Join(s.reasons, "; ")), exitUnfit}
	}
	return s.pageSum.verdict(a, "the blueprint found nothing")
}
