package database

import (
	"context"
	"database/sql"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/ops/owner"
	sqlite "modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

func open(ctx context.Context, o Options) (*DB, error) {
	// Without a path SQLite would keep everything in a temporary file.
	if path, ok := strings.CutPrefix(o.URL, "sqlite:"); ok && path != "" {
		return openSQLite(path, o)
	}
	if strings.HasPrefix(o.URL, "postgres://") || strings.HasPrefix(o.URL, "postgresql://") {
		return openPostgres(ctx, o)
	}
	return nil, errNoEngine
}

// sqlitePragmas: WAL lets readers work beside the writer; synchronous FULL makes
// an acknowledged commit survive a power cut; the busy time-out lets the CLI work
// on the data folder of a running server; what is deleted or encrypted leaves no copy in
// the free parts of the file.
var sqlitePragmas = []string{"busy_timeout(10000)", "journal_mode(WAL)", "synchronous(FULL)",
	"foreign_keys(1)", "journal_size_limit(67108864)", "cache_size(-16000)", "secure_delete(1)"}

func openSQLite(path string, o Options) (*DB, error) {
	if err := checkFolder(path); err != nil {
		return nil, err
	}
	makePrivate(path)
	writer, err := sql.Open("sqlite", sqliteDSN(path, "_txlock=immediate"))
	if err != nil {
		return nil, err
	}
	writer.SetMaxOpenConns(1)
	reader, err := sql.Open("sqlite", sqliteDSN(path, "_pragma=query_only(1)"))
	if err != nil {
		return nil, errors.Join(err, writer.Close())
	}
	reader.SetMaxOpenConns(o.MaxConns)
	reader.SetMaxIdleConns(o.MaxConns)
	db := &DB{dialect: newDialect(SQLite), writer: writer, reader: reader, url: o.URL}
	// The first connection makes the file and turns WAL on; readers cannot.
	if err := firstPing(writer); err != nil {
		why := db.explain(err)
		if errors.Is(why, notADatabase) {
			why = curlew.Permanent(notADatabase.Code, "%s is not an SQLite database: move it away, or name another data folder with --data", path).
				Because(err)
		}
		return nil, errors.Join(why, db.Close())
	}
	return db, nil
}

// firstPing connects for the first time. The busy time-out does not hold for turning WAL on:
// of several that make a new file at once, all but one are refused, and try again.
func firstPing(db *sql.DB) error {
	for wait := time.Millisecond; ; wait *= 2 {
		err := db.Ping()
		if code, is := sqliteCode(err); !is || code&0xff != sqlite3.SQLITE_BUSY || wait > longestBusy {
			return err
		}
		time.Sleep(wait)
	}
}

// longestBusy is the last pause before another process is believed to hold the file for long.
const longestBusy = 4 * time.Second

func sqliteDSN(path, extra string) string {
	var pragmas strings.Builder
	for _, p := range sqlitePragmas {
		pragmas.WriteString("&_pragma=" + p)
	}
	return "file:" + (&url.URL{Path: path}).EscapedPath() + "?" + extra + pragmas.String()
}

// checkFolder says in a sentence what SQLite would say in a number.
func checkFolder(path string) error {
	folder := filepath.Dir(path)
	info, err := os.Stat(folder)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return curlew.Permanent("no_data_folder", "the data folder %s does not exist: make it, or name another with --data", folder)
	case err != nil:
		return curlew.Permanent("data_folder_unreadable", "the data folder %s cannot be read: check its owner and mode", folder).Because(err)
	case !info.IsDir():
		return curlew.Permanent("data_not_a_folder", "%s is not a folder: name a folder with --data", folder)
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return curlew.Permanent("database_is_a_folder", "%s is a folder, not a database file: move it away", path)
	}
	return nil
}

// privateMode is that of a file that only its owner reads.
const privateMode = 0o600

// makePrivate makes the file of a new database so that nobody but its owner reads it, whatever
// the folder allows. SQLite gives the files beside it the same mode, and says what is wrong.
func makePrivate(path string) {
	if file, err := os.OpenFile(path, os.O_RDONLY|os.O_CREATE|os.O_EXCL, privateMode); err == nil {
		owner.Inherit(file)
		_ = file.Close()
	}
}

// KeepPrivate does the same for a database that is there. Files of another owner stay as they are:
// "curlew doctor" tells them.
func KeepPrivate(path string) {
	for _, name := range Files(path) {
		_ = os.Chmod(name, privateMode)
	}
}

// Files are those that SQLite keeps a database in.
func Files(path string) []string { return []string{path, path + "-wal", path + "-shm"} }

func sqliteCode(err error) (int, bool) {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return 0, false
	}
	return e.Code(), true
}

func explainSQLite(code int, err error) error {
	switch code & 0xff { // the primary code, without its extension
	case sqlite3.SQLITE_FULL:
		return diskFull.Because(err)
	case sqlite3.SQLITE_IOERR:
		return curlew.Temporary("disk_error", "the disk of the database reports an error: check the disk and its free space").Because(err)
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return locked.Because(err)
	case sqlite3.SQLITE_CORRUPT:
		return damaged.Because(err)
	case sqlite3.SQLITE_NOTADB:
		return notADatabase.Because(err)
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM:
		return readOnly.Because(err)
	case sqlite3.SQLITE_INTERRUPT: // by the caller
		return err
	}
	return failed.Because(err)
}
