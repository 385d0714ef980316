package database_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/curlew-data/curlew/internal/data/database"
	"github.com/curlew-data/curlew/internal/data/database/databasetest"
)

// set makes migrations of pairs of a name and a text.
func set(files ...string) database.Migrations {
	all := fstest.MapFS{}
	for pair := range slices.Chunk(files, 2) {
		all[pair[0]] = &fstest.MapFile{Data: []byte(pair[1])}
	}
	return database.Migrations{Name: "set", Files: all}
}

// onEmpty runs a test on an empty database of each engine.
func onEmpty(t *testing.T, test func(t *testing.T, db *database.DB)) {
	t.Helper()
	t.Parallel()
	databasetest.Each(t, nil, test)
}

const (
	makeA = "CREATE TABLE a (id BIGINT PRIMARY KEY);\n"
	makeB = "CREATE TABLE b (id BIGINT PRIMARY KEY);\n"
)

func TestMigrationsAreAppliedOnceAndInOrder(t *testing.T) {
	onEmpty(t, func(t *testing.T, db *database.DB) {
		files := set("0002_b.sql", "INSERT INTO a (id) VALUES (1);\n"+makeB, "0001_a.sql", makeA)
		for i, want := range [][]string{{"set/0001_a", "set/0002_b"}, nil} {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				applied, err := db.Migrate(t.Context(), files)
				if err != nil || !slices.Equal(applied, want) {
					t.Fatalf("applied %v (%v), want %v", applied, err, want)
				}
			})
		}
	})
}

func TestAMigrationThatFailsLeavesNothingBehind(t *testing.T) {
	onEmpty(t, func(t *testing.T, db *database.DB) {
		_, err := db.Migrate(t.Context(), set("0001_a.sql", makeA, "0002_b.sql", makeB+"CREATE TABEL c (id BIGINT);\n"))
		if err == nil {
			t.Fatal("the wrong statement was not noticed")
		}
		if rows, err := db.Query(t.Context(), `SELECT id FROM a`); err == nil {
			_ = rows.Close()
			t.Fatal("the first table is there")
		}
		applied, err := db.Migrate(t.Context(), set("0001_a.sql", makeA, "0002_b.sql", makeB))
		if err != nil || len(applied) != 2 {
			t.Fatalf("the corrected migrations: applied %v, %v", applied, err)
		}
	})
}

func TestADatabaseOfAnotherVersionIsRefused(t *testing.T) {
	made := []string{"0001_a.sql", makeA, "0002_b.sql", makeB}
	for _, c := range []struct {
		name string
		ours database.Migrations
		code string
	}{
		{"a newer one", set(made[:2]...), "database_is_newer"},
		{"an edited one", set("0001_a.sql", makeA+"-- edited\n", "0002_b.sql", makeB), "database_differs"},
		{"a renamed one", set("0001_x.sql", makeA, "0002_b.sql", makeB), "database_differs"},
		{"one with a migration in between", set("0001_a.sql", makeA, "0001_b.sql", makeB, "0002_b.sql", makeB), "database_differs"},
	} {
		t.Run(c.name, func(t *testing.T) {
			onEmpty(t, func(t *testing.T, db *database.DB) {
				if _, err := db.Migrate(t.Context(), set(made...)); err != nil {
					t.Fatal(err)
				}
				_, err := db.Migrate(t.Context(), c.ours)
				wantFault(t, err, c.code)
				if _, err := db.Migrate(t.Context(), set(made...)); err != nil {
					t.Errorf("the refusal changed something: %v", err)
				}
			})
		})
	}
}

func TestTwoSetsMayNumberAlike(t *testing.T) {
	onEmpty(t, func(t *testing.T, db *database.DB) {
		other := database.Migrations{Name: "other", Files: fstest.MapFS(maps.Clone(notes.Files.(fstest.MapFS)))}
		applied, err := db.Migrate(t.Context(), set("0001_notes.sql", makeA), other)
		if want := []string{"set/0001_notes", "other/0001_notes"}; err != nil || !slices.Equal(applied, want) {
			t.Errorf("applied %v (%v), want %v", applied, err, want)
		}
	})
}

// In former versions the column with the name of a set was called room. Such a database is read, and
// upgraded by its next migration.
func TestADatabaseOfAFormerVersionIsUpgraded(t *testing.T) {
	onEmpty(t, func(t *testing.T, db *database.DB) {
		if _, err := db.Migrate(t.Context(), set("0001_a.sql", makeA)); err != nil {
			t.Fatal(err)
		}
		rename := func(tx *database.Tx) error {
			_, err := tx.Exec(t.Context(), `ALTER TABLE schema_migrations RENAME COLUMN migration_set TO room`)
			return err
		}
		if err := db.Write(t.Context(), rename); err != nil {
			t.Fatal(err)
		}
		both := set("0001_a.sql", makeA, "0002_b.sql", makeB)
		todo, err := db.Outstanding(t.Context(), both)
		if want := []database.Step{{Name: "set/0002_b"}}; err != nil || !slices.Equal(todo, want) {
			t.Errorf("outstanding: %v (%v), want %v", todo, err, want)
		}
		for i, want := range [][]string{{"set/0002_b"}, nil} {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				applied, err := db.Migrate(t.Context(), both)
				if err != nil || !slices.Equal(applied, want) {
					t.Errorf("applied %v (%v), want %v", applied, err, want)
				}
			})
		}
		var sets int
		if err := db.QueryRow(t.Context(), `SELECT count(*) FROM schema_migrations WHERE migration_set = 'set'`).Scan(&sets); err != nil || sets != 2 {
			t.Errorf("%d migrations are recorded (%v)", sets, err)
		}
	})
}

func TestMigrationsSayHowManyRowsTheyGoOverAndHowLongTheyTook(t *testing.T) {
	grown := database.Migrations{Name: notes.Name, Files: fstest.MapFS{
		"0001_notes.sql": notes.Files.(fstest.MapFS)["0001_notes.sql"],
		"0002_more.sql": {Data: []byte("CREATE TABLE places (\n\tid BIGINT PRIMARY KEY\n);\n" +
			"CREATE INDEX places_id ON places (id);\nALTER TABLE notes ADD COLUMN place BIGINT;\n")},
		"0003_fill.sql": {Data: []byte("UPDATE notes SET place = 1;\nCREATE INDEX notes_place ON notes (place);\n")},
	}}
	each(t, func(t *testing.T, db *database.DB) {
		for id := range 3 {
			mustWrite(t, db, id)
		}
		pending, err := db.Outstanding(t.Context(), grown)
		if want := []database.Step{{Name: "notes/0002_more"}, {Name: "notes/0003_fill", Rows: 3}}; err != nil || !slices.Equal(pending, want) {
			t.Errorf("before: %+v, %v", pending, err)
		}
	})
	var told []database.Step
	path := "sqlite:" + filepath.Join(t.TempDir(), "curlew.db")
	db, err := database.Open(t.Context(), database.Options{URL: path, Migrating: func(s database.Step) { told = append(told, s) }})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Migrate(t.Context(), notes); err != nil {
		t.Fatal(err)
	}
	mustWrite(t, db, 1)
	told = nil
	if _, err := db.Migrate(t.Context(), grown); err != nil || len(told) != 4 {
		t.Fatalf("told %+v, %v", told, err)
	}
	if begun, ended := told[2], told[3]; begun.Ended || begun.Rows != 1 || !ended.Ended || ended.Took <= 0 || ended.Name != "notes/0003_fill" {
		t.Errorf("the last one: %+v, %+v", begun, ended)
	}
	for rows, want := range map[int64]string{0: "a few seconds", 60_000_000: "about 10m"} {
		t.Run(fmt.Sprint(rows), func(t *testing.T) {
			if got := database.Estimate([]database.Step{{Rows: rows}}); !strings.HasPrefix(got, want) {
				t.Errorf("%d rows take %q", rows, got)
			}
		})
	}
}
