package database

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/ops/failpoint"
	"github.com/jackc/pgx/v5"
)

// OrgRows are the rows of one org in some tables of a Postgres database, to be moved to another one.
type OrgRows struct {
	DB     *DB
	Org    string   // of the form that curlew.ParseOrgID allows: it stands in triggers
	Tables []string // with a column org_id
	Gone   string   // a condition on NEW.org_id, by which an org is known that lives on another database
}

// goneCode is what a statement fails with that would add rows of an org that lives on another database.
const goneCode = "CU002"

var errOrgGone = curlew.Temporary("org_elsewhere", "this org lives on another database now: try again, and if that does not help, "+
	"give this process all shards (database.shards, CURLEW_DATABASE_SHARDS)")

// frozenCode is what a statement fails with that would change the rows of an org that is being moved.
const frozenCode = "CU001"

// ErrOrgMoving is what then comes of it.
var ErrOrgMoving = curlew.Temporary("org_moving", "this org is being moved to another database, and nothing of it can be changed "+
	"meanwhile: try again in a few minutes")

// mover is the setting of a transaction that may change the rows of the org that it names, frozen or not yet here.
const (
	mover    = "curlew.mover"
	setMover = `SELECT set_config('` + mover + `', ?, true)`
)

// How long freezing waits for whoever writes to a table, and how often: nobody else can write to it meanwhile.
const (
	freezeWithin = "1s"
	freezeTries  = 20
)

func (r OrgRows) trigger() string {
	sum := sha256.Sum256([]byte(r.Org))
	return fmt.Sprintf("moving_%x", sum[:8])
}

// Freeze refuses from now on, in the database itself, what would change the rows of the org in some tables. Once it returns, all
// transactions that did so before have ended. Finished jobs may still be forgotten. Rows of orgs that are gone are refused from
// then on for good, by whatever process: a lookup by primary key for each new row, which takes 5 µs.
func (r OrgRows) Freeze(ctx context.Context, tables ...string) error {
	err := r.DB.Write(ctx, func(tx *Tx) error {
		if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock(?)`, int64(migrationLock)); err != nil { // of two that make it, one fails
			return err
		}
		return tx.all(ctx, []string{`CREATE OR REPLACE FUNCTION refuse_moving() RETURNS trigger LANGUAGE plpgsql AS
			$$ BEGIN RAISE EXCEPTION 'an org is being moved' USING ERRCODE = '` + frozenCode + `'; END $$`,
			`CREATE OR REPLACE FUNCTION refuse_gone() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
			IF ` + r.Gone + ` AND current_setting('` + mover + `', true) IS DISTINCT FROM NEW.org_id THEN
				RAISE EXCEPTION 'an org lives elsewhere' USING ERRCODE = '` + goneCode + `';
			END IF; RETURN NEW; END $$`})
	})
	for _, table := range tables {
		for try := 0; err == nil; try++ {
			frozen := r.freezeTable(ctx, table)
			if code, ok := pgCode(frozen); ok && code == "55P03" && try < freezeTries { // lock_not_available
				continue
			}
			err = frozen
			break
		}
	}
	return r.DB.explain(err)
}

func (r OrgRows) freezeTable(ctx context.Context, table string) error {
	return r.DB.Write(ctx, func(tx *Tx) error {
		statements := []string{`SET LOCAL lock_timeout = '` + freezeWithin + `'`, r.refusing("", "INSERT OR UPDATE", "NEW", table),
			`CREATE OR REPLACE TRIGGER gone BEFORE INSERT ON ` + table + ` FOR EACH ROW EXECUTE FUNCTION refuse_gone()`}
		if table != "jobs" && table != "job_transitions" {
			statements = append(statements, r.refusing("_gone", "DELETE", "OLD", table))
		}
		return tx.all(ctx, statements)
	})
}

func (r OrgRows) refusing(suffix, event, row, table string) string {
	return fmt.Sprintf(`CREATE OR REPLACE TRIGGER %s%s BEFORE %s ON %s FOR EACH ROW
		WHEN (%s.org_id = '%s' AND current_setting('%s', true) IS DISTINCT FROM '%[6]s') EXECUTE FUNCTION refuse_moving()`,
		r.trigger(), suffix, event, table, row, r.Org, mover)
}

func (tx *Tx) all(ctx context.Context, statements []string) error {
	for _, statement := range statements {
		if _, err := tx.Exec(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}

// Thaw lets the rows of the org be changed again.
func (r OrgRows) Thaw(ctx context.Context) error {
	for _, table := range r.Tables {
		err := r.DB.Write(ctx, func(tx *Tx) error {
			var frozen int
			if err := tx.QueryRow(ctx, `SELECT count(*) FROM pg_trigger WHERE tgrelid = ?::regclass AND tgname LIKE ?`, table,
				r.trigger()+"%").Scan(&frozen); err != nil || frozen == 0 {
				return err
			}
			return tx.all(ctx, []string{`DROP TRIGGER IF EXISTS ` + r.trigger() + ` ON ` + table,
				`DROP TRIGGER IF EXISTS ` + r.trigger() + `_gone ON ` + table})
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Erase removes the rows of the org, frozen ones too, table by table: what was begun can be done again.
func (r OrgRows) Erase(ctx context.Context) error {
	tables, err := r.ordered(ctx)
	if err != nil {
		return err
	}
	for _, table := range slices.Backward(tables) {
		err := r.DB.Write(ctx, func(tx *Tx) error {
			if _, err := tx.Exec(ctx, setMover, r.Org); err != nil {
				return err
			}
			_, err := tx.Exec(ctx, `DELETE FROM `+table+` WHERE org_id = ?`, r.Org)
			return err
		})
		if err != nil {
			return err
		}
		failpoint.Here(failpoint.MoveErasing)
	}
	return nil
}

// ordered are the tables, each after those that it refers to.
func (r OrgRows) ordered(ctx context.Context) ([]string, error) {
	all, err := Tables(ctx, r.DB)
	return slices.DeleteFunc(all, func(table string) bool { return !slices.Contains(r.Tables, table) }), err
}

// CopyTo copies the rows, which must be frozen, to another database in one transaction there, in place of what an earlier attempt
// left, and compares them. It says how many they are.
func (r OrgRows) CopyTo(ctx context.Context, to *DB) (rows int64, err error) {
	tables, err := r.ordered(ctx)
	if err != nil {
		return 0, err
	}
	from, endReading, err := r.DB.begin(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
	if err != nil {
		return 0, err
	}
	defer endReading()
	into, endWriting, err := to.begin(ctx, pgx.TxOptions{})
	if err != nil {
		return 0, err
	}
	defer endWriting()
	if _, err := into.Exec(ctx, strings.Replace(setMover, "?", "$1", 1), r.Org); err != nil {
		return 0, to.explain(err)
	}
	for _, table := range slices.Backward(tables) {
		if _, err := into.Exec(ctx, `DELETE FROM `+table+` WHERE org_id = $1`, r.Org); err != nil {
			return 0, to.explain(err)
		}
	}
	for _, table := range tables {
		n, err := r.copyTable(ctx, from, into, table)
		if err != nil {
			return 0, to.explain(err)
		}
		rows += n
		failpoint.Here(failpoint.MoveCopying)
	}
	return rows, to.explain(into.Commit(ctx))
}

// begin begins a transaction on a connection of its own, which may be idle for as long as the other one works.
func (db *DB) begin(ctx context.Context, o pgx.TxOptions) (tx pgx.Tx, end func(), err error) {
	conn, err := pgx.Connect(ctx, db.url)
	if err != nil {
		return nil, nil, db.explain(err)
	}
	end = func() { _ = conn.Close(context.WithoutCancel(ctx)) } // which undoes what was not committed
	if tx, err = conn.BeginTx(ctx, o); err == nil {
		_, err = tx.Exec(ctx, `SET LOCAL `+idleSetting+` = 0`)
	}
	if err != nil {
		end()
		return nil, nil, db.explain(err)
	}
	return tx, end, nil
}

// releaseMost is how long a server is given to release a lock before its connection is closed.
const releaseMost = 5 * time.Second

// HoldLock takes a lock, if it is free, until release is called or the connection is lost. Several may share one, and then nobody
// has it alone. It works behind poolers by transactions.
func (db *DB) HoldLock(ctx context.Context, name string, shared bool) (release func(), free bool, err error) {
	tx, end, err := db.begin(ctx, pgx.TxOptions{})
	if err != nil {
		return nil, false, err
	}
	release = func() { // at once: a busy server sees only later that a connection was closed
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseMost)
		defer cancel()
		_ = tx.Rollback(ending)
		end()
	}
	try := `pg_try_advisory_xact_lock`
	if shared {
		try += `_shared`
	}
	err = tx.QueryRow(ctx, `SELECT `+try+`(hashtextextended('curlew:' || $1, 0))`, name).Scan(&free)
	if err != nil || !free {
		release()
	}
	return release, free, db.explain(err)
}

// copyTable copies the rows of a table as text, as Postgres itself writes and reads them, and compares the two.
func (r OrgRows) copyTable(ctx context.Context, from, into pgx.Tx, table string) (int64, error) {
	var columns string
	if err := into.QueryRow(ctx, `SELECT string_agg(quote_ident(attname), ', ' ORDER BY attname) FROM pg_attribute
		WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped`, table).Scan(&columns); err != nil {
		return 0, err
	}
	in, out := io.Pipe()
	read := make(chan error, 1)
	go func() {
		_, err := from.Conn().PgConn().CopyTo(ctx, out, `COPY (SELECT `+columns+` FROM `+table+` WHERE org_id = '`+r.Org+`') TO STDOUT`)
		read <- errors.Join(err, out.CloseWithError(err))
	}()
	_, err := into.Conn().PgConn().CopyFrom(ctx, in, `COPY `+table+` (`+columns+`) FROM STDIN`)
	_ = in.CloseWithError(err) // lets the reader end where the writer failed
	if failed := <-read; failed != nil && err == nil {
		err = failed
	}
	if err != nil {
		return 0, fmt.Errorf("copy %s: %w", table, err)
	}
	left, arrived, err := r.sums(ctx, from, into, table, columns)
	if err == nil && left != arrived {
		err = curlew.Permanent("move_differs", "of the table %s %d rows of the org %q were copied and %d arrived, or they are not the same: "+
			"nothing was moved", table, left.rows, r.Org, arrived.rows)
	}
	return arrived.rows, err
}

// rowSum is the number of rows and the sum of the hashes of their texts.
type rowSum struct {
	rows int64
	sum  string
}

func (r OrgRows) sums(ctx context.Context, from, into pgx.Tx, table, columns string) (left, arrived rowSum, err error) {
	query := `SELECT count(*), coalesce(sum(('x' || substr(md5(row::text), 1, 16))::bit(64)::bigint::numeric), 0)::text
		FROM (SELECT ` + columns + ` FROM ` + table + ` WHERE org_id = $1) AS row`
	if err = from.QueryRow(ctx, query, r.Org).Scan(&left.rows, &left.sum); err == nil {
		err = into.QueryRow(ctx, query, r.Org).Scan(&arrived.rows, &arrived.sum)
	}
	return left, arrived, err
}

// NumberFrom lets a column that numbers its rows by itself go on with a number, unless it is further on.
func (tx *Tx) NumberFrom(ctx context.Context, table, column string, number int64) error {
	_, err := tx.Exec(ctx, `SELECT setval(pg_get_serial_sequence(?, ?), greatest(?::bigint, coalesce(max(`+column+`), 0) + 1), false)
		FROM `+table,
		table, column, number)
	return err
}
