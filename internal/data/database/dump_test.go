package database_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
	"github.com/curlew-data/curlew/internal/data/database/databasetest"
)

const (
	dumpedTables = `CREATE TABLE parents (id TEXT PRIMARY KEY, before TEXT REFERENCES parents (id), share DOUBLE PRECISION, about {json});
CREATE TABLE children (n {identity}, parent TEXT NOT NULL REFERENCES parents (id), big BIGINT);
INSERT INTO parents (id, before, share, about) VALUES ('seed', NULL, 0, NULL);
`
	dumpedRows = `INSERT INTO parents (id, before, share, about) VALUES ('a', NULL, 0.1, '["ü\n"]'), ('b', 'a', 3, NULL)`
	laterTable = "ALTER TABLE children ADD COLUMN added TEXT NOT NULL DEFAULT 'new';\n"
)

// TestADumpLoadsOnEitherEngine moves rows from each engine to each, into a newer version of the tables.
func TestADumpLoadsOnEitherEngine(t *testing.T) {
	old, newer := set("0001_a.sql", dumpedTables), set("0001_a.sql", dumpedTables, "0002_b.sql", laterTable)
	databasetest.Each(t, []database.Migrations{old}, func(t *testing.T, from *database.DB) {
		execute(t, from, dumpedRows)
		execute(t, from, `DELETE FROM parents WHERE id = 'seed'`)
		execute(t, from, `INSERT INTO children (parent, big) VALUES ('a', 9007199254740993), ('b', NULL)`)
		var dump bytes.Buffer
		if rows, err := from.Dump(t.Context(), &dump, old); err != nil || rows != 4 {
			t.Fatalf("dumped %d rows: %v", rows, err)
		}
		text := dump.String()
		databasetest.Each(t, nil, func(t *testing.T, to *database.DB) {
			if rows, err := to.Load(t.Context(), strings.NewReader(text), nil, nothing, newer); err != nil || rows != 4 {
				t.Fatalf("loaded %d rows: %v", rows, err)
			}
			execute(t, to, `INSERT INTO children (parent, big) VALUES ('b', 3)`)
			var n, big int64
			var share float64
			var about, added, before string
			err := to.QueryRow(t.Context(), `SELECT max(n), max(big), max(added) FROM children`).Scan(&n, &big, &added)
			if err != nil || n != 3 || big != 9007199254740993 || added != "new" {
				t.Errorf("children: %d rows, biggest %d, added %q (%v)", n, big, added, err)
			}
			err = to.QueryRow(t.Context(), `SELECT a.share, CAST(a.about AS TEXT), b.before FROM parents a, parents b
				WHERE a.id = 'a' AND b.id = 'b'`).Scan(&share, &about, &before)
			if err != nil || share != 0.1 || about != `["ü\n"]` || before != "a" {
				t.Errorf("parents: %v %s %s (%v)", share, about, before, err)
			}
			if _, err := to.Load(t.Context(), strings.NewReader(text), nil, nothing, newer); !isCode(err, "database_not_empty") {
				t.Errorf("loading over data: %v", err)
			}
		})
	})
}

func TestADumpThatIsCutOffLoadsNothing(t *testing.T) {
	onEmpty(t, func(t *testing.T, db *database.DB) {
		old := set("0001_a.sql", dumpedTables)
		for name, text := range map[string]string{
			"nothing":        "",
			"no head":        `{"table":"parents","columns":["id"]}`,
			"no end":         dumpOf(t, old, `{"table":"parents","columns":["id"]}`, `{"row":["x"]}`),
			"unknown table":  dumpOf(t, old, `{"table":"other","columns":["id"]}`, `{"end":true}`),
			"strange column": dumpOf(t, old, `{"table":"parents","columns":["id) VALUES (1);--"]}`, `{"row":["x"]}`, `{"end":true}`),
			"twice":          dumpOf(t, old, `{"table":"parents","columns":["id"]}`, `{"row":["x"]}`, `{"row":["x"]}`, `{"end":true}`),
			"short row":      dumpOf(t, old, `{"table":"parents","columns":["id","before"]}`, `{"row":["x"]}`, `{"end":true}`),
		} {
			t.Run(name, func(t *testing.T) {
				if _, err := db.Load(t.Context(), strings.NewReader(text), nil, nothing, old); !isCode(err, "backup_damaged") {
					t.Errorf("%s: %v", name, err)
				}
			})
		}
		if names, err := db.Migrate(t.Context(), old); err != nil || len(names) != 1 {
			t.Errorf("the database is not empty any more: %v, %v", names, err)
		}
	})
}

// dumpOf is a dump of the tables of a set with these lines for rows.
func dumpOf(t *testing.T, tables database.Migrations, lines ...string) string {
	t.Helper()
	db := databasetest.Open(t, databasetest.URL(t, database.SQLite))
	if _, err := db.Migrate(t.Context(), tables); err != nil {
		t.Fatal(err)
	}
	var dump bytes.Buffer
	if _, err := db.Dump(t.Context(), &dump, tables); err != nil {
		t.Fatal(err)
	}
	head, _, _ := strings.Cut(dump.String(), "\n")
	return head + "\n" + strings.Join(lines, "\n")
}

func execute(t *testing.T, db *database.DB, statement string) {
	t.Helper()
	if err := db.Write(t.Context(), func(tx *database.Tx) error {
		_, err := tx.Exec(t.Context(), statement)
		return err
	}); err != nil {
		t.Fatal(err)
	}
}

func nothing(context.Context) error { return nil }

func isCode(err error, code curlew.Code) bool { return err != nil && curlew.AsFault(err).Code == code }
