package mcp

import (
	"context"
	"encoding/json"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/change/syndicate"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
)

type page struct {
	URL  string `json:"url,omitempty" jsonschema:"address of the page, which is asked; with html only what its links are relative to"`
	HTML string `json:"html,omitempty" jsonschema:"the page itself, instead of asking for it"`
	Zone string `json:"timezone,omitempty" jsonschema:"of times that name none, such as Europe/Warsaw"`
}

type extractPage struct {
	page
	Kind    string `json:"kind,omitempty" jsonschema:"what the page is about; found out where it is not given"`
	Explain bool   `json:"explain,omitempty" jsonschema:"with the evidence of each value"`
	rows
}

type testBlueprint struct {
	page
	ID        string         `json:"blueprint_id,omitempty" jsonschema:"a blueprint of a site, as get_site names it"`
	Blueprint map[string]any `json:"blueprint,omitempty" jsonschema:"a blueprint itself, instead of the id of one"`
	Follow    int            `json:"follow,omitempty" jsonschema:"read the detail pages of so many records, at most 10"`
	rows
}

// record is what was read of a page.
type record struct {
	Kind       curlew.SchemaName          `json:"kind"`
	URL        string                     `json:"url,omitempty"`
	Confidence float64                    `json:"confidence,omitempty"`
	Fields     curlew.Values              `json:"fields"`
	Evidence   map[string]curlew.Evidence `json:"evidence,omitempty"`
}

type extracted struct {
	Kind    curlew.SchemaName `json:"kind,omitempty"`
	Tier    curlew.Tier       `json:"tier,omitempty"`
	Count   int               `json:"count"` // of all records
	Records []record          `json:"records"`
	Notes   []string          `json:"notes,omitempty"`
}

type tested struct {
	extracted
	URL     string   `json:"url"`
	Fit     string   `json:"fit"`
	Lost    []string `json:"lost_fields,omitempty"`
	Reasons []string `json:"reasons,omitempty"`
	Score   int      `json:"score"` // of the quality of its records, from 0 to 100
	Faults  []string `json:"faults,omitempty"`
}

func (c *conversation) addPageTools() {
	offer(c, doing{name: "extract_page", needs: auth.EditBlueprints, reads: true, open: true,
		about: "Read the records of one page at once, without adding its site: events, products, jobs, articles, organizations or plain " +
			"items. Nothing is kept."}, c.extractPage)
	offer(c, doing{name: "test_blueprint", needs: auth.EditBlueprints, reads: true, open: true,
		about: "Read a page by a blueprint (how a site is read) and say whether it still fits. Nothing is kept."}, c.testBlueprint)
}

func (c *conversation) extractPage(ctx context.Context, who auth.Identity, in extractPage) (extracted, error) {
	e, err := c.App.ExtractPage(ctx, who, app.ExtractPage{Page: app.PageInput{URL: in.URL, HTML: in.HTML},
		Schema: curlew.SchemaName(in.Kind), Timezone: in.Zone})
	if err == nil && e.Fault != nil {
		err = e.Fault
	}
	out := extracted{Kind: e.Schema, Tier: e.Tier, Count: len(e.Readings), Records: records(e.Readings, in.Explain, *in.Limit), Notes: e.Notes}
	return out, err
}

func (c *conversation) testBlueprint(ctx context.Context, who auth.Identity, in testBlueprint) (out tested, err error) {
	command := app.TestBlueprint{Page: app.PageInput{URL: in.URL, HTML: in.HTML}, Timezone: in.Zone, Follow: in.Follow}
	if command.ID, err = optional[curlew.BlueprintID]("blueprint_id", in.ID); err != nil {
		return out, err
	}
	if in.Blueprint != nil {
		if command.Rules, err = json.Marshal(in.Blueprint); err != nil {
			return out, err
		}
	}
	t, err := c.App.TestBlueprint(ctx, who, command)
	if err != nil {
		return out, err
	}
	a := t.Applied
	out = tested{URL: t.URL, Fit: string(a.Fit.Fit), Lost: a.Fit.Fields, Reasons: a.Fit.Reasons, Score: t.Trial.Score}
	out.Count, out.Records, out.Notes = len(a.Readings), records(a.Readings, false, *in.Limit), a.Notes
	if a.Fault != nil {
		t.Faults = append(t.Faults, a.Fault)
	}
	for _, f := range t.Faults {
		out.Faults = append(out.Faults, f.Sentence)
	}
	return out, nil
}

// records are the first of some readings, with values as people write them.
func records(all []extract.ReadRecord, explain bool, limit int) []record {
	out := []record{}
	for _, r := range all[:min(len(all), limit)] {
		one := record{Kind: r.Record.Schema, URL: r.Record.URL, Confidence: r.Confidence,
			Fields: syndicate.Written(r.Record.Kind(), r.Record.Fields)}
		if explain {
			one.Evidence = r.Record.Provenance
		}
		out = append(out, one)
	}
	return out
}
