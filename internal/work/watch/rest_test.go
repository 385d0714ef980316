package watch_test

import (
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
	"github.com/curlew-data/curlew/internal/data/database/databasetest"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/testkit/workers"
	"github.com/curlew-data/curlew/internal/work/queue"
)

// A watch that nobody checks by schedule has no next run, whatever a person's check plans.
func TestAWatchThatRestsHasNoNextRun(t *testing.T) {
	observe(t, false, func(o *watching) {
		defer o.Work()()
		b, watch := o.Pinned("anvil=10", "bell=20", "cart=30", "drum=40")
		o.MustVisit(watch)
		pause := func(w *curlew.Watch) error { w.Status, w.NextRunAt = curlew.WatchPaused, nil; return nil }
		if _, err := o.EditWatch(watch.ID, pause); err != nil {
			t.Fatal(err)
		}
		o.MustVisit(watch)
		if w := o.WatchNow(watch.ID); w.Status != curlew.WatchPaused || w.NextRunAt != nil {
			t.Errorf("%s, and checked next at %v", w.Status, w.NextRunAt)
		}
		resume := func(w *curlew.Watch) error { w.Status = curlew.WatchActive; return nil }
		if _, err := o.EditWatch(watch.ID, resume); err != nil {
			t.Fatal(err)
		}
		b.Set(func(b *workers.Board) { b.Status = 500 })
		for range 5 {
			o.Visit(watch)
		}
		if w := o.WatchNow(watch.ID); w.Status != curlew.WatchError || w.NextRunAt != nil {
			t.Errorf("%s, and checked next at %v", w.Status, w.NextRunAt)
		}
	})
}

// What a check writes down of an entity that it saw, it writes once.
func TestASightingIsWrittenOnceInACheck(t *testing.T) {
	databasetest.On(t, []database.Engine{database.SQLite}, []database.Migrations{queue.Migrations(), store.Migrations()}, func(t *testing.T, db *database.DB) {
		o := &watching{workers.New(t, db)}
		defer o.Work()()
		_, watch := o.Stocked()
		for _, statement := range []string{`CREATE TABLE written (entity TEXT)`,
			`CREATE TRIGGER writing AFTER UPDATE ON sightings BEGIN INSERT INTO written VALUES (new.entity_id); END`} {
			if err := db.Write(t.Context(), func(tx *database.Tx) error { _, err := tx.Exec(t.Context(), statement); return err }); err != nil {
				t.Fatal(err)
			}
		}
		o.Days.Add(1) // detail pages are due, so that all sightings change
		o.MustVisit(watch)
		n := 0
		if err := db.QueryRow(t.Context(), `SELECT count(*) FROM written`).Scan(&n); err != nil || n != 8 {
			t.Errorf("the sightings of 8 entities were written %d times (%v)", n, err)
		}
	})
}
