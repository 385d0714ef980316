package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"curlew/internal/curlew"
	"curlew/internal/data/store"
	"curlew/internal/learn/quality"
	"curlew/internal/ops/setup"
	"curlew/internal/work/watch"
)

type auditCommand struct {
	Source string   `help:"Source to audit." placeholder:"ID"`
	Truth  string   `help:"What is true of it, as JSON lines; see docs/onboarding.md." placeholder:"FILE" type:"path"`
	Demo   bool     `help:"Take the sample web in and audit it against its own truth."`
	Site   []string `help:"With --demo: only these sites; of a single one every mismatch is shown." placeholder:"NAME"`
	Least  float64  `help:"Exit 3 when fewer values are right, in percent." default:"0" placeholder:"PERCENT"`
}

// Validate says what is missing.
func (c *auditCommand) Validate() error {
	switch {
	case c.Demo && (c.Source != "" || c.Truth != ""):
		return errors.New("--demo has sources and truth of its own: leave out --source and --truth")
	case !c.Demo && (c.Source == "" || c.Truth == ""):
		return errors.New("an audit needs --source and --truth, or --demo")
	case len(c.Site) > 0 && !c.Demo:
		return errors.New("--site is for --demo")
	case c.Least < 0 || c.Least > 100:
		return fmt.Errorf("--least is %g: it must be from 0 to 100", c.Least)
	}
	return nil
}

func (c *auditCommand) Run(a *program) error {
	if c.Demo {
		return c.runDemo(a)
	}
	truth, err := readTruth(c.Truth)
	if err != nil {
		return err
	}
	id, err := parseID[curlew.SourceID](c.Source)
	if err != nil {
		return err
	}
	return a.within(func(ctx context.Context, i *setup.Installation, org curlew.OrgID) error {
		scope := i.Store.Org(org)
		if _, err := scope.Sources().Get(ctx, id); err != nil {
			return err
		}
		if err := i.OpenReading(ctx, i.Config.Archive.Location); err != nil {
			return err
		}
		report, err := audit(ctx, i, scope, id, truth)
		if err != nil {
			return err
		}
		if a.JSON {
			writeJSON(a.Out, report)
		} else {
			fmt.Fprint(a.Out, report.Text(100))
		}
		return c.enough(report)
	})
}

func readTruth(path string) ([]quality.TruthRow, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, usage("%s cannot be read: check its name and mode", path)
	}
	defer file.Close()
	rows, err := quality.ReadTruth(file)
	if err != nil {
		return nil, exitError{err, exitUsage}
	}
	if len(rows) == 0 {
		return nil, usage("%s has no rows", path)
	}
	return rows, nil
}

// enough says whether so many values are right as were wanted.
func (c *auditCommand) enough(r quality.AuditReport) error {
	if r.Accuracy < c.Least {
		return exitError{curlew.Permanent("audit_failed", "%.1f %% of the values are right, less than %g %%", r.Accuracy, c.Least), exitUnfit}
	}
	return nil
}

// audit holds what is known of a source against the truth. The pages of what differs
// are taken from the archive, to tell whose fault it is.
func audit(
	ctx context.Context, i *setup.Installation, scope store.Scope, source curlew.SourceID, truth []quality.TruthRow,
) (quality.AuditReport, error) {
	records, err := recordsOf(ctx, scope, source)
	if err != nil {
		return quality.AuditReport{}, err
	}
	report := quality.Audit(truth, records)
	if len(report.Mismatches) == 0 || i.Reading == nil || i.Reading.Archive == nil {
		return report, nil
	}
	wrong, readFrom := map[int]bool{}, map[string]curlew.PageID{}
	for _, m := range report.Mismatches {
		wrong[m.Line] = true
	}
	for _, r := range records {
		readFrom[r.URL] = r.Page
	}
	watching := &watch.Watching{Reader: i.Reading.Reader, Past: i.Reading.Archive}
	for n := range truth {
		if wrong[truth[n].Line] {
			exhibit(ctx, scope, watching, &truth[n], readFrom[truth[n].URL])
		}
	}
	return quality.Audit(truth, records), nil
}

// exhibit gives a row its page: the one that a person looked at, the thing's own, or the
// one that it was read from, as far as one of them is archived.
func exhibit(ctx context.Context, scope store.Scope, watching *watch.Watching, row *quality.TruthRow, readFrom curlew.PageID) {
	var pages []curlew.Page
	for _, address := range []string{row.Page, row.URL} {
		if page, err := scope.Pages().At(ctx, address, time.Time{}); address != "" && err == nil {
			pages = append(pages, page)
		}
	}
	if page, err := scope.Pages().Get(ctx, readFrom); readFrom != "" && err == nil {
		pages = append(pages, page)
	}
	for _, page := range pages {
		material, err := watching.Material(ctx, page)
		if err != nil || material.Document().IsJSON() {
			continue
		}
		row.Document = material.Document()
		if row.Options.Now.IsZero() {
			row.Options.Now = page.FetchedAt
		}
		return
	}
}

// recordsOf are the living entities of a source as records, with their evidence.
func recordsOf(ctx context.Context, scope store.Scope, source curlew.SourceID) ([]curlew.Record, error) {
	var all []curlew.Record
	for after := ""; ; {
		some, err := scope.Entities().List(ctx, store.EntityFilter{Source: source}, store.Window{After: after, Limit: 1000})
		if err != nil {
			return nil, err
		}
		for _, e := range some {
			after = string(e.ID)
			if e.Status == curlew.EntityRemoved {
				continue
			}
			r := curlew.Record{Schema: e.Schema, ExternalID: e.ExternalID, URL: e.URL, Fields: e.Fields}
			if kept, err := scope.Records().Get(ctx, e.Record); err == nil {
				r.Provenance, r.Page = kept.Provenance, kept.Page
			}
			all = append(all, r)
		}
		if len(some) < 1000 {
			return all, nil
		}
	}
}

// classWords counts mismatches by class in a line, in the order of reports.
func classWords(classes map[quality.MismatchClass]int) string {
	var words []string
	for _, class := range quality.MismatchClasses() {
		if n := classes[class]; n > 0 {
			words = append(words, fmt.Sprintf("%d %s", n, class))
		}
	}
	if len(words) == 0 {
		return "–"
	}
	return strings.Join(slices.Clip(words), ", ")
}
