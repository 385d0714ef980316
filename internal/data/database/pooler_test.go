package database_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
	"github.com/curlew-data/curlew/internal/data/database/databasetest"
)

func TestPostgresWorksBehindAPooler(t *testing.T) {
	t.Parallel()
	for mode, pooling := range map[string]database.Pooling{
		"session": database.SessionPooling, "transaction": database.TransactionPooling,
	} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			address := databasetest.Pooler(t, databasetest.URL(t, database.Postgres), mode)
			var processes sync.WaitGroup
			for process := range 3 {
				db := databasetest.Open(t, address)
				if got := db.Pooling(); got != pooling {
					t.Errorf("process %d takes it for %q", process, got)
				}
				if _, err := db.Migrate(t.Context(), notes); err != nil {
					t.Fatal(err)
				}
				processes.Go(func() { useFromManySides(t, db, process) })
			}
			processes.Wait()
			if n := count(t, databasetest.Open(t, address)); n != 3*8*10 {
				t.Errorf("%d rows, want %d", n, 3*8*10)
			}
		})
	}
}

// useFromManySides writes and reads over all connections of a process: what one of them leaves behind on the
// server's side meets the others.
func useFromManySides(t *testing.T, db *database.DB, process int) {
	var users sync.WaitGroup
	for user := range 8 {
		users.Go(func() {
			for i := range 10 {
				id := (process*8+user)*10 + i
				err := db.Write(t.Context(), func(tx *database.Tx) error {
					if _, err := tx.TryLocks(t.Context(), []string{fmt.Sprint(user)}); err != nil {
						return err
					}
					if _, err := tx.Exec(t.Context(), insertNote, id, "a"); err != nil {
						return err
					}
					return tx.Notify(t.Context(), "notes", "")
				})
				var body string
				if err == nil {
					err = db.QueryRow(t.Context(), `SELECT body FROM notes WHERE id = ?`, id).Scan(&body)
				}
				if err != nil || body != "a" {
					t.Errorf("row %d: %q, %v", id, body, err)
				}
			}
		})
	}
	users.Wait()
}

func TestListenersAreWokenWhereThePoolerAllowsIt(t *testing.T) {
	t.Parallel()
	direct := databasetest.URL(t, database.Postgres)
	for _, mode := range []string{"none", "session"} {
		t.Run(mode, func(t *testing.T) {
			address := direct
			if mode != "none" {
				address = databasetest.Pooler(t, direct, mode)
			}
			listener, speaker := databasetest.Open(t, address), databasetest.Open(t, direct)
			ready, heard := make(chan struct{}), make(chan string, 1)
			go func() {
				_ = listener.Listen(t.Context(), "notes", func() { close(ready) }, func(said string) { heard <- said })
			}()
			<-ready
			if err := speaker.Write(t.Context(), func(tx *database.Tx) error { return tx.Notify(t.Context(), "notes", mode) }); err != nil {
				t.Fatal(err)
			}
			if said := <-heard; said != mode {
				t.Errorf("heard %q", said)
			}
		})
	}
	db := databasetest.Open(t, databasetest.Pooler(t, direct, "transaction"))
	wantFault(t, db.Listen(t.Context(), "notes", func() {}, func(string) {}), "pooler_forgets_listeners")
}

// A process that is stopped in the middle of a transaction must not hold its locks for ever.
func TestATransactionThatStandsStillIsEndedBehindAPoolerToo(t *testing.T) {
	t.Parallel()
	direct := databasetest.URL(t, database.Postgres)
	for _, mode := range []string{"none", "session", "transaction"} {
		t.Run(mode, func(t *testing.T) {
			address := direct
			if mode != "none" {
				address = databasetest.Pooler(t, direct, mode)
			}
			err := databasetest.Open(t, address).Write(t.Context(), func(tx *database.Tx) error {
				var limit string
				err := tx.QueryRow(t.Context(), `SELECT current_setting('idle_in_transaction_session_timeout')`).Scan(&limit)
				if limit != "15s" {
					t.Errorf("pooling %s: a transaction may stand still for %q", mode, limit)
				}
				return err
			})
			if err != nil {
				t.Errorf("pooling %s: %v", mode, err)
			}
		})
	}
}

func TestAPoolerWithoutTransactionsIsRefused(t *testing.T) {
	t.Parallel()
	db, err := database.Open(t.Context(), database.Options{
		URL: databasetest.Pooler(t, databasetest.URL(t, database.Postgres), "statement")})
	if err == nil {
		_ = db.Close()
	}
	wantFault(t, err, "pooler_without_transactions")
	if said := curlew.AsFault(err).Sentence; !strings.Contains(said, "pool_mode") {
		t.Errorf("it says %q", said)
	}
}

// An operator may give Curlew a role that can do nothing but what it needs.
func TestAPlainRoleIsEnough(t *testing.T) {
	t.Parallel()
	server := databasetest.URL(t, database.Postgres)
	owner, worker, stranger := databasetest.Role(t, server), databasetest.Role(t, server), databasetest.Role(t, server)

	none, err := database.Open(t.Context(), database.Options{URL: stranger.URL})
	if err != nil {
		t.Fatal(err)
	}
	defer none.Close()
	_, err = none.Migrate(t.Context(), notes)
	wantFault(t, err, "database_forbids")

	databasetest.Run(t, server, `GRANT CREATE ON SCHEMA public TO `+owner.Name)
	db := databasetest.Open(t, owner.URL)
	if applied, err := db.Migrate(t.Context(), notes); err != nil || len(applied) != 1 {
		t.Fatalf("%v applied, %v", applied, err)
	}
	mustWrite(t, db, 1)

	databasetest.Run(t, server, `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO `+worker.Name)
	db = databasetest.Open(t, worker.URL)
	if applied, err := db.Migrate(t.Context(), notes); err != nil || len(applied) != 0 {
		t.Fatalf("one that may only read and write rows: %v applied, %v", applied, err)
	}
	mustWrite(t, db, 2)
}
