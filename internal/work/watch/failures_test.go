package watch_test

import (
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/testkit/workers"
)

// failure is a row of the failure table: what goes wrong at a visit, and what comes of it.
type failure struct {
	name     string
	spoil    func(d *workers.Depot)
	visits   int                 // until the outcome is certain; 1 where that is at once
	fails    string              // what the failed run says; "" for one that succeeds
	warns    string              // a warning, with the page it is about
	says     string              // a line of the log
	counts   curlew.Counter      // that the run has
	status   curlew.EntityStatus // of the thing that failed
	silences bool                // nothing is told
}

var failures = []failure{
	{name: "a detail page is gone", spoil: func(d *workers.Depot) { d.Detail["Birch"] = "404" }, visits: 2, warns: "/p/Birch", status: curlew.EntityStale,
		silences: true},
	{name: "a detail page is forbidden", spoil: func(d *workers.Depot) { d.Detail["Birch"] = "403" }, warns: "/p/Birch", status: curlew.EntityActive,
		silences: true},
	{name: "a detail page asks to slow down", spoil: func(d *workers.Depot) { d.Detail["Birch"] = "429" }, warns: "/p/Birch", status: curlew.EntityActive,
		silences: true},
	{name: "a field has no match", spoil: func(d *workers.Depot) { d.Detail["Birch"] = `<p class="stock">in stock</p>` },
		warns: "/p/Birch: no match for brand", status: curlew.EntityActive, silences: true},
	{name: "a required field has no match", spoil: func(d *workers.Depot) { d.Nameless = "Copper" }, warns: "no match for a required field in 1 record", silences: true},
	{name: "a word is unknown", spoil: func(d *workers.Depot) { d.Detail["Birch"] = `<p class="brand">Tern</p><p class="stock">slumbering</p>` },
		warns: `/p/Birch: unknown word in availability: "slumbering"`, status: curlew.EntityActive, silences: true},
	{name: "only the template changed", spoil: func(d *workers.Depot) { d.Decoration = "<p>Welcome to our new shop</p>" },
		says: "template drift:", counts: "drifted", silences: true},
	{name: "the template changed with something else", spoil: func(d *workers.Depot) {
		d.Decoration = "<p>Welcome to our new shop</p>"
		d.Detail["Birch"] = `<p class="brand">Heron</p><p class="stock">in stock</p>`
	}, says: "template drift:", counts: "drifted"},
	{name: "the record changed and the HTML did not", spoil: func(d *workers.Depot) { d.Sku = "-2" }, warns: "/p/Birch: its HTML is as it was"},
	{name: "contacts of people are taken out", spoil: func(d *workers.Depot) {
		d.Detail["Birch"] = `<p class="brand">Tern</p><p class="stock">in stock</p><p class="about">A chair. Contact person: Ada Winter, ada.winter@gmail.com</p>`
	}, says: "contacts of people were taken out", counts: curlew.CountPersonal},
	{name: "robots.txt newly forbids the detail pages", spoil: func(d *workers.Depot) { d.Robots = "Disallow: /p/\n" }, fails: `line 2 says "Disallow: /p/"`},
	{name: "the list answers with an error", spoil: func(d *workers.Depot) { d.Status = 500 }, fails: "could not fetch", silences: true},
}

// The failure table of docs/watching.md, row by row, as a watch meets it.
func TestEveryFailureOfAPageHasItsOutcome(t *testing.T) {
	for _, row := range failures {
		t.Run(row.name, func(t *testing.T) {
			observe(t, false, func(o *watching) {
				defer o.Work()()
				d, watch := o.Stocked()
				at := o.Sequence()
				d.Set(func(*workers.Board) { row.spoil(d) })
				var run curlew.Run
				for range max(1, row.visits) {
					o.Days.Add(1)
					run = o.Visit(watch)
				}
				o.judge(row, run)
				if told := o.Told(at); row.silences && len(told) > 0 {
					t.Errorf("told %q", told)
				}
				if row.counts == curlew.CountPersonal { // its copy is kept for a shorter time
					if refs, err := o.Store.ExpirePersonal(t.Context(), time.Now().AddDate(10, 0, 0), 10); err != nil || len(refs) != 1 {
						t.Errorf("%d copies expire (%v)", len(refs), err)
					}
				}
				if row.status != "" && o.EntityOf(watch, "Birch").Status != row.status {
					t.Errorf("the entity is %s, want %s", o.EntityOf(watch, "Birch").Status, row.status)
				}
			})
		})
	}
}

func (o *watching) judge(row failure, run curlew.Run) {
	o.Helper()
	said := o.Said(run)
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
	observe(t, false, func(o *watching) {
		defer o.Work()()
		d, watch := o.StockedWith(labelled)
		at := o.Sequence()
		d.Set(func(*workers.Board) {
			d.Badges["Birch"], d.Detail["Birch"] = `<b class="badge">Sold out</b>`, `<p class="brand">Tern</p><p class="stock">sold out</p>`
		})
		run := o.Visit(watch)
		o.Want(at, "entity_changed Birch availability in_stock→out_of_stock")
		if n := run.Counters["drifted"]; n != 0 {
			t.Errorf("%d pages have a new template:\n%s", n, o.Said(run))
		}
	})
}

func TestRobotsThatNewlyForbidDetailPagesStopTheWatch(t *testing.T) {
	observe(t, false, func(o *watching) {
		defer o.Work()()
		d, watch := o.Stocked()
		at := o.Sequence()
		d.Set(func(*workers.Board) { d.Robots = "Disallow: /p/\n" })
		o.Visit(watch)
		if got := o.WatchNow(watch.ID); got.Status != curlew.WatchError || !strings.Contains(got.LastError, "Disallow: /p/") {
			t.Errorf("the watch is %s: %s", got.Status, got.LastError)
		}
		o.Want(at, "watch_error")
	})
}

// What the list says now is newer than what a detail page said when it could be read last.
func TestTheListIsBelievedWhereADetailPageCannotBeRead(t *testing.T) {
	observe(t, false, func(o *watching) {
		defer o.Work()()
		d, watch := o.Stocked()
		at := o.Sequence()
		d.Set(func(*workers.Board) { d.Detail["Birch"], d.Badges["Birch"] = "403", `<b class="badge">Sold out</b>` })
		for range 3 {
			o.MustVisit(watch)
		}
		o.Want(at, "entity_changed Birch availability in_stock→out_of_stock")
		d.Set(func(*workers.Board) { d.Detail["Birch"], d.Badges["Birch"] = "", "" })
		o.MustVisit(watch)
		o.Want(at, "entity_changed Birch availability in_stock→out_of_stock", "entity_changed Birch availability out_of_stock→in_stock")
	})
}
