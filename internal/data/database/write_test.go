package database_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
	"github.com/curlew-data/curlew/internal/data/database/databasetest"
)

// notes is a package with one table, for tests.
var notes = database.Migrations{Name: "notes", Files: fstest.MapFS{
	"0001_notes.sql": {Data: []byte("CREATE TABLE notes (\n\tid BIGINT PRIMARY KEY,\n\tbody TEXT NOT NULL,\n\tmore {json}\n);\n")},
}}

const insertNote = `INSERT INTO notes (id, body) VALUES (?, ?)`

func each(t *testing.T, test func(t *testing.T, db *database.DB)) {
	t.Helper()
	t.Parallel()
	databasetest.Each(t, []database.Migrations{notes}, test)
}

func count(t *testing.T, db *database.DB) (n int) {
	t.Helper()
	if err := db.QueryRow(t.Context(), `SELECT count(*) FROM notes`).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestATransactionIsAllOrNothing(t *testing.T) {
	each(t, func(t *testing.T, db *database.DB) {
		committed := false
		stop := errors.New("stop")
		write := func(end error) error {
			return db.Write(t.Context(), func(tx *database.Tx) error {
				tx.AfterCommit(func() { committed = true })
				if _, err := tx.Exec(t.Context(), insertNote, 1, "one"); err != nil {
					return err
				}
				return end
			})
		}
		if err := write(stop); !errors.Is(err, stop) || committed || count(t, db) != 0 {
			t.Fatalf("after a failure: error %v, committed %v, %d rows", err, committed, count(t, db))
		}
		if err := write(nil); err != nil || !committed || count(t, db) != 1 {
			t.Fatalf("after a success: error %v, committed %v, %d rows", err, committed, count(t, db))
		}
	})
}

func TestAPanicUndoesTheTransaction(t *testing.T) {
	each(t, func(t *testing.T, db *database.DB) {
		func() {
			defer func() { _ = recover() }()
			_ = db.Write(t.Context(), func(tx *database.Tx) error {
				_, _ = tx.Exec(t.Context(), insertNote, 1, "one")
				panic("bug")
			})
			t.Error("the panic was swallowed")
		}()
		if n := count(t, db); n != 0 {
			t.Errorf("%d rows stayed", n)
		}
		mustWrite(t, db, 1) // and the writer is free again
	})
}

// On Postgres a statement that fails dooms its transaction. If SQLite went on,
// code would work there and fail on Postgres.
func TestAFailedStatementDoomsItsTransaction(t *testing.T) {
	each(t, func(t *testing.T, db *database.DB) {
		mustWrite(t, db, 1)
		err := db.Write(t.Context(), func(tx *database.Tx) error {
			if _, err := tx.Exec(t.Context(), insertNote, 2, "two"); err != nil {
				return err
			}
			if _, err := tx.Exec(t.Context(), insertNote, 1, "again"); !database.IsUnique(err) {
				t.Errorf("got %v, want a row that exists already", err)
			}
			if _, err := tx.Exec(t.Context(), insertNote, 3, "three"); err == nil {
				t.Error("the transaction goes on")
			}
			return nil
		})
		if err == nil || count(t, db) != 1 {
			t.Errorf("error %v, %d rows: half of it was kept", err, count(t, db))
		}
		mustWrite(t, db, 2)
	})
}

func TestReadersSeeWhatIsCommittedWhileSomebodyWrites(t *testing.T) {
	each(t, func(t *testing.T, db *database.DB) {
		mustWrite(t, db, 1)
		err := db.Write(t.Context(), func(tx *database.Tx) error {
			if _, err := tx.Exec(t.Context(), insertNote, 2, "two"); err != nil {
				return err
			}
			if n := count(t, db); n != 1 {
				t.Errorf("a reader sees %d rows, want 1", n)
			}
			return nil
		})
		if err != nil || count(t, db) != 2 {
			t.Errorf("error %v, %d rows", err, count(t, db))
		}
	})
}

func TestADatabaseHandleReadsOnlyOnSQLite(t *testing.T) {
	t.Parallel()
	db := databasetest.Open(t, databasetest.URL(t, database.SQLite))
	rows, err := db.Query(t.Context(), `CREATE TABLE sneaky (id INTEGER)`)
	if err == nil {
		err = errors.Join(rows.Err(), rows.Close())
	}
	wantFault(t, db.Explain(err), "database_read_only")
}

// A caller that gives up is no fault of the database.
func TestOnesOwnDeadlineIsNotTheDatabasesFault(t *testing.T) {
	each(t, func(t *testing.T, db *database.DB) {
		ctx, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
		defer cancel()
		err := db.Write(ctx, func(tx *database.Tx) error { return nil })
		var fault *curlew.Fault
		if !errors.Is(err, context.DeadlineExceeded) || errors.As(err, &fault) {
			t.Errorf("got %v, want the deadline", err)
		}
	})
}

func TestTextThatPostgresCannotKeepIsExplained(t *testing.T) {
	t.Parallel()
	db := databasetest.Open(t, databasetest.URL(t, database.Postgres))
	if _, err := db.Migrate(t.Context(), notes); err != nil {
		t.Fatal(err)
	}
	for name, values := range map[string][]any{
		"a zero byte":         {1, "a\x00b", `1`},
		"broken UTF-8":        {1, "a\xffb", `1`},
		"a zero byte in JSON": {1, "ab", `"a\u0000b"`},
		"half a character":    {1, "ab", `"\ud800"`},
		"no JSON":             {1, "ab", `{"a":`},
	} {
		t.Run(name, func(t *testing.T) {
			err := db.Write(t.Context(), func(tx *database.Tx) error {
				_, err := tx.Exec(t.Context(), `INSERT INTO notes (id, body, more) VALUES (?, ?, ?)`, values...)
				return err
			})
			if fault := curlew.AsFault(err); !errors.Is(fault, curlew.Code("text_not_kept")) || fault.Kind != curlew.KindPermanent {
				t.Errorf("got %v", err)
			}
		})
	}
}

func mustWrite(t *testing.T, db *database.DB, id int) {
	t.Helper()
	err := db.Write(t.Context(), func(tx *database.Tx) error {
		_, err := tx.Exec(t.Context(), insertNote, id, "note")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestAFailingStatementIsToldWithoutSQL(t *testing.T) {
	each(t, func(t *testing.T, db *database.DB) {
		err := db.Write(t.Context(), func(tx *database.Tx) error {
			_, err := tx.Exec(t.Context(), "INSERT INTO nowhere (id) VALUES (1)")
			return err
		})
		if fault := curlew.AsFault(err); !errors.Is(err, curlew.ErrUnexpected) || strings.Contains(fault.Sentence, "nowhere") {
			t.Errorf("%+v", fault)
		}
		if !strings.Contains(err.Error(), "nowhere") {
			t.Errorf("the log would not say what failed: %v", err)
		}
	})
}
