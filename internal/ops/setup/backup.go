package setup

import (
	"archive/zip"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/ops/config"
	"github.com/curlew-data/curlew/internal/ops/owner"
	"github.com/curlew-data/curlew/internal/web/archive"
	"github.com/curlew-data/curlew/internal/work/queue"
)

// A backup is a zip of the rows of the database and the files of the archive.
const (
	backedUpRows    = "database.jsonl"
	backedUpKey     = "secret.key" // of SQLite; a configured key is kept elsewhere
	backedUpArchive = "archive/"
)

// Backup says what a backup holds.
type Backup struct {
	File  string `json:"file"`
	Rows  int64  `json:"rows"`
	Files int    `json:"archive_files"` // of the archive
	Bytes int64  `json:"archive_bytes"`

	Without []string `json:"without_shards,omitempty"` // whose databases it does not hold
}

// BackUp writes all rows as of one moment and, if asked, the archive to a new file, while others
// work. The archive comes after the rows: it then has every page that they refer to.
func (i *Installation) BackUp(ctx context.Context, path string, withArchive bool) (b Backup, err error) {
	if _, err := os.Lstat(path); err == nil {
		return b, curlew.Permanent("backup_exists", "%s exists already: name another file", path)
	}
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*") // for its owner alone, and for nobody else's name
	if err != nil {
		return b, curlew.Permanent("backup_unwritable", "%s cannot be written: check the folder, its owner and mode", path).Because(err)
	}
	defer func() { _ = os.Remove(file.Name()) }()
	b.File, b.Without = path, i.ShardNames()[1:]
	out := zip.NewWriter(file)
	err = i.backUp(ctx, out, &b, withArchive)
	if err = errors.Join(err, out.Close(), file.Sync(), file.Close()); err == nil {
		err = os.Link(file.Name(), path) // never over another file
	}
	return b, written(err, path)
}

// written says what kept a file from being written.
func written(err error, path string) error {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return curlew.Permanent("disk_full", "the disk of %s is full: free some space and try again", path)
	case errors.Is(err, fs.ErrExist):
		return curlew.Permanent("backup_exists", "%s exists already: name another file", path)
	}
	return err
}

func (i *Installation) backUp(ctx context.Context, out *zip.Writer, b *Backup, withArchive bool) error {
	rows, err := out.Create(backedUpRows)
	if err != nil {
		return err
	}
	if b.Rows, err = i.DB.Dump(ctx, rows, Tables()...); err != nil {
		return err
	}
	if err := i.backUpKey(out); err != nil || !withArchive || !archived(i.Config) {
		return err
	}
	blobs, err := openBlobs(i.Config, i.Config.Archive.Location)
	if err != nil {
		return err
	}
	files, err := blobs.List(ctx)
	if err != nil {
		return err
	}
	for _, f := range files {
		n, err := copyFile(ctx, out, blobs, f)
		if errors.Is(err, archive.ErrMissing) {
			continue // deleted since, and its pages with it
		}
		if err != nil {
			return err
		}
		b.Files++
		b.Bytes += n
	}
	return nil
}

// backUpKey takes the key along without which the secrets among the rows cannot be read.
func (i *Installation) backUpKey(out *zip.Writer) error {
	if len(i.Config.Secrets.Keys()) > 0 || i.Config.SQLitePath() == "" {
		return nil
	}
	key, err := os.ReadFile(keyFile(i.Config))
	if err != nil {
		return err
	}
	w, err := out.Create(backedUpKey)
	if err == nil {
		_, err = w.Write(key)
	}
	return err
}

func copyFile(ctx context.Context, out *zip.Writer, blobs archive.Blobs, f archive.Blob) (int64, error) {
	in, err := blobs.Range(ctx, f.Name, 0, f.Bytes)
	if err != nil {
		return 0, err
	}
	defer in.Close()
	w, err := out.CreateHeader(&zip.FileHeader{Name: backedUpArchive + f.CopyName(), Method: zip.Store, Modified: f.Modified})
	if err != nil {
		return 0, err
	}
	return io.Copy(w, in)
}

// archived says whether pages were ever archived here.
func archived(cfg config.Config) bool {
	if cfg.Archive.Location != "" {
		return true
	}
	_, err := os.Stat(archiveFolder(cfg))
	return err == nil
}

func archiveFolder(cfg config.Config) string { return filepath.Join(cfg.Data, "archive") }

// Restore fills an empty installation with a backup and brings it up to date. A restore that
// was interrupted can be repeated.
func Restore(ctx context.Context, cfg config.Config, path string, withArchive bool) (b Backup, err error) {
	in, err := zip.OpenReader(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return b, curlew.Permanent("no_backup", "there is no file %s", path)
	case errors.Is(err, fs.ErrPermission):
		return b, curlew.Permanent("no_backup", "%s cannot be read: check its owner and mode", path)
	}
	if err != nil {
		return b, errNoBackup(path).Because(err)
	}
	defer in.Close()
	rows, err := in.Open(backedUpRows)
	if err != nil {
		return b, errNoBackup(path).Because(err)
	}
	defer rows.Close()
	if err := MakeDataFolder(cfg); err != nil {
		return b, err
	}
	db, err := database.Open(ctx, database.Options{URL: DatabaseURL(cfg)})
	if err != nil {
		return b, err
	}
	defer db.Close()
	if err := db.Empty(ctx); err != nil {
		return b, err
	}
	b.File = path
	if withArchive {
		if err := b.putBackAll(cfg, in); err != nil {
			return b, err
		}
	}
	var former []string // the key of the backup; the secrets get that of this installation
	if key, err := fs.ReadFile(in, backedUpKey); err == nil {
		former = []string{strings.TrimSpace(string(key))}
	}
	b.Rows, err = db.Load(ctx, rows, func(ctx context.Context) error {
		return seal(ctx, cfg, store.New(db, curlew.SystemMinter()), former...)
	}, Tables()...)
	if err != nil {
		return b, written(err, cfg.Data)
	}
	// Nobody works at what was under way: whoever comes first takes it up.
	again := func(*curlew.Fault, int) (bool, time.Duration) { return true, 0 }
	_, err = queue.New(db, queue.Limits{}).Rescue(ctx, "restore", again)
	return b, written(err, cfg.Data)
}

// putBackAll puts the files of the archive back.
func (b *Backup) putBackAll(cfg config.Config, in *zip.ReadCloser) error {
	for _, f := range in.File {
		name, ok := strings.CutPrefix(f.Name, backedUpArchive)
		if !ok || strings.HasSuffix(f.Name, "/") {
			continue
		}
		n, err := putBack(cfg, name, f)
		if errors.Is(err, zip.ErrChecksum) || errors.Is(err, zip.ErrFormat) || errors.Is(err, io.ErrUnexpectedEOF) {
			err = errNoBackup(b.File).Because(err)
		}
		if err != nil {
			return err
		}
		b.Files++
		b.Bytes += n
	}
	return nil
}

func errNoBackup(path string) *curlew.Fault {
	return curlew.Permanent("backup_damaged", "%s is not a whole backup of Curlew: take another one", path)
}

// putBack writes a file of the archive, in one step.
func putBack(cfg config.Config, name string, f *zip.File) (int64, error) {
	if cfg.Archive.Location != "" {
		return 0, curlew.Permanent("archive_elsewhere",
			"the backup holds archived pages, and archive.location keeps them in %s: unpack archive/ of the backup to there, "+
				"and restore with --no-archive", cfg.Archive.Location)
	}
	folder := archiveFolder(cfg)
	path, err := archive.CopyPath(folder, name)
	if err != nil {
		return 0, err
	}
	if there, err := os.Stat(path); err == nil && there.Size() == int64(f.UncompressedSize64) {
		return there.Size(), nil // an interrupted restore put it back
	} else if err == nil {
		return 0, curlew.Permanent("archive_not_empty", "%s holds another file of that name: restore into a new data folder", path)
	}
	in, err := f.Open()
	if err != nil {
		return 0, err
	}
	defer in.Close()
	if err := owner.MkdirAll(folder, 0o750); err != nil {
		return 0, err
	}
	out, err := os.CreateTemp(folder, "restoring-*")
	if err != nil {
		return 0, err
	}
	defer func() { _ = os.Remove(out.Name()) }() // renamed, unless something failed
	owner.Inherit(out)
	n, err := io.Copy(out, in)
	if err := errors.Join(err, out.Chmod(0o640), out.Sync(), out.Close()); err != nil {
		return 0, err
	}
	return n, os.Rename(out.Name(), path)
}
