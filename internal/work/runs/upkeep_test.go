package runs_test

import (
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
	"github.com/curlew-data/curlew/internal/data/database/databasetest"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/testkit/workers"
	"github.com/curlew-data/curlew/internal/work/queue"
	"github.com/curlew-data/curlew/internal/work/runs"
)

func TestSweepGivesWordsToWhatWasThereBefore(t *testing.T) {
	t.Parallel()
	databasetest.Each(t, []database.Migrations{queue.Migrations(), store.Migrations()}, func(t *testing.T, db *database.DB) {
		o := &watching{workers.New(t, db)}
		o.history()
		old := func(tx *database.Tx) error { // as a Curlew without words left it
			if _, err := tx.Exec(t.Context(), `DELETE FROM entity_words`); err != nil {
				return err
			}
			_, err := tx.Exec(t.Context(), `UPDATE entities SET words = 0`)
			return err
		}
		if err := db.Write(t.Context(), old); err != nil {
			t.Fatal(err)
		}
		for want := range 2 {
			found, err := o.Store.Org(curlew.DefaultOrg).Entities().Browse(t.Context(), store.BrowseFilter{Search: "ANV"}, store.Window{})
			if err != nil || len(found) != want {
				t.Fatalf("%d found (%v), want %d", len(found), err, want)
			}
			if err := o.Handlers()[runs.KindSweep](t.Context(), nil); err != nil {
				t.Fatal(err)
			}
		}
		if found := o.sentences(); len(found) > 0 {
			t.Errorf("afterwards: %q", found)
		}
	})
}
