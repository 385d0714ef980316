package watch

import (
	"context"
	"errors"
	"reflect"
	"slices"

	"github.com/curlew-data/curlew/internal/change/publish"
	"github.com/curlew-data/curlew/internal/curlew"
)

// newerThanDetails are the fields that the list says otherwise than its last copy did, of records whose
// detail pages were not read at this check: what the pages said before is older.
func (r *checkStep) newerThanDetails(
	ctx context.Context, list ListReading, known map[string]curlew.Sighting, details map[string]detail,
) (map[string]curlew.Values, error) {
	newer, copies := map[string]curlew.Values{}, map[curlew.PageID]map[string]curlew.Values{}
	for _, one := range list.Records {
		id := one.Record.ExternalID
		was := known[id]
		if was.Detail == nil || was.Listed == one.Hash || details[id].record != nil || one.Page.Run != r.run.ID {
			continue
		}
		if _, read := copies[one.Page.ID]; !read {
			page, err := r.scope.Pages().Before(ctx, one.Page)
			if err == nil {
				copies[one.Page.ID], err = r.fieldsOf(ctx, page)
			}
			if err := archivedOnly(err); err != nil {
				return nil, err
			}
		}
		before, listed := copies[one.Page.ID][id]
		for name, value := range one.Record.Fields {
			if listed && !reflect.DeepEqual(before[name], value) {
				if newer[id] == nil {
					newer[id] = curlew.Values{}
				}
				newer[id][name] = value
			}
		}
	}
	return newer, nil
}

// rulesHash names what a run reads by.
func (r *checkStep) rulesHash() string {
	return string(r.progress.Blueprint) + "/" + r.Watching.Version
}

// fingerprint takes down the structure of the first page of the list.
func (r *checkStep) fingerprint(ctx context.Context) error {
	if len(r.progress.List) == 0 {
		return nil
	}
	pages, err := r.pages(ctx, r.progress.List[:1])
	if err != nil {
		return err
	}
	material, err := r.Watching.Material(ctx, pages[r.progress.List[0].Page])
	if err != nil {
		return err
	}
	r.structure = Structure(material)
	return nil
}

// snapshot is the hash of all pages that the run read.
func (r *checkStep) snapshot(ctx context.Context) (string, error) {
	tasks := slices.Concat(r.progress.List, r.progress.Details)
	if r.plan.Archive && r.watch.SnapshotHash != "" {
		if same, err := r.sameBytes(ctx, tasks); err != nil || same {
			return r.watch.SnapshotHash, err
		}
	}
	pages, err := r.pages(ctx, tasks)
	if err != nil {
		return "", err
	}
	var digests []string
	for _, s := range tasks {
		digests = append(digests, s.Key()+" "+pages[s.Page].Digest)
	}
	slices.Sort(digests)
	return SnapshotHash(digests), nil
}

// prior is what was known before the run.
func (r *checkStep) prior(ctx context.Context, o publish.CheckResult) (publish.Prior, error) {
	p := publish.Prior{Hold: r.watch.Held, Elsewhere: map[curlew.EntityID]bool{}, SnapshotHash: r.watch.SnapshotHash,
		RulesHash: r.watch.RulesHash}
	ids := publish.Leads(o)
	var err error
	if p.Entities, err = r.scope.Entities().SightedOrFinished(ctx, r.watch.ID); err != nil {
		return p, err
	}
	if p.Sightings, err = r.scope.Entities().Sightings(ctx, r.watch.ID); err != nil {
		return p, err
	}
	if p.Aliases, err = r.scope.Entities().Aliases(ctx, r.watch.Source, o.Kind.Name, ids); err != nil {
		return p, err
	}
	byID, err := r.scope.Entities().ByExternalIDs(ctx, r.watch.Source, o.Kind.Name, ids)
	if err != nil {
		return p, err
	}
	var led []curlew.EntityID
	for _, a := range p.Aliases {
		led = append(led, a.Entity)
	}
	byAlias, err := r.scope.Entities().ByIDs(ctx, led)
	if err != nil {
		return p, err
	}
	has := map[curlew.EntityID]bool{}
	for _, e := range p.Entities {
		has[e.ID] = true
	}
	for _, e := range slices.Concat(byID, byAlias) {
		if !has[e.ID] {
			has[e.ID] = true
			p.Entities = append(p.Entities, e)
		}
	}
	elsewhere, err := r.scope.Entities().SightedByOtherWatches(ctx, r.watch.ID)
	for _, id := range elsewhere {
		p.Elsewhere[id] = true
	}
	if err != nil {
		return p, err
	}
	latest, err := r.scope.Publications().Latest(ctx, r.urlScope())
	if err != nil && !errors.Is(err, curlew.ErrNotFound) {
		return p, err
	} else if err == nil {
		p.Latest = &latest
	}
	return p, nil
}

// fieldsOf are those of the records of an archived page of the list, by their ids.
func (r *checkStep) fieldsOf(ctx context.Context, page curlew.Page) (map[string]curlew.Values, error) {
	listPage, err := r.readPage(ctx, r.compiled, page)
	all := map[string]curlew.Values{}
	for _, reading := range listPage.Applied.Readings {
		all[reading.Record.ExternalID] = reading.Record.Fields
	}
	return all, err
}
