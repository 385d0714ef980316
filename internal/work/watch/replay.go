package watch

import (
	"context"
	"errors"
	"time"

	"github.com/curlew-data/curlew/internal/change/publish"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/work/runs"
)

// A replay reads the archived pages again and asks for none. What it finds different
// comes from the rules: the same page says the same. It cannot say that anything is
// gone now, and it is no look at the site, so the watch learns nothing from it.

// replayPages bounds a replay, for which nobody is asked.
const replayPages = 20_000

func (r *checkStep) fromArchive(s pageTask, kept *curlew.Page) (pageTask, curlew.Page, time.Duration, error) {
	if kept == nil {
		s.Outcome, s.Why = curlew.OutcomeFailed, "it is not in the archive"
		return s, curlew.Page{Outcome: curlew.OutcomeFailed, Why: s.Why}, 0, nil
	}
	s.Page, s.Outcome, s.Status = kept.ID, curlew.OutcomeNotModified, kept.Status
	return s, *kept, 0, nil
}

// unarchived ends a list at a page that is not in the archive; without its first page
// there is nothing to read.
func (r *checkStep) unarchived(s pageTask) (runs.Step, error) {
	if len(r.progress.List) == 0 {
		return runs.Step{}, curlew.Permanent("not_archived", "%s is not in the archive: check the watch once, then replay it", s.URL)
	}
	r.progress.Todo = r.progress.Todo[1:]
	if s.Depth == 0 {
		r.progress.Todo = nil
	}
	return runs.Step{Progress: r.progress, Log: []curlew.LogLine{runs.Info("%s is not in the archive: the list ends before it", s.URL)}}, nil
}

// sameBytes says whether all pages of a replay are those that were published already:
// a run that did not succeed may have left newer ones.
func (r *checkStep) sameBytes(ctx context.Context, tasks []pageTask) (bool, error) {
	pages, err := r.pages(ctx, tasks)
	if err != nil {
		return false, err
	}
	good := map[curlew.RunID]bool{}
	for _, page := range pages {
		if _, known := good[page.Run]; !known {
			run, err := r.scope.Runs().Get(ctx, page.Run)
			if err != nil && !errors.Is(err, curlew.ErrNotFound) {
				return false, err
			}
			good[page.Run] = err != nil || run.State == curlew.RunSucceeded // one that was cleared is long over
		}
		if !good[page.Run] {
			return false, nil
		}
	}
	return true, nil
}

// replayed writes down by which rules the watch has been read; all else stays as the
// last look at the site left it.
func (r *checkStep) replayed(ctx context.Context, w store.WriteScope, o publish.CheckResult) error {
	watch, err := w.Watches().Lock(ctx, r.watch.ID)
	if err != nil {
		return err
	}
	watch.RulesHash = o.RulesHash
	return w.Watches().Save(ctx, watch)
}

// detailAt is when the detail page of a record was read: a replay does not make it newer.
func (r *checkStep) detailAt(was curlew.Sighting) *time.Time {
	if r.plan.Archive && was.DetailAt != nil {
		return was.DetailAt
	}
	now := r.Now()
	return &now
}
