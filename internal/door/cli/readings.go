package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/ops/setup"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/work/onboard"
)

// readingReport is one reading of a page, as --readings prints it.
type readingReport struct {
	Kind    curlew.SchemaName `json:"kind"`
	Score   float64           `json:"score"` // how likely it is what the page is about, from 0 to 1
	Tier    curlew.Tier       `json:"tier"`
	URL     string            `json:"url,omitempty"` // where it is read, where that may be another page
	Single  bool              `json:"single"`        // the page is about one thing
	Records []recordReport    `json:"records"`
	Signs   extract.Features  `json:"signs"` // what speaks for and against it
}

func readingReports(all []extract.Reading) []readingReport {
	reports := []readingReport{}
	for _, r := range all {
		var page pageReport
		page.take(extract.Extraction{Schema: r.Schema, Tier: r.Tier, Readings: r.Records})
		reports = append(reports, readingReport{Kind: r.Schema, Score: r.Score, Tier: r.Tier, Single: r.Single,
			Records: page.Records, Signs: r.Signs})
	}
	return reports
}

// dryRun reads the pages as adding them would, and keeps nothing.
func (c *addCommand) dryRun(a *program) error {
	return c.reading(a, func(i *setup.Installation, org curlew.OrgID) error {
		for _, address := range c.URLs {
			offer, err := useCases(i).PreviewCandidate(a.Context, operator(org), c.proposal(address))
			a.quiet()
			if told := offer.Analysis.Understood; told != "" && !a.JSON {
				fmt.Fprintf(a.Out, "%s\n\n", printable(told))
			}
			if err != nil {
				return err
			}
			c.printOffer(a, address, offer)
		}
		return nil
	})
}

func (c *addCommand) printOffer(a *program, address string, offer onboard.Offer) {
	if !a.JSON {
		printFound(a, offer.Found())
		for _, p := range offer.Readings {
			if p.URL != address {
				fmt.Fprintf(a.Out, "%s is read from %s\n", p.Schema, printable(p.URL))
			}
		}
		fmt.Fprintf(a.Out, "%s: %s\n", offer.Verdict, printable(offer.Why))
		return
	}
	var all []extract.Reading
	for _, p := range offer.Readings {
		all = append(all, p.Reading())
	}
	reports := readingReports(all)
	for i, p := range offer.Readings {
		reports[i].URL = p.URL
	}
	writeJSON(a.Out, map[string]any{"url": address, "readings": reports, "verdict": offer.Verdict, "why": offer.Why})
}

// printFound prints what a page can be read as, the best first and numbered.
func printFound(a *program, all []onboard.Finding) {
	var rows [][]string
	for n, f := range all {
		rows = append(rows, []string{fmt.Sprint(n + 1), string(f.Kind), orDash(curlew.Likelihood(f.Sure)), fmt.Sprint(f.Count), string(f.Tier),
			text.Clip(printable(strings.Join(f.Names, " · ")), 100)})
	}
	if len(rows) > 0 {
		table(a.Out, []string{"", "kind", "likely", "records", "tier", "such as"}, rows)
	}
}

// printChoices shows the readings that a person may choose from, and how.
func printChoices(a *program, c curlew.Candidate) {
	report := onboard.ReportOf(c)
	fmt.Fprintf(a.Out, "It waits for a person to choose. See more: curlew candidates show %s\n%s\n", c.ID, printable(report.Why))
	printFound(a, report.Findings())
	fmt.Fprintf(a.Out, "Choose one: curlew candidates choose %s N · none of them: curlew candidates reject %s --why …\n", c.ID, c.ID)
}

type candidatesChoose struct {
	ID     string `arg:"" help:"Id of the candidate."`
	Number int    `arg:"" help:"Number of the reading, as \"curlew candidates show\" lists them."`

	Kind   string            `help:"Read the page as this kind; a new name makes a kind from the fields of the reading." placeholder:"NAME"`
	Fields map[string]string `help:"With a new kind: another name for a field of the reading, OLD=NEW. May be repeated." placeholder:"OLD=NEW" mapsep:","`
}

func (c candidatesChoose) Run(a *program) error {
	return useOn(a, c.ID, func(ctx context.Context, use *app.App, who auth.Identity, id curlew.CandidateID) error {
		candidate, err := use.ChooseCandidateReading(ctx, who,
			app.ChooseCandidateReading{ID: id, Reading: c.Number, Kind: c.Kind, Fields: c.Fields})
		if err != nil {
			return err
		}
		if c.Kind != "" {
			a.say(candidate, "%s is read again as %s: follow it with \"curlew candidates show %[1]s\".", id, c.Kind)
			return nil
		}
		a.say(candidate, "%s is deployed with reading %d: its watch is due now.", id, c.Number)
		return nil
	})
}
