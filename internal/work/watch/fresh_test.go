package watch_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/testkit/demo"
	"github.com/curlew-data/curlew/internal/testkit/workers"
	"github.com/curlew-data/curlew/internal/web/urls"
	"github.com/curlew-data/curlew/internal/work/onboard"
)

// labelled gives every card of a depot its stock, as its detail page says it.
func labelled(d *workers.Depot) {
	for _, name := range workers.PlanNames[:8] {
		d.Badges[name] = `<b class="badge">In stock</b>`
	}
}

// A list whose stock is that of its detail pages is believed at once, also while a cached detail page still says
// otherwise, and whatever that says at later checks.
func TestWhatTheListSaysLikeDetailPagesIsTakenFromTheList(t *testing.T) {
	observe(t, false, func(o *watching) {
		defer o.Work()()
		d, watch := o.StockedWith(labelled)
		at := o.Sequence()
		d.Set(func(*workers.Board) { d.Badges["Birch"] = `<b class="badge">Sold out</b>` })
		for range 3 {
			o.MustVisit(watch)
		}
		o.Want(at, "entity_changed Birch availability in_stock→out_of_stock")
		e := o.EntityOf(watch, "Birch")
		if err := o.Store.Org(curlew.DefaultOrg).Entities().Confirm(t.Context(), []curlew.Entity{e}); err != nil {
			t.Fatal(err)
		}
		all := []curlew.Entity{e}
		if err := o.Store.Org(curlew.DefaultOrg).Entities().Confirm(t.Context(), all); err != nil {
			t.Fatal(err)
		}
		if got := all[0].Confirmed["availability"]; got.URL != watch.URL {
			t.Errorf("the stock was confirmed at %s, want %s", got.URL, watch.URL)
		}
		if got := all[0].Confirmed["brand"]; !strings.HasSuffix(got.URL, "/p/Birch") {
			t.Errorf("the brand was confirmed at %s", got.URL)
		}
	})
}

// A list that says its prices otherwise than detail pages, such as without tax, leaves them to those.
func TestWhatTheListSaysOtherwiseThanDetailPagesIsTakenFromThese(t *testing.T) {
	observe(t, false, func(o *watching) {
		defer o.Work()()
		d, watch := o.StockedWith(func(d *workers.Depot) {
			for _, name := range workers.PlanNames[:8] {
				d.Badges[name] = `<b class="badge">Sold out</b>`
			}
		})
		at := o.Sequence()
		d.Set(func(*workers.Board) { d.Decoration = "<p>Hello</p>" })
		o.Days.Add(1)
		o.MustVisit(watch)
		o.Want(at)
		if got := o.EntityOf(watch, "Birch").Fields["availability"]; got != "in_stock" {
			t.Errorf("the stock is %v", got)
		}
	})
}

// A detail page of which no sign of a change is read more often once it changed unannounced, and less often where none
// of the watch did for long.
func TestDetailPagesAreReadByARhythmOfTheirOwn(t *testing.T) {
	observe(t, false, func(o *watching) {
		defer o.Work()()
		d, watch := o.Stocked()
		read := func(days int64) (names []string) {
			o.Days.Add(days)
			before := o.asked(watch)
			o.MustVisit(watch)
			return o.askedSince(watch, before)
		}
		if all := read(1); len(all) != 8 {
			t.Errorf("after a day %q are read, want all", all)
		}
		d.Set(func(*workers.Board) { d.Detail["Birch"] = `<p class="brand">Heron</p><p class="stock">in stock</p>` })
		if all := read(1); len(all) != 8 {
			t.Errorf("after another day %q are read, want all", all)
		}
		sightings, err := o.Store.Org(curlew.DefaultOrg).Entities().Sightings(t.Context(), watch.ID)
		if err != nil {
			t.Fatal(err)
		}
		birch := o.EntityOf(watch, "Birch").ID
		for _, s := range sightings {
			if every := time.Duration(s.DetailEvery); (every == 10*time.Hour) != (s.Entity == birch) {
				t.Errorf("%s is read every %v", s.Entity, every)
			}
			e, err := o.Store.Org(curlew.DefaultOrg).Entities().Get(t.Context(), s.Entity)
			if err != nil || !e.LastSeenAt.Equal(s.SeenAt) {
				t.Errorf("%s was seen last at %v, want %v (%v)", s.Entity, e.LastSeenAt, s.SeenAt, err)
			}
		}
		if all := read(21); len(all) != 8 {
			t.Errorf("after three weeks %q are read, want all", all)
		}
		if all := read(2); len(all) != 0 {
			t.Errorf("where nothing changed for three weeks, %q are read after two days", all)
		}
		if all := read(2); len(all) != 8 {
			t.Errorf("and %q after four", all)
		}
	})
}

// The URL log of a watch says of each detail page why it was read at the last check, or why not.
func TestTheReasonOfEachDetailPageIsKept(t *testing.T) {
	observe(t, false, func(o *watching) {
		defer o.Work()()
		d, watch := o.StockedWith(func(d *workers.Depot) { d.Sitemap = map[string]string{} })
		reasons := func() map[string]int {
			counts := map[string]int{}
			for _, f := range o.logged(watch) {
				if strings.Contains(f.URL, "/p/") {
					counts[fmt.Sprintf("%s %t", f.Reason, f.Active)]++
				}
			}
			return counts
		}
		want := func(when string, all map[string]int) {
			t.Helper()
			if got := reasons(); fmt.Sprint(got) != fmt.Sprint(all) {
				t.Errorf("%s: the reasons are %v, want %v", when, got, all)
			}
		}
		want("at first", map[string]int{string(urls.FirstSeen) + " true": 8})
		o.MustVisit(watch) // finds the sitemap, which nothing is known of yet
		want("the sitemap is new", map[string]int{string(urls.PriorLastModNull) + " true": 8})
		o.MustVisit(watch)
		want("nothing changed", map[string]int{string(urls.Unchanged) + " true": 8})
		d.Set(func(*workers.Board) {
			d.Sitemap["Birch"], d.Sitemap["Copper"] = "2026-03-02", "-"
			d.Badges["Amber"] = `<b class="badge">Sold out</b>`
		})
		o.MustVisit(watch)
		want("some changed", map[string]int{string(urls.LastModAdvanced) + " true": 1, string(urls.CurrentLastModNull) + " true": 1,
			string(urls.ListChanged) + " true": 1, string(urls.Unchanged) + " true": 5})
		if n := o.WatchNow(watch.ID).Rhythm.News; n == nil || len(n.Files()) != 2 {
			t.Errorf("the list is covered by %+v, want both sitemaps", n)
		}
		d.Set(func(*workers.Board) { d.Sitemap["Willow"] = "gone" })
		if said := o.Said(o.peek(watch)); !strings.Contains(said, "lists 1 page new or changed") {
			t.Errorf("an entry that left the sitemaps: %s", said)
		}
		for _, f := range o.logged(watch) {
			if strings.HasSuffix(f.URL, "/p/Birch") && (f.LastMod == nil || f.LastMod.Format(time.DateOnly) != "2026-03-02") {
				t.Errorf("the lastmod of Birch is %v", f.LastMod)
			}
		}
	})
}

// A host that wants a long rest between two requests is asked for one of several sitemaps, and not for ever for the first.
func TestSitemapsOfASlowHostAreAskedForInTurn(t *testing.T) {
	observe(t, false, func(o *watching) {
		defer o.Work()()
		_, watch := o.StockedWith(func(d *workers.Depot) { d.Sitemap = map[string]string{} })
		o.MustVisit(watch)
		if n := o.WatchNow(watch.ID).Rhythm.News; n == nil || len(n.Files()) != 2 {
			t.Fatalf("the list is covered by %+v, want both sitemaps", n)
		}
		slow := curlew.Duration(time.Hour)
		if _, err := o.EditWatch(watch.ID, func(w *curlew.Watch) error { w.Settings.Delay = &slow; return nil }); err != nil {
			t.Fatal(err)
		}
		if said := o.Said(o.peek(watch)); !strings.Contains(said, "nothing new") {
			t.Errorf("the run said %s", said)
		}
	})
}

// A sitemap alone is a list of things: each page that tells of one is an entity, which goes with its entry.
func TestASitemapAloneIsTheList(t *testing.T) {
	observe(t, false, func(o *watching) {
		defer o.Work()()
		d := &workers.Depot{Detail: map[string]string{"Imprint": "404"}, Badges: map[string]string{}, Sitemap: map[string]string{}, Others: []string{"Imprint"}}
		address := o.Serve(d)
		css := func(path, attr string) blueprint.FieldRules {
			return blueprint.FieldRules{Rules: []blueprint.Rule{{Selector: blueprint.Selector{CSS: path}, Attr: attr}}}
		}
		rules := blueprint.Blueprint{Language: 1, Schema: curlew.SchemaProduct, Page: curlew.PageList, Tier: curlew.TierHTML,
			Records: &blueprint.Selector{CSS: "tbody tr"},
			Fields:  map[string]blueprint.FieldRules{"name": css("a", ""), "url": css("a", "href"), "slots.changed": css("td:last-child", "")},
			Expect:  &blueprint.Expect{Fields: map[string]blueprint.Expectation{"slots.changed": {Present: 1, Looks: "price"}}},
			Follow: []blueprint.Follow{{Field: "url", With: &blueprint.Blueprint{Language: 1, Schema: curlew.SchemaProduct, Page: curlew.PageSingle,
				Tier: curlew.TierHTML, Fields: map[string]blueprint.FieldRules{"name": css("h1", ""), "brand": css(".brand", "")}}}}}
		watch := o.Add(demo.Site{Name: "depot", Title: "Depot", Base: strings.TrimSuffix(address, "/")},
			onboard.Proposal{URL: address + "sitemap0.xml", Schema: curlew.SchemaProduct, Tier: curlew.TierHTML, Blueprint: &rules})
		at := o.Sequence()
		o.MustVisit(watch)
		o.Want(at, "entity_appeared Copper", "entity_appeared Amber", "entity_appeared Falcon", "entity_appeared Lantern")
		at = o.Sequence()
		d.Set(func(*workers.Board) {
			d.Sitemap["Amber"], d.Sitemap["Copper"] = "2026-03-02", "2026-03-02" // only the page of Amber did
			for _, name := range []string{"Amber", "Falcon"} {
				d.Detail[name] = `<p class="brand">Heron</p>`
			}
		})
		before := o.asked(watch)
		o.MustVisit(watch)
		o.Want(at, "entity_changed Amber brand Tern→Heron")
		if all := o.askedSince(watch, before); !slices.Equal(all, []string{"Amber", "Copper"}) {
			t.Errorf("%q are read, want what the sitemap calls changed", all)
		}
		d.Set(func(*workers.Board) { d.Sitemap["Lantern"], d.Detail["Lantern"] = "gone", "404" })
		for range 3 {
			o.MustVisit(watch)
		}
		o.Want(at, "entity_changed Amber brand Tern→Heron", "entity_disappeared Lantern")
		source, err := o.Store.Org(curlew.DefaultOrg).Sources().Get(t.Context(), watch.Source)
		if err != nil || source.GoodRuns == 0 {
			t.Errorf("days that look otherwise than expected spoil the checks: %+v (%v)", source, err)
		}
		for _, f := range o.logged(watch) {
			if strings.HasSuffix(f.URL, "/p/Copper") && !f.Active {
				t.Errorf("%s is not listed any more", f.URL)
			}
		}
	})
}

// Links that carry a visitor, and not a page, lead to the page that is known.
func TestLinksWithVisitorsLeadToTheSamePages(t *testing.T) {
	for _, visitor := range []string{"?ref=list%d", "?utm_source=list%d", "?sid=0123456789abcdef%d"} {
		t.Run(visitor, func(t *testing.T) {
			observe(t, false, func(o *watching) {
				defer o.Work()()
				_, watch := o.StockedWith(func(d *workers.Depot) { d.Visitor = visitor })
				at := o.Sequence()
				for range 2 {
					before := o.asked(watch)
					o.MustVisit(watch)
					if all := o.askedSince(watch, before); len(all) != 0 {
						t.Errorf("%q are read again", all)
					}
				}
				o.Want(at)
			})
		})
	}
}

// A page that refuses is asked again ever later at scheduled checks; a person who checks asks it at once.
func TestADetailPageThatRefusesIsLeftInPeace(t *testing.T) {
	observe(t, false, func(o *watching) {
		defer o.Work()()
		d, watch := o.Stocked()
		d.Set(func(*workers.Board) { d.Detail["Birch"], d.Badges["Birch"] = "403", `<b class="badge">Sold out</b>` })
		o.MustVisit(watch)
		visit := func(trigger string) []string {
			before := o.asked(watch)
			run, err := o.StartCheck(watch.ID, workers.Plan{Trigger: trigger})
			if err != nil {
				t.Fatal(err)
			}
			o.Ended(run)
			return o.askedSince(watch, before)
		}
		if all := visit("schedule"); len(all) != 0 {
			t.Errorf("%q are asked right after they refused", all)
		}
		if all := visit("manual"); !slices.Equal(all, []string{"Birch"}) {
			t.Errorf("a person's check asks for %q", all)
		}
		for _, f := range o.logged(watch) {
			if strings.HasSuffix(f.URL, "/p/Birch") && (f.Failures != 2 || f.Status != 403) {
				t.Errorf("%d failures are remembered, the last with status %d", f.Failures, f.Status)
			}
		}
	})
}

// logged is the URL log of a watch.
func (o *watching) logged(watch curlew.Watch) []curlew.Found {
	o.Helper()
	all, err := o.Store.Org(curlew.DefaultOrg).URLs().List(o.Context(), "watch:"+string(watch.ID), false, store.Window{Limit: 100})
	if err != nil {
		o.Fatal(err)
	}
	return all
}

// asked is when each address of a watch was last asked for.
func (o *watching) asked(watch curlew.Watch) map[string]time.Time {
	o.Helper()
	all := map[string]time.Time{}
	for _, f := range o.logged(watch) {
		if f.FetchedAt != nil {
			all[f.URL] = *f.FetchedAt
		}
	}
	return all
}

// askedSince are the names of the things whose detail pages were asked for since.
func (o *watching) askedSince(watch curlew.Watch, before map[string]time.Time) (names []string) {
	o.Helper()
	for address, at := range o.asked(watch) {
		if _, name, own := strings.Cut(address, "/p/"); own && at.After(before[address]) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
