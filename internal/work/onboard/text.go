package onboard

import (
	"bytes"
	"context"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/read/article"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/web/fetch"
	"github.com/curlew-data/curlew/internal/work/pages"
)

// TextOf is the blueprint that reads a page as its text; region is the CSS selector of the
// part that somebody points at, or "".
func TextOf(region string) *blueprint.Blueprint {
	return &blueprint.Blueprint{Language: 1, Schema: curlew.SchemaPage, Page: curlew.PageSingle, Tier: curlew.TierHTML,
		Records: &blueprint.Selector{Shape: blueprint.ShapeReaders, CSS: region}, Fields: map[string]blueprint.FieldRules{}}
}

// asText is the blueprint that reads the page as its text: the part that somebody points
// at, or its main part without what differs between two looks at once.
func (l *Search) asText(ctx context.Context) *blueprint.Blueprint {
	b := TextOf(l.Selector)
	if l.Selector == "" {
		b.Records.Without = l.restless(ctx)
	}
	return b
}

// restless are the parts of the page that are not the same when it is asked for once more.
func (l *Search) restless(ctx context.Context) []string {
	if l.Step != nil {
		l.Step(l.Home.URL + " once more")
	}
	return Restless(ctx, l.Proposing.Web, l.Home)
}

// Restless are the parts of a page that are not the same when it is asked for twice in a
// row: counters, clocks, teasers by chance. What cannot be had a second time is taken as
// it is.
func Restless(ctx context.Context, web pages.PageSource, home extract.Material) []string {
	again, err := web.Fetch(ctx, fetch.PageRequest{URL: home.URL, Adapter: home.Adapter})
	if err != nil || again.Page.Outcome != curlew.OutcomeFetched {
		return nil
	}
	copied := pages.MaterialOf(again, home.Now)
	if bytes.Equal(copied.Body, home.Body) {
		return nil
	}
	lines := func(m extract.Material) []article.PlainBlock {
		return article.PlainBlocks(m.Document(), article.PlainOptions{Now: m.Now})
	}
	return article.LeftOut(lines(home), lines(copied))
}
