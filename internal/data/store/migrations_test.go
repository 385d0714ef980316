package store_test

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/data/database"
	"github.com/curlew-data/curlew/internal/data/database/databasetest"
	"github.com/curlew-data/curlew/internal/data/store"
)

// migrations lets four processes start at once on an empty database.
func migrations(t *testing.T) {
	t.Parallel()
	for _, engine := range []database.Engine{database.SQLite, database.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			address := databasetest.URL(t, engine)
			applied := make([]int, 4)
			errs := together(len(applied), func(i int) error {
				db, err := database.Open(t.Context(), database.Options{URL: address, MaxConns: 2})
				if err != nil {
					return err
				}
				defer db.Close()
				names, err := db.Migrate(t.Context(), store.Migrations())
				applied[i] = len(names)
				return err
			})
			did := 0
			for i, err := range errs {
				must(t, err)
				if applied[i] > 0 {
					did++
				}
			}
			db := databasetest.Open(t, address)
			again, err := db.Migrate(t.Context(), store.Migrations())
			if err != nil || did != 1 || len(again) != 0 {
				t.Errorf("%d of 4 migrated, and after that %v (%v)", did, again, err)
			}
			newBench(t, db).fill(t, acme)
		})
	}
}

func TestMigrationsHaveNumbersOfTheirOwn(t *testing.T) {
	names, err := fs.Glob(store.Migrations().Files, "*.sql")
	must(t, err)
	byNumber := map[string]string{}
	for _, name := range names {
		number, _, _ := strings.Cut(name, "_")
		if other := byNumber[number]; other != "" {
			t.Errorf("%s and %s have one number: which comes first depends on their names", other, name)
		}
		byNumber[number] = name
	}
	if len(names) < 15 {
		t.Errorf("only %d migrations were found", len(names))
	}
}
