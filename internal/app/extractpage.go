package app

import (
	"context"

	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/work/pages"
)

// ExtractPage reads the records of a page. Nothing is kept.
type ExtractPage struct {
	Page     PageInput         `json:"page"`
	Schema   curlew.SchemaName `json:"schema,omitempty" maxlen:"100"` // "" finds out
	Timezone string            `json:"timezone,omitempty" maxlen:"60"`
}

// Check says what is wrong with the command.
func (c ExtractPage) Check() curlew.Problems {
	all := bounds(c)
	c.Page.check(&all, false)
	all.Add("timezone", ZoneProblem(c.Timezone))
	return all
}

func (c ExtractPage) about() string { return c.Page.URL }

// ExtractPage reads a page by all readers, as "curlew extract" does, with the words and kinds of the org.
func (a *App) ExtractPage(ctx context.Context, who auth.Identity, c ExtractPage) (extract.Extraction, error) {
	c.Page = c.Page.placed()
	return remote(ctx, a.as(who), "extractPage", c, func(ctx context.Context, e *remoteCall) (none extract.Extraction, err error) {
		kind, err := a.kindNamed(ctx, e.org, c.Schema)
		if err != nil {
			return none, err
		}
		page, err := e.material(ctx, e.web(c.Page), extract.RequestSpec{URL: c.Page.URL})
		if err != nil {
			return none, err
		}
		options, err := pages.Options(ctx, a.i.Store.Org(e.org), kind)
		if err != nil {
			return none, err
		}
		options.Zone, options.Asserted = zoneOf(c.Timezone), c.Schema != ""
		return extract.Extract(ctx, page, options), nil
	})
}
