package watch

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/change/publish"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/article"
	"github.com/curlew-data/curlew/internal/work/runs"
)

// What of a page's text is noise: what changed at least so often, and at
// half of the last checks.
const (
	noiseChecks = 8
	leastNoisy  = 3
)

// learnNoise finds the places of a page's text that change at most checks, from its
// archived copies. In a region that a person points at, everything counts.
func (r *checkStep) learnNoise(ctx context.Context) error {
	if !r.readsText() || r.compiled.Blueprint.Records.CSS != "" || len(r.progress.List) == 0 {
		return nil
	}
	pages, err := r.pages(ctx, r.progress.List[:1])
	if err != nil {
		return err
	}
	r.options.Noise, err = r.unsteady(ctx, pages[r.progress.List[0].Page])
	return err
}

// unsteady are the places of a page's text that changed at most of its last checks, by its
// archived copies.
func (r *checkStep) unsteady(ctx context.Context, page curlew.Page) (map[string]bool, error) {
	counts, checks := map[string]int{}, 0
	after, err := r.lines(ctx, page)
	for err == nil && checks < noiseChecks {
		if page, err = r.scope.Pages().Before(ctx, page); err != nil {
			break
		}
		var before []article.PlainBlock
		if before, err = r.lines(ctx, page); err != nil {
			break
		}
		for _, place := range article.Unsteady(before, after) {
			counts[place]++
		}
		after = before
		checks++
	}
	if err := archivedOnly(err); err != nil {
		return nil, err
	}
	noisy := map[string]bool{}
	for place, n := range counts {
		if n >= leastNoisy && 2*n >= checks {
			noisy[place] = true
		}
	}
	return noisy, nil
}

// readsText says whether the watch is of a page's text.
func (r *checkStep) readsText() bool {
	b := r.compiled.Blueprint
	return b.Schema == curlew.SchemaPage && b.ByReaders()
}

// lines are those of an archived copy of the page.
func (r *checkStep) lines(ctx context.Context, page curlew.Page) ([]article.PlainBlock, error) {
	material, err := r.Watching.Material(ctx, page)
	if err != nil {
		return nil, err
	}
	return r.compiled.Lines(material), nil
}

// asReadNow tells of a page's text how its last known copy reads by the rules of now, so
// that what they read otherwise is no change.
func (r *checkStep) asReadNow(ctx context.Context, o *publish.CheckResult, prior publish.Prior) error {
	if !r.readsText() {
		return nil
	}
	for i, seen := range o.Seen {
		at := slices.IndexFunc(prior.Entities, func(e curlew.Entity) bool { return e.ExternalID == seen.Record.ExternalID })
		if at < 0 || prior.Entities[at].Hash == seen.Record.Hash {
			continue
		}
		record, err := r.scope.Records().Get(ctx, prior.Entities[at].Record)
		if err != nil {
			return err
		}
		page, err := r.scope.Pages().Get(ctx, record.Page)
		if errors.Is(err, curlew.ErrNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		applied, err := r.Watching.Apply(ctx, r.compiled, page, r.options)
		if fault := curlew.AsFault(err); fault != nil && fault.Kind != curlew.KindPermanent {
			return err
		}
		if err == nil && len(applied.Readings) == 1 {
			o.Seen[i].Before = applied.Readings[0].Record.Fields
		}
	}
	return nil
}

// noiseLog says what is left out of a page's text.
func noiseLog(noise map[string]bool) []curlew.LogLine {
	if len(noise) == 0 {
		return nil
	}
	places := slices.Sorted(maps.Keys(noise))
	more := ""
	if n := len(places) - mostNamed; n > 0 {
		places, more = places[:mostNamed], fmt.Sprintf(" and %d more", n)
	}
	return []curlew.LogLine{runs.Info("left out, since it changes at most checks: %s%s", strings.Join(places, ", "), more)}
}

// mostNamed is how many places a line of the log names.
const mostNamed = 5

// archivedOnly is an error that is more than a copy which is no longer archived, or was never.
func archivedOnly(err error) error {
	if fault := curlew.AsFault(err); fault != nil && fault.Kind != curlew.KindPermanent {
		return err
	}
	return nil
}
