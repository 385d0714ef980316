package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/learn/quality"
	"github.com/curlew-data/curlew/internal/ops/setup"
	"github.com/curlew-data/curlew/internal/read/normalise"
	"github.com/curlew-data/curlew/internal/testkit/demo"
)

// siteAudit is the audit of one site of the sample web.
type siteAudit struct {
	Site   string               `json:"site"`
	Schema curlew.SchemaName    `json:"schema"`
	Source curlew.SourceID      `json:"source_id,omitempty"`
	Fault  *curlew.Fault        `json:"fault,omitempty"` // it could not be taken in
	Report *quality.AuditReport `json:"report,omitempty"`
}

// unaudited are the sites of the sample web that no source can come of: they never end,
// misbehave, or list nothing.
var unaudited = []string{"trap", "rude", "blog", "menu"}

// runDemo takes the sites of the sample web in, each from its address alone, and holds
// what was read against what is true.
func (c *auditCommand) runDemo(a *program) error {
	ctx, end := context.WithCancel(a.Context)
	defer end()
	a.Context = ctx
	today, hurry := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC), curlew.Duration(0)
	web := demo.New(demo.Options{Seed: 1, Today: today})
	if err := web.Start(ctx, demo.Addresses{}); err != nil {
		return err
	}
	defer web.Wait()
	defer end()
	a.reachSampleWeb(web, "")
	forget, err := a.freshFolder()
	if err != nil {
		return err
	}
	defer forget()
	a.now, a.delay = worldClock(today, &atomic.Int64{}), &hurry
	i, err := a.openToRead(ctx, "")
	if err != nil {
		return err
	}
	defer i.Close()
	sites, err := c.sites(a, web, i)
	if err != nil {
		return err
	}
	var all []siteAudit
	a.working(i, func() {
		for _, site := range sites {
			a.asks(site.Name)
			all = append(all, a.auditSite(i, web, site))
			a.quiet()
		}
	})
	if ctx.Err() != nil {
		return curlew.Temporary("interrupted", "interrupted")
	}
	return c.tell(a, all)
}

// sites are those that are wanted, or all that can be read here.
func (c *auditCommand) sites(a *program, web *demo.Web, i *setup.Installation) ([]demo.Site, error) {
	var chosen []demo.Site
	for _, name := range c.Site {
		site, err := web.Site(name)
		if err != nil {
			return nil, exitError{err, exitUsage}
		}
		chosen = append(chosen, site)
	}
	if len(chosen) > 0 {
		return chosen, nil
	}
	return slices.DeleteFunc(web.Sites(), func(s demo.Site) bool {
		return s.Schema == "" || slices.Contains(unaudited, s.Name) || s.Name == "spa" && i.Reading.Browser == nil
	}), nil
}

// auditSite takes one site in, and compares.
func (a *program) auditSite(i *setup.Installation, web *demo.Web, site demo.Site) siteAudit {
	one := siteAudit{Site: site.Name, Schema: site.Schema}
	silent, grammar := *a, *a.commands
	grammar.JSON = true
	silent.commands = &grammar
	add := addCommand{Priority: "normal"}
	taken, err := add.addAddress(&silent, i, curlew.DefaultOrg, site.URL())
	if err == nil && taken.Candidate.Status != curlew.CandidateDeployed {
		why := taken.Candidate.Status
		if n := len(taken.Moves); n > 0 {
			err = curlew.Permanent("not_deployed", "it is %s: %s", why, taken.Moves[n-1].Why)
		}
	}
	if one.Source = taken.Candidate.Source; err != nil {
		one.Fault = curlew.AsFault(err)
		return one
	}
	truth, err := truthOf(web, site)
	if err != nil {
		one.Fault = curlew.AsFault(err)
		return one
	}
	report, err := useCases(i).AuditSource(a.Context, operator(curlew.DefaultOrg), one.Source, truth)
	if err != nil {
		one.Fault = curlew.AsFault(err)
		return one
	}
	one.Report = &report
	return one
}

// truthOf is what is true of a site, as a truth file has it: the fields that its pages
// show, in Curlew's spelling where that is one of several.
func truthOf(web *demo.Web, site demo.Site) ([]quality.TruthRow, error) {
	things, err := web.Truth(site.Name)
	if err != nil {
		return nil, err
	}
	shared := map[string]int{}
	for _, thing := range things {
		shared[thing.URL]++
	}
	var lines bytes.Buffer
	for _, thing := range things {
		row := quality.TruthRow{Schema: thing.Schema, Page: thing.URL, Fields: curlew.Values{}, Also: thing.Also}
		if shared[thing.URL] == 1 { // a page of many has no address of one
			row.URL = thing.URL
		}
		for _, name := range site.Fields {
			if value, ok := thing.Fields[name]; ok {
				row.Fields[name] = canonicalValue(thing.Schema, name, value)
			}
		}
		line, err := json.Marshal(row)
		if err != nil {
			return nil, err
		}
		lines.Write(append(line, '\n'))
	}
	return quality.ReadTruth(&lines, curlew.Schemas())
}

// canonicalValue gives kinds of employment and phone numbers the one spelling that they have in
// Curlew, whatever the site's.
func canonicalValue(schema curlew.SchemaName, name string, value any) any {
	if name != "employment_type" && name != "phone" {
		return value
	}
	record, _ := normalise.Record(curlew.Draft{Schema: schema, Fields: curlew.Values{"title": "x", "name": "x", name: value}},
		normalise.Context{})
	if is, ok := record.Fields[name]; ok {
		return is
	}
	return value
}

// tell prints the audits, and adds them up.
func (c *auditCommand) tell(a *program, all []siteAudit) error {
	sum := quality.AuditReport{Classes: map[quality.MismatchClass]int{}}
	var failed error
	var rows [][]string
	for _, one := range all {
		if one.Fault != nil {
			failed = one.Fault
			rows = append(rows, []string{one.Site, string(one.Schema), "–", "–", "–", "–", one.Fault.Sentence})
			continue
		}
		r := one.Report
		sum.Rows, sum.Matched, sum.Whole, sum.Checked, sum.Right = sum.Rows+r.Rows, sum.Matched+r.Matched, sum.Whole+r.Whole,
			sum.Checked+r.Checked, sum.Right+r.Right
		for class, n := range r.Classes {
			sum.Classes[class] += n
		}
		rows = append(rows, []string{one.Site, string(one.Schema), fmt.Sprintf("%d/%d", r.Matched, r.Rows),
			fmt.Sprintf("%d/%d", r.Right, r.Checked), fmt.Sprintf("%.1f%%", r.Accuracy),
			fmt.Sprint(r.Extra), classWords(r.Classes)})
	}
	if sum.Checked > 0 {
		sum.Accuracy = float64(1000*sum.Right/sum.Checked) / 10
	}
	switch {
	case a.JSON:
		writeJSON(a.Out, all)
	case len(all) == 1 && all[0].Report != nil:
		fmt.Fprint(a.Out, all[0].Report.Text(100))
	default:
		rows = append(rows, []string{"all", "", fmt.Sprintf("%d/%d", sum.Matched, sum.Rows), fmt.Sprintf("%d/%d", sum.Right, sum.Checked),
			fmt.Sprintf("%.1f%%", sum.Accuracy), "", classWords(sum.Classes)})
		table(a.Out, []string{"site", "schema", "found", "values right", "", "extra", "mismatches"}, rows)
	}
	if failed != nil {
		return failed
	}
	return c.enough(sum)
}
