// Package watch adds watches, changes them and their sources, starts what is due, and
// checks the pages of a watch, run by run: it plans what to ask for, reads what came,
// decides what that means and commits it together with what subscribers are told.
package watch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/curlew-data/curlew/internal/change/schedule"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/ops/failpoint"
	"github.com/curlew-data/curlew/internal/web/fetch"
	"github.com/curlew-data/curlew/internal/web/robots"
	"github.com/curlew-data/curlew/internal/web/urls"
	"github.com/curlew-data/curlew/internal/work/outbox"
	"github.com/curlew-data/curlew/internal/work/pages"
	"github.com/curlew-data/curlew/internal/work/runs"
)

// Checker works off the runs of watches. A run asks for the pages of the list, then for
// the pages of what is new or changed, then for those of what is missing; at its end
// everything is read again from the archive, compared with what was known, and what
// came of it is published in one transaction. Each step commits what it fetched, so a
// run goes on after any crash, and nothing is said twice.
type Checker struct {
	Store    *store.Store
	Watching *Watching
	Outbox   *outbox.Outbox
	Now      func() time.Time // of the pages that are watched
	Wall     func() time.Time // of this machine, for what comes next
	Defaults WatchDefaults
	Paces    *Paces // nil where no budget is to last the day

	// Models lets a model read the pages of a watch on its account; nil where there is none.
	Models func(ctx context.Context, w curlew.Watch) extract.ModelReader

	// Heal starts the healing of a watch in the transaction that found out that it is needed.
	Heal func(ctx context.Context, s store.WriteScope, watch curlew.Watch, p curlew.HealPlan) error
}

// WatchDefaults are what holds where a watch says nothing.
type WatchDefaults struct {
	DetailsEvery time.Duration
	MaxPages     int
	RemovalShare float64
	ConfirmAfter time.Duration // between the checks that must miss an entity
	Failures     int           // in a row until the breaker opens
	Budgets      func(org curlew.OrgID, source curlew.SourceID) []curlew.DayBudget
}

// The parts of a run.
const (
	phaseNews         = "news"
	phaseList         = "list"
	phaseSeek         = "seek"
	phaseDetails      = "details"
	phaseDetailChecks = "detail_checks"
	phasePublish      = "publish"
	phaseUnfit        = "unfit"
)

// pageTask is one address of a run, before and after asking for it.
type pageTask struct {
	extract.RequestSpec
	Lead    int              `json:"lead,omitempty"`   // which of the compiled's leads it is
	Entity  curlew.EntityID  `json:"entity,omitempty"` // of a check
	Of      string           `json:"of,omitempty"`     // the external id of the record whose page it is
	Page    curlew.PageID    `json:"page,omitempty"`   // that holds what it says; of an earlier run where it has not changed
	Outcome curlew.Outcome   `json:"outcome,omitempty"`
	Status  int              `json:"status,omitempty"`
	Why     string           `json:"why,omitempty"`
	Tries   int              `json:"tries,omitempty"`  // that failed in this run
	Shown   string           `json:"shown,omitempty"`  // which records a page of the list shows, as a hash
	Depth   int              `json:"depth,omitempty"`  // of a sitemap below the index that lists it
	Reason  urls.FetchReason `json:"reason,omitempty"` // why a detail page is asked for
	FoundOn string           `json:"found_on,omitempty"`
	LastMod *time.Time       `json:"lastmod,omitempty"` // as the sitemap says
}

// watchProgress is where a run stands.
type watchProgress struct {
	Phase        string             `json:"phase"`
	Blueprint    curlew.BlueprintID `json:"blueprint"`
	Todo         []pageTask         `json:"todo,omitempty"`
	List         []pageTask         `json:"list,omitempty"`
	Details      []pageTask         `json:"details,omitempty"`
	DetailChecks []pageTask         `json:"detail_checks,omitempty"`
	Records      int                `json:"records,omitempty"`
	Ended        bool               `json:"ended,omitempty"`  // the list was read to its last page
	Missed       bool               `json:"missed,omitempty"` // a page of it could not be had
	Asked        int                `json:"asked,omitempty"`
	Unfit        *curlew.Fault      `json:"unfit,omitempty"`      // why the page cannot be believed
	UnfitPage    curlew.PageID      `json:"unfit_page,omitempty"` // which one that is
	Postponed    int                `json:"postponed,omitempty"`  // pages of records that had to wait for a later run
	News         news               `json:"news,omitzero"`
	Sitemap      bool               `json:"sitemap,omitempty"` // the list is one, which names pages and no things
	Confirm      bool               `json:"confirm,omitempty"` // what was lacking is read anew, whatever the site says of its age
}

// read reads the progress of a run, also in the words of former versions.
func (p *watchProgress) read(kept []byte) error {
	former := struct {
		*watchProgress
		Checks []pageTask `json:"looks"`
	}{watchProgress: p}
	if err := json.Unmarshal(kept, &former); err != nil {
		return err
	}
	if p.Phase == "looks" {
		p.Phase = phaseDetailChecks
	}
	p.DetailChecks = append(p.DetailChecks, former.Checks...)
	return nil
}

// pages asked for in one step, at most: a handful at one per second, more when nobody waits.
const (
	politeBatch = 4
	quickBatch  = 64
)

// checkStep is one step of one run.
type checkStep struct {
	Checker
	run      curlew.Run
	plan     Plan
	progress watchProgress
	watch    curlew.Watch
	compiled *extract.Compiled
	options  extract.ApplyOptions
	scope    store.Scope

	structure string          // of the first page of the list
	lost      map[string]bool // fields of the list that are no longer found
	over      string          // that the list has more than is read of it
	lacking   lacking         // what detail pages no longer say
	alike     map[string]bool // fields that are taken from the list though detail pages have them too
	notes     readNotes
	known     map[curlew.PageID]curlew.Page // that this step has looked up: they stay as they are
	pace      schedule.Pace                 // at which it goes on, where it is adaptive; zero is the usual one
	// unannounced says that a detail page changed of which nothing had said so.
	unannounced bool
}

// Step does the next piece of a run.
func (w Checker) Step(ctx context.Context, run curlew.Run) (runs.Step, error) {
	r, err := w.begin(ctx, run)
	if err != nil {
		return runs.Step{}, err
	}
	if r.progress.Phase == "" {
		return r.open(ctx)
	}
	failpoint.Here(failpoint.StepAfter)
	return r.next(ctx)
}

// next does what the phase of the run asks for. What is only decided goes on to the next phase at once:
// every commit costs as much as asking the database a dozen times.
func (r *checkStep) next(ctx context.Context) (runs.Step, error) {
	switch r.progress.Phase {
	case phaseUnfit:
		return runs.Step{}, r.progress.Unfit
	case phaseNews:
		return r.askNews(ctx)
	case phaseList:
		return r.list(ctx)
	case phaseSeek:
		return r.seek(ctx)
	case phaseDetails, phaseDetailChecks:
		return r.fetchNext(ctx)
	}
	return r.publish(ctx)
}

// begin loads what a step needs. The blueprint is that with which the run began.
func (w Checker) begin(ctx context.Context, run curlew.Run) (*checkStep, error) {
	r := &checkStep{Checker: w, run: run, scope: w.Store.Org(run.Org), notes: newReadNotes(),
		known: map[curlew.PageID]curlew.Page{}}
	if err := json.Unmarshal(run.Plan, &r.plan); err != nil {
		return nil, curlew.Permanent("bad_plan", "the plan of the run cannot be read").Because(err)
	}
	if err := r.progress.read(run.Progress); err != nil {
		return nil, curlew.Permanent("bad_progress", "the progress of the run cannot be read").Because(err)
	}
	var err error
	if r.watch, err = r.scope.Watches().Get(ctx, r.plan.Watch); err != nil {
		return nil, err
	}
	if r.progress.Blueprint == "" {
		r.progress.Blueprint = r.watch.Blueprint
	}
	b, err := r.scope.Blueprints().Get(ctx, r.progress.Blueprint)
	if err != nil {
		return nil, err
	}
	if r.compiled, err = extract.CompileRules(b.Rules); err != nil {
		return nil, err
	}
	o, err := pages.WatchOptions(ctx, r.scope, r.watch)
	if err != nil {
		return nil, err
	}
	r.options = o.Applying()
	if r.Models != nil && r.compiled.Blueprint.ByModel() {
		r.options.Model = r.Models(ctx, r.watch)
	}
	return r, nil
}

// urlScope names the watch in the URL log.
func (r *checkStep) urlScope() string { return URLLog(r.watch.ID) }

// open asks robots.txt first, also about the detail pages that were read so far.
func (r *checkStep) open(ctx context.Context) (runs.Step, error) {
	first := r.compiled.First(r.watch.URL)
	known, err := r.scope.Entities().Sightings(ctx, r.watch.ID)
	if err != nil {
		return runs.Step{}, err
	}
	addresses := []string{first.URL}
	for _, s := range known {
		if s.Detail != nil {
			addresses = append(addresses, s.Detail.URL)
		}
		for _, n := range s.Lost {
			r.progress.Confirm = r.progress.Confirm || n == 1
		}
	}
	if !r.plan.Archive {
		err := r.Watching.Allowed(ctx, addresses)
		if busy := (*fetch.BusyError)(nil); errors.As(err, &busy) {
			return runs.Step{Progress: r.progress, Rest: busy.Wait}, nil
		}
		if err != nil {
			return runs.Step{}, err
		}
	}
	r.progress.Phase, r.progress.Todo = phaseList, []pageTask{{RequestSpec: first}}
	if n := r.watch.Rhythm.News; n != nil && n.URL != "" && !r.plan.Archive {
		r.progress.Phase, r.progress.News.URL, r.progress.News.More = phaseNews, n.URL, n.More
	}
	return r.next(ctx)
}

// giveUp keeps a page that does not fit, for whoever heals the watch, or that was cut off, for the next check to compare
// with, and fails in the next step. The last whole copy stays the one that is current.
func (r *checkStep) giveUp(asked pageTask, page curlew.Page, err error) (runs.Step, error) {
	fault := curlew.AsFault(err)
	if !errors.Is(fault, ErrUnfit) && !errors.Is(fault, extract.ErrCutOff) || r.plan.Archive {
		return runs.Step{}, err
	}
	r.progress.Phase, r.progress.Unfit, r.progress.UnfitPage = phaseUnfit, fault, page.ID
	step := runs.Step{Progress: r.progress, Counters: curlew.Counters{curlew.CountSteps: 1}, Told: r.asked([]fetched{{asked, page}})}
	if asked.Outcome == curlew.OutcomeNotModified {
		step.Counters[curlew.CountSkipped] = 1
		return step, nil // it is kept already
	}
	step.Counters[curlew.CountScraped] = 1
	step.Effect = func(ctx context.Context, w store.WriteScope) error { return w.Pages().Keep(ctx, page) }
	return step, nil
}

// ErrUnfit is the code of a page that no longer fits its blueprint.
const ErrUnfit curlew.Code = "does_not_fit"

func (r *checkStep) maxPages() int {
	if r.plan.Archive {
		return replayPages
	}
	if n := r.watch.Settings.MaxPages; n > 0 {
		return n
	}
	return r.Defaults.MaxPages
}

// fetched is a task and the page that came of it.
type fetched struct {
	task pageTask
	page curlew.Page
}

// ask asks for one address, conditionally where its last copy is at hand. A page that
// cannot be had is told by its outcome; busy is how long its host wants to rest.
func (r *checkStep) ask(ctx context.Context, s pageTask) (pageTask, curlew.Page, time.Duration, error) {
	kept, err := r.lastCopy(ctx, s)
	if err != nil {
		return s, curlew.Page{}, 0, err
	}
	if r.plan.Archive {
		return r.fromArchive(s, kept)
	}
	before := kept != nil
	if r.progress.Confirm {
		kept = nil
	}
	request := PageFetch{Org: r.run.Org, Ask: s.RequestSpec, Copy: kept}
	if d := r.watch.Settings.Delay; d != nil {
		delay := time.Duration(*d)
		request.Delay = &delay
	}
	if r.Defaults.Budgets != nil {
		request.Budgets = r.Defaults.Budgets(r.run.Org, r.watch.Source)
	}
	page, busy, err := r.Watching.Fetch(ctx, request)
	failpoint.Here(failpoint.FetchAfter)
	switch {
	case errors.Is(err, robots.ErrForbidden) && !before: // it always was; where it is new, the run stops
		s.Outcome, s.Why = curlew.OutcomeFailed, curlew.AsFault(err).Sentence
		return s, curlew.Page{Outcome: s.Outcome, Why: s.Why}, 0, nil
	case err != nil || busy > 0:
		return s, page, busy, err
	case page.Outcome == curlew.OutcomeNotModified && kept == nil:
		return s, page, 0, curlew.Permanent("unsolicited_304", "%s answered 304 Not Modified to a request without a condition", s.URL)
	case page.Outcome == curlew.OutcomeNotModified:
		s.Page, s.Outcome, s.Status = kept.ID, page.Outcome, page.Status
		return s, *kept, 0, nil
	}
	page.Source, page.Run, page.URL = r.watch.Source, r.run.ID, s.URL
	page.ID = curlew.Mint[curlew.PageID](r.Store.IDs())
	s.Page, s.Outcome, s.Status, s.Why = page.ID, page.Outcome, page.Status, page.Why
	return s, page, 0, nil
}

// lastCopy is the newest whole copy of an address that is still archived.
func (r *checkStep) lastCopy(ctx context.Context, s pageTask) (*curlew.Page, error) {
	return LastCopy(ctx, r.scope, r.watch.ID, s.RequestSpec)
}

// LastCopy is the newest whole copy of what a watch asked for that is still archived; nil
// for none.
func LastCopy(ctx context.Context, scope store.Scope, watch curlew.WatchID, request extract.RequestSpec) (*curlew.Page, error) {
	known, err := scope.URLs().Found(ctx, URLLog(watch), []string{request.Key()})
	if err != nil {
		return nil, err
	}
	found, ok := known[request.Key()]
	if !ok || found.Page == "" {
		return nil, nil
	}
	page, err := scope.Pages().Get(ctx, found.Page)
	if err != nil {
		return nil, err
	}
	if page.Outcome != curlew.OutcomeFetched || page.ArchiveRef == "" {
		return nil, nil
	}
	return &page, nil
}

// readPage reads a page of the list from the archive.
func (r *checkStep) readPage(ctx context.Context, compiled *extract.Compiled, page curlew.Page) (ListPage, error) {
	applied, err := r.Watching.Apply(ctx, compiled, page, r.options)
	if err == nil && applied.Fault != nil && errors.Is(applied.Fault, extract.ErrCutOff) {
		options := r.options
		options.Unended = true
		whole, err := r.Watching.Apply(ctx, compiled, page, options)
		if err != nil {
			return ListPage{}, err
		}
		ends, err := r.endsSo(ctx, compiled, page, len(whole.Readings))
		if err != nil {
			return ListPage{}, err
		}
		if ends {
			applied = whole
		}
	}
	return ListPage{Page: page, Applied: applied}, err
}

// commit is a step that keeps pages and what the URL log should know of them.
func (r *checkStep) commit(all []fetched) runs.Step {
	step := runs.Step{Progress: r.progress, Counters: curlew.Counters{}, Told: r.asked(all)}
	for _, f := range all {
		step.Counters[curlew.CountSteps]++
		r.progress.Asked++
		switch f.task.Outcome {
		case curlew.OutcomeFetched:
			step.Counters[curlew.CountScraped]++
		case curlew.OutcomeNotModified:
			step.Counters[curlew.CountSkipped]++
		default:
			step.Counters[curlew.CountWarnings]++
			step.Log = append(step.Log, curlew.LogLine{Level: curlew.LogWarn,
				Text: fmt.Sprintf("%s: %s %s", f.task.URL, f.task.Outcome, f.task.Why)})
		}
	}
	step.Progress = r.progress
	step.Total = int64(len(r.progress.List) + len(r.progress.Details) + len(r.progress.DetailChecks) + len(r.progress.Todo))
	step.Effect = func(ctx context.Context, w store.WriteScope) error { return r.keepPages(ctx, w, all) }
	return step
}

func (r *checkStep) keepPages(ctx context.Context, w store.WriteScope, all []fetched) error {
	var visits []curlew.Visit
	for _, f := range all {
		visits = append(visits, curlew.Visit{URL: f.task.URL, Key: f.task.Key(), FoundOn: f.task.FoundOn, LastMod: f.task.LastMod})
	}
	if err := w.URLs().Seen(ctx, r.urlScope(), visits); err != nil {
		return err
	}
	for i, f := range all {
		page := f.page
		switch f.task.Outcome {
		case curlew.OutcomeNotModified:
			page = curlew.Page{Outcome: curlew.OutcomeNotModified, Status: f.task.Status}
		case curlew.OutcomeFetched:
			if err := w.Pages().Keep(ctx, page); err != nil {
				return err
			}
		default: // it is remembered, but the last whole copy stays the one to compare with
			if page.ID != "" {
				if err := w.Pages().Keep(ctx, page); err != nil {
					return err
				}
			}
			page.ID = ""
		}
		if err := w.URLs().Fetched(ctx, r.urlScope(), visits[i], page); err != nil {
			return err
		}
	}
	return nil
}

// notRead is why a page of the list could not be had.
func notRead(s pageTask, page curlew.Page) error {
	switch page.Outcome {
	case curlew.OutcomeGone:
		return curlew.Permanent("page_gone", "%s is gone (status %d)", s.URL, page.Status)
	case curlew.OutcomeBlocked:
		return curlew.Permanent("blocked", "%s blocked the request (%s): %s", s.URL, page.Block, page.Why)
	case curlew.OutcomeDamaged:
		return curlew.Temporary("page_damaged", "the answer of %s is damaged: %s", s.URL, page.Why)
	}
	return curlew.Temporary("page_failed", "could not fetch %s: %s", s.URL, page.Why)
}

// unfitting is why a page of the list cannot be believed.
func unfitting(listPage ListPage) error {
	a := listPage.Applied
	switch {
	case a.Fault != nil:
		return a.Fault
	case a.Empty == "blocked":
		return curlew.Permanent("blocked", "%s blocks crawlers", listPage.Page.URL)
	case a.Cut != "":
		return curlew.Permanent("page_too_large", "%s could not be read completely: %s", listPage.Page.URL, a.Cut)
	}
	return curlew.Permanent(ErrUnfit, "%s no longer fits its blueprint: %s", listPage.Page.URL, firstOf(a.Fit.Reasons, "it has no records"))
}

func firstOf(reasons []string, otherwise string) string {
	if len(reasons) == 0 {
		return otherwise
	}
	return reasons[0]
}
