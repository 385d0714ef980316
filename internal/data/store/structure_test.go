package store_test

import (
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/data/database"
)

// table is a table as the database itself describes it.
type table struct {
	name       string
	notNull    []string
	primaryKey []string // in the order of the key
}

// reference is a foreign key as the database itself describes it.
type reference struct {
	from, to string
	columns  []string // of the referring table
	targets  []string // of the other, in the same order
}

func (r reference) String() string {
	return fmt.Sprintf("%s (%s) → %s (%s)", r.from, strings.Join(r.columns, ", "), r.to, strings.Join(r.targets, ", "))
}

// Both engines are asked for the same three columns per row, so that the rest of
// the test does not know which one it is: a table, a column, and its place in
// the primary key (0: none) or whether it may be NULL.
var (
	columnsSQL = map[database.Engine]string{
		database.SQLite: `SELECT t.name, c.name, c."notnull", c.pk FROM sqlite_master AS t, pragma_table_info(t.name) AS c
			WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' ORDER BY t.name, c.pk, c.cid`,
		database.Postgres: `SELECT c.table_name, c.column_name, CASE c.is_nullable WHEN 'NO' THEN 1 ELSE 0 END,
				coalesce((SELECT k.ordinal_position FROM information_schema.table_constraints AS t
					JOIN information_schema.key_column_usage AS k USING (constraint_schema, constraint_name)
					WHERE t.constraint_type = 'PRIMARY KEY' AND k.table_name = c.table_name AND k.column_name = c.column_name), 0) AS pk
			FROM information_schema.columns AS c WHERE c.table_schema = 'public' ORDER BY 1, pk, c.ordinal_position`,
	}
	referencesSQL = map[database.Engine]string{
		database.SQLite: `SELECT t.name || ':' || f.id, t.name, f."table", f."from", f."to"
			FROM sqlite_master AS t, pragma_foreign_key_list(t.name) AS f WHERE t.type = 'table' ORDER BY t.name, f.id, f.seq`,
		database.Postgres: `SELECT c.oid::text, c.conrelid::regclass::text, c.confrelid::regclass::text, a.attname::text, b.attname::text
			FROM pg_constraint AS c, unnest(c.conkey, c.confkey) WITH ORDINALITY AS k (ours, theirs, place)
			JOIN pg_attribute AS a ON true JOIN pg_attribute AS b ON true
			WHERE c.contype = 'f' AND a.attrelid = c.conrelid AND a.attnum = k.ours AND b.attrelid = c.confrelid AND b.attnum = k.theirs
			ORDER BY 2, 1, k.place`,
	}
)

func (b *bench) tables(t *testing.T) (all []table) {
	t.Helper()
	b.eachRow(t, columnsSQL[b.db.Engine()], func(r *sql.Rows) error {
		var name, column string
		var notNull, place int
		if err := r.Scan(&name, &column, &notNull, &place); err != nil {
			return err
		}
		if len(all) == 0 || all[len(all)-1].name != name {
			all = append(all, table{name: name})
		}
		last := &all[len(all)-1]
		if notNull == 1 {
			last.notNull = append(last.notNull, column)
		}
		if place > 0 {
			last.primaryKey = append(last.primaryKey, column)
		}
		return nil
	})
	return all
}

func (b *bench) references(t *testing.T) (all []reference) {
	t.Helper()
	previous := ""
	b.eachRow(t, referencesSQL[b.db.Engine()], func(r *sql.Rows) error {
		var id, from, to, column, target string
		if err := r.Scan(&id, &from, &to, &column, &target); err != nil {
			return err
		}
		if id != previous {
			all, previous = append(all, reference{from: from, to: to}), id
		}
		last := &all[len(all)-1]
		last.columns, last.targets = append(last.columns, column), append(last.targets, target)
		return nil
	})
	return all
}

func (b *bench) eachRow(t *testing.T, query string, fn func(*sql.Rows) error) {
	t.Helper()
	rows, err := b.db.Query(t.Context(), query)
	must(t, err)
	defer rows.Close()
	for rows.Next() {
		must(t, fn(rows))
	}
	must(t, rows.Err())
}

func structure(t *testing.T, b *bench) {
	tables, refs := b.tables(t), b.references(t)
	if len(tables) < 17 || len(refs) < 29 {
		t.Fatalf("found only %d tables and %d references", len(tables), len(refs))
	}
	for _, table := range tables {
		if table.name == "orgs" || table.name == "schema_migrations" {
			continue
		}
		if len(table.primaryKey) == 0 || table.primaryKey[0] != "org_id" || !slices.Contains(table.notNull, "org_id") {
			t.Errorf("%s: the key is %v and %v cannot be NULL: org_id must be first", table.name, table.primaryKey, table.notNull)
		}
		bound := func(r reference) bool {
			return r.from == table.name && !slices.ContainsFunc(r.columns, func(c string) bool { return !slices.Contains(table.notNull, c) })
		}
		if !slices.ContainsFunc(refs, bound) {
			t.Errorf("%s: nothing ties its org to the orgs there are", table.name)
		}
	}
	for _, r := range refs {
		target := "org_id"
		if r.to == "orgs" {
			target = "id"
		}
		if i := slices.Index(r.columns, "org_id"); i < 0 || r.targets[i] != target {
			t.Errorf("%s: the org is not part of it", r)
		}
	}
}

// references turns every reference there is to a row of another org, as no
// method of the store could, and to one of its own, which must be fine.
func references(t *testing.T, b *bench) {
	b.fill(t, acme)
	b.fill(t, birch)
	tried := 0
	for _, r := range b.references(t) {
		if r.to == "orgs" {
			continue
		}
		i := 1 - slices.Index(r.columns, "org_id") // references are pairs
		query := fmt.Sprintf(`UPDATE %s SET %s = (SELECT max(%s) FROM %s WHERE org_id = ?) WHERE org_id = 'acme' AND %s IS NOT NULL`,
			r.from, r.columns[i], r.targets[i], r.to, r.columns[i])
		if n, err := b.tryOut(t, query, acme); err != nil || n == 0 {
			t.Errorf("%s: cannot be turned to a row of its own org: %d rows, %v", r, n, err)
		}
		if _, err := b.tryOut(t, query, birch); !database.IsForeign(err) {
			t.Errorf("%s: leads into another org: %v", r, err)
		}
		tried++
	}
	if tried < 20 {
		t.Errorf("only %d references were tried", tried)
	}
}

var errUndo = errors.New("undo")

// tryOut runs a statement and undoes it.
func (b *bench) tryOut(t *testing.T, query string, values ...any) (n int64, err error) {
	t.Helper()
	undone := b.db.Write(t.Context(), func(tx *database.Tx) error {
		if n, err = tx.Exec(t.Context(), query, values...); err != nil {
			return err
		}
		return errUndo
	})
	if err == nil && !errors.Is(undone, errUndo) {
		err = undone
	}
	return n, err
}
