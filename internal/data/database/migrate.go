package database

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// Migrations are the tables of one set, as numbered SQL files in the common
// subset ("0001_jobs.sql").
type Migrations struct {
	Name  string
	Files fs.FS
}

type migration struct {
	name, text, sum string
}

// migrationLock is the number of the advisory lock that lets one process at a
// time migrate a Postgres database; the bytes of "curlew".
const migrationLock = 0x6375726c6577

// Migrate brings the tables of all sets up to date. Everything happens in one
// transaction under one lock: a process that is killed half-way leaves nothing,
// and of two that start together the second finds the work done.
func (db *DB) Migrate(ctx context.Context, sets ...Migrations) (applied []string, err error) {
	if todo, err := db.Outstanding(ctx, sets...); err != nil || len(todo) == 0 {
		return nil, err // a role that may not make tables can go on
	}
	err = db.Write(ctx, func(tx *Tx) error {
		applied = nil
		if err := tx.prepareMigrations(ctx); err != nil {
			return err
		}
		for _, set := range sets {
			names, err := migrateSet(ctx, tx, set, latest)
			if err != nil {
				return err
			}
			applied = append(applied, names...)
		}
		return nil
	})
	return applied, err
}

// prepareMigrations takes the lock and makes the table that tells what was applied.
func (tx *Tx) prepareMigrations(ctx context.Context) error {
	if tx.Postgres() {
		if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock(?)`, int64(migrationLock)); err != nil {
			return err
		}
	}
	column, err := setColumn(ctx, tx, tx.Postgres())
	switch {
	case err != nil:
		return err
	case column == formerSetColumn:
		_, err = tx.Exec(ctx, `ALTER TABLE schema_migrations RENAME COLUMN room TO migration_set`)
	case column == "":
		_, err = tx.Exec(ctx, `CREATE TABLE schema_migrations (
			migration_set TEXT NOT NULL, name TEXT NOT NULL, sum TEXT NOT NULL, applied_at BIGINT NOT NULL,
			PRIMARY KEY (migration_set, name))`)
	}
	return err
}

// formerSetColumn is what the column with the name of a set was called in former versions.
const formerSetColumn = "room"

// setColumn is the column of schema_migrations with the name of a set; "" where there is no such table.
func setColumn(ctx context.Context, q Queryer, postgres bool) (column string, err error) {
	probe := `SELECT coalesce(min(name), '') FROM pragma_table_info('schema_migrations') WHERE name IN ('room', 'migration_set')`
	if postgres {
		probe = `SELECT coalesce(min(column_name), '') FROM information_schema.columns WHERE table_schema = current_schema()
			AND table_name = 'schema_migrations' AND column_name IN ('room', 'migration_set')`
	}
	err = q.QueryRow(ctx, probe).Scan(&column)
	return column, err
}

// latest applies all migrations of a set.
const latest = -1

// migrateSet applies the migrations of a set that are not applied yet, up to that many in all.
func migrateSet(ctx context.Context, tx *Tx, set Migrations, most int) ([]string, error) {
	known, err := set.read()
	if err != nil {
		return nil, err
	}
	done, err := appliedTo(ctx, tx, tx.Postgres(), set.Name)
	if err != nil {
		return nil, err
	}
	if err := compare(set.Name, known, done); err != nil {
		return nil, err
	}
	if most != latest {
		known = known[:max(most, len(done))]
	}
	var names []string
	for _, m := range known[len(done):] {
		if err := tx.applyAndTell(ctx, set.Name, m); err != nil {
			return nil, err
		}
		names = append(names, set.Name+"/"+m.name)
	}
	return names, nil
}

// applyAndTell applies a migration and tells of it.
func (tx *Tx) applyAndTell(ctx context.Context, set string, m migration) error {
	if tx.db.migrating == nil {
		return tx.apply(ctx, set, m)
	}
	rows, err := rowsOf(ctx, tx, tx.Postgres(), m)
	if err != nil {
		return err
	}
	step := Step{Name: set + "/" + m.name, Rows: rows}
	tx.db.migrating(step)
	began := time.Now()
	if err := tx.apply(ctx, set, m); err != nil {
		return err
	}
	step.Ended, step.Took = true, time.Since(began)
	tx.db.migrating(step)
	return nil
}

func (tx *Tx) apply(ctx context.Context, set string, m migration) error {
	for _, statement := range statements(m.text) {
		if _, err := tx.Exec(ctx, statement); err != nil {
			return fmt.Errorf("migration %s/%s: %w", set, m.name, err)
		}
	}
	_, err := tx.Exec(ctx, `INSERT INTO schema_migrations (migration_set, name, sum, applied_at) VALUES (?, ?, ?, {now})`,
		set, m.name, m.sum)
	return err
}

// compare refuses a database that a newer Curlew, or an edited migration, made.
func compare(set string, known, done []migration) error {
	for i, d := range done {
		if i >= len(known) {
			return curlew.Permanent("database_is_newer",
				"the database was made by a newer Curlew (it has %s/%s): use that version, or restore a backup from before the upgrade", set, d.name)
		}
		if known[i].name != d.name || known[i].sum != d.sum {
			return curlew.Permanent("database_differs",
				"the database was made with another %s/%s than this Curlew has: use the version that made it", set, d.name)
		}
	}
	return nil
}

// appliedTo lists the migrations of a set that were applied; none where the database was never migrated.
func appliedTo(ctx context.Context, q Queryer, postgres bool, set string) ([]migration, error) {
	column, err := setColumn(ctx, q, postgres)
	if err != nil || column == "" {
		return nil, err
	}
	rows, err := q.Query(ctx, `SELECT name, sum FROM schema_migrations WHERE `+column+` = ? ORDER BY name`, set)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []migration
	for rows.Next() {
		var m migration
		if err := rows.Scan(&m.name, &m.sum); err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, rows.Err()
}

func (r Migrations) read() ([]migration, error) {
	names, err := fs.Glob(r.Files, "*.sql")
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	var all []migration
	for _, name := range names {
		text, err := fs.ReadFile(r.Files, name)
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(text)
		all = append(all, migration{strings.TrimSuffix(path.Base(name), ".sql"), string(text), hex.EncodeToString(sum[:8])})
	}
	return all, nil
}

// statements cuts a migration at each line that ends with a semicolon, after
// dropping comment lines.
func statements(text string) []string {
	var all []string
	var current []string
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		if trimmed == "" || strings.HasPrefix(trimmed, "--") {
			continue
		}
		current = append(current, strings.TrimSuffix(trimmed, ";"))
		if strings.HasSuffix(trimmed, ";") {
			all = append(all, strings.Join(current, "\n"))
			current = nil
		}
	}
	if len(current) > 0 {
		all = append(all, strings.Join(current, "\n"))
	}
	return all
}

// Outstanding lists the migrations that Migrate would apply, changing nothing.
func (db *DB) Outstanding(ctx context.Context, sets ...Migrations) ([]Step, error) {
	var steps []Step
	for _, set := range sets {
		known, err := set.read()
		if err != nil {
			return nil, err
		}
		done, err := appliedTo(ctx, db, db.engine == Postgres, set.Name)
		if err != nil {
			return nil, db.explain(err)
		}
		if err := compare(set.Name, known, done); err != nil {
			return nil, err
		}
		for _, m := range known[len(done):] {
			rows, err := rowsOf(ctx, db, db.engine == Postgres, m)
			if err != nil {
				return nil, db.explain(err)
			}
			steps = append(steps, Step{Name: set.Name + "/" + m.name, Rows: rows})
		}
	}
	return steps, nil
}
