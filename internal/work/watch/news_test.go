package watch_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/testkit/demo"
	"github.com/curlew-data/curlew/internal/testkit/workers"
	"github.com/curlew-data/curlew/internal/work/onboard"
	"github.com/curlew-data/curlew/internal/work/runs"
	"github.com/curlew-data/curlew/internal/work/watch"
)

// newsStand is a board with a feed, or a sitemap, of what is on it.
type newsStand struct {
	workers.Board
	sitemap bool
	edited  map[string]int // days since a thing was last changed
	status  int            // of feed and sitemap
}

func (n *newsStand) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n.Mu.Lock()
	base := "http://" + r.Host
	switch {
	case r.URL.Path == "/robots.txt" && n.sitemap:
		n.Mu.Unlock()
		fmt.Fprintf(w, "Sitemap: %s/sitemap.xml\n", base)
		return
	case r.URL.Path == "/feed.xml", r.URL.Path == "/sitemap.xml":
		defer n.Mu.Unlock()
		n.Asked[r.URL.Path]++
		if n.status != 0 {
			w.WriteHeader(n.status)
			return
		}
		fmt.Fprint(w, n.file(r.URL.Path, base))
		return
	}
	n.Mu.Unlock()
	n.Board.ServeHTTP(&withFeed{w, !n.sitemap}, r)
}

// withFeed lets the page name its feed.
type withFeed struct {
	http.ResponseWriter
	names bool
}

func (w *withFeed) Write(p []byte) (int, error) {
	if w.names {
		p = []byte(strings.Replace(string(p), "<title>", `<link rel="alternate" type="application/rss+xml" href="/feed.xml"><title>`, 1))
	}
	return w.ResponseWriter.Write(p)
}

func (n *newsStand) file(path, base string) string {
	var out strings.Builder
	for _, item := range n.Items {
		name, _, _ := strings.Cut(item, "=")
		day := time.Date(2026, 3, 1+n.edited[name], 0, 0, 0, 0, time.UTC)
		if path == "/feed.xml" {
			fmt.Fprintf(&out, "<item><title>%s</title><link>%s/p/%s</link><pubDate>%s</pubDate></item>", name, base, name, day.Format(time.RFC1123Z))
		} else {
			fmt.Fprintf(&out, "<url><loc>%s/p/%s</loc><lastmod>%s</lastmod></url>", base, name, day.Format(time.DateOnly))
		}
	}
	if path == "/feed.xml" {
		return `<?xml version="1.0"?><rss version="2.0"><channel><title>Board</title>` + out.String() + `</channel></rss>`
	}
	return `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + out.String() +
		fmt.Sprintf("<url><loc>%s/imprint</loc></url></urlset>", base)
}

// requests takes how often each path was asked for since the last time.
func (n *newsStand) requests() map[string]int {
	n.Mu.Lock()
	defer n.Mu.Unlock()
	all := n.Asked
	n.Asked = map[string]int{}
	delete(all, "/robots.txt")
	return all
}

// standing watches a stand and lets it be read twice, so that what tells its news is known.
func (o *watching) standing(stand *newsStand, items ...string) curlew.Watch {
	o.Helper()
	stand.Items, stand.Asked = items, map[string]int{}
	address := o.Serve(stand)
	rules := workers.BoardRules
	watch := o.Add(demo.Site{Name: "board", Title: "Board", Base: strings.TrimSuffix(address, "/")},
		onboard.Proposal{URL: address, Schema: curlew.SchemaProduct, Tier: curlew.TierHTML, Blueprint: &rules})
	if _, err := o.EditWatch(watch.ID, func(w *curlew.Watch) error { w.Schedule = "adaptive"; return nil }); err != nil {
		o.Fatal(err)
	}
	o.MustVisit(watch)
	o.MustVisit(watch)
	stand.requests()
	return watch
}

// peek lets a watch ask what tells news, as the scheduler does in between.
func (o *watching) peek(watch curlew.Watch) curlew.Run {
	o.Helper()
	run, err := o.StartCheck(watch.ID, workers.Plan{Trigger: workers.TriggerNews})
	if err != nil {
		o.Fatal(err)
	}
	if run = o.Ended(run); run.State != curlew.RunSucceeded {
		o.Fatalf("the run %s: %s", run.State, run.Summary)
	}
	return run
}

func TestAFeedOrSitemapTellsEarlyWhatIsNew(t *testing.T) {
	for name, sitemap := range map[string]bool{"/feed.xml": false, "/sitemap.xml": true} {
		t.Run(name, func(t *testing.T) {
			observe(t, false, func(o *watching) {
				defer o.Work()()
				stand := &newsStand{sitemap: sitemap, edited: map[string]int{}}
				watch := o.standing(stand, "anchor=12", "buoy=30", "chart=8", "drogue=45", "ensign=9")
				is := o.WatchNow(watch.ID)
				n := is.Rhythm.News
				if n == nil || !strings.HasSuffix(n.URL, name) || !n.PeekAt.Equal(*is.NextRunAt) || n.ListAt.Sub(time.Now()) < 12*time.Minute ||
					n.PeekAt.After(n.ListAt) {
					t.Fatalf("the list is due at %v: %+v", is.NextRunAt, n)
				}

				at := o.Sequence()
				run := o.peek(watch)
				if got := stand.requests(); len(got) != 1 || got[name] != 1 || !strings.Contains(o.Said(run), "lists nothing new") {
					t.Errorf("asked for %v: %s", got, o.Said(run))
				}
				if now := o.WatchNow(watch.ID); !now.Rhythm.News.ListAt.Equal(n.ListAt) || now.NextRunAt.After(n.ListAt) ||
					!now.LastRunAt.Equal(*is.LastRunAt) {
					t.Errorf("nothing new moved the check of the list: %+v", now.Rhythm.News)
				}
				o.Want(at)

				stand.Set(func(b *workers.Board) { b.Items = append(b.Items, "fender=19") })
				run = o.peek(watch)
				o.Want(at, "entity_appeared fender")
				if !strings.Contains(o.Said(run), name+" lists 1 page new or changed") {
					t.Errorf("it says %s", o.Said(run))
				}

				at = o.Sequence()
				stand.Set(func(b *workers.Board) { b.Items[0] = "anchor=15"; stand.edited["anchor"] = 2 })
				o.peek(watch)
				o.Want(at, "entity_changed anchor price 1200→1500")
			})
		})
	}
}

// A feed that says nothing is no reason not to read the list when it is due.
func TestASilentFeedHidesNothing(t *testing.T) {
	observe(t, false, func(o *watching) {
		defer o.Work()()
		stand := &newsStand{edited: map[string]int{}}
		watch := o.standing(stand, "anchor=12", "buoy=30", "chart=8", "drogue=45", "ensign=9")
		at := o.Sequence()
		stand.Set(func(*workers.Board) { stand.status = http.StatusInternalServerError })
		o.peek(watch)
		if n := o.WatchNow(watch.ID).Rhythm.News; n.URL == "" {
			t.Error("one failure made it forget the feed")
		}
		stand.Set(func(b *workers.Board) { stand.status = http.StatusGone; b.Items[1] = "buoy=31" })
		o.peek(watch)
		is := o.WatchNow(watch.ID)
		if n := is.Rhythm.News; n.URL != "" || !is.NextRunAt.Equal(n.ListAt) {
			t.Errorf("the feed is gone, and yet %+v, due at %v", n, is.NextRunAt)
		}
		o.Want(at)
		o.MustVisit(watch)
		o.Want(at, "entity_changed buoy price 3000→3100")
	})
}

// What a feed told of and the list does not show yet is looked for once more, soon.
func TestAListThatLagsBehindItsFeedIsReadOnceMore(t *testing.T) {
	observe(t, false, func(o *watching) {
		defer o.Work()()
		stand := &newsStand{edited: map[string]int{}}
		watch := o.standing(stand, "anchor=12", "buoy=30", "chart=8", "drogue=45", "ensign=9")
		old := stand.Page()
		stand.Set(func(b *workers.Board) { b.Items, b.Body = append(b.Items, "fender=19"), old })
		o.peek(watch)
		is := o.WatchNow(watch.ID)
		if n := is.Rhythm.News; !n.Late || is.NextRunAt.Sub(time.Now()) > time.Duration(n.Every) || n.PeekAt.Equal(*is.NextRunAt) {
			t.Errorf("due at %v: %+v", is.NextRunAt, n)
		}
		at := o.Sequence()
		stand.Set(func(b *workers.Board) { b.Body = "" })
		o.MustVisit(watch)
		o.Want(at, "entity_appeared fender")
	})
}

// The scheduler asks what tells news at its time, and reads the list at any other.
func TestTheSchedulerKnowsALookAtTheFeedFromACheckOfTheList(t *testing.T) {
	observe(t, false, func(o *watching) {
		defer o.Work()()
		stand := &newsStand{edited: map[string]int{}}
		watched := o.standing(stand, "anchor=12", "buoy=30", "chart=8", "drogue=45", "ensign=9")
		for _, wanted := range []string{workers.TriggerNews, "schedule"} {
			err := o.Store.Write(t.Context(), curlew.DefaultOrg, func(w store.WriteScope) error {
				is, err := w.Watches().Lock(t.Context(), watched.ID)
				if err != nil {
					return err
				}
				past := time.Now().Add(-time.Minute).Truncate(time.Second)
				is.NextRunAt = &past
				if wanted == workers.TriggerNews {
					is.Rhythm.News.PeekAt = past
				}
				return w.Watches().Save(t.Context(), is)
			})
			if err != nil {
				t.Fatal(err)
			}
			if err := o.Handlers()[runs.KindTick](t.Context(), nil); err != nil {
				t.Fatal(err)
			}
			o.Until("the scheduler to begin a run: "+wanted, func() bool {
				all, err := o.Store.Org(curlew.DefaultOrg).Runs().List(t.Context(), store.RunFilter{}, store.Window{Limit: 50})
				if err != nil {
					t.Fatal(err)
				}
				return slices.ContainsFunc(all, func(r curlew.Run) bool { return watch.PlanOf(r).Trigger == wanted && r.State.Ended() })
			})
		}
	})
}
