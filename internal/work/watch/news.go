package watch

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/change/publish"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/web/robots"
	"github.com/curlew-data/curlew/internal/web/urls"
	"github.com/curlew-data/curlew/internal/work/pages"
	"github.com/curlew-data/curlew/internal/work/runs"
)

// A feed or sitemap that covers a list is asked this often between two checks of it,
// within bounds.
const (
	peeksPerCheck = 8
	shortestPeek  = 15 * time.Minute
	longestPeek   = 3 * time.Hour
)

// What tells news early is looked for so often, with so many requests; a file without
// validators must be small, since it comes whole each time.
const (
	seekEvery  = 7 * 24 * time.Hour
	mostSought = 4
	smallNews  = 256 << 10
	mostTold   = 200
)

// news is what a run knows of what tells news early.
type news struct {
	URL     string   `json:"url,omitempty"`     // of the feed, or of the first sitemap
	More    []string `json:"more,omitempty"`    // further sitemaps
	Sought  int      `json:"sought,omitempty"`  // files that were asked for in search of one
	Told    []string `json:"told,omitempty"`    // keys of addresses that they call new, changed or gone
	Parts   []string `json:"parts,omitempty"`   // sitemaps that were found to have some of the list
	Covered int      `json:"covered,omitempty"` // how many entries of it they have together
}

func (n news) files() []string { return curlew.News{URL: n.URL, More: n.More}.Files() }

// askNews asks the feed or the sitemaps that cover the list. Where they tell of something, or
// the list is due anyway, the list is read; otherwise the run is over.
func (r *checkStep) askNews(ctx context.Context) (runs.Step, error) {
	var all []fetched
	var warnings []curlew.LogLine
	var gone []string
	told := newsTold{}
	files := r.progress.News.files()
	for _, address := range r.inTurn(files) {
		ask := pageTask{RequestSpec: extract.RequestSpec{URL: address}}
		before, err := r.lastCopy(ctx, ask)
		if err != nil {
			return runs.Step{}, err
		}
		asked, page, busy, err := r.ask(ctx, ask)
		if busy > 0 && len(all) > 0 { // a host that wants long rests is asked for one file at a time
			break
		}
		if busy > 0 {
			return runs.Step{Progress: r.progress, Rest: busy}, nil
		}
		fault := curlew.AsFault(err)
		switch {
		case ctx.Err() != nil || errors.Is(fault, curlew.ErrUnexpected) || errors.Is(fault, curlew.ErrDiskFull):
			return runs.Step{}, err
		case fault != nil:
			warnings = append(warnings, curlew.LogLine{Level: curlew.LogWarn, Text: fault.Sentence})
		default:
			all = append(all, fetched{asked, page})
			if err := r.compareNews(ctx, &told, before, asked, page); err != nil {
				return runs.Step{}, err
			}
		}
		if asked.Outcome == curlew.OutcomeGone || errors.Is(fault, robots.ErrForbidden) {
			gone = append(gone, address)
		}
	}
	keys, err := r.told(ctx, told)
	if err != nil {
		return runs.Step{}, err
	}
	r.progress.Phase, r.progress.News.Told = phaseList, keys
	step := r.commit(all)
	step.Log = append(step.Log, warnings...)
	return r.afterNews(step, strings.Join(files, ", "), gone), nil
}

// inTurn lets another file be the first each hour.
func (r *checkStep) inTurn(files []string) []string {
	first := int(r.Wall().Unix()/int64(time.Hour/time.Second)) % max(1, len(files))
	return slices.Concat(files[first:], files[:first])
}

// afterNews goes on to the list, or ends the run where nothing was told and nobody asked for more.
func (r *checkStep) afterNews(step runs.Step, files string, gone []string) runs.Step {
	if n := len(r.progress.News.Told); n > 0 {
		step.Log = append(step.Log, runs.Info("%s lists %s new or changed: the list is read now", files, curlew.Counted(n, "page")))
		return step
	}
	if r.plan.Trigger != TriggerNews {
		return step
	}
	step.Done = true
	step.Log = append(step.Log, runs.Info("%s lists nothing new: the list is read at its usual time", files))
	keep := step.Effect
	step.Effect = func(ctx context.Context, w store.WriteScope) error {
		if err := keep(ctx, w); err != nil {
			return err
		}
		return r.peekAgain(ctx, w, gone)
	}
	return step
}

// peekAgain plans the next look after one that told of nothing. What is gone is forgotten;
// the list is due when it was before.
func (r *checkStep) peekAgain(ctx context.Context, w store.WriteScope, gone []string) error {
	watch, err := w.Watches().Lock(ctx, r.watch.ID)
	if err != nil {
		return err
	}
	n := watch.Rhythm.News
	if n == nil || watch.Status != curlew.WatchActive {
		return nil
	}
	left := slices.DeleteFunc(n.Files(), func(file string) bool { return slices.Contains(gone, file) })
	if n.URL, n.More = "", nil; len(left) > 0 {
		n.URL, n.More = left[0], left[1:]
	}
	planPeek(&watch, n.ListAt, r.Wall())
	return w.Watches().Save(ctx, watch)
}

// planPeek sets that the list is read at a time, and what tells news before that.
func planPeek(watch *curlew.Watch, listAt, now time.Time) {
	n := watch.Rhythm.News
	watch.NextRunAt = &listAt
	if n == nil {
		return
	}
	n.ListAt = listAt
	peek := now.Add(time.Duration(n.Every)).Truncate(time.Second)
	if n.URL != "" && peek.Add(shortestPeek).Before(listAt) {
		n.PeekAt, watch.NextRunAt = peek, &peek
	}
}

// planNews plans, after a check of the list, when to ask what tells news. Something that
// it told of and that the list does not show yet makes the list due once more soon.
func (r *checkStep) planNews(watch *curlew.Watch, o publish.CheckResult, now time.Time) {
	if watch.Rhythm.News == nil && r.progress.News.Sought == 0 || watch.NextRunAt == nil {
		return
	}
	n := curlew.News{}
	if watch.Rhythm.News != nil {
		n = *watch.Rhythm.News
	}
	if r.progress.News.Sought > 0 {
		n.URL, n.More, n.SoughtAt = r.progress.News.URL, r.progress.News.More, now
	}
	watch.Rhythm.News = &n
	listAt := *watch.NextRunAt
	n.Every = curlew.Duration(min(max(listAt.Sub(now)/peeksPerCheck, shortestPeek), longestPeek))
	shown := map[string]bool{urls.Key(watch.URL): true}
	for _, seen := range o.Seen {
		shown[urls.Key(seen.Record.URL)] = true
	}
	late := slices.ContainsFunc(r.progress.News.Told, func(key string) bool { return !shown[key] })
	if n.Late = late && !n.Late; n.Late {
		if soon := now.Add(time.Duration(n.Every)); soon.Before(listAt) {
			listAt = soon
		}
	}
	planPeek(watch, listAt, now)
}

// toldOf says whether a page was called new or changed.
func (r *checkStep) toldOf(page extract.RequestSpec) bool {
	return slices.Contains(r.progress.News.Told, urls.Key(page.URL))
}

// newsTold is what feeds and sitemaps say now, and what their last copies said.
type newsTold struct {
	old, now []*urls.Sitemap
	cut      bool // one of them was not read to its end
}

// compareNews adds a file that was asked for. One that did not come whole says what it said before.
func (r *checkStep) compareNews(ctx context.Context, told *newsTold, before *curlew.Page, asked pageTask, page curlew.Page) error {
	if before == nil {
		return nil
	}
	old, err := r.newsIn(ctx, *before)
	if err != nil || old == nil {
		return err
	}
	now := old
	if asked.Outcome == curlew.OutcomeFetched {
		file, err := r.newsIn(ctx, page)
		if err != nil {
			return err
		}
		if file != nil {
			now = file
		}
	}
	told.old, told.now, told.cut = append(told.old, old), append(told.now, now), told.cut || !now.Complete()
	return nil
}

// told are the keys of the pages that feeds and sitemaps call new or changed since their last copies, and of
// known things that all sitemaps have left out since.
func (r *checkStep) told(ctx context.Context, n newsTold) (all []string, err error) {
	dates, left := map[string]time.Time{}, map[string]bool{}
	for _, file := range n.old {
		for _, e := range file.Entries {
			dates[urls.Key(e.URL)] = e.Changed()
			left[urls.Key(e.URL)] = !isFeed(file) && !n.cut
		}
	}
	var of func(key string, known bool) bool
	for _, file := range n.now {
		if of, err = r.wanted(ctx, file); err != nil {
			return nil, err
		}
		for _, e := range file.Entries {
			key := urls.Key(e.URL)
			delete(left, key)
			was, known := dates[key]
			if (!known || !was.Equal(e.Changed())) && of(key, known) && len(all) < mostTold {
				all = append(all, key)
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(left)) {
		if left[key] && of(key, true) && len(all) < mostTold {
			all = append(all, key)
		}
	}
	return all, nil
}

func isFeed(file *urls.Sitemap) bool {
	return file.Kind == urls.SitemapRSS || file.Kind == urls.SitemapAtom
}

// wanted says which pages of a file concern the watch. A feed was chosen because it is
// about the list; a sitemap has all pages of a site, of which those count that are known, and
// new ones whose address looks like theirs.
func (r *checkStep) wanted(ctx context.Context, file *urls.Sitemap) (func(key string, changed bool) bool, error) {
	if isFeed(file) {
		return func(string, bool) bool { return true }, nil
	}
	entities, err := r.scope.Entities().Sighted(ctx, r.watch.ID)
	if err != nil {
		return nil, err
	}
	known, families := map[string]bool{urls.Key(r.watch.URL): true}, map[string]bool{}
	for _, e := range entities {
		known[urls.Key(e.URL)] = true
		if !r.readsText() {
			families[familyOf(e.URL)] = true
		}
	}
	return func(key string, changed bool) bool { return known[key] || !changed && families[familyOf(key)] }, nil
}

// familyOf is what the addresses of things of one kind share: the host, the first part of
// the path and how many parts there are.
func familyOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	parts := strings.Split(strings.Trim(u.Path, "/"), "/")
	if len(parts) == 1 {
		return u.Host + "/*"
	}
	return u.Host + "/" + parts[0] + strings.Repeat("/*", len(parts)-1)
}

// newsIn reads an archived feed or sitemap; nil for what is none, or no longer archived.
func (r *checkStep) newsIn(ctx context.Context, page curlew.Page) (*urls.Sitemap, error) {
	m, err := r.Watching.Material(ctx, page)
	if fault := curlew.AsFault(err); fault != nil {
		if fault.Kind == curlew.KindPermanent {
			return nil, nil
		}
		return nil, err
	}
	file, err := r.sitemap(m, page)
	if err != nil {
		return nil, nil // it was none after all
	}
	return file, nil
}

func (r *checkStep) sitemap(m extract.Material, page curlew.Page) (*urls.Sitemap, error) {
	return pages.Sitemap(m.Body, page, runs.HostOf(r.watch.URL))
}

// seekNews plans to look for a feed or sitemap that covers the list; false where there is
// no use, or it was looked for of late.
func (r *checkStep) seekNews(ctx context.Context) (bool, error) {
	if worth, err := r.worthSeeking(); err != nil || !worth {
		return false, err
	}
	pages, err := r.pages(ctx, r.progress.List[:1])
	if err != nil {
		return false, err
	}
	list, err := r.Watching.Material(ctx, pages[r.progress.List[0].Page])
	if err != nil {
		return false, err
	}
	if extract.LooksLikeFeed(list.Body) || isSitemap(list) || list.Document().IsJSON() {
		return false, nil // it tells by itself
	}
	all, err := r.announced(ctx, list)
	if err != nil {
		return false, err
	}
	for _, address := range all {
		if address, err := urls.Canonical(address, r.watch.URL); err == nil && urls.SameSite(address, r.watch.URL) {
			r.progress.Todo = append(r.progress.Todo, pageTask{RequestSpec: extract.RequestSpec{URL: address}})
		}
	}
	r.progress.News.Sought = 1 // also where there is none
	return len(r.progress.Todo) > 0, nil
}

// worthSeeking says whether something that tells news would be early, or say which detail pages changed, and was not looked
// for of late. The first check has more urgent things to do.
func (r *checkStep) worthSeeking() (bool, error) {
	known, now := r.watch.Rhythm.News, r.Wall()
	if r.plan.Archive || r.watch.LastRunAt == nil || known != nil && (known.URL != "" || now.Sub(known.SoughtAt) < seekEvery) {
		return false, nil
	}
	if len(r.compiled.Follow) > 0 {
		return true, nil
	}
	planned := r.watch
	planned.Rhythm.LastCheckAt, planned.Rhythm.Failures = now, 0 // as it is after this check
	err := Reschedule(&planned, now, 0)
	return err == nil && planned.NextRunAt.Sub(now) >= 4*shortestPeek, err
}

// announced are the feeds that a page names, and the sitemaps that robots.txt names.
func (r *checkStep) announced(ctx context.Context, list extract.Material) (all []string, err error) {
	if links, err := pages.Links(list); err == nil && !r.readsText() {
		all = links.Feeds[:min(len(links.Feeds), mostSought-1)]
	}
	target, err := url.Parse(r.watch.URL)
	if err != nil {
		return all, nil
	}
	rules, err := r.Watching.Reader.Fetcher.Robots(ctx, target, false)
	if err == nil {
		all = append(all, rules.File.Sitemaps()...)
	}
	return all, err
}

// seek asks for the next file that may cover the list.
func (r *checkStep) seek(ctx context.Context) (runs.Step, error) {
	if len(r.progress.Todo) == 0 || r.progress.News.Sought > mostSought || r.progress.News.URL != "" {
		return r.sought(ctx)
	}
	asked, page, busy, err := r.ask(ctx, r.progress.Todo[0])
	if busy > 0 {
		return runs.Step{Progress: r.progress, Rest: busy}, nil
	}
	if fault := curlew.AsFault(err); fault != nil {
		if ctx.Err() != nil || fault.Kind != curlew.KindPermanent && fault.Kind != curlew.KindRefused {
			return runs.Step{}, err
		}
		r.progress.Todo = r.progress.Todo[1:]
		return runs.Step{Progress: r.progress}, nil
	}
	r.progress.Todo = r.progress.Todo[1:]
	r.progress.News.Sought++
	var log []curlew.LogLine
	if asked.Page != "" && (asked.Outcome == curlew.OutcomeFetched || asked.Outcome == curlew.OutcomeNotModified) {
		if log, err = r.weigh(ctx, asked, page); err != nil {
			return runs.Step{}, err
		}
	}
	step := r.commit([]fetched{{asked, page}})
	step.Log = append(step.Log, log...)
	return step, nil
}

// weigh takes a file that covers the list, and looks into those that an index names.
func (r *checkStep) weigh(ctx context.Context, asked pageTask, page curlew.Page) ([]curlew.LogLine, error) {
	file, err := r.newsIn(ctx, page)
	if err != nil || file == nil {
		return nil, err
	}
	for _, child := range file.Newest() {
		if len(r.progress.Todo) < mostSought {
			r.progress.Todo = append(r.progress.Todo, pageTask{RequestSpec: extract.RequestSpec{URL: child.URL}})
		}
	}
	cheap := cmp.Or(page.ETag, page.LastModified) != "" || page.Bytes <= smallNews
	both, of, err := r.covers(ctx, file)
	if err != nil || both == 0 || !cheap {
		return nil, err
	}
	if !isFeed(file) && both < of { // others may have the rest
		r.progress.News.Parts, r.progress.News.Covered = append(r.progress.News.Parts, asked.URL), r.progress.News.Covered+both
		return nil, nil
	}
	if 2*both < of {
		return nil, nil
	}
	r.progress.News.URL = asked.URL
	return []curlew.LogLine{coverLine(r.progress.News)}, nil
}

func coverLine(n news) curlew.LogLine {
	if len(n.More) > 0 {
		return runs.Info("%s cover the list: they are asked between two checks", strings.Join(n.files(), ", "))
	}
	return runs.Info("%s covers the list: it is asked between two checks", n.URL)
}

// sought ends the search: sitemaps that have half of the list together cover it.
func (r *checkStep) sought(ctx context.Context) (runs.Step, error) {
	r.progress.Todo = nil
	n := &r.progress.News
	var log []curlew.LogLine
	if n.URL == "" && len(n.Parts) > 0 {
		_, of, err := r.covers(ctx, &urls.Sitemap{})
		if err != nil {
			return runs.Step{}, err
		}
		if 2*n.Covered >= of {
			n.URL, n.More = n.Parts[0], n.Parts[1:]
			log = append(log, coverLine(*n))
		}
	}
	step, err := r.planDetails(ctx)
	step.Log = append(log, step.Log...)
	return step, err
}

// covers says how many entries of the list a feed or sitemap has, and of how many it should: of the list, or of a feed, which
// has the newest only.
func (r *checkStep) covers(ctx context.Context, file *urls.Sitemap) (both, of int, err error) {
	if r.readsText() {
		if slices.ContainsFunc(file.Entries, func(e urls.SitemapURL) bool {
			return e.LastMod != nil && urls.Key(e.URL) == urls.Key(r.watch.URL)
		}) {
			both = 1
		}
		return both, 1, nil
	}
	list, err := r.readList(ctx)
	if err != nil {
		return 0, 0, err
	}
	known := map[string]bool{}
	for _, one := range list.Records {
		if one.Record.URL != "" {
			known[urls.Key(one.Record.URL)] = true
		}
	}
	for _, e := range file.Entries {
		if known[urls.Key(e.URL)] {
			both++
		}
	}
	if isFeed(file) {
		return both, len(file.Entries), nil
	}
	return both, len(known), nil
}
