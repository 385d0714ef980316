package app

import (
	"context"
	"time"

	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/learn/quality"
	"github.com/curlew-data/curlew/internal/work/watch"
)

// AuditSource compares the entities of a source with rows that are known to be true.
// Archived pages of what differs tell whether the site or the reading is wrong.
func (a *App) AuditSource(
	ctx context.Context, who auth.Identity, id curlew.SourceID, truth []quality.TruthRow,
) (none quality.AuditReport, err error) {
	scope, err := a.Read(who)
	if err != nil {
		return none, err
	}
	if _, err := scope.Sources().Get(ctx, id); err != nil {
		return none, err
	}
	records, err := recordsOf(ctx, scope, id)
	if err != nil {
		return none, err
	}
	report := quality.Audit(ctx, truth, records)
	reading := a.i.Reading
	if len(report.Mismatches) == 0 || reading == nil || reading.Archive == nil {
		return report, ctx.Err()
	}
	wrong, readFrom := map[int]bool{}, map[string]curlew.PageID{}
	for _, m := range report.Mismatches {
		wrong[m.Line] = true
	}
	for _, r := range records {
		readFrom[r.URL] = r.Page
	}
	archived := archivedRows{scope: scope, watching: &watch.Watching{Reader: reading.Reader, Past: reading.Archive}}
	for n := range truth {
		if wrong[truth[n].Line] {
			archived.attach(ctx, &truth[n], readFrom[truth[n].URL])
		}
	}
	return quality.Audit(ctx, truth, records), ctx.Err()
}

// archivedRows finds the archived pages of rows of truth.
type archivedRows struct {
	scope    store.Scope
	watching *watch.Watching
}

// attach gives a row its page: the one that a person read, the entity's detail page, or
// the one that it was read from, whichever is archived.
func (a archivedRows) attach(ctx context.Context, row *quality.TruthRow, readFrom curlew.PageID) {
	for _, page := range a.pages(ctx, row, readFrom) {
		material, err := a.watching.Material(ctx, page)
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

func (a archivedRows) pages(ctx context.Context, row *quality.TruthRow, readFrom curlew.PageID) (all []curlew.Page) {
	for _, address := range []string{row.Page, row.URL} {
		if page, err := a.scope.Pages().At(ctx, address, time.Time{}); address != "" && err == nil {
			all = append(all, page)
		}
	}
	if page, err := a.scope.Pages().Get(ctx, readFrom); readFrom != "" && err == nil {
		all = append(all, page)
	}
	return all
}

// recordsOf are the entities of a source that are not removed, as records with their evidence.
func recordsOf(ctx context.Context, scope store.Scope, source curlew.SourceID) ([]curlew.Record, error) {
	const window = 1000
	kinds, err := scope.Kinds().All(ctx)
	if err != nil {
		return nil, err
	}
	var all []curlew.Record
	for after := ""; ; {
		some, err := scope.Entities().List(ctx, store.EntityFilter{Source: source}, store.Window{After: after, Limit: window})
		if err != nil {
			return nil, err
		}
		for _, e := range some {
			after = string(e.ID)
			if e.Status == curlew.EntityRemoved {
				continue
			}
			r := curlew.Record{Schema: e.Schema, Own: kinds.Kind(e.Schema).Own(), ExternalID: e.ExternalID, URL: e.URL, Fields: e.Fields}
			if kept, err := scope.Records().Get(ctx, e.Record); err == nil {
				r.Provenance, r.Page = kept.Provenance, kept.Page
			}
			all = append(all, r)
		}
		if len(some) < window {
			return all, nil
		}
	}
}
