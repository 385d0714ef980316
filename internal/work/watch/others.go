package watch

import (
	"context"
	"slices"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/web/urls"
)

// leastKnown is how many things must be known for a list without any of them to say something.
const leastKnown = 5

// readsOthers says whether rules read another part of a page than the list, such as the menus of a new design: its
// structure is another, they fit only in part or hardly anything is built as it was, and they give nothing that is known.
func (r *checkStep) readsOthers(ctx context.Context, asked pageTask, page curlew.Page, list ListPage) (bool, error) {
	if r.plan.Archive || r.readsText() || r.watch.Fingerprint == "" || r.watch.RulesHash != r.rulesHash() || len(list.Applied.Readings) == 0 {
		return false, nil
	}
	material, err := r.Watching.Material(ctx, page)
	if err != nil || Structure(material) == r.watch.Fingerprint {
		return false, err
	}
	if known, err := r.givesKnown(ctx, list); err != nil || known {
		return false, err
	}
	return list.Applied.Fit.Fit == blueprint.FitPartly || r.redesigned(ctx, asked, material), nil
}

// leastRedesign is the share of the structure of a page from which on another one is another design.
const leastRedesign = 0.5

// redesigned says whether a page is hardly built as at the last check that went well.
func (r *checkStep) redesigned(ctx context.Context, asked pageTask, is extract.Material) bool {
	before, err := r.lastCopy(ctx, asked)
	if err != nil || before == nil {
		return false
	}
	was, err := r.Watching.Material(ctx, *before)
	return err == nil && dom.Compare(was.Document().Fingerprint(), is.Document().Fingerprint()).Distance >= leastRedesign
}

// givesKnown says whether any record is known; it counts as if where few things are.
func (r *checkStep) givesKnown(ctx context.Context, list ListPage) (bool, error) {
	entities, err := r.scope.Entities().Sighted(ctx, r.watch.ID)
	if err != nil || len(entities) < leastKnown {
		return true, err
	}
	known := map[string]bool{}
	for _, e := range entities {
		for _, key := range namesOf(e.ExternalID, e.URL, r.compiled.Blueprint.Kind().TitleOf(e.Fields)) {
			known[key] = true
		}
	}
	return slices.ContainsFunc(list.Applied.Readings, func(one extract.ReadRecord) bool {
		return slices.ContainsFunc(namesOf(one.Record.ExternalID, one.Record.URL, one.Record.Name()), func(key string) bool { return known[key] })
	}), nil
}

// namesOf are the keys by which a thing is known.
func namesOf(id, address, name string) []string {
	all := []string{"id " + id, "at " + urls.Key(address), "is " + text.Letters(name)}
	return slices.DeleteFunc(all, func(key string) bool { return len(key) == len("is ") })
}
