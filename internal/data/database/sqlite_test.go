package database_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/data/database"
	"github.com/curlew-data/curlew/internal/data/database/databasetest"
)

func TestSQLiteSettingsAreInForce(t *testing.T) {
	t.Parallel()
	db := databasetest.Open(t, databasetest.URL(t, database.SQLite))
	for _, c := range []struct{ pragma, want string }{
		{"journal_mode", "wal"}, {"synchronous", "2"}, {"foreign_keys", "1"}, {"busy_timeout", "10000"}, {"secure_delete", "1"},
	} {
		t.Run(c.pragma, func(t *testing.T) {
			var reader, writer string
			if err := db.QueryRow(t.Context(), `PRAGMA `+c.pragma).Scan(&reader); err != nil {
				t.Fatal(err)
			}
			err := db.Write(t.Context(), func(tx *database.Tx) error {
				return tx.QueryRow(t.Context(), `PRAGMA `+c.pragma).Scan(&writer)
			})
			if err != nil {
				t.Fatal(err)
			}
			if reader != c.want || writer != c.want {
				t.Errorf("%s is %s for readers and %s for the writer, want %s", c.pragma, reader, writer, c.want)
			}
		})
	}
}

func TestAFullDiskLeavesNothingHalfWritten(t *testing.T) {
	t.Parallel()
	db := databasetest.Open(t, databasetest.URL(t, database.SQLite))
	if _, err := db.Migrate(t.Context(), notes); err != nil {
		t.Fatal(err)
	}
	mustWrite(t, db, 1)
	limitPages(t, db, `SELECT page_count + 2 FROM pragma_page_count`)
	err := db.Write(t.Context(), func(tx *database.Tx) error {
		for id := 2; id < 100; id++ {
			if _, err := tx.Exec(t.Context(), insertNote, id, strings.Repeat("x", 4000)); err != nil {
				return err
			}
		}
		return nil
	})
	wantFault(t, err, "disk_full")
	if n := count(t, db); n != 1 {
		t.Errorf("%d rows, want the one from before", n)
	}
	limitPages(t, db, `SELECT 1000000`)
	mustWrite(t, db, 2) // it goes on by itself
	var state string
	if err := db.QueryRow(t.Context(), `PRAGMA integrity_check`).Scan(&state); err != nil || state != "ok" {
		t.Errorf("the file is %s (%v)", state, err)
	}
}

// limitPages sets how far the file may grow; the writer is one connection, so
// the setting stays.
func limitPages(t *testing.T, db *database.DB, query string) {
	t.Helper()
	err := db.Write(t.Context(), func(tx *database.Tx) error {
		var pages int
		if err := tx.QueryRow(t.Context(), query).Scan(&pages); err != nil {
			return err
		}
		_, err := tx.Exec(t.Context(), fmt.Sprintf(`PRAGMA max_page_count = %d`, pages))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
