package watch_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/testkit/workers"
)

// replay reads the archived pages of a watch again.
func (o *watching) replay(watch curlew.Watch) curlew.Run {
	o.Helper()
	run, err := o.StartCheck(watch.ID, workers.Plan{Trigger: "replay", Archive: true})
	if err != nil {
		o.Fatal(err)
	}
	return o.Ended(run)
}

// rewrite gives a watch another blueprint: the one it has, changed.
func (o *watching) rewrite(watch curlew.Watch, change func(*blueprint.Blueprint)) {
	o.Helper()
	had, err := o.Store.Org(curlew.DefaultOrg).Blueprints().Get(o.Context(), watch.Blueprint)
	if err != nil {
		o.Fatal(err)
	}
	b, err := blueprint.Parse(had.Rules)
	if err != nil {
		o.Fatal(err)
	}
	change(b)
	if _, err := extract.Compile(b); err != nil {
		o.Fatal(blueprint.Defects(err))
	}
	if had.Rules, err = blueprint.Marshal(b); err != nil {
		o.Fatal(err)
	}
	err = o.Store.Write(o.Context(), curlew.DefaultOrg, func(w store.WriteScope) error {
		had, err = w.Blueprints().Add(o.Context(), had)
		return err
	})
	if err != nil {
		o.Fatal(err)
	}
	if _, moved, err := o.Activate(had.ID, ""); err != nil || len(moved) != 1 {
		o.Fatalf("%d watches follow (%v)", len(moved), err)
	}
}

func (o *watching) state(watch curlew.Watch) (curlew.Watch, []curlew.Entity) {
	o.Helper()
	scope := o.Store.Org(curlew.DefaultOrg)
	now, err := scope.Watches().Get(o.Context(), watch.ID)
	if err != nil {
		o.Fatal(err)
	}
	entities, err := scope.Entities().Browse(o.Context(), store.BrowseFilter{Watch: watch.ID}, store.Window{Limit: 1000})
	if err != nil {
		o.Fatal(err)
	}
	return now, entities
}

func TestAReplayFillsNewFieldsAndTellsNobody(t *testing.T) {
	observe(t, false, func(o *watching) {
		stop := o.Work()
		defer stop()
		site, err := o.Web.Site("concerts")
		if err != nil {
			t.Fatal(err)
		}
		watch := o.Add(site, o.Propose(site))
		o.MustVisit(watch)
		o.Web.AdvanceAll()
		o.Days.Add(1)
		o.MustVisit(watch) // some are missing now, once
		before, had := o.state(watch)
		last, err := o.Store.Org(curlew.DefaultOrg).Changes().LastSequence(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		o.rewrite(watch, func(b *blueprint.Blueprint) { // a field nobody asked for until now, and one less
			b.Fields["organizer"] = b.Fields["title"]
			delete(b.Fields, "venue_name")
			b.Expect = nil
		})
		o.Web.AdvanceAll() // the site has moved on, which is no business of a replay
		o.Days.Add(1)
		for range 3 {
			if run := o.replay(watch); run.State != curlew.RunSucceeded || run.Counters[curlew.CountScraped] != 0 {
				t.Fatalf("the replay: %s %v", run.Summary, run.Counters)
			}
		}
		if told := o.ChangesAfter(last); len(told) != 0 {
			t.Errorf("%d changes were told, such as %s %s", len(told), told[0].Kind, told[0].Payload)
		}
		after, have := o.state(watch)
		if len(have) != len(had) {
			t.Errorf("%d entities became %d", len(had), len(have))
		}
		filled := 0
		for _, e := range have {
			if e.Fields["organizer"] != nil {
				filled++
			}
		}
		if filled < len(have)*9/10 {
			t.Errorf("the new field is filled in %d of %d", filled, len(have))
		}
		o.leftAlone(before, after)
	})
}

// Runs ask only for the detail pages of what is new, and a replay reads them all: that
// these are other pages than those of the last run does not make them news.
func TestAReplayOfDetailPagesTellsNobodyWhatOnlySomeRecordsGain(t *testing.T) {
	observe(t, false, func(o *watching) {
		stop := o.Work()
		defer stop()
		site, err := o.Web.Site("shop")
		if err != nil {
			t.Fatal(err)
		}
		watch := o.Add(site, o.Propose(site))
		_, err = o.EditWatch(watch.ID, func(w *curlew.Watch) error {
			w.Settings.MaxPages = 12
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		o.MustVisit(watch)
		o.MustVisit(watch)
		last, err := o.Store.Org(curlew.DefaultOrg).Changes().LastSequence(t.Context())
		if err != nil || last < 12 {
			t.Fatalf("%d changes (%v)", last, err)
		}
		for _, names := range []string{"^(?:A|B).*$", "^(?:A|B|D|H|K).*$"} {
			o.rewrite(watch, func(b *blueprint.Blueprint) {
				var some blueprint.FieldRules
				if err := json.Unmarshal([]byte(`{"css": "h3", "do": [{"op": "match", "text": "`+names+`"}]}`), &some); err != nil {
					t.Fatal(err)
				}
				b.Fields["mpn"], b.Expect = some, nil
			})
			if run := o.replay(watch); run.State != curlew.RunSucceeded {
				t.Fatal(run.Summary)
			}
		}
		if told := o.ChangesAfter(last); len(told) != 0 {
			t.Errorf("%d changes were told, such as %s %s", len(told), told[0].Kind, told[0].Payload)
		}
		_, have := o.state(watch)
		filled := 0
		for _, e := range have {
			if e.Fields["mpn"] != nil {
				filled++
			}
		}
		if filled == 0 || filled == len(have) {
			t.Errorf("the new field is filled in %d of %d", filled, len(have))
		}
	})
}

// leftAlone checks that a replay taught the watch nothing about its site.
func (o *watching) leftAlone(before, after curlew.Watch) {
	o.Helper()
	after.Blueprint, after.RulesHash = before.Blueprint, before.RulesHash
	was, _ := json.Marshal(before)
	is, _ := json.Marshal(after)
	if string(was) != string(is) {
		o.Errorf("the watch was\n%s\nand is\n%s", was, is)
	}
}

func TestAReplayWithoutArchivedPagesSaysSo(t *testing.T) {
	observe(t, false, func(o *watching) {
		stop := o.Work()
		defer stop()
		site, err := o.Web.Site("council")
		if err != nil {
			t.Fatal(err)
		}
		watch := o.Add(site, o.Propose(site))
		run := o.replay(watch)
		if run.State != curlew.RunFailed || !errors.Is(run.Fault, curlew.Code("not_archived")) {
			t.Fatalf("the replay %s: %v", run.State, run.Fault)
		}
		after, _ := o.state(watch)
		if after.ConsecutiveFailures != 0 || after.LastError != "" {
			t.Errorf("the watch is blamed: %+v", after)
		}
	})
}

func TestARemovedWatchLeavesItsEntitiesAndHistory(t *testing.T) {
	observe(t, true, func(o *watching) {
		stop := o.Work()
		defer stop()
		site, err := o.Web.Site("council")
		if err != nil {
			t.Fatal(err)
		}
		watch := o.Add(site, o.Propose(site))
		o.MustVisit(watch)
		if err := o.RemoveWatch(watch.ID); err != nil {
			t.Fatal(err)
		}
		if told := o.ChangesAfter(0); len(told) == 0 || told[0].Watch != "" || told[0].Source != watch.Source {
			t.Errorf("the history is %v", told)
		}
		_, err = o.StartCheck(watch.ID, workers.Plan{})
		if !errors.Is(err, curlew.ErrNotFound) {
			t.Errorf("it is visited still: %v", err)
		}
	})
}
