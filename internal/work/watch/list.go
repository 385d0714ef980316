package watch

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/web/urls"
	"github.com/curlew-data/curlew/internal/work/runs"
)

// list asks for the next page of the list.
func (r *checkStep) list(ctx context.Context) (runs.Step, error) {
	if len(r.progress.Todo) == 0 {
		return r.listed(ctx)
	}
	asked, page, busy, err := r.ask(ctx, r.progress.Todo[0])
	switch {
	case err != nil:
		return r.missed(ctx, err)
	case busy > 0 && asked.Tries > 0:
		return r.missed(ctx, curlew.Temporary("page_failed", "%s", asked.Why))
	case busy > 0:
		return runs.Step{Progress: r.progress, Rest: busy}, nil
	}
	return r.answered(ctx, fetched{asked, page})
}

// answered goes on with what came of asking for a page of the list.
func (r *checkStep) answered(ctx context.Context, f fetched) (runs.Step, error) {
	end, err := r.pastEnd(ctx, f.task)
	switch {
	case err != nil:
		return runs.Step{}, err
	case end:
		r.progress.Todo, r.progress.Ended = nil, true
		return runs.Step{Progress: r.progress}, nil
	case f.task.Page == "" && r.plan.Archive:
		return r.unarchived(f.task)
	case f.task.Page == "" || f.task.Outcome != curlew.OutcomeFetched && f.task.Outcome != curlew.OutcomeNotModified:
		step, err := r.missed(ctx, notRead(f.task, f.page))
		if err == nil && f.task.Outcome == curlew.OutcomeGone {
			step.Effect = func(ctx context.Context, w store.WriteScope) error { return r.keepPages(ctx, w, []fetched{f}) }
		}
		return step, err
	}
	listPage, err := r.readPage(ctx, r.compiled, f.page)
	if err != nil {
		return runs.Step{}, err
	}
	return r.took(ctx, f, listPage)
}

// took is a page of the list that was read.
func (r *checkStep) took(ctx context.Context, f fetched, listPage ListPage) (runs.Step, error) {
	if fault := listPage.Applied.Fault; fault != nil {
		if len(r.progress.List) == 0 && errors.Is(fault, extract.ErrCutOff) {
			return r.giveUp(f.task, f.page, fault)
		}
		return r.missed(ctx, fault)
	}
	repeated, err := r.repeated(ctx, f, listPage)
	if err != nil {
		return runs.Step{}, err
	}
	if repeated {
		return r.missed(ctx, curlew.Permanent("page_repeated", "%s returned a page of the list that was already read", f.task.URL))
	}
	r.progress.Todo = r.progress.Todo[1:]
	r.progress.List = append(r.progress.List, f.task)
	if len(r.progress.List) == 1 && !listPage.Applied.Whole() {
		emptied, err := r.emptied(ctx, f, listPage)
		if err != nil {
			return runs.Step{}, err
		}
		if !emptied {
			return r.giveUp(f.task, f.page, unfitting(listPage))
		}
	}
	if len(r.progress.List) == 1 {
		if why, err := r.misreads(ctx, f, listPage); err != nil || why != nil {
			if err != nil {
				return runs.Step{}, err
			}
			return r.giveUp(f.task, f.page, why)
		}
	}
	r.goOn(&r.progress.List[len(r.progress.List)-1], listPage)
	return r.commit([]fetched{f}), nil
}

// listed goes on after the last page of the list.
func (r *checkStep) listed(ctx context.Context) (runs.Step, error) {
	if err := r.checkFloor(ctx); err != nil {
		return runs.Step{}, err
	}
	seek, err := r.seekNews(ctx)
	if err != nil || !seek {
		return r.planDetails(ctx) // what could not be looked for is looked for at the next check
	}
	r.progress.Phase = phaseSeek
	return runs.Step{Progress: r.progress}, nil
}

// checkFloor is a fault when the list has fewer entries than its source must have: nothing of it
// is believed. The text of a page is no list.
func (r *checkStep) checkFloor(ctx context.Context) error {
	if r.plan.Archive || r.readsText() {
		return nil
	}
	source, err := r.scope.Sources().Get(ctx, r.watch.Source)
	if err != nil || r.progress.Records >= source.MinURLs {
		return err
	}
	return curlew.Permanent("discovery_floor", "%s lists %d entries, and its source must have at least %d: "+
		"nothing is published or removed; check the page, or lower min_urls of the source", r.watch.URL, r.progress.Records, source.MinURLs)
}

// quickTries is how often a further page that fails is asked for again within a run.
const quickTries = 2

// missed is a page of the list that could not be had. A further one is tried again at once, then
// what the pages before it say is published; the visit is incomplete, so that nothing counts as
// gone, and the next check asks again. The sitemaps of an index do not need one another: the
// others are read.
func (r *checkStep) missed(ctx context.Context, err error) (runs.Step, error) {
	fault := curlew.AsFault(err)
	if len(r.progress.List) == 0 || r.plan.Archive || ctx.Err() != nil || notOfSite(fault) {
		return runs.Step{}, err
	}
	if next := &r.progress.Todo[0]; fault.Kind == curlew.KindTemporary && next.Tries < quickTries {
		next.Tries, next.Why = next.Tries+1, fault.Sentence
		return runs.Step{Progress: r.progress}, nil
	}
	r.progress.Ended, r.progress.Missed = false, true
	if r.progress.Todo[0].Depth > 0 {
		r.progress.Todo = r.progress.Todo[1:]
	} else {
		r.progress.Todo = nil
	}
	if len(r.progress.Todo) == 0 && r.progress.Records == 0 {
		return runs.Step{}, err
	}
	return runs.Step{Progress: r.progress, Counters: curlew.Counters{curlew.CountSteps: 1, curlew.CountWarnings: 1},
		Log: []curlew.LogLine{{Level: curlew.LogWarn, Text: fault.Sentence + ": the visit is incomplete"}}}, nil
}

// notOfSite says whether a fault is of the installation or its limits, not of the site.
func notOfSite(fault *curlew.Fault) bool {
	return errors.Is(fault, curlew.ErrOverBudget) || errors.Is(fault, curlew.ErrDiskFull) || errors.Is(fault, curlew.ErrUnexpected)
}

// pastEnd says whether a further page is none of the list: one that was requested by its number and is not there, and one that
// is gone, was at the check before, and never came.
func (r *checkStep) pastEnd(ctx context.Context, s pageTask) (bool, error) {
	gone := s.Outcome == curlew.OutcomeGone
	switch {
	case len(r.progress.List) == 0:
		return false, nil
	case r.compiled.Counted():
		return gone || s.Status == http.StatusBadRequest || s.Status == http.StatusNotFound, nil
	case !gone || s.Depth > 0:
		return false, nil
	}
	known, err := r.scope.URLs().Found(ctx, r.urlScope(), []string{s.Key()})
	was := known[s.Key()]
	return was.Page == "" && was.Outcome == curlew.OutcomeGone, err
}

// goOn decides whether the list has another page.
func (r *checkStep) goOn(asked *pageTask, listPage ListPage) {
	n := len(listPage.Applied.Readings)
	r.progress.Records += n
	asked.Shown = listPage.Shown()
	for _, s := range r.progress.List[:len(r.progress.List)-1] {
		if s.Shown == asked.Shown {
			n = 0 // whatever is asked for, the same comes
		}
	}
	next, ok := r.compiled.After(asked.RequestSpec, listPage.Applied, len(r.progress.List), r.progress.Records, n)
	for _, s := range r.progress.List {
		ok = ok && s.Key() != next.Key()
	}
	most, wanted := r.compiled.Most()
	done := len(r.progress.List)
	if ok && !(done >= most && wanted) {
		r.progress.Todo = append(r.progress.Todo, pageTask{RequestSpec: next})
	}
	if asked.Depth < urls.MaxSitemapDepth-1 {
		r.addParts(listPage.Applied.Parts, asked.Depth+1)
	}
	r.progress.Ended = len(r.progress.Todo) == 0 && !r.progress.Missed
	if done >= min(r.maxPages(), most) {
		r.progress.Todo = nil
	}
}

// repeated says whether a further page answers with one of the list that was read before it, although it had
// records of its own at an earlier check: it fails. Where it never had, the list has ended.
func (r *checkStep) repeated(ctx context.Context, f fetched, listPage ListPage) (bool, error) {
	if len(r.progress.List) == 0 || r.plan.Archive || len(f.task.Body) > 0 || f.task.Depth > 0 {
		return false, nil
	}
	read, err := r.pages(ctx, r.progress.List)
	if err != nil {
		return false, err
	}
	key := urls.Key(f.page.FinalURL)
	again := slices.ContainsFunc(r.progress.List, func(s pageTask) bool {
		redirected := key != f.task.Key() && key == urls.Key(read[s.Page].FinalURL)
		return redirected || s.Shown == listPage.Shown()
	})
	last, err := r.lastCopy(ctx, f.task)
	if err != nil || !again || last == nil {
		return false, err
	}
	own, err := r.hadOwn(ctx, *last, read)
	return own, archivedOnly(err)
}

// hadOwn says whether the copy of a further page has records, and others than the pages before it had.
func (r *checkStep) hadOwn(ctx context.Context, last curlew.Page, read map[curlew.PageID]curlew.Page) (bool, error) {
	own, err := r.readPage(ctx, r.compiled, last)
	if err != nil || len(own.Applied.Readings) == 0 {
		return false, err
	}
	for _, page := range read {
		if before, err := r.readBefore(ctx, page); err != nil || before.Shown() == own.Shown() {
			return false, err
		}
	}
	return true, nil
}

// readBefore reads the copy of a page of the list that was read before this run.
func (r *checkStep) readBefore(ctx context.Context, page curlew.Page) (ListPage, error) {
	if page.Run == r.run.ID {
		before, err := r.scope.Pages().Before(ctx, page)
		if err != nil {
			return ListPage{}, err
		}
		page = before
	}
	return r.readPage(ctx, r.compiled, page)
}

// addParts puts the sitemaps of an index on the list, each once: indexes may list one
// another.
func (r *checkStep) addParts(parts []string, depth int) {
	seen := map[string]bool{}
	for _, s := range slices.Concat(r.progress.List, r.progress.Todo) {
		seen[s.Key()] = true
	}
	for _, part := range parts {
		s := pageTask{RequestSpec: extract.RequestSpec{URL: part}, Depth: depth}
		if !seen[s.Key()] {
			r.progress.Todo = append(r.progress.Todo, s)
		}
		seen[s.Key()] = true
	}
}
