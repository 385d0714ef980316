package database

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
)

// A process that is stopped in the middle of a transaction must not hold its
// row locks for ever: Postgres ends its session after this.
const (
	idleInTransaction = "15s"
	idleSetting       = "idle_in_transaction_session_timeout"
)

func openPostgres(ctx context.Context, o Options) (*DB, error) {
	config, err := pgx.ParseConfig(o.URL)
	if err != nil {
		return nil, curlew.Permanent("bad_database_url", "the database address %s cannot be read", redact(o.URL))
	}
	config.ConnectTimeout = cmp.Or(config.ConnectTimeout, 5*time.Second)
	config.RuntimeParams["application_name"] = "curlew"
	db := &DB{dialect: newDialect(Postgres), url: o.URL}
	if db.pooling, err = findPooler(ctx, config); err != nil {
		why := db.explain(err)
		if errors.Is(why, unavailable) {
			at := net.JoinHostPort(config.Host, strconv.Itoa(int(config.Port)))
			why = curlew.Temporary(unavailable.Code, "the database at %s does not answer: check that it runs, and its address (database.url)", at).
				Because(err)
		}
		return nil, why
	}
	if db.pooling == NoPooling {
		config.RuntimeParams[idleSetting] = idleInTransaction
	} else if config.DefaultQueryExecMode == pgx.QueryExecModeCacheStatement {
		config.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe // the server's side keeps no statements
	}
	pool := stdlib.OpenDB(*config)
	pool.SetMaxOpenConns(o.MaxConns)
	pool.SetMaxIdleConns(o.MaxConns)
	pool.SetConnMaxIdleTime(5 * time.Minute)
	db.writer, db.reader = pool, pool
	return db, nil
}

// Listen calls notify for each notification on the channel until ctx ends or
// the connection is lost. It calls ready once it listens: what was written
// before that must be looked for. On SQLite it fails: there is nobody to hear. So it
// does where a pooler would forget who listens.
func (db *DB) Listen(ctx context.Context, channel string, ready func(), notify func(payload string)) error {
	if db.engine != Postgres {
		return errors.New("only Postgres can be listened to")
	}
	if !db.Listens() {
		return errNoListeners
	}
	conn, err := db.writer.Conn(ctx)
	if err != nil {
		return db.explain(err)
	}
	defer conn.Close()
	err = conn.Raw(func(raw any) error {
		pg := raw.(*stdlib.Conn).Conn()
		if _, err := pg.Exec(ctx, "LISTEN "+pgx.Identifier{channel}.Sanitize()); err != nil {
			return err
		}
		ready()
		for {
			n, err := pg.WaitForNotification(ctx)
			if err != nil {
				return driver.ErrBadConn // never back into the pool: it still listens
			}
			notify(n.Payload)
		}
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return db.explain(err)
}

// Notify tells the listeners of the channel once the transaction commits. It
// does nothing on SQLite.
func (tx *Tx) Notify(ctx context.Context, channel, payload string) error {
	if !tx.Postgres() {
		return nil
	}
	_, err := tx.tx.ExecContext(ctx, "SELECT pg_notify($1, $2)", channel, payload)
	return err
}

// TryLocks takes those of the named locks that are free, until the transaction
// ends, and returns them. On SQLite the one writer holds them all already.
func (tx *Tx) TryLocks(ctx context.Context, names []string) ([]string, error) {
	if !tx.Postgres() {
		return names, nil
	}
	rows, err := tx.tx.QueryContext(ctx, `SELECT name FROM unnest($1::text[]) AS name
		WHERE pg_try_advisory_xact_lock(hashtextextended('curlew:' || name, 0))`, names)
	return Collect(rows, err, func(r *sql.Rows) (name string, err error) {
		err = r.Scan(&name)
		return name, err
	})
}

func pgCode(err error) (string, bool) {
	var e *pgconn.PgError
	if !errors.As(err, &e) {
		return "", false
	}
	return e.Code, true
}

func explainPostgres(code string, err error) error {
	switch {
	case code == "53100":
		return diskFull.Because(err)
	case code == "28P01" || code == "28000":
		return curlew.Permanent("database_login", "Postgres refuses the login: check user and password in the database address").Because(err)
	case code == "3D000":
		return curlew.Permanent("no_such_database", "that Postgres has no such database: create it first (createdb NAME)").Because(err)
	case strings.HasPrefix(code, "08"), strings.HasPrefix(code, "57P"), strings.HasPrefix(code, "53"), code == "25P03":
		return unavailable.Because(err)
	case code == frozenCode:
		return ErrOrgMoving.Because(err)
	case code == goneCode:
		return errOrgGone.Because(err)
	case code == "42501":
		return forbidden.Because(err)
	case code == "25006":
		return readOnly.Because(err)
	case code == "22021" || code == "22P05" || code == "22P02":
		return curlew.Permanent("text_not_kept",
			"a text has characters that Postgres cannot store, such as a zero byte, or invalid JSON").Because(err)
	case code == "57014": // cancelled by the caller
		return err
	}
	return failed.Because(err)
}

func isConnectionLoss(err error) bool {
	for _, lost := range []error{driver.ErrBadConn, io.EOF, io.ErrUnexpectedEOF, net.ErrClosed,
		syscall.ECONNREFUSED, syscall.ECONNRESET, syscall.EPIPE} {
		if errors.Is(err, lost) {
			return true
		}
	}
	var network net.Error
	return errors.As(err, &network) || strings.Contains(err.Error(), "conn closed")
}

// redact hides the password of a database address.
func redact(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "(an address that cannot be read)"
	}
	query := u.Query()
	for _, name := range []string{"password", "sslpassword"} {
		if query.Has(name) {
			query.Set(name, "xxxxx") // as Redacted does
			u.RawQuery = query.Encode()
		}
	}
	return u.Redacted()
}

// ExecuteAlone runs one statement on a connection of its own, outside of a
// transaction: CREATE DATABASE and the like.
func ExecuteAlone(ctx context.Context, address, statement string) error {
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, statement)
	return err
}
