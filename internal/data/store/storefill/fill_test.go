package storefill

import (
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
	"github.com/curlew-data/curlew/internal/data/database/databasetest"
	"github.com/curlew-data/curlew/internal/data/store"
)

func TestAYearIsAsLargeAsItSaysAndBreaksNoPromise(t *testing.T) {
	databasetest.Each(t, []database.Migrations{store.Migrations()}, func(t *testing.T, db *database.DB) {
		size := Year(time.Now().AddDate(-1, 0, 0)).Part(200)
		if err := Fill(t.Context(), db, curlew.DefaultOrg, size, t.Logf); err != nil {
			t.Fatal(err)
		}
		s := store.New(db, curlew.SystemMinter())
		violations, err := s.Check(t.Context())
		if err != nil || len(violations) > 0 {
			t.Errorf("%d promises are broken (%v), such as %+v", len(violations), err, violations[:min(len(violations), 3)])
		}
		counts, err := s.Org(curlew.DefaultOrg).Entities().Count(t.Context(), store.BrowseFilter{})
		var entities int64
		for _, n := range counts {
			entities += n
		}
		if err != nil || entities != int64(size.Entities) {
			t.Errorf("%d entities (%v), want %d", entities, err, size.Entities)
		}
		if last, err := s.Org(curlew.DefaultOrg).Changes().LastSequence(t.Context()); err != nil || last != int64(size.Changes) {
			t.Errorf("%d changes (%v), want %d", last, err, size.Changes)
		}
	})
}
