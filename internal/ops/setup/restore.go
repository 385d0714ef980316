package setup

import (
	"archive/zip"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/ops/config"
	"github.com/curlew-data/curlew/internal/ops/owner"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/web/archive"
	"github.com/curlew-data/curlew/internal/work/queue"
)

// Restore fills an empty installation, of any number of databases, with a backup and brings it up to date. A restore that
// was interrupted can be repeated, with empty databases for those shards that it had filled.
func Restore(ctx context.Context, cfg config.Config, path string, withArchive bool) (b Backup, err error) {
	in, err := zip.OpenReader(path)
	var closed *fs.PathError
	switch {
	case errors.As(err, &closed):
		return b, curlew.Permanent("no_backup", "%s", text.FileProblem(path, err)).Because(err)
	case err != nil:
		return b, errNoBackup(path).Because(err)
	}
	defer in.Close()
	if _, err := fs.Stat(in, backedUpRows); err != nil {
		return b, errNoBackup(path).Because(err)
	}
	if err := MakeDataFolder(cfg); err != nil {
		return b, err
	}
	b.File = path
	r := &restoring{cfg: cfg, in: in, Backup: &b}
	defer r.close()
	if err := r.open(ctx); err != nil {
		return b, err
	}
	if withArchive {
		if err := b.putBackAll(cfg, in); err != nil {
			return b, err
		}
	}
	return b, written(r.load(ctx), cfg.Data)
}

// restoring is a backup on its way into empty databases. A shard of the backup goes to the one that the configuration calls so;
// where there is none, the first database takes its orgs.
type restoring struct {
	*Backup
	cfg    config.Config
	in     *zip.ReadCloser
	home   *database.DB
	shards map[string]*database.DB
	taken  []string // the shards whose orgs the first database takes
}

func (r *restoring) close() {
	for _, db := range r.shards {
		_ = db.Close()
	}
	if r.home != nil {
		_ = r.home.Close()
	}
}

// open opens the databases that are to be filled, all of which must be empty.
func (r *restoring) open(ctx context.Context) (err error) {
	if r.home, err = openEmpty(ctx, DatabaseURL(r.cfg)); err != nil {
		return err
	}
	r.shards = map[string]*database.DB{}
	for _, f := range r.in.File {
		name, ok := strings.CutPrefix(f.Name, backedUpShards)
		if name, ok = strings.CutSuffix(name, ".jsonl"); !ok || !strings.HasPrefix(f.Name, backedUpShards) {
			continue
		}
		at := slices.IndexFunc(r.cfg.Database.Shards, func(s config.Shard) bool { return s.Name == name })
		if at < 0 {
			r.taken = append(r.taken, name)
			continue
		}
		if r.shards[name], err = openEmpty(ctx, r.cfg.Database.Shards[at].URL.Secret()); err != nil {
			return ofShard(name, err)
		}
		r.Shards = append(r.Shards, name)
	}
	return nil
}

func openEmpty(ctx context.Context, url string) (*database.DB, error) {
	db, err := database.Open(ctx, database.Options{URL: url})
	if err == nil {
		if err = db.Empty(ctx); err != nil {
			_ = db.Close()
		}
	}
	if err != nil {
		return nil, err
	}
	return db, nil
}

// load fills the shards, and the first database last: while that is empty, nobody can begin to work.
func (r *restoring) load(ctx context.Context) error {
	for _, name := range r.Shards {
		if err := r.fill(ctx, r.shards[name], backedUpShards+name+".jsonl", nil); err != nil {
			return ofShard(name, err)
		}
	}
	directory := store.New(r.home, curlew.SystemMinter())
	var parts []database.Part
	for _, name := range r.taken {
		rows, err := r.in.Open(backedUpShards + name + ".jsonl")
		if err != nil {
			return errNoBackup(r.File).Because(err)
		}
		defer rows.Close()
		parts = append(parts, database.Part{Reader: rows, Tables: store.MovingTables,
			Orgs: func(ctx context.Context) ([]string, error) { return directory.OrgsOn(ctx, name) }})
	}
	return r.fill(ctx, r.home, backedUpRows, parts)
}

// fill loads one database. Nobody works at what was under way: whoever comes first takes it up.
func (r *restoring) fill(ctx context.Context, db *database.DB, dump string, parts []database.Part) error {
	rows, err := r.in.Open(dump)
	if err != nil {
		return errNoBackup(r.File).Because(err)
	}
	defer rows.Close()
	var former []string // the key of the backup; the secrets get that of this installation
	if key, err := fs.ReadFile(r.in, backedUpKey); err == nil {
		former = []string{strings.TrimSpace(string(key))}
	}
	s := store.New(db, curlew.SystemMinter())
	n, err := db.Load(ctx, rows, parts, func(ctx context.Context) error {
		if len(parts) > 0 {
			if err := s.Gather(ctx, r.taken...); err != nil {
				return err
			}
		}
		return seal(ctx, r.cfg, s, former...)
	}, Tables()...)
	if err != nil {
		return err
	}
	r.Rows += n
	again := func(*curlew.Fault, int) (bool, time.Duration) { return true, 0 }
	_, err = queue.New(db, queue.Limits{}).Rescue(ctx, "restore", again)
	return err
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
