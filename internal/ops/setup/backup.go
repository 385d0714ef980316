package setup

import (
	"archive/zip"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/ops/config"
	"github.com/curlew-data/curlew/internal/web/archive"
)

// A backup is a zip of the rows of the database, of those of its shards, and the files of the archive.
const (
	backedUpRows    = "database.jsonl"
	backedUpShards  = "shards/"    // NAME.jsonl
	backedUpKey     = "secret.key" // of SQLite; a configured key is kept elsewhere
	backedUpArchive = "archive/"
)

// Backup says what a backup holds.
type Backup struct {
	File  string `json:"file"`
	Rows  int64  `json:"rows"`
	Files int    `json:"archive_files"` // of the archive
	Bytes int64  `json:"archive_bytes"`

	Shards []string `json:"shards,omitempty"` // whose databases it holds besides the first one
}

// BackUp writes all rows of each database as of one moment and, if asked, the archive to a new file, while others work: an
// org is in one database, and none is moved meanwhile. The directory comes first: what it says of people has its line in the log of
// their org. The archive comes after the rows: it then has every page that they refer to.
func (i *Installation) BackUp(ctx context.Context, path string, withArchive bool) (b Backup, err error) {
	if _, err := os.Lstat(path); err == nil {
		return b, curlew.Permanent("backup_exists", "%s exists already: name another file", path)
	}
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*") // for its owner alone, and for nobody else's name
	if err != nil {
		return b, curlew.Permanent("backup_unwritable", "%s cannot be written: check the folder, its owner and mode", path).Because(err)
	}
	defer func() { _ = os.Remove(file.Name()) }()
	b.File = path
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
	if err := i.backUpRows(ctx, out, b); err != nil {
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

// backUpRows writes the rows of all databases, the first one before the others.
func (i *Installation) backUpRows(ctx context.Context, out *zip.Writer, b *Backup) error {
	if len(i.Config.Database.Shards) > 0 {
		release, err := i.Store.Unmoved(ctx)
		if err != nil {
			return err
		}
		defer release()
	}
	all, err := i.Every(ctx)
	if err != nil {
		return err
	}
	for _, on := range all {
		name := backedUpRows
		if on != i {
			name = backedUpShards + on.Shard + ".jsonl"
			b.Shards = append(b.Shards, on.Shard)
		}
		rows, err := out.Create(name)
		if err != nil {
			return err
		}
		n, err := on.DB.Dump(ctx, rows, Tables()...)
		if err != nil {
			return err
		}
		b.Rows += n
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
