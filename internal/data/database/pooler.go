package database

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/jackc/pgx/v5"
)

// Pooling says what stands between this process and Postgres, as far as it matters.
type Pooling string

const (
	NoPooling          Pooling = ""            // nothing
	SessionPooling     Pooling = "session"     // a pooler that gives each connection one of the server's for its life
	TransactionPooling Pooling = "transaction" // one that gives it another for each transaction
)

// Pooling says whether there is a connection pooler, such as PgBouncer, and what it shares.
func (db *DB) Pooling() Pooling { return db.pooling }

// Listens says whether Listen can hear anything.
func (db *DB) Listens() bool { return db.engine == Postgres && db.pooling != TransactionPooling }

// Server names the engine with its version, and the pooler if there is one, for people.
func (db *DB) Server(ctx context.Context) (string, error) {
	name, query := "SQLite", `SELECT sqlite_version()`
	if db.engine == Postgres {
		name, query = "Postgres", `SELECT current_setting('server_version')`
	}
	var version string
	if err := db.QueryRow(ctx, query).Scan(&version); err != nil {
		return "", db.explain(err)
	}
	version, _, _ = strings.Cut(version, " ") // of the package
	name += " " + version
	if db.pooling != NoPooling {
		name += " behind a connection pooler in " + string(db.pooling) + " mode"
	}
	return name, nil
}

var (
	errNoTransactions = curlew.Permanent("pooler_without_transactions",
		"the connection pooler before Postgres allows no transactions (pool_mode = statement): set it to transaction or session")
	errNoListeners = curlew.Permanent("pooler_forgets_listeners",
		"the connection pooler in front of Postgres gives each transaction another connection, so LISTEN does not work")
)

// notificationTime is how long a notification may take to arrive. A pooler by sessions that is slower is
// taken for one by transactions: then workers poll, and all goes on.
const notificationTime = 2 * time.Second

// findPooler connects twice and looks who answers.
func findPooler(ctx context.Context, config *pgx.ConnConfig) (Pooling, error) {
	plain := config.Copy()
	plain.DefaultQueryExecMode = pgx.QueryExecModeExec
	first, err := pgx.ConnectConfig(ctx, plain)
	if err != nil {
		return "", err
	}
	defer first.Close(context.WithoutCancel(ctx))
	// A pooler makes up the process id that its clients are given to cancel queries with.
	var serves uint32
	if err := first.QueryRow(ctx, "SELECT pg_backend_pid()").Scan(&serves); err != nil || serves == first.PgConn().PID() {
		return NoPooling, err
	}
	tx, err := first.Begin(ctx)
	if err != nil {
		if strings.Contains(err.Error(), "transaction") {
			return "", errNoTransactions.Because(err)
		}
		return "", err
	}
	if err := tx.Rollback(ctx); err != nil {
		return "", err
	}
	second, err := pgx.ConnectConfig(ctx, plain)
	if err != nil {
		return "", err
	}
	defer second.Close(context.WithoutCancel(ctx))
	return hears(ctx, first, second)
}

// hears finds out whether one connection hears what another says after its transaction: only then it
// still has the server's connection on which it began to listen.
func hears(ctx context.Context, listener, speaker *pgx.Conn) (Pooling, error) {
	word := rand.Text()
	if _, err := listener.Exec(ctx, "LISTEN curlew_pooler"); err != nil {
		return "", err
	}
	if _, err := speaker.Exec(ctx, fmt.Sprintf("NOTIFY curlew_pooler, '%s'", word)); err != nil {
		return "", err
	}
	waiting, cancel := context.WithTimeout(ctx, notificationTime)
	defer cancel()
	for {
		heard, err := listener.WaitForNotification(waiting)
		switch {
		case ctx.Err() != nil:
			return "", ctx.Err()
		case waiting.Err() != nil:
			return TransactionPooling, nil
		case err != nil:
			return "", err
		case heard.Payload == word:
			return SessionPooling, nil
		}
	}
}
