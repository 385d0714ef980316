// Package store keeps the nouns: SQL, migrations, transactions and the org scope.
// The only way to an org's rows is a Scope, and each of its queries names the
// org, so that no row of another org can be seen or pointed to.
//
// It decides nothing: what may change, and when, is the business of the packages
// that call it.
package store

import (
	"context"
	"database/sql"
	"embed"
	"io/fs"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

// Migrations are the store's tables.
func Migrations() database.Migrations {
	files, err := fs.Sub(migrationFiles, "migrations")
	if err != nil {
		panic(err) // the folder is embedded above
	}
	return database.Migrations{Name: "store", Files: files}
}

// Store is the store of one database.
type Store struct {
	db     *database.DB
	ids    *curlew.Minter
	sealer Sealer // of secrets

	elsewhere func(context.Context, curlew.OrgID) (*Store, error) // see KeepElsewhere; may be nil
}

// New returns the store of a migrated database.
func New(db *database.DB, ids *curlew.Minter) *Store { return &Store{db: db, ids: ids} }

// IDs mints the ids of this store, for those who must know an id before its row is kept.
func (s *Store) IDs() *curlew.Minter { return s.ids }

// Org opens the rows of one org, for reading; Write opens them for both.
func (s *Store) Org(org curlew.OrgID) Scope { return Scope{scope{org: org, q: s.db, store: s}} }

// Write runs fn in one transaction on the rows of one org.
func (s *Store) Write(ctx context.Context, org curlew.OrgID, fn func(WriteScope) error) error {
	return s.db.Write(ctx, func(tx *database.Tx) error { return fn(s.Within(tx, org)) })
}

// Within joins a transaction that is under way, such as that of a job's lease.
func (s *Store) Within(tx *database.Tx, org curlew.OrgID) WriteScope {
	return WriteScope{Scope{scope{org: org, q: tx, store: s}}, writing{org: org, q: tx, store: s, Tx: tx}}
}

// Scope is the rows of one org, noun by noun.
type Scope struct{ scope }

// WriteScope is the rows of one org inside a transaction.
type WriteScope struct {
	Scope
	writing
}

// scope is what every store of a noun reads with.
type scope struct {
	org   curlew.OrgID
	q     database.Queryer
	store *Store
}

// Org names the scope's org.
func (s scope) Org() curlew.OrgID { return s.org }

// IDs mints the ids of the store.
func (s scope) IDs() *curlew.Minter { return s.store.ids }

// explainer puts what a database says into sentences.
type explainer interface{ explain(error) error }

func (s scope) explain(err error) error   { return s.store.db.Explain(err) }
func (s writing) explain(err error) error { return s.store.db.Explain(err) }

// all opens the stores of the other nouns.
func (s scope) all() Scope { return Scope{s} }

// writing is what every store of a noun writes with.
type writing struct {
	org   curlew.OrgID
	q     database.Queryer
	store *Store
	Tx    *database.Tx
}

// all opens the stores of the other nouns in the same transaction.
func (s writing) all() WriteScope { return WriteScope{Scope{scope{s.org, s.q, s.store}}, s} }

// Window of a listing: at most Limit rows after the row with the id After.
type Window struct {
	After string
	Limit int
}

// DefaultLimit is how many rows a listing returns by default.
const DefaultLimit = 100

func (w Window) limit() int {
	if w.Limit <= 0 {
		return DefaultLimit
	}
	return w.Limit
}

// wanted is a row that is read, as errors name it.
type wanted struct {
	explainer
	noun, id string
}

func the(s explainer, noun, id string) wanted { return wanted{s, noun, id} }

// one reads exactly one row, or says that there is none.
func one[T any](w wanted, rows *sql.Rows, err error, scan func(*sql.Rows) (T, error)) (T, error) {
	all, err := database.Collect(rows, err, scan)
	if err != nil {
		var zero T
		return zero, w.explain(err)
	}
	if len(all) == 0 {
		var zero T
		return zero, curlew.NotFound(w.noun, w.id)
	}
	return all[0], nil
}

// many reads all rows.
func many[T any](s explainer, rows *sql.Rows, err error, scan func(*sql.Rows) (T, error)) ([]T, error) {
	all, err := database.Collect(rows, err, scan)
	return all, s.explain(err)
}

// insert runs an INSERT.
func (s writing) insert(ctx context.Context, noun, query string, values ...any) error {
	_, err := s.insertIfNew(ctx, noun, query, values...)
	return err
}

// insertIfNew runs an INSERT … ON CONFLICT DO NOTHING and says how many rows are new.
func (s writing) insertIfNew(ctx context.Context, noun, query string, values ...any) (int64, error) {
	n, err := s.Tx.Exec(ctx, query, values...)
	return n, s.explainInsert(noun, err)
}

// explainInsert puts the two failures that callers can cause into sentences.
func (s writing) explainInsert(noun string, err error) error {
	switch {
	case database.IsUnique(err):
		return curlew.Permanent(curlew.ErrExistsAlready, "this %s already exists", noun).Because(err)
	case database.IsForeign(err):
		return curlew.Permanent("dangling_reference", "the %s refers to something that is not in the org %q", noun, s.org).Because(err)
	}
	return err
}

// update runs an UPDATE of one row and says when there is no such row.
func (s writing) update(ctx context.Context, noun, id, query string, values ...any) error {
	n, err := s.Tx.Exec(ctx, query, values...)
	if err == nil && n == 0 {
		return curlew.NotFound(noun, id)
	}
	return err
}

// null writes ” as NULL, for references that may be absent.
func null[ID ~string](id ID) any {
	if id == "" {
		return nil
	}
	return string(id)
}

// text reads a column that may be NULL.
type text[ID ~string] struct{ into *ID }

func (t text[ID]) Scan(value any) error {
	var s sql.NullString
	if err := s.Scan(value); err != nil {
		return err
	}
	*t.into = ID(s.String)
	return nil
}

func scanNumber(r *sql.Rows) (n int64, err error) {
	err = r.Scan(&n)
	return n, err
}

// flag writes a column that is 0 or 1.
func flag(set bool) int {
	if set {
		return 1
	}
	return 0
}
