package runs_test

import (
	"cmp"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/testkit/demo"
	"github.com/curlew-data/curlew/internal/work/crawl"
	"github.com/curlew-data/curlew/internal/work/onboard"
	"github.com/curlew-data/curlew/internal/work/runs"
)

// depot is a list of eight things with detail pages, whose failures a test chooses.
type depot struct {
	board
	robots     string
	sku        string            // of all things, in the head of their pages
	detail     map[string]string // by name: the words of its page, or the status that it answers with
	nameless   string            // one whose heading is empty, in the list and on its page
	badges     map[string]string // of cards in the list
	decoration string
	visitor    string            // what the links of the list end with, "%d" for how often it was asked for
	level      string            // of the headings of detail pages; "" is h1
	others     []string          // that sitemaps name besides
	sitemap    map[string]string // the days of detail pages, "-" for none, "gone" for no entry; nil for no sitemaps
}

func (d *depot) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.asked == nil {
		d.asked = map[string]int{}
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	name, isDetail := strings.CutPrefix(r.URL.Path, "/p/")
	name, _, _ = strings.Cut(name, ";")
	switch words := d.detail[name]; {
	case r.URL.Path == "/robots.txt":
		fmt.Fprint(w, "User-agent: *\n"+d.robots)
		if d.sitemap != nil {
			fmt.Fprintf(w, "Sitemap: http://%s/sitemap0.xml\nSitemap: http://%s/sitemap1.xml\n", r.Host, r.Host)
		}
	case strings.HasPrefix(r.URL.Path, "/sitemap") && d.sitemap != nil:
		fmt.Fprint(w, d.urlset("http://"+r.Host, strings.HasSuffix(r.URL.Path, "1.xml")))
	case d.status != 0 && !isDetail:
		http.Error(w, "no", d.status)
	case !isDetail:
		d.asked["list"]++
		fmt.Fprint(w, d.list())
	case words == "404", words == "403", words == "429":
		status := map[string]int{"404": 404, "403": 403, "429": 429}[words]
		w.Header().Set("Retry-After", "1")
		http.Error(w, "no", status)
	default:
		if words == "" {
			words = `<p class="brand">Tern</p><p class="stock">in stock</p>`
		}
		fmt.Fprintf(w, `<html><head><title>%s%s</title></head><body><%[3]s>%[4]s</%[3]s>%[5]s%[6]s</body></html>`, name, d.sku,
			cmp.Or(d.level, "h1"), d.heading(name), words, d.decoration)
	}
}

func (d *depot) list() string {
	var list strings.Builder
	for i, name := range planNames[:8] {
		fmt.Fprintf(&list, `<li class="card"><a href="/p/%s%s"><h3>%s</h3></a><span class="price">€ %d</span>%s</li>`, name,
			strings.ReplaceAll(d.visitor, "%d", strconv.Itoa(d.asked["list"])), d.heading(name), 10+i, d.badges[name])
	}
	return `<html><head><title>Depot</title></head><body>` + d.decoration + `<ul id="list">` + list.String() + `</ul></body></html>`
}

// urlset is one of two sitemaps, with half of the things each.
func (d *depot) urlset(base string, second bool) string {
	var all strings.Builder
	for i, name := range append(planNames[:8:8], d.others...) {
		if i%2 == 0 == second || d.sitemap[name] == "gone" {
			continue
		}
		fmt.Fprintf(&all, "<url><loc>%s/p/%s</loc>", base, name)
		if day := cmp.Or(d.sitemap[name], "2026-03-01"); day != "-" {
			fmt.Fprintf(&all, "<lastmod>%s</lastmod>", day)
		}
		all.WriteString("</url>")
	}
	return `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + all.String() + "</urlset>"
}

func (d *depot) heading(name string) string {
	if name == d.nameless {
		return ""
	}
	return name
}

// stocked watches a depot by a list with detail pages.
func (o *observatory) stocked() (*depot, curlew.Watch) {
	o.Helper()
	return o.stockedWith(func(*depot) {})
}

// stockedWith watches a depot that is prepared first.
func (o *observatory) stockedWith(prepare func(d *depot)) (*depot, curlew.Watch) {
	o.Helper()
	d := &depot{detail: map[string]string{}, badges: map[string]string{}}
	prepare(d)
	address := o.serve(d)
	rules := boardRules
	css := func(path string) blueprint.FieldRules {
		return blueprint.FieldRules{Rules: []blueprint.Rule{{Selector: blueprint.Selector{CSS: path}}}}
	}
	rules.Follow = []blueprint.Follow{{Field: "url", With: &blueprint.Blueprint{Language: 1, Schema: curlew.SchemaProduct, Page: curlew.PageSingle,
		Tier: curlew.TierHTML, Fields: map[string]blueprint.FieldRules{
			"name": css("h1"), "sku": css("title"), "brand": css(".brand"), "availability": css(".stock"), "description": css(".about")}}}}
	watch := o.add(demo.Site{Name: "depot", Title: "Depot", Base: strings.TrimSuffix(address, "/")},
		onboard.Proposal{URL: address, Schema: curlew.SchemaProduct, Tier: curlew.TierHTML, Blueprint: &rules})
	o.mustVisit(watch)
	return d, watch
}

// entityOf is one of the things of a depot.
func (o *observatory) entityOf(watch curlew.Watch, name string) curlew.Entity {
	o.Helper()
	all, err := o.store.Org(curlew.DefaultOrg).Entities().Sighted(o.Context(), watch.ID)
	if err != nil {
		o.Fatal(err)
	}
	for _, e := range all {
		if e.Fields["name"] == name {
			return e
		}
	}
	o.Fatalf("no entity is named %s", name)
	return curlew.Entity{}
}

// failure is a row of the failure table: what goes wrong at a visit, and what comes of it.
type failure struct {
	name     string
	spoil    func(d *depot)
	visits   int                 // until the outcome is certain; 1 where that is at once
	fails    string              // what the failed run says; "" for one that succeeds
	warns    string              // a warning, with the page it is about
	says     string              // a line of the log
	counts   curlew.Counter      // that the run has
	status   curlew.EntityStatus // of the thing that failed
	silences bool                // nothing is told
}

var failures = []failure{
	{name: "a detail page is gone", spoil: func(d *depot) { d.detail["Birch"] = "404" }, visits: 2, warns: "/p/Birch", status: curlew.EntityStale,
		silences: true},
	{name: "a detail page is forbidden", spoil: func(d *depot) { d.detail["Birch"] = "403" }, warns: "/p/Birch", status: curlew.EntityActive,
		silences: true},
	{name: "a detail page asks to slow down", spoil: func(d *depot) { d.detail["Birch"] = "429" }, warns: "/p/Birch", status: curlew.EntityActive,
		silences: true},
	{name: "a field has no match", spoil: func(d *depot) { d.detail["Birch"] = `<p class="stock">in stock</p>` },
		warns: "/p/Birch: no match for brand", status: curlew.EntityActive, silences: true},
	{name: "a required field has no match", spoil: func(d *depot) { d.nameless = "Copper" }, warns: "no match for a required field in 1 record", silences: true},
	{name: "a word is unknown", spoil: func(d *depot) { d.detail["Birch"] = `<p class="brand">Tern</p><p class="stock">slumbering</p>` },
		warns: `/p/Birch: unknown word in availability: "slumbering"`, status: curlew.EntityActive, silences: true},
	{name: "only the template changed", spoil: func(d *depot) { d.decoration = "<p>Welcome to our new shop</p>" },
		says: "template drift:", counts: "drifted", silences: true},
	{name: "the template changed with something else", spoil: func(d *depot) {
		d.decoration = "<p>Welcome to our new shop</p>"
		d.detail["Birch"] = `<p class="brand">Heron</p><p class="stock">in stock</p>`
	}, says: "template drift:", counts: "drifted"},
	{name: "the record changed and the HTML did not", spoil: func(d *depot) { d.sku = "-2" }, warns: "/p/Birch: its HTML is as it was"},
	{name: "contacts of people are taken out", spoil: func(d *depot) {
		d.detail["Birch"] = `<p class="brand">Tern</p><p class="stock">in stock</p><p class="about">A chair. Contact person: Ada Winter, ada.winter@gmail.com</p>`
	}, says: "contacts of people were taken out", counts: curlew.CountPersonal},
	{name: "robots.txt newly forbids the detail pages", spoil: func(d *depot) { d.robots = "Disallow: /p/\n" }, fails: `line 2 says "Disallow: /p/"`},
	{name: "the list answers with an error", spoil: func(d *depot) { d.status = 500 }, fails: "could not fetch", silences: true},
}

// The failure table of docs/watching.md, row by row, as a watch meets it.
func TestEveryFailureOfAPageHasItsOutcome(t *testing.T) {
	for _, row := range failures {
		t.Run(row.name, func(t *testing.T) {
			observe(t, false, func(o *observatory) {
				defer o.work()()
				d, watch := o.stocked()
				at := o.sequence()
				d.set(func(*board) { row.spoil(d) })
				var run curlew.Run
				for range max(1, row.visits) {
					o.days.Add(1)
					run = o.visit(watch)
				}
				o.judge(row, run)
				if told := o.told(at); row.silences && len(told) > 0 {
					t.Errorf("told %q", told)
				}
				if row.counts == curlew.CountPersonal { // its copy is kept for a shorter time
					if refs, err := o.store.ExpirePersonal(t.Context(), time.Now().AddDate(10, 0, 0), 10); err != nil || len(refs) != 1 {
						t.Errorf("%d copies expire (%v)", len(refs), err)
					}
				}
				if row.status != "" && o.entityOf(watch, "Birch").Status != row.status {
					t.Errorf("the entity is %s, want %s", o.entityOf(watch, "Birch").Status, row.status)
				}
			})
		})
	}
}

func (o *observatory) judge(row failure, run curlew.Run) {
	o.Helper()
	said := o.said(run)
	if failed := run.State == curlew.RunFailed; failed != (row.fails != "") || !strings.Contains(run.Summary, row.fails) {
		o.Errorf("the run %s: %s", run.State, run.Summary)
	}
	if row.warns != "" && (run.Counters[curlew.CountWarnings] == 0 || !strings.Contains(said, row.warns)) {
		o.Errorf("%d warnings; the log says\n%s", run.Counters[curlew.CountWarnings], said)
	}
	if !strings.Contains(said, row.says) || row.counts != "" && run.Counters[row.counts] == 0 {
		o.Errorf("the log says\n%s", said)
	}
}

// A detail page that says a new value with the list, from which it is taken, has no new template.
func TestAPageThatChangedWithItsRecordIsNoTemplateDrift(t *testing.T) {
	observe(t, false, func(o *observatory) {
		defer o.work()()
		d, watch := o.stockedWith(labelled)
		at := o.sequence()
		d.set(func(*board) {
			d.badges["Birch"], d.detail["Birch"] = `<b class="badge">Sold out</b>`, `<p class="brand">Tern</p><p class="stock">sold out</p>`
		})
		run := o.visit(watch)
		o.want(at, "entity_changed Birch availability in_stock→out_of_stock")
		if n := run.Counters["drifted"]; n != 0 {
			t.Errorf("%d pages have a new template:\n%s", n, o.said(run))
		}
	})
}

func TestRobotsThatNewlyForbidDetailPagesStopTheWatch(t *testing.T) {
	observe(t, false, func(o *observatory) {
		defer o.work()()
		d, watch := o.stocked()
		at := o.sequence()
		d.set(func(*board) { d.robots = "Disallow: /p/\n" })
		o.visit(watch)
		if got := o.watchNow(watch.ID); got.Status != curlew.WatchError || !strings.Contains(got.LastError, "Disallow: /p/") {
			t.Errorf("the watch is %s: %s", got.Status, got.LastError)
		}
		o.want(at, "watch_error")
	})
}

// Whoever is told of a failed watch is told of a failed crawl too.
func TestAFailedCrawlIsTold(t *testing.T) {
	observe(t, false, func(o *observatory) {
		o.slicers[curlew.RunCrawl] = crawl.Crawl{Store: o.store, Crawl: &crawl.CrawlReader{Reader: o.watch.Watching.Reader}, Outbox: o.watch.Outbox}
		defer o.work()()
		d, _ := o.stocked()
		d.set(func(*board) { d.robots = "Disallow: /\n" })
		at := o.sequence()
		plan := crawl.CrawlPlan{Seeds: []string{o.serve(d)}, MaxPages: 5, Depth: 1, SameHost: true, Concurrency: 1}
		run, err := o.Start(t.Context(), curlew.DefaultOrg, runs.NewRun{Kind: curlew.RunCrawl, Scope: plan.Scope(), Plan: plan})
		if err != nil {
			t.Fatal(err)
		}
		if run = o.ended(run); run.State != curlew.RunFailed {
			t.Fatalf("the crawl %s: %s", run.State, run.Summary)
		}
		o.want(at, "watch_error")
	})
}

// What the list says now is newer than what a detail page said when it could be read last.
func TestTheListIsBelievedWhereADetailPageCannotBeRead(t *testing.T) {
	observe(t, false, func(o *observatory) {
		defer o.work()()
		d, watch := o.stocked()
		at := o.sequence()
		d.set(func(*board) { d.detail["Birch"], d.badges["Birch"] = "403", `<b class="badge">Sold out</b>` })
		for range 3 {
			o.mustVisit(watch)
		}
		o.want(at, "entity_changed Birch availability in_stock→out_of_stock")
		d.set(func(*board) { d.detail["Birch"], d.badges["Birch"] = "", "" })
		o.mustVisit(watch)
		o.want(at, "entity_changed Birch availability in_stock→out_of_stock", "entity_changed Birch availability out_of_stock→in_stock")
	})
}
