package database

import (
	"bufio"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
)

// A dump is JSON lines: the migrations of the database, then for every table a line with its
// name and columns, followed by its rows. It says nothing of the engine, so that what was
// written on one can be loaded on the other. Tables stand after those that they refer to.
type dumpLine struct {
	Migrations map[string][]dumpedMigration `json:"migrations,omitempty"` // by set
	Table      string                       `json:"table,omitempty"`
	Columns    []string                     `json:"columns,omitempty"`
	Row        []any                        `json:"row,omitempty"`
	End        bool                         `json:"end,omitempty"` // nothing is missing
}

type dumpedMigration struct {
	Name string `json:"name"`
	Sum  string `json:"sum"`
}

const migrationsTable = "schema_migrations"

// Dump writes all rows as they are at one moment, while others read and write, and says how
// many there are.
func (db *DB) Dump(ctx context.Context, w io.Writer, sets ...Migrations) (rows int64, err error) {
	options := &sql.TxOptions{ReadOnly: true}
	if db.engine == Postgres {
		options.Isolation = sql.LevelRepeatableRead
	}
	snapshot, err := db.reader.BeginTx(ctx, options)
	if err != nil {
		return 0, db.explain(err)
	}
	defer func() { _ = snapshot.Rollback() }() // it only read
	out := bufio.NewWriter(w)
	rows, err = (&Tx{db: db, tx: snapshot, dialect: db.dialect}).dump(ctx, json.NewEncoder(out), sets)
	if err != nil {
		return 0, db.explain(err)
	}
	return rows, out.Flush()
}

func (tx *Tx) dump(ctx context.Context, out *json.Encoder, sets []Migrations) (total int64, err error) {
	head := dumpLine{Migrations: map[string][]dumpedMigration{}}
	for _, set := range sets {
		done, err := appliedTo(ctx, tx, tx.Postgres(), set.Name)
		if err != nil {
			return 0, err
		}
		for _, m := range done {
			head.Migrations[set.Name] = append(head.Migrations[set.Name], dumpedMigration{m.name, m.sum})
		}
	}
	if err := out.Encode(head); err != nil {
		return 0, err
	}
	tables, err := tx.tables(ctx)
	if err != nil {
		return 0, err
	}
	for _, table := range tables {
		n, err := tx.dumpTable(ctx, out, table)
		if err != nil {
			return 0, err
		}
		total += n
	}
	return total, out.Encode(dumpLine{End: true})
}

func (tx *Tx) dumpTable(ctx context.Context, out *json.Encoder, table string) (n int64, err error) {
	key, err := tx.names(ctx, map[Engine]string{
		SQLite: `SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk`,
		Postgres: `SELECT a.attname FROM pg_index i, unnest(i.indkey) WITH ORDINALITY AS k (n, at)
			JOIN pg_attribute a ON a.attnum = k.n WHERE i.indisprimary AND i.indrelid = ?::regclass AND a.attrelid = i.indrelid ORDER BY k.at`,
	}, table)
	if err != nil {
		return 0, err
	}
	query := `SELECT * FROM ` + table
	if len(key) > 0 { // a row may refer to an earlier one of its table
		query += ` ORDER BY ` + strings.Join(key, ", ")
	}
	rows, err := tx.Query(ctx, query)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return 0, err
	}
	if err := out.Encode(dumpLine{Table: table, Columns: columns}); err != nil {
		return 0, err
	}
	values, pointers := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		pointers[i] = &values[i]
	}
	for ; rows.Next(); n++ {
		if err := rows.Scan(pointers...); err != nil {
			return 0, err
		}
		for i, v := range values {
			if text, ok := v.([]byte); ok { // JSON: no column holds bytes
				values[i] = string(text)
			}
		}
		if err := out.Encode(dumpLine{Row: values}); err != nil {
			return 0, err
		}
	}
	return n, rows.Err()
}

// Tables are those of a database, each after those that it refers to.
func Tables(ctx context.Context, db *DB) (all []string, err error) {
	err = db.Write(ctx, func(tx *Tx) error {
		all, err = tx.tables(ctx)
		return err
	})
	return all, err
}

// tables are those of this database, each after those that it refers to.
func (tx *Tx) tables(ctx context.Context) (ordered []string, err error) {
	all, err := tx.names(ctx, map[Engine]string{
		SQLite:   `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> ? ORDER BY name`,
		Postgres: `SELECT tablename FROM pg_tables WHERE schemaname = current_schema() AND tablename <> ? ORDER BY tablename`,
	}, migrationsTable)
	if err != nil {
		return nil, err
	}
	refers := map[string][]string{}
	for _, table := range all {
		if refers[table], err = tx.names(ctx, map[Engine]string{
			SQLite: `SELECT DISTINCT "table" FROM pragma_foreign_key_list(?)`,
			Postgres: `SELECT DISTINCT c.relname FROM pg_constraint f JOIN pg_class c ON c.oid = f.confrelid
				WHERE f.contype = 'f' AND f.conrelid = ?::regclass`,
		}, table); err != nil {
			return nil, err
		}
	}
	for len(ordered) < len(all) {
		before := len(ordered)
		for _, table := range all {
			waits := slices.ContainsFunc(refers[table], func(to string) bool { return to != table && !slices.Contains(ordered, to) })
			if !waits && !slices.Contains(ordered, table) {
				ordered = append(ordered, table)
			}
		}
		if len(ordered) == before {
			return nil, fmt.Errorf("tables refer to each other in a circle: %v", all)
		}
	}
	return ordered, nil
}

func (tx *Tx) names(ctx context.Context, query map[Engine]string, of string) ([]string, error) {
	rows, err := tx.Query(ctx, query[tx.dialect.engine], of)
	return Collect(rows, err, func(r *sql.Rows) (name string, err error) {
		err = r.Scan(&name)
		return name, err
	})
}

var (
	errNotEmpty = curlew.Permanent("database_not_empty",
		"the database holds data already: restore into a new data folder or an empty database")
	errDumpBroken = curlew.Permanent("backup_damaged", "the backup is cut off or damaged: take another one")
)

// Empty refuses a database that has tables.
func (db *DB) Empty(ctx context.Context) error {
	return db.Write(ctx, func(tx *Tx) error { return tx.empty(ctx) })
}

func (tx *Tx) empty(ctx context.Context) error {
	there, err := tx.tables(ctx)
	if err == nil && len(there) > 0 {
		err = errNotEmpty
	}
	return err
}

// Part is a dump of another database of the same migrations, of which the rows of some orgs are taken.
type Part struct {
	Reader io.Reader
	Tables []string                                // with a column org_id
	Orgs   func(context.Context) ([]string, error) // asked in the transaction, once the whole dump is loaded
}

// Load fills an empty database with a dump and what is taken of others, and brings it up to date. What finish does belongs to the same
// transaction.
func (db *DB) Load(
	ctx context.Context, r io.Reader, parts []Part, finish func(context.Context) error, sets ...Migrations,
) (rows int64, err error) {
	err = db.writeOnce(ctx, func(tx *Tx) error { // a dump is read once, so nothing is tried again
		if err := tx.empty(ctx); err != nil {
			return err
		}
		if rows, err = tx.load(ctx, r, parts, sets); err != nil {
			return err
		}
		return finish(Join(ctx, tx))
	})
	return rows, db.explain(err)
}

// dumped is a dump that is being read.
type dumped struct {
	*json.Decoder
	from io.Reader
	head dumpLine
}

func opened(r io.Reader) (d dumped, err error) {
	d = dumped{Decoder: json.NewDecoder(bufio.NewReader(r)), from: r}
	d.UseNumber()
	if d.head, err = d.next(); err == nil && d.head.Migrations == nil {
		err = errDumpBroken
	}
	return d, err
}

// next is the next line. With the last one the reader is read to its end: one that checks sums does so there.
func (d dumped) next() (line dumpLine, err error) {
	if err = d.Decode(&line); err == nil && line.End {
		_, err = io.Copy(io.Discard, d.from)
	}
	if err != nil {
		err = errDumpBroken.Because(err)
	}
	return line, err
}

func (tx *Tx) load(ctx context.Context, r io.Reader, parts []Part, sets []Migrations) (total int64, err error) {
	in, err := opened(r)
	if err != nil {
		return 0, err
	}
	if err := tx.migrateTo(ctx, in.head.Migrations, sets); err != nil {
		return 0, err
	}
	made, err := tx.tables(ctx)
	if err != nil {
		return 0, err
	}
	for _, table := range slices.Backward(made) { // rows that migrations insert are in the dump
		if _, err := tx.Exec(ctx, `DELETE FROM `+table); err != nil {
			return 0, err
		}
	}
	if total, err = tx.loadTables(ctx, in, made, nil); err != nil {
		return 0, err
	}
	if err := tx.renumber(ctx, made); err != nil { // what is taken of others keeps numbers of theirs
		return 0, err
	}
	for _, part := range parts {
		n, err := tx.take(ctx, part, in.head, made)
		if err != nil {
			return 0, err
		}
		total += n
	}
	for _, set := range sets {
		if _, err := migrateSet(ctx, tx, set, latest); err != nil {
			return 0, err
		}
	}
	return total, nil
}

// take loads the rows of some orgs from the dump of another database, in place of any that are there.
func (tx *Tx) take(ctx context.Context, part Part, whole dumpLine, made []string) (int64, error) {
	in, err := opened(part.Reader)
	if err != nil {
		return 0, err
	}
	if !reflect.DeepEqual(in.head.Migrations, whole.Migrations) {
		return 0, errDumpBroken
	}
	orgs, err := part.Orgs(Join(ctx, tx))
	if err != nil {
		return 0, err
	}
	for _, table := range slices.Backward(made) {
		if slices.Contains(part.Tables, table) {
			if _, err := tx.Exec(ctx, `DELETE FROM `+table+` WHERE org_id {in ?}`, AsJSON(orgs)); err != nil {
				return 0, err
			}
		}
	}
	return tx.loadTables(ctx, in, made, func(at dumpLine, row []any) bool {
		org := slices.Index(at.Columns, "org_id")
		if org < 0 || !slices.Contains(part.Tables, at.Table) {
			return false
		}
		name, _ := row[org].(string)
		return slices.Contains(orgs, name)
	})
}

// migrateTo makes the tables as they were when the dump was written.
func (tx *Tx) migrateTo(ctx context.Context, dumped map[string][]dumpedMigration, sets []Migrations) error {
	if err := tx.prepareMigrations(ctx); err != nil {
		return err
	}
	for _, set := range sets {
		known, err := set.read()
		if err != nil {
			return err
		}
		var done []migration
		for _, m := range dumped[set.Name] {
			done = append(done, migration{name: m.Name, sum: m.Sum})
		}
		if err := compare(set.Name, known, done); err != nil {
			return err
		}
		if _, err := migrateSet(ctx, tx, set, len(done)); err != nil {
			return err
		}
	}
	return nil
}

// loadBatch bounds the values of one statement: SQLite takes 32,766.
const loadBatch = 3000

// loadTables loads the rows that are wanted, nil for all.
func (tx *Tx) loadTables(
	ctx context.Context, in dumped, known []string, wanted func(at dumpLine, row []any) bool,
) (total int64, err error) {
	var at dumpLine
	var values []any
	for {
		line, err := in.next()
		if err != nil {
			return 0, err
		}
		if line.Row == nil || len(values) > loadBatch {
			if err := tx.insertAll(ctx, at, values); err != nil {
				return 0, err
			}
			values = values[:0]
		}
		switch {
		case line.End:
			return total, nil
		case line.Table != "":
			if !slices.Contains(known, line.Table) || !plainNames(line.Columns) {
				return 0, errDumpBroken
			}
			at = line
		case len(line.Row) == 0 || len(line.Row) != len(at.Columns):
			return 0, errDumpBroken
		case wanted == nil || wanted(at, line.Row):
			total++
			values = append(values, loadable(line.Row)...)
		}
	}
}

// insertAll inserts rows into a table, whose values stand one after the other.
func (tx *Tx) insertAll(ctx context.Context, at dumpLine, values []any) error {
	if len(values) == 0 {
		return nil
	}
	row := ", (?" + strings.Repeat(", ?", len(at.Columns)-1) + ")"
	_, err := tx.Exec(ctx, `INSERT INTO `+at.Table+` (`+strings.Join(at.Columns, ", ")+`) VALUES `+
		strings.Repeat(row, len(values)/len(at.Columns))[2:], values...)
	if isConstraint(err) {
		return curlew.Permanent("backup_damaged", "the backup holds rows of %s that do not fit the others: it is damaged, or was changed; "+
			"take another one", at.Table)
	}
	return err
}

// plainNames says whether names of columns can stand in a statement.
func plainNames(columns []string) bool {
	strange := func(r rune) bool { return r != '_' && (r < 'a' || r > 'z') && (r < '0' || r > '9') }
	return len(columns) > 0 && !slices.ContainsFunc(columns, func(c string) bool { return c == "" || strings.ContainsFunc(c, strange) })
}

// loadable turns numbers into what the drivers take.
func loadable(row []any) []any {
	for i, v := range row {
		if n, ok := v.(json.Number); ok {
			if whole, err := n.Int64(); err == nil {
				row[i] = whole
			} else if part, err := n.Float64(); err == nil {
				row[i] = part
			}
		}
	}
	return row
}

// renumber lets columns that number their rows go on after the highest number. SQLite does so by itself.
func (tx *Tx) renumber(ctx context.Context, tables []string) error {
	if !tx.Postgres() {
		return nil
	}
	for _, table := range tables {
		columns, err := tx.names(ctx, map[Engine]string{Postgres: `SELECT column_name FROM information_schema.columns
			WHERE table_schema = current_schema() AND table_name = ? AND is_identity = 'YES'`}, table)
		if err != nil {
			return err
		}
		for _, column := range columns {
			if _, err := tx.Exec(ctx, `SELECT setval(pg_get_serial_sequence(?, ?), coalesce(max(`+column+`), 0) + 1, false) FROM `+table,
				table, column); err != nil {
				return err
			}
		}
	}
	return nil
}
