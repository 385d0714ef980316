package database_test

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
)

// wantFault checks that an error is the expected failure with a code.
func wantFault(t *testing.T, err error, code string) {
	t.Helper()
	if !errors.Is(err, curlew.Code(code)) {
		t.Fatalf("got %v, want the fault %s", err, code)
	}
}

func TestADatabaseThatCannotBeOpenedIsExplained(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	file := filepath.Join(folder, "file")
	garbage := filepath.Join(folder, "garbage.db")
	write(t, file, "x")
	write(t, garbage, strings.Repeat("this is no database ", 500))
	for _, c := range []struct{ name, address, code, says string }{
		{"no engine", "mysql://localhost/curlew", "bad_database_url", "postgres:// or sqlite:"},
		{"no path", "sqlite:", "bad_database_url", "postgres:// or sqlite:"},
		{"an address that cannot be read", "postgres://me:secret@localhost:port/curlew", "bad_database_url", "cannot be read"},
		{"a missing folder", "sqlite:" + folder + "/missing/curlew.db", "no_data_folder", folder + "/missing"},
		{"a file for a folder", "sqlite:" + file + "/curlew.db", "data_not_a_folder", file},
		{"a folder below a file", "sqlite:" + file + "/data/curlew.db", "data_folder_unreadable", file + "/data"},
		{"a folder for a file", "sqlite:" + folder, "database_is_a_folder", folder},
		{"a file of something else", "sqlite:" + garbage, "not_a_database", "not an SQLite database"},
		{"a folder where nobody may write", "sqlite:/proc/curlew.db", "database_read_only", "owner and the mode"},
		{"a Postgres that is not there", "postgres://me@" + freeAddress(t) + "/curlew", "database_unavailable", "does not answer"},
		{"a Postgres whose name is unknown", "postgres://me@nowhere.invalid/curlew", "database_unavailable", "does not answer"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			db, err := database.Open(t.Context(), database.Options{URL: c.address})
			if err == nil {
				_ = db.Close()
			}
			wantFault(t, err, c.code)
			if said := curlew.AsFault(err).Sentence; !strings.Contains(said, c.says) || strings.Contains(said, "secret") {
				t.Errorf("it says %q, which lacks %q or tells the password", said, c.says)
			}
		})
	}
}

func TestAFolderMayHaveAnyName(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "Jürgen's data? 100%25 #1 & more")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	db, err := database.Open(t.Context(), database.Options{URL: "sqlite:" + filepath.Join(folder, "curlew.db")})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := os.Stat(filepath.Join(folder, "curlew.db")); err != nil {
		t.Errorf("the database is elsewhere: %v", err)
	}
}

// freeAddress gives a loopback address at which nobody listens.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestOnlyTheOwnerReadsADatabase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "curlew.db")
	if err := os.Chmod(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	db, err := database.Open(t.Context(), database.Options{URL: "sqlite:" + path})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	modes := func() (all []string) {
		for _, name := range database.Files(path) {
			if info, err := os.Stat(name); err == nil {
				all = append(all, filepath.Base(name)+" "+info.Mode().Perm().String())
			}
		}
		return all
	}
	want := "curlew.db -rw-------, curlew.db-wal -rw-------, curlew.db-shm -rw-------"
	if got := strings.Join(modes(), ", "); got != want {
		t.Errorf("a new one: %s", got)
	}
	for _, name := range database.Files(path) {
		if err := os.Chmod(name, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	database.KeepPrivate(path)
	if got := strings.Join(modes(), ", "); got != want {
		t.Errorf("an old one: %s", got)
	}
}
