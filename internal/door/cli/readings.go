package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"curlew/internal/app"
	"curlew/internal/app/auth"
	"curlew/internal/curlew"
	"curlew/internal/extract"
	"curlew/internal/ops/setup"
	"curlew/internal/text"
	"curlew/internal/work/onboard"
)

// readingReport is one reading of a page, as --readings prints it.
type readingReport struct {
	Kind    curlew.SchemaName `json:"kind"`
	Score   float64           `json:"score"` // how likely it is what the page is about, from 0 to 1
	Tier    curlew.Tier       `json:"tier"`
	Single  bool              `json:"single"` // the page is about one thing
	Records []recordReport    `json:"records"`
	Signs   extract.Signs     `json:"signs"` // what speaks for and against it
}

// dryRun reads the pages every way and keeps nothing.
func (c *addCommand) dryRun(a *program) error {
	i, err := a.openToRead(a.Context, "")
	if err != nil {
		return err
	}
	defer i.Close()
	in, err := c.instructions(a, i)
	if err != nil {
		return err
	}
	web := setup.Asking{Fetcher: i.Reading.Reader.Fetcher, Delay: c.Delay}
	if told := in.Told(); told != "" && !a.JSON {
		fmt.Fprintf(a.Out, "%s\n\n", printable(told))
	}
	options, err := a.readingOptions(i)
	if err != nil {
		return err
	}
	for _, address := range c.URLs {
		o := onboard.Onboarding{Proposing: onboard.Proposing{Web: web, Now: a.clock(), Options: options, Step: a.asks}}
		found, told, err := o.Readings(a.Context, address, in)
		a.quiet()
		if err != nil {
			return err
		}
		if told != "" && !a.JSON {
			fmt.Fprintf(a.Out, "%s\n\n", printable(told))
		}
		printReadings(a, address, found, nothingRead(in))
	}
	return nil
}

// printReadings prints the readings of a page, the best first.
func printReadings(a *program, page string, all []extract.Reading, none string) {
	if a.JSON {
		writeJSON(a.Out, map[string]any{"url": page, "readings": readingReports(all)})
		return
	}
	headings := []string{"kind", "likely", "records", "tier", "such as"}
	list(a, all, none, headings, func(r extract.Reading) []string {
		return []string{string(r.Schema), percentOf(r.Score), fmt.Sprint(len(r.Records)), string(r.Tier), text.Clip(names(r.Records), 100)}
	})
}

// nothingRead says that a page has nothing of what was asked for, and what that needs.
func nothingRead(in onboard.Instructions) string {
	var needs []string
	if in.Own != nil {
		for _, f := range in.Own.Fields {
			if f.Required {
				needs = append(needs, f.Name)
			}
		}
	}
	if len(needs) == 0 {
		return "Nothing can be read from this page."
	}
	return fmt.Sprintf("No %s can be read from this page: each needs its %s.", in.Own.Name, strings.Join(needs, ", "))
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

// names are the names of the first records, parted by dots.
func names(records []extract.ReadRecord) string {
	var all []string
	for _, r := range records[:min(len(records), 3)] {
		all = append(all, text.Collapse(r.Record.Name()))
	}
	return printable(strings.Join(all, " · "))
}

// percentOf is a likelihood for people; any page can be read as text, which nothing speaks for.
func percentOf(share float64) string {
	if share == 0 {
		return "-"
	}
	return fmt.Sprintf("%d %%", int(share*100+0.5))
}

// printChoices shows the readings that a person may choose from, and how.
func printChoices(a *program, c curlew.Candidate) {
	var report onboard.CandidateReport
	_ = json.Unmarshal(c.Report, &report) // one of an older Curlew has none
	fmt.Fprintf(a.Out, "It waits for a person to choose. See more: curlew candidates show %s\n", c.ID)
	var rows [][]string
	for n, choice := range report.Choices {
		var such []string
		for _, fields := range choice.Sample {
			such = append(such, printable(text.Collapse(choice.Name(fields))))
		}
		rows = append(rows, []string{fmt.Sprint(n + 1), string(choice.Kind), percentOf(choice.Sure), fmt.Sprint(choice.Count),
			text.Clip(strings.Join(such, " · "), 100)})
	}
	if len(rows) > 0 {
		table(a.Out, []string{"", "kind", "likely", "records", "such as"}, rows)
	}
	fmt.Fprintf(a.Out, "Choose one: curlew candidates choose %s N · none of them: curlew candidates reject %s --why …\n", c.ID, c.ID)
}

type candidatesChoose struct {
	ID     string `arg:"" help:"Id of the candidate."`
	Number int    `arg:"" help:"Number of the reading, as \"curlew candidates show\" lists them."`

	Kind   string            `help:"Read the page as things of this kind; a new name makes a kind of the reading's fields." placeholder:"NAME"`
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

// instructions are what a person says of the site, with the kind that they named.
func (c *addCommand) instructions(a *program, i *setup.Installation) (in onboard.Instructions, err error) {
	org, err := a.org()
	if err != nil {
		return in, err
	}
	kinds, err := i.Store.Org(org).Kinds().All(a.Context)
	if err != nil {
		return in, err
	}
	in = onboard.ReadInstructions(c.Instructions, kinds...)
	if c.Kind != "" {
		kind, err := kinds.ByName(curlew.SchemaName(c.Kind))
		if err != nil {
			return in, exitError{err, exitUsage}
		}
		in.Schema, in.Own = kind.Name, kind.Own()
	}
	return in, nil
}
