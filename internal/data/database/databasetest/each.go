// Package databasetest gives tests a fresh database on each engine: SQLite in a
// temporary folder, and a database of its own on the Postgres that `make test`
// starts.
package databasetest

import (
	"context"
	"crypto/rand"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/data/database"
)

// PostgresVariable names the environment variable with the address of a Postgres
// on which tests may create databases.
const PostgresVariable = "CURLEW_TEST_POSTGRES"

// Each runs a test on both engines. The tables of the given sets of migrations are there.
func Each(t *testing.T, sets []database.Migrations, test func(t *testing.T, db *database.DB)) {
	t.Helper()
	On(t, []database.Engine{database.SQLite, database.Postgres}, sets, test)
}

// On runs a test on some engines.
func On(t *testing.T, engines []database.Engine, sets []database.Migrations, test func(t *testing.T, db *database.DB)) {
	t.Helper()
	for _, engine := range engines {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			db := Open(t, URL(t, engine))
			if _, err := db.Migrate(t.Context(), sets...); err != nil {
				t.Fatal(err)
			}
			test(t, db)
		})
	}
}

// Open opens a database for the length of a test.
func Open(t *testing.T, address string) *database.DB {
	t.Helper()
	db, err := database.Open(t.Context(), database.Options{URL: address})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// OtherVariable names the environment variable with the address of a second Postgres, for what two servers do together.
const OtherVariable = "CURLEW_TEST_POSTGRES_2"

// OtherURL gives the address of a fresh, empty database on the second Postgres; where there is but one, on that.
func OtherURL(t *testing.T) string {
	t.Helper()
	if server := os.Getenv(OtherVariable); server != "" {
		return fresh(t, server)
	}
	return URL(t, database.Postgres)
}

// URL gives the address of a fresh, empty database.
func URL(t *testing.T, engine database.Engine) string {
	t.Helper()
	if engine == database.SQLite {
		return "sqlite:" + filepath.Join(t.TempDir(), "curlew.db")
	}
	server := os.Getenv(PostgresVariable)
	if server == "" {
		t.Skipf("%s is not set: `make test` starts a Postgres and sets it", PostgresVariable)
	}
	return fresh(t, server)
}

func fresh(t *testing.T, server string) string {
	t.Helper()
	name := "t_" + strings.ToLower(rand.Text())
	Run(t, server, `CREATE DATABASE `+name)
	t.Cleanup(func() { Run(t, server, `DROP DATABASE IF EXISTS `+name+` WITH (FORCE)`) })
	address, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	address.Path = "/" + name
	return address.String()
}

// Account is a role of Postgres and a database's address for it.
type Account struct{ Name, URL string }

// Role makes a role that may sign in to a Postgres database, and nothing else.
func Role(t *testing.T, address string) Account {
	t.Helper()
	name := "r_" + strings.ToLower(rand.Text())
	Run(t, address, `CREATE ROLE `+name+` LOGIN`)
	t.Cleanup(func() {
		Run(t, address, `DROP OWNED BY `+name+` CASCADE`)
		Run(t, address, `DROP ROLE `+name)
	})
	role, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	role.User = url.User(name)
	return Account{Name: name, URL: role.String()}
}

// Run executes a statement on a Postgres database, also one that is forbidden inside a transaction.
func Run(t *testing.T, server, statement string) {
	t.Helper()
	if err := database.ExecuteAlone(context.Background(), server, statement); err != nil {
		t.Fatal(err)
	}
}
