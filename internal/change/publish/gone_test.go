package publish

import (
	"fmt"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// shelf is n products, each with a page of its own.
func shelf(n int) []SeenRecord {
	all := make([]SeenRecord, n)
	for i := range all {
		all[i] = thing(fmt.Sprint("sku", i), "name", fmt.Sprintf("Buoy %02d", i), "url", fmt.Sprint("https://shop.test/p/", i), "price", int64(100+i))
	}
	return all
}

func (w *world) status(name string) curlew.EntityStatus { w.t.Helper(); return w.named(name).Status }

func TestGoneIsToldAfterTwoCompleteChecksThatMissIt(t *testing.T) {
	w := newWorld(t, curlew.SchemaProduct)
	w.see(shelf(4))
	plan := w.see(shelf(3))
	w.expect(plan)
	if w.status("Buoy 03") != curlew.EntityStale || !plan.SoonAgain || plan.Figures.Missing != 1 {
		t.Errorf("after one miss: %s, soon again %v, %+v", w.status("Buoy 03"), plan.SoonAgain, plan.Figures)
	}
	plan = w.see(shelf(3))
	w.expect(plan, "disappeared Buoy 03")
	if w.status("Buoy 03") != curlew.EntityRemoved || plan.Figures.Disappeared != 1 || plan.Figures.Missing != 0 || plan.SoonAgain {
		t.Errorf("after two: %s, %+v", w.status("Buoy 03"), plan.Figures)
	}
	w.expect(w.see(shelf(3)))
}

// A list that shows now these, now those of its things comes in parts: what two of them lack in a row is not gone yet.
func TestWhatTwoPartsOfAListLackIsNotGone(t *testing.T) {
	all := shelf(12)
	w := newWorld(t, curlew.SchemaProduct)
	w.see(all)
	w.expect(w.see(all[:6]))
	w.expect(w.see(append(shelf(12)[2:4], all[6:10]...)))
	w.expect(w.see(all[:11]), "disappeared Buoy 11")

	w = newWorld(t, curlew.SchemaProduct)
	w.see(all)
	w.expect(w.see(all[:10])) // its end is cut off
	w.expect(w.see(all[:6]))  // and more of it
	w.expect(w.see(all))
}

// A check that doubts the page says nothing of what it lacks; those that find the same page and doubt it no longer do.
func TestGoneIsToldOfAPageThatWasDoubtedAtFirst(t *testing.T) {
	w := newWorld(t, curlew.SchemaProduct)
	w.see(shelf(4))
	w.expect(w.see(shelf(3), bytes("the new page"), partial("has the template changed?")))
	w.expect(w.see(shelf(3), bytes("the new page")))
	w.expect(w.see(shelf(3), bytes("the new page")), "disappeared Buoy 03")
}

func TestWhatIsSeenAgainBeforeItWasGoneIsNoNews(t *testing.T) {
	w := newWorld(t, curlew.SchemaProduct)
	w.see(shelf(4))
	for range 5 {
		w.expect(w.see(shelf(3)))
		w.expect(w.see(shelf(4)))
	}
	if e := w.named("Buoy 03"); e.Status != curlew.EntityActive || e.Version != 1 {
		t.Errorf("status %s, version %d", e.Status, e.Version)
	}
}

func TestWhatComesBackAppearsAgain(t *testing.T) {
	w := newWorld(t, curlew.SchemaProduct)
	w.see(shelf(4))
	w.see(shelf(3))
	w.see(shelf(3))
	w.expect(w.see(shelf(4)), "appeared Buoy 03")
	if e := w.named("Buoy 03"); e.Status != curlew.EntityActive || e.Version != 3 {
		t.Errorf("status %s, version %d", e.Status, e.Version)
	}
}

func TestADamagedListRemovesNothing(t *testing.T) {
	for _, c := range []struct {
		what string
		seen []SeenRecord
		opts []option
	}{
		{"truncated", shelf(1), []option{partial("the page was cut short")}},
		{"half parsed", shelf(10), []option{partial("the blueprint fits half of it")}},
		{"blocked", nil, []option{partial("403")}},
		{"empty, though said to be whole", nil, nil},
	} {
		t.Run(c.what, func(t *testing.T) {
			w := newWorld(t, curlew.SchemaProduct)
			w.see(shelf(20))
			for range 10 {
				plan := w.see(c.seen, c.opts...)
				w.expect(plan)
				if missing := Missing(w.prior(), w.observe(c.seen, c.opts...), w.policy); len(missing) > 0 || plan.SoonAgain {
					t.Fatalf("%d are missing", len(missing))
				}
				if plan.Publication.Class != curlew.NoChange {
					t.Fatalf("the publication is %+v", plan.Publication)
				}
			}
			for _, e := range w.entities {
				if e.Status != curlew.EntityActive {
					t.Fatalf("%s is %s", e.ExternalID, e.Status)
				}
			}
		})
	}
}

func TestItsDetailPageHasTheLastWord(t *testing.T) {
	for _, c := range []struct {
		look DetailCheck
		want curlew.EntityStatus
		soon bool
	}{
		{DetailGone, curlew.EntityRemoved, false},
		{DetailNone, curlew.EntityRemoved, false},
		{DetailThere, curlew.EntityStale, false},
		{DetailUnclear, curlew.EntityStale, true},
	} {
		t.Run("page "+string(c.look), func(t *testing.T) {
			w := newWorld(t, curlew.SchemaProduct)
			w.see(shelf(4))
			id := w.named("Buoy 03").ID
			if due := Missing(w.prior(), w.observe(shelf(3)), w.policy); len(due) != 0 {
				t.Fatalf("%d are due at the first miss", len(due))
			}
			w.see(shelf(3))
			if due := Missing(w.prior(), w.observe(shelf(3)), w.policy); len(due) != 1 || due[0].ID != id {
				t.Fatalf("%d are due at the second", len(due))
			}
			plan := w.see(shelf(3), check(id, c.look))
			if got := w.entities[id].Status; got != c.want || plan.SoonAgain != c.soon {
				t.Errorf("%s, soon again %v", got, plan.SoonAgain)
			}
		})
	}
}

func TestWhoLeftTheListButIsStillThereIsAskedForLessAndLess(t *testing.T) {
	w := newWorld(t, curlew.SchemaProduct)
	w.see(shelf(4))
	id := w.named("Buoy 03").ID
	asked := 0
	for range 60 * 24 {
		var opts []option
		if len(Missing(w.prior(), w.observe(shelf(3)), w.policy)) > 0 {
			asked++
			opts = append(opts, check(id, DetailThere))
		}
		w.expect(w.see(shelf(3), opts...))
	}
	if asked < 5 || asked > 10 {
		t.Errorf("in 60 days of hourly looks its page was asked for %d times", asked)
	}
	// One day its page is gone as well.
	w.now = w.now.AddDate(0, 3, 0)
	w.expect(w.see(shelf(3), check(id, DetailGone)), "disappeared Buoy 03")
}

func TestAnUnclearPageIsNotAskedForSoonForever(t *testing.T) {
	w := newWorld(t, curlew.SchemaProduct)
	w.see(shelf(4))
	id := w.named("Buoy 03").ID
	soon := 0
	for range 20 {
		if w.see(shelf(3), check(id, DetailUnclear)).SoonAgain {
			soon++
		}
	}
	if soon == 0 || soon > 6 {
		t.Errorf("soon again %d times", soon)
	}
}

func TestMissesMustBeApart(t *testing.T) {
	w := newWorld(t, curlew.SchemaProduct)
	w.policy.MissesApart = 6 * time.Hour
	w.see(shelf(4))
	for range 6 {
		w.expect(w.see(shelf(3)))
	}
	w.expect(w.see(shelf(3)), "disappeared Buoy 03")
}

func TestWhatAnotherWatchSeesIsNotGone(t *testing.T) {
	w := newWorld(t, curlew.SchemaProduct)
	w.see(shelf(4))
	id := w.named("Buoy 03").ID
	w.elsewhere[id] = true
	for range 5 {
		w.expect(w.see(shelf(3)))
	}
	if w.entities[id].Status != curlew.EntityActive {
		t.Errorf("it is %s", w.entities[id].Status)
	}
	delete(w.elsewhere, id)
	w.expect(w.see(shelf(3)), "disappeared Buoy 03")
}

func TestTooManyRemovalsAtOnceWaitForAPerson(t *testing.T) {
	held := func(t *testing.T) *world {
		w := newWorld(t, curlew.SchemaProduct)
		w.see(shelf(20))
		w.expect(w.see(shelf(10)))
		plan := w.see(shelf(10))
		w.expect(plan)
		if plan.Hold == nil || plan.Hold.Missing != 10 || plan.Hold.Of != 20 || plan.Figures.Held != 10 || plan.Hold.Why == "" {
			t.Fatalf("the hold is %+v", plan.Hold)
		}
		since := plan.Hold.Since
		if plan = w.see(shelf(10)); plan.Hold == nil || !plan.Hold.Since.Equal(since) {
			t.Fatalf("the hold is %+v", plan.Hold)
		}
		w.expect(plan)
		return w
	}
	t.Run("a person accepts", func(t *testing.T) {
		w := held(t)
		w.hold.Accepted = true
		if plan := w.see(shelf(2), partial("cut short")); plan.Hold == nil || !plan.Hold.Accepted {
			t.Fatal("a damaged look used up the acceptance")
		}
		plan := w.see(shelf(10))
		if plan.Figures.Disappeared != 10 || plan.Hold != nil {
			t.Errorf("%+v, hold %+v", plan.Figures, plan.Hold)
		}
	})
	t.Run("they are seen again", func(t *testing.T) {
		w := held(t)
		plan := w.see(shelf(20))
		w.expect(plan)
		if plan.Hold != nil {
			t.Errorf("the hold is %+v", plan.Hold)
		}
	})
	t.Run("most are seen again", func(t *testing.T) {
		w := held(t)
		plan := w.see(shelf(18))
		w.expect(plan, "disappeared Buoy 18", "disappeared Buoy 19")
	})
	t.Run("few go at a time", func(t *testing.T) {
		w := newWorld(t, curlew.SchemaProduct)
		w.see(shelf(5))
		w.see(shelf(1))
		if plan := w.see(shelf(1)); plan.Figures.Disappeared != 4 || plan.Hold != nil {
			t.Errorf("%+v", plan.Figures)
		}
	})
}

func TestAnEventThatIsOverIsFinishedAndNeverGone(t *testing.T) {
	for _, c := range []struct {
		what  string
		pairs []any
		at    string // when it is looked at
		over  bool
	}{
		{"its end has passed", []any{"starts_at", "2026-11-02T20:00:00+01:00", "ends_at", "2026-11-02T22:00:00+01:00"}, "2026-11-02T21:00:01Z", true},
		{"it is going on", []any{"starts_at", "2026-11-02T20:00:00+01:00", "ends_at", "2026-11-02T22:00:00+01:00"}, "2026-11-02T20:59:00Z", false},
		{"it names no end", []any{"starts_at", "2026-11-02T20:00:00+01:00"}, "2026-11-02T19:00:01Z", true},
		{"a day lasts until its end", []any{"starts_at", "2026-11-02", "timezone", "Europe/Oslo"}, "2026-11-02T22:59:00Z", false},
		{"a day is over after it", []any{"starts_at", "2026-11-02", "timezone", "Europe/Oslo"}, "2026-11-02T23:00:01Z", true},
		{"nobody knows where the day is", []any{"starts_at", "2026-11-02"}, "2026-11-03T11:59:00Z", false},
		{"the last of several days counts", []any{"starts_at", "2026-11-02", "ends_at", "2026-11-05", "timezone", "UTC"}, "2026-11-05T23:00:00Z", false},
		{"it recurs", []any{"starts_at", "2026-11-02T20:00:00+01:00", "recurrence", "FREQ=WEEKLY"}, "2026-12-02T21:00:00Z", false},
		{"it recurred until yesterday", []any{"starts_at", "2026-11-02T20:00:00+01:00", "recurrence", "FREQ=WEEKLY;UNTIL=20261130T200000Z"}, "2026-12-02T21:00:00Z", true},
	} {
		t.Run(c.what, func(t *testing.T) {
			w := newWorld(t, curlew.SchemaEvent)
			open := concert("x", "Open day at the yard", "2027-12-24T10:00:00+01:00")
			w.see([]SeenRecord{open, thing("e", append([]any{"title", "Tide songs"}, c.pairs...)...)})
			at, err := time.Parse(time.RFC3339, c.at)
			if err != nil {
				t.Fatal(err)
			}
			w.now = at.Add(-time.Hour)
			w.expect(w.see([]SeenRecord{open}))
			if got := w.status("Tide songs") == curlew.EntityFinished; got != c.over {
				t.Fatalf("it is %s", w.status("Tide songs"))
			}
			plan := w.see([]SeenRecord{open})
			if gone := plan.Figures.Disappeared > 0; gone && c.over {
				t.Error("what was over is said to be gone")
			}
		})
	}
}

// Of a list of what is over, such as rulings of the last months, nothing leaves because its day has passed.
func TestWhatWasOverFromTheFirstIsGoneWhenItsListHasNothingToCome(t *testing.T) {
	w := newWorld(t, curlew.SchemaEvent)
	past := []SeenRecord{concert("a", "Byrd v State", "2026-03-02T10:00:00+01:00"), concert("b", "Dennis v State", "2026-04-02T10:00:00+01:00")}
	w.see(past)
	w.expect(w.see(past[:1]))
	w.expect(w.see(past[:1]), "disappeared Dennis v State")
	w.expect(w.see(past), "appeared Dennis v State")

	w = newWorld(t, curlew.SchemaEvent)
	all := append(past, concert("c", "Tide songs", "2027-03-02T20:00:00+01:00"))
	w.see(all)
	for range 3 {
		w.expect(w.see(all[1:])) // a calendar: its last month has passed
	}
}

func TestAnEventThatGetsANewDateIsActiveAgain(t *testing.T) {
	w := newWorld(t, curlew.SchemaEvent)
	w.watch.Settings.Zone = "Europe/Oslo"
	w.see([]SeenRecord{concert("e", "Tide songs", "2026-11-03")})
	w.now = time.Date(2026, 11, 5, 0, 0, 0, 0, time.UTC)
	plan := w.see([]SeenRecord{concert("e", "Tide songs", "2026-11-03")}) // still listed
	w.expect(plan)
	if w.status("Tide songs") != curlew.EntityFinished || plan.Figures.Finished != 1 {
		t.Errorf("it is %s", w.status("Tide songs"))
	}
	plan = w.see([]SeenRecord{concert("e", "Tide songs", "2026-12-03T19:00:00+01:00")})
	w.expect(plan, "changed Tide songs starts_at:2026-11-03→2026-12-03T19:00:00+01:00")
	if w.status("Tide songs") != curlew.EntityActive || !plan.NextEventAt.Equal(time.Date(2026, 12, 3, 18, 0, 0, 0, time.UTC)) {
		t.Errorf("it is %s, next %s", w.status("Tide songs"), plan.NextEventAt)
	}
}

// A list that shows other things than before, such as those of another week, is not broken: what it had is gone.
func TestWhatAListOfOtherThingsHadIsGone(t *testing.T) {
	w := newWorld(t, curlew.SchemaProduct)
	w.see(shelf(20))
	week := shelf(26)[20:]
	if plan := w.see(week); plan.Figures.Appeared != 6 || plan.Figures.Disappeared != 0 {
		t.Fatalf("at first: %+v", plan.Figures)
	}
	if plan := w.see(week); plan.Figures.Disappeared != 20 || plan.Hold != nil {
		t.Errorf("%+v, hold %+v", plan.Figures, plan.Hold)
	}

	w = newWorld(t, curlew.SchemaProduct)
	w.see(shelf(20))
	some := append(shelf(4), shelf(22)[20:]...)
	w.see(some)
	if plan := w.see(some); plan.Figures.Disappeared != 0 || plan.Hold == nil {
		t.Errorf("of a list that shows some of what it had, %+v", plan.Figures)
	}
}
