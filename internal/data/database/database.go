// Package database opens a database of an installation, on either engine, and hides
// what differs between them: SQLite (embedded, one writer, many readers) and Postgres
// (many workers). Queries are written once, in the common subset, with `?` for values
// and a few {words} for the rest (see dialect.go). It also applies migrations and moves
// the rows of an org from one Postgres to another.
//
// It knows no table and no policy: queries are written in store and queue alone, and
// others only pass its handles and transactions on to these.
package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// DB is an open database.
type DB struct {
	dialect
	writer *sql.DB // SQLite: exactly one connection
	reader *sql.DB
	url    string

	pooling   Pooling
	migrating func(Step)
}

// Options say which database to open.
type Options struct {
	URL      string // "sqlite:PATH" or "postgres://…"
	MaxConns int    // of the Postgres pool or the SQLite readers; 0 means 10

	Migrating func(Step) // told when Migrate begins a migration, and when it has ended; may be nil
}

// Open opens the database and checks that it answers.
func Open(ctx context.Context, o Options) (*DB, error) {
	if o.MaxConns <= 0 {
		o.MaxConns = 10
	}
	db, err := open(ctx, o)
	if err != nil {
		return nil, err
	}
	if err := db.Ping(ctx); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	db.migrating = o.Migrating
	return db, nil
}

// Ping says whether the database answers and can be written to.
func (db *DB) Ping(ctx context.Context) error {
	if err := db.reader.PingContext(ctx); err != nil {
		return db.explain(err)
	}
	return db.explain(db.writer.PingContext(ctx))
}

// Close closes all connections.
func (db *DB) Close() error {
	if db.reader == db.writer {
		return db.writer.Close()
	}
	return errors.Join(db.reader.Close(), db.writer.Close())
}

// Queryer runs queries: a transaction, or a DB outside of one (reads only).
type Queryer interface {
	Query(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRow(ctx context.Context, query string, args ...any) *sql.Row
}

// Query reads outside of a transaction, or in the one that the context carries.
func (db *DB) Query(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if tx := db.joined(ctx); tx != nil {
		return tx.Query(ctx, query, args...)
	}
	return db.reader.QueryContext(ctx, db.rebind(query), args...)
}

// QueryRow reads one row as Query does.
func (db *DB) QueryRow(ctx context.Context, query string, args ...any) *sql.Row {
	if tx := db.joined(ctx); tx != nil {
		return tx.QueryRow(ctx, query, args...)
	}
	return db.reader.QueryRowContext(ctx, db.rebind(query), args...)
}

// Tx is a transaction that may write. A statement that fails dooms it: nothing
// more is done in it, and it cannot be committed. So it is on Postgres; SQLite
// would keep the rest, or go on outside of the transaction after a full disk.
type Tx struct {
	db          *DB
	tx          *sql.Tx
	dialect     dialect
	afterCommit []func()
	doom        error
}

// Exec runs a statement and says how many rows it touched.
func (tx *Tx) Exec(ctx context.Context, query string, args ...any) (int64, error) {
	if tx.doom != nil {
		return 0, tx.doom
	}
	result, err := tx.tx.ExecContext(ctx, tx.dialect.rebind(query), args...)
	if err != nil {
		tx.doom = err
		return 0, err
	}
	return result.RowsAffected()
}

// Query reads rows, also those of `… RETURNING`.
func (tx *Tx) Query(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if tx.doom != nil {
		return nil, tx.doom
	}
	rows, err := tx.tx.QueryContext(ctx, tx.dialect.rebind(query), args...)
	tx.doom = err
	return rows, err
}

// QueryRow reads one row.
func (tx *Tx) QueryRow(ctx context.Context, query string, args ...any) *sql.Row {
	return tx.tx.QueryRowContext(ctx, tx.dialect.rebind(query), args...)
}

// Postgres says whether the transaction runs on Postgres, for the few things
// that exist only there.
func (tx *Tx) Postgres() bool { return tx.dialect.engine == Postgres }

// AfterCommit calls fn once the transaction is durable, and never otherwise.
func (tx *Tx) AfterCommit(fn func()) { tx.afterCommit = append(tx.afterCommit, fn) }

type txKey struct{}

// Join gives a context in which everything that this database reads and writes
// belongs to a transaction: a use case commits with its audit line although its
// steps open transactions of their own elsewhere. It must not outlive the transaction.
func Join(ctx context.Context, tx *Tx) context.Context { return context.WithValue(ctx, txKey{}, tx) }

// joined is the transaction of this database that a context carries, or nil.
func (db *DB) joined(ctx context.Context) *Tx {
	if tx, ok := ctx.Value(txKey{}).(*Tx); ok && tx.db == db {
		return tx
	}
	return nil
}

// Write runs fn in one transaction and commits it when fn returns nil. On
// Postgres it may run fn again, after a deadlock, so fn must not keep state. In
// the context of a transaction (see Join) fn becomes part of that one.
func (db *DB) Write(ctx context.Context, fn func(*Tx) error) error {
	if tx := db.joined(ctx); tx != nil {
		return fn(tx)
	}
	const tries = 5
	var err error
	for try := range tries {
		if err = db.writeOnce(ctx, fn); !db.isRetryable(err) {
			break
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Duration(try+1) * 10 * time.Millisecond):
		}
	}
	return db.explain(err)
}

func (db *DB) writeOnce(ctx context.Context, fn func(*Tx) error) (err error) {
	sqlTx, err := db.writer.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	tx := &Tx{db: db, tx: sqlTx, dialect: db.dialect}
	if db.pooling != NoPooling { // a setting of the connection might meet another client
		if _, err := tx.Exec(ctx, "SET LOCAL "+idleSetting+" = '"+idleInTransaction+"'"); err != nil {
			_ = sqlTx.Rollback()
			return err
		}
	}
	defer func() {
		if p := recover(); p != nil {
			_ = sqlTx.Rollback()
			panic(p)
		}
	}()
	err = fn(tx)
	if err == nil {
		err = tx.doom
	}
	if err != nil {
		_ = sqlTx.Rollback() // the cause matters, not what the rollback says
		return err
	}
	if err := sqlTx.Commit(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	for _, after := range tx.afterCommit {
		after()
	}
	return nil
}

// Collect reads all rows with scan.
func Collect[T any](rows *sql.Rows, err error, scan func(*sql.Rows) (T, error)) ([]T, error) {
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []T
	for rows.Next() {
		one, err := scan(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, rows.Err()
}

// Redacted is the database's address without its password, for people.
func (db *DB) Redacted() string { return redact(db.url) }

// Engine says which engine this is.
func (db *DB) Engine() Engine { return db.engine }

// Now asks the database for its time: leases live by it.
func (db *DB) Now(ctx context.Context) (time.Time, error) {
	var at Micros
	if err := db.QueryRow(ctx, `SELECT {now}`).Scan(&at); err != nil {
		return time.Time{}, db.explain(err)
	}
	return at.Time(), nil
}

// Explain turns a driver's error into a fault with a sentence; other errors,
// faults among them, come back as they are.
func (db *DB) Explain(err error) error { return db.explain(err) }

var errNoEngine = curlew.Permanent("bad_database_url",
	"the database address must begin with postgres:// or sqlite:")
