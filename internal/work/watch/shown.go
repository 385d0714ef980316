package watch

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/change/publish"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/text"
)

// mostEarlier is how many checks are looked back at for the last one that read a record: some find half a page.
const mostEarlier = 3

// lookBack takes down what it takes to weigh what the run saw, where anything is to be told or lacking: the evidence of what is
// known, and what the pages show.
func (r *checkStep) lookBack(ctx context.Context, o *publish.CheckResult, prior *publish.Prior) error {
	if r.watch.SnapshotHash == "" {
		return nil
	}
	plan := publish.Decide(*prior, *o, r.policy())
	if len(plan.New)+len(plan.Updated)+plan.Figures.Missing == 0 && !plan.SoonAgain {
		return nil
	}
	var err error
	if prior.Evidence, err = r.evidence(ctx, *prior, plan); err != nil || r.compiled.Blueprint.Tier != curlew.TierHTML || r.readsText() {
		return err // data and texts are not read as they are shown
	}
	return r.showing(ctx, o, *prior)
}

// evidence is where the known values stand of entities of which some stay: their records lack them now, or do not tell.
func (r *checkStep) evidence(
	ctx context.Context, prior publish.Prior, plan publish.ChangeSet,
) (map[curlew.EntityID]map[string]curlew.Evidence, error) {
	wanted := map[curlew.EntityID]bool{}
	for _, s := range slices.Concat(prior.Sightings, plan.Sightings) {
		wanted[s.Entity] = wanted[s.Entity] || len(s.Lost) > 0
	}
	for _, u := range plan.Updated {
		wanted[u.Entity.ID] = wanted[u.Entity.ID] || u.Record != nil && !proven(*u.Record)
	}
	of, ids := map[curlew.RecordID]curlew.EntityID{}, []curlew.RecordID(nil)
	for _, e := range prior.Entities {
		if wanted[e.ID] {
			of[e.Record] = e.ID
			ids = append(ids, e.Record)
		}
	}
	records, err := r.scope.Records().ByIDs(ctx, ids)
	all := map[curlew.EntityID]map[string]curlew.Evidence{}
	for _, record := range records {
		all[of[record.ID]] = record.Provenance
	}
	return all, err
}

// proven says whether there is evidence of every value of a record.
func proven(record curlew.Record) bool {
	for name := range record.Fields.Flat() {
		field, _, _ := strings.Cut(name, ".")
		if _, whole := record.Provenance[field]; !whole && record.Provenance[name].Text == "" {
			return false
		}
	}
	return true
}

// showing takes down what the pages of the list show, and what they showed at checks before that succeeded: what
// is shown as before did not change, however it is read now.
func (r *checkStep) showing(ctx context.Context, o *publish.CheckResult, prior publish.Prior) error {
	copies, err := r.listPages(ctx)
	if err != nil {
		return err
	}
	if o.Shown, err = r.shownOn(ctx, copies); err != nil || o.Shown == nil {
		return archivedOnly(err)
	}
	for len(o.Earlier) < mostEarlier && !allRead(prior, o.Earlier) {
		if copies, err = r.published(ctx, copies, len(o.Earlier) == 0); err != nil || len(copies) == 0 {
			return archivedOnly(err)
		}
		earlier, err := r.earlier(ctx, copies)
		if err != nil || earlier.Shown == nil {
			return archivedOnly(err)
		}
		o.Earlier = append(o.Earlier, earlier)
	}
	return nil
}

// listPages are the pages of the list.
func (r *checkStep) listPages(ctx context.Context) ([]curlew.Page, error) {
	pages, err := r.pages(ctx, r.progress.List)
	all := make([]curlew.Page, 0, len(pages))
	for _, s := range r.progress.List {
		all = append(all, pages[s.Page])
	}
	return all, err
}

// earlier is what a check saw of the list in these copies of its pages.
func (r *checkStep) earlier(ctx context.Context, copies []curlew.Page) (check publish.EarlierCheck, err error) {
	if check.Shown, err = r.shownOn(ctx, copies); check.Shown != nil {
		check.Texts, err = r.recordTexts(ctx, copies)
	}
	return check, err
}

// allRead says whether the checks read every entity that is there.
func allRead(prior publish.Prior, checks []publish.EarlierCheck) bool {
	return len(checks) > 0 && !slices.ContainsFunc(prior.Entities, func(e curlew.Entity) bool {
		there := e.Status == curlew.EntityActive || e.Status == curlew.EntityStale
		return there && !slices.ContainsFunc(checks, func(c publish.EarlierCheck) bool {
			_, read := c.Texts[e.ExternalID]
			return read
		})
	})
}

// shownOn is what pages show; nil for data, which stand there in another order than they are read in.
func (r *checkStep) shownOn(ctx context.Context, pages []curlew.Page) (*publish.ShownText, error) {
	var texts, links []string
	for _, page := range pages {
		m, err := r.Watching.Material(ctx, page)
		if err != nil {
			return nil, err
		}
		if m.Document().IsJSON() {
			return nil, nil
		}
		texts = append(texts, m.Document().VisibleText())
		for _, link := range m.Document().Links() {
			links = append(links, link.URL)
		}
	}
	return publish.NewShownText(texts, links), nil
}

// recordTexts are the texts of the records of pages by id and by name, as the blueprints of their runs read them.
func (r *checkStep) recordTexts(ctx context.Context, pages []curlew.Page) (map[string][]string, error) {
	texts := map[string][]string{}
	for _, page := range pages {
		compiled, err := r.compiledFor(ctx, page)
		if err != nil {
			return nil, err
		}
		listPage, err := r.readPage(ctx, compiled, page)
		if err != nil {
			return nil, err
		}
		for _, reading := range listPage.Applied.Readings {
			for _, key := range []string{reading.Record.ExternalID, text.Fold(reading.Record.Name())} {
				texts[key] = append(texts[key], reading.Text)
			}
		}
	}
	return texts, nil
}

// compiledFor is the blueprint by which the run of a page read it.
func (r *checkStep) compiledFor(ctx context.Context, page curlew.Page) (*extract.Compiled, error) {
	run, err := r.scope.Runs().Get(ctx, page.Run)
	if errors.Is(err, curlew.ErrNotFound) {
		return r.compiled, nil
	}
	if err != nil {
		return nil, err
	}
	var progress watchProgress
	if json.Unmarshal(run.Progress, &progress) != nil || progress.Blueprint == "" || progress.Blueprint == r.progress.Blueprint {
		return r.compiled, nil
	}
	b, err := r.scope.Blueprints().Get(ctx, progress.Blueprint)
	if err != nil {
		return nil, err
	}
	return extract.CompileRules(b.Rules)
}

// published are the copies of pages that the last check before them which succeeded has read: of a page that came
// as it was, the same. What was not there then has none.
func (r *checkStep) published(ctx context.Context, pages []curlew.Page, first bool) (earlier []curlew.Page, err error) {
	for _, page := range pages {
		for same := first && page.Run != r.run.ID; ; same = false {
			if !same {
				page, err = r.scope.Pages().Before(ctx, page)
			}
			if errors.Is(err, curlew.ErrNotFound) {
				break
			}
			if err != nil {
				return nil, err
			}
			if run, err := r.scope.Runs().Get(ctx, page.Run); err != nil || run.State == curlew.RunSucceeded {
				earlier = append(earlier, page)
				break
			}
		}
	}
	return earlier, nil
}
