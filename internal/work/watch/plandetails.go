package watch

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/web/urls"
	"github.com/curlew-data/curlew/internal/work/runs"
)

// planDetails decides which records' detail pages are asked for, and writes down why each is, or is not.
func (r *checkStep) planDetails(ctx context.Context) (runs.Step, error) {
	r.progress.Phase = phaseDetails
	if len(r.compiled.Follow) == 0 {
		return r.planDetailChecks(ctx)
	}
	list, err := r.readList(ctx)
	if err != nil {
		return runs.Step{}, err
	}
	all, err := r.decideDetails(ctx, list)
	if err != nil {
		return runs.Step{}, err
	}
	var byRank [3][]pageTask
	for _, s := range all {
		if s.Reason.Fetch() || r.plan.Archive {
			byRank[rank(s.Reason)] = append(byRank[rank(s.Reason)], s)
		}
	}
	r.progress.Todo = slices.Concat(byRank[:]...)
	if room := max(0, r.maxPages()-len(r.progress.List)); len(r.progress.Todo) > room {
		r.progress.Postponed = len(r.progress.Todo) - room
		r.progress.Todo = r.progress.Todo[:room]
	}
	step := runs.Step{Progress: r.progress, Total: int64(len(r.progress.List) + len(r.progress.Todo))}
	if len(r.progress.Todo) > 0 {
		step.Log = []curlew.LogLine{runs.Info("%s in the list, %d of their pages to read: %s", curlew.Counted(len(list.Records), "record"),
			len(r.progress.Todo), reasonsOf(all))}
	} else if step, err = r.planDetailChecks(ctx); err != nil {
		return step, err
	}
	if !r.plan.Archive {
		then := step.Effect // the publication, where there is nothing to ask for
		step.Effect = func(ctx context.Context, w store.WriteScope) error {
			if err := r.keepReasons(ctx, w, all); err != nil || then == nil {
				return err
			}
			return then(ctx, w)
		}
	}
	return step, nil
}

// rank puts what is new or known to have changed first, and what is only old last: a run may ask for so many pages.
func rank(reason urls.FetchReason) int {
	switch reason {
	case urls.PriorLastModNull, urls.CurrentLastModNull:
		return 1
	case urls.Due, urls.Fresh, urls.Unchanged:
		return 2
	}
	return 0
}

// reasonsOf counts the reasons of detail pages, for the log.
func reasonsOf(all []pageTask) string {
	counts := map[urls.FetchReason]int{}
	for _, s := range all {
		counts[s.Reason]++
	}
	var parts []string
	for _, reason := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%d %s", counts[reason], reason))
	}
	return strings.Join(parts, ", ")
}

// keepReasons writes the decisions of a check into the URL log.
func (r *checkStep) keepReasons(ctx context.Context, w store.WriteScope, all []pageTask) error {
	visits := make([]curlew.Visit, len(all))
	for i, s := range all {
		visits[i] = curlew.Visit{URL: s.URL, Key: s.Key(), FoundOn: s.FoundOn, Reason: string(s.Reason)}
	}
	if err := w.URLs().Seen(ctx, r.urlScope(), visits); err != nil {
		return err
	}
	return w.URLs().Decided(ctx, r.urlScope(), visits)
}

// decideDetails are the detail pages of a list, each once, with the reason to read it or not.
func (r *checkStep) decideDetails(ctx context.Context, list ListReading) ([]pageTask, error) {
	known, err := r.sightings(ctx)
	if err != nil {
		return nil, err
	}
	lastMods, err := r.lastMods(ctx)
	if err != nil {
		return nil, err
	}
	r.progress.Sitemap = lastMods.list
	var all []pageTask
	var records []Listed // of all, one by one
	seen := map[string]bool{}
	for _, one := range list.Records {
		for i, lead := range one.Leads {
			s := pageTask{RequestSpec: lead, Lead: i, Of: one.Record.ExternalID, FoundOn: one.Page.URL}
			if lead.URL != "" && !seen[s.Key()] {
				s.LastMod = lastMods.of[urls.Key(s.URL)]
				all, records = append(all, s), append(records, one)
			}
			seen[s.Key()] = true
		}
	}
	logged, err := r.scope.URLs().Found(ctx, r.urlScope(), slices.Collect(maps.Keys(seen)))
	if err != nil {
		return nil, err
	}
	for i, one := range records {
		was, isKnown := known[one.Record.ExternalID]
		page := detailPage{pageTask: all[i], one: one, log: logged[all[i].Key()], inSitemap: lastMods.list}
		if isKnown {
			page.was = &was
		}
		all[i].Reason = r.reasonFor(page)
	}
	return all, nil
}

// detailPage is a detail page about which is decided, and what is known of it.
type detailPage struct {
	pageTask
	one       Listed
	was       *curlew.Sighting // nil where its record is new
	log       curlew.Found     // empty where it is new
	inSitemap bool             // the list is a sitemap
}

// reasonFor says why a detail page is read now, or why not. What a sitemap says of its age decides as in crawls; of
// pages without such a day, the list, a feed and the age of the last reading say more.
func (r *checkStep) reasonFor(p detailPage) urls.FetchReason {
	changed := r.byLastMod(p)
	switch {
	case r.leftInPeace(p.log):
		return urls.BackingOff
	case p.log.FetchedAt == nil:
		return urls.FirstSeen
	case p.was == nil && changed != urls.LastModAdvanced && r.tellsNothing(p):
		return urls.Fresh
	case p.was == nil || p.was.DetailAt == nil:
		return urls.NoPriorRecord
	case p.was.Unconfirmed():
		return urls.Incomplete
	case changed.Fetch():
		return changed
	case p.was.Listed != p.one.Hash && !p.inSitemap:
		return urls.ListChanged
	case r.toldOf(p.RequestSpec):
		return urls.FeedChanged
	case r.Now().Sub(*p.was.DetailAt) >= r.detailsEvery(p.was):
		return urls.Due
	}
	return changed
}

// tellsNothing says that a page which a sitemap names was read of late, and tells of no thing of the kind.
func (r *checkStep) tellsNothing(p detailPage) bool {
	read := p.log.Failures == 0 || p.log.Outcome == curlew.OutcomeGone
	return p.inSitemap && read && r.Wall().Sub(*p.log.FetchedAt) < r.detailsEvery(nil)
}

// byLastMod is what the sitemap's day of a page says; Fresh where it has none, and had none.
func (r *checkStep) byLastMod(p detailPage) urls.FetchReason {
	if p.LastMod == nil && p.log.LastMod == nil {
		return urls.Fresh
	}
	return urls.Decide(&urls.LogEntry{LastMod: p.log.LastMod}, urls.SitemapURL{LastMod: p.LastMod}, true)
}

// How long a page that refused is left in peace: longer with each time, up to a day.
const (
	shortestPeace = 15 * time.Minute
	longestPeace  = 24 * time.Hour
)

// leftInPeace says whether a page refused of late. A person who checks wants to know how it is now.
func (r *checkStep) leftInPeace(log curlew.Found) bool {
	refused := log.Outcome == curlew.OutcomeBlocked || log.Outcome == curlew.OutcomeFailed
	if !refused || log.Failures == 0 || log.FetchedAt == nil || r.plan.Trigger == "manual" || r.plan.Archive {
		return false
	}
	peace := shortestPeace
	for n := 1; n < log.Failures && peace < longestPeace; n++ {
		peace *= 2
	}
	return r.Wall().Sub(*log.FetchedAt) < min(peace, longestPeace)
}

// A detail page of which no sign of a change is read again after the usual time. One that changed unannounced is
// read after half of the time that it had, and with each reading that brings nothing after twice that, up to the usual time. Where
// none of a watch did for long, all wait for a share of that time.
const (
	detailFactor = 8 // of the usual time, at most
	quietShare   = 7 // of the time without an unannounced change
)

// detailsEvery is how old the detail page of a record may get.
func (r *checkStep) detailsEvery(was *curlew.Sighting) time.Duration {
	if d := r.watch.Settings.DetailsEvery; d > 0 {
		return time.Duration(d)
	}
	usual := r.Defaults.DetailsEvery
	if was != nil && was.DetailEvery > 0 && time.Duration(was.DetailEvery) < usual {
		return time.Duration(was.DetailEvery)
	}
	if r.watch.Rhythm.QuietSince.IsZero() {
		return usual
	}
	return min(max(usual, r.Now().Sub(r.watch.Rhythm.QuietSince)/quietShare), usual*detailFactor)
}

// detailRhythm is how old a detail page may get after a reading; 0 is as it was. A reading that was announced teaches nothing.
func (r *checkStep) detailRhythm(was curlew.Sighting, d detail) curlew.Duration {
	if d.reason != urls.Due || r.plan.Archive {
		return 0
	}
	usual := r.Defaults.DetailsEvery
	every := usual
	if was.DetailEvery > 0 {
		every = time.Duration(was.DetailEvery)
	}
	if was.Detail != nil && Hash(was.Detail.Fields) == Hash(d.record.Fields) {
		return curlew.Duration(min(2*every, usual))
	}
	r.unannounced = true
	return curlew.Duration(max(every/2, usual/detailFactor))
}

// quietSince is since when no detail page of the watch changed unannounced.
func (r *checkStep) quietSince() time.Time {
	if since := r.watch.Rhythm.QuietSince; !since.IsZero() && !r.unannounced {
		return since
	}
	return r.Now()
}

// lastMods are the days on which sitemaps say that pages changed.
type lastMods struct {
	of   map[string]*time.Time // by the key of the page
	list bool                  // the list itself is a sitemap
}

// lastMods reads the sitemaps that are the list, and those that cover it.
func (r *checkStep) lastMods(ctx context.Context) (lastMods, error) {
	all := lastMods{of: map[string]*time.Time{}}
	pages, err := r.pages(ctx, r.progress.List)
	if err != nil {
		return all, err
	}
	for _, s := range r.progress.List {
		m, err := r.Watching.Material(ctx, pages[s.Page])
		if err != nil {
			return all, err
		}
		if !isSitemap(m) {
			continue
		}
		all.list = true
		if file, err := r.sitemap(m, pages[s.Page]); err == nil {
			all.add(file)
		}
	}
	for _, address := range r.progress.News.files() {
		page, err := r.lastCopy(ctx, pageTask{RequestSpec: extract.RequestSpec{URL: address}})
		if err != nil {
			return all, err
		}
		if page == nil { // its copy is no longer archived
			continue
		}
		file, err := r.newsIn(ctx, *page)
		if err != nil {
			return all, err
		}
		if file != nil && !isFeed(file) {
			all.add(file)
		}
	}
	return all, nil
}

func isSitemap(m extract.Material) bool {
	return (m.IsPart() || m.IsIndex()) && !extract.LooksLikeFeed(m.Body)
}

func (l lastMods) add(file *urls.Sitemap) {
	for _, e := range file.Entries {
		if e.LastMod != nil {
			l.of[urls.Key(e.URL)] = e.LastMod
		}
	}
}
