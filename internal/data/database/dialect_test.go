package database

import (
	"strings"
	"testing"
)

func TestQueriesAreWrittenForTheEngine(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, query, sqlite, postgres string }{
		{"values are numbered", `a = ? AND b = ?`, `a = ? AND b = ?`, `a = $1 AND b = $2`},
		{"a question inside quotes is text", `a = '?' AND b = ?`, `a = '?' AND b = ?`, `a = '?' AND b = $1`},
		{"a doubled quote does not end the text", `a = 'it''s ?' AND b = ?`, `a = 'it''s ?' AND b = ?`, `a = 'it''s ?' AND b = $1`},
		{"two texts", `('?', ?, '?', ?)`, `('?', ?, '?', ?)`, `('?', $1, '?', $2)`},
		{"a word", `{json} NOT NULL`, `TEXT NOT NULL`, `JSONB NOT NULL`},
		{"a word that is nothing", `SELECT 1 {for_update}`, `SELECT 1 `, `SELECT 1 FOR NO KEY UPDATE`},
		{"a word with a value", `a = ? AND b {in ?} AND c = ?`,
			`a = ? AND b IN (SELECT value FROM json_each(?)) AND c = ?`,
			`a = $1 AND b = ANY (ARRAY(SELECT jsonb_array_elements_text($2::jsonb))) AND c = $3`},
		{"nothing to do", `SELECT 1`, `SELECT 1`, `SELECT 1`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for engine, want := range map[Engine]string{SQLite: c.sqlite, Postgres: c.postgres} {
				t.Run(string(engine), func(t *testing.T) {
					d := newDialect(engine)
					if got := d.rebind(c.query); got != want {
						t.Errorf("%s: got %s, want %s", engine, got, want)
					}
					if again := d.rebind(c.query); again != want {
						t.Errorf("%s: the second time %s, want %s", engine, again, want)
					}
				})
			}
		})
	}
}

func TestBothEnginesKnowTheSameWords(t *testing.T) {
	t.Parallel()
	for word := range dialectWords[SQLite] {
		if _, ok := dialectWords[Postgres][word]; !ok {
			t.Errorf("Postgres does not know {%s}", word)
		}
	}
	if len(dialectWords[SQLite]) != len(dialectWords[Postgres]) {
		t.Error("Postgres knows words that SQLite does not")
	}
}

func TestAnUnknownWordIsAnErrorOfOurs(t *testing.T) {
	t.Parallel()
	for _, query := range []string{`SELECT {nwo}`, `SELECT '{}'`, `SELECT {now`, `SELECT {`} {
		t.Run(query, func(t *testing.T) {
			t.Parallel()
			defer func() {
				if said, _ := recover().(string); !strings.Contains(said, query) {
					t.Errorf("the panic says %q, not which query it was", said)
				}
			}()
			newDialect(SQLite).rebind(query)
		})
	}
}

func TestAMigrationIsCutIntoStatements(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"nothing", "", nil},
		{"comments alone", "-- a\n\n  -- b;\n", nil},
		{"two statements", "CREATE TABLE a (\n\tx TEXT\n);\nCREATE TABLE b (x TEXT);\n",
			[]string{"CREATE TABLE a (\nx TEXT\n)", "CREATE TABLE b (x TEXT)"}},
		{"a comment in between", "CREATE TABLE a (\n-- of a;\nx TEXT);\n", []string{"CREATE TABLE a (\nx TEXT)"}},
		{"a semicolon within a line", "INSERT INTO a VALUES ('x; y');\n", []string{"INSERT INTO a VALUES ('x; y')"}},
		{"the last one without a semicolon", "DROP TABLE a;\nDROP TABLE b\n", []string{"DROP TABLE a", "DROP TABLE b"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := statements(c.text); strings.Join(got, "|") != strings.Join(c.want, "|") || len(got) != len(c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestAnAddressForPeopleHasNoPassword(t *testing.T) {
	t.Parallel()
	for _, address := range []string{
		"postgres://me:secret@db.example/curlew",
		"postgres://me@db.example/curlew?password=secret&sslmode=disable",
		"postgres://me@db.example/curlew?sslpassword=secret",
		"postgres://me:secret@db.example:bad/curlew",
	} {
		t.Run(address, func(t *testing.T) {
			if got := redact(address); strings.Contains(got, "secret") {
				t.Errorf("the password is told in %s", got)
			}
		})
	}
	if got := redact("sqlite:/var/lib/curlew/curlew.db"); got != "sqlite:/var/lib/curlew/curlew.db" {
		t.Errorf("a path became %s", got)
	}
}
