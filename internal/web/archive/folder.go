package archive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/ops/owner"
)

// openSuffix marks a file that is not sealed.
const openSuffix = ".open"

// folder keeps archive files in a directory that several processes may share.
type folder struct{ path string }

func openFolder(path string) (*folder, error) {
	if path == "" {
		return nil, curlew.Permanent("bad_archive", "the archive has no folder: name one")
	}
	if err := owner.MkdirAll(path, 0o750); err != nil {
		return nil, explainWrite(fmt.Errorf("make the folder of the archive: %w", err))
	}
	return &folder{path: path}, nil
}

// join refuses what is no name of an archive file, so that no name leads out of
// the folder.
func (d *folder) join(name string) (string, error) {
	if !fileName.MatchString(name) {
		return "", curlew.Permanent("bad_ref", "%.100q is not the name of an archive file", name)
	}
	return filepath.Join(d.path, name), nil
}

// CopyName is what a copy of a file is called, outside of the archive and when it is put back:
// whoever opens the archive next cuts a file that was not sealed after its last whole record.
func (b Blob) CopyName() string {
	if b.State == Sealed {
		return b.Name
	}
	return b.Name + openSuffix
}

// CopyPath is where a copy belongs in the folder of an archive.
func CopyPath(path, copyName string) (string, error) {
	name, open := strings.CutSuffix(copyName, openSuffix)
	place, err := (&folder{path: path}).join(name)
	if open {
		place += openSuffix
	}
	return place, err
}

func (d *folder) Create(_ context.Context, name string) (AppendFile, error) {
	path, err := d.join(name)
	if err != nil {
		return nil, err
	}
	if _, err := os.Lstat(path); err == nil {
		return nil, fmt.Errorf("create %s: %w", name, fs.ErrExist)
	}
	f, err := os.OpenFile(path+openSuffix, os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o640)
	if err != nil {
		return nil, fmt.Errorf("create %s: %w", name, err)
	}
	owner.Inherit(f)
	// Until the lock is ours, somebody may take the file for abandoned and
	// remove it: then the name counts as taken.
	if err := lock(f); err != nil || !same(f, path+openSuffix) {
		_ = f.Close()
		return nil, fmt.Errorf("lock %s: %w", name, errors.Join(err, fs.ErrExist))
	}
	if err := d.sync(); err != nil {
		_ = os.Remove(path + openSuffix)
		_ = f.Close()
		return nil, err
	}
	return &folderFile{File: f, folder: d, path: path}, nil
}

// sync makes names durable: those that were made, changed or removed.
func (d *folder) sync() error {
	dir, err := os.Open(d.path)
	if err != nil {
		return fmt.Errorf("sync the folder of the archive: %w", err)
	}
	defer dir.Close()
	if err := dir.Sync(); err != nil {
		return fmt.Errorf("sync the folder of the archive: %w", err)
	}
	return nil
}

// same says whether path still names the open file.
func same(f *os.File, path string) bool {
	mine, err := f.Stat()
	if err != nil {
		return false
	}
	there, err := os.Lstat(path)
	return err == nil && os.SameFile(mine, there)
}

// folderFile is the file that this process appends to. Its lock lasts as long
// as it is open.
type folderFile struct {
	*os.File
	folder *folder
	path   string // without the suffix
}

func (f *folderFile) Seal(size int64) error {
	defer f.Close()
	if size == 0 {
		if err := os.Remove(f.path + openSuffix); err != nil {
			return fmt.Errorf("remove empty archive file: %w", err)
		}
		return f.folder.sync()
	}
	if err := f.Truncate(size); err != nil {
		return fmt.Errorf("cut archive file: %w", err)
	}
	if err := f.Sync(); err != nil {
		return fmt.Errorf("sync archive file: %w", err)
	}
	if err := os.Rename(f.path+openSuffix, f.path); err != nil {
		return fmt.Errorf("seal archive file: %w", err)
	}
	return f.folder.sync()
}

func (d *folder) Range(_ context.Context, name string, offset, length int64) (io.ReadCloser, error) {
	f, err := d.open(name)
	if err != nil {
		return nil, err
	}
	return struct {
		io.Reader
		io.Closer
	}{io.NewSectionReader(f, offset, length), f}, nil
}

// open finds the file under either of its names; it may be sealed meanwhile.
func (d *folder) open(name string) (*os.File, error) {
	path, err := d.join(name)
	if err != nil {
		return nil, err
	}
	for _, p := range []string{path, path + openSuffix, path} {
		f, err := os.Open(p)
		if err == nil {
			return f, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("open archive file: %w", err)
		}
	}
	return nil, missing(name)
}

func (d *folder) List(ctx context.Context) ([]Blob, error) {
	entries, err := os.ReadDir(d.path)
	if err != nil {
		return nil, fmt.Errorf("list the archive: %w", err)
	}
	var all []Blob
	for _, e := range entries {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		name, open := strings.CutSuffix(e.Name(), openSuffix)
		if !fileName.MatchString(name) || !e.Type().IsRegular() {
			continue
		}
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			continue // sealed or deleted since
		}
		if err != nil {
			return nil, fmt.Errorf("list the archive: %w", err)
		}
		b := Blob{Name: name, Bytes: info.Size(), Modified: info.ModTime(), State: Sealed}
		if open {
			b.State = d.stateOf(e.Name())
		}
		all = append(all, b)
	}
	return all, nil
}

// stateOf asks the lock whether the owner of an unsealed file lives.
func (d *folder) stateOf(base string) FileState {
	f, err := os.OpenFile(filepath.Join(d.path, base), os.O_RDWR, 0)
	if err != nil {
		return Current // sealed since, or not ours to judge
	}
	defer f.Close()
	if tryLock(f) {
		return Abandoned
	}
	return Current
}

func (d *folder) Replace(_ context.Context, name string, offset int64, with []byte) error {
	path, err := d.join(name)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("overwrite in archive file: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("overwrite in archive file: %w", err)
	}
	if offset+int64(len(with)) > info.Size() {
		return curlew.Permanent("bad_ref", "%s has %d bytes; offset %d is out of range", name, info.Size(), offset)
	}
	if _, err := f.WriteAt(with, offset); err != nil {
		return explainWrite(fmt.Errorf("overwrite in archive file: %w", err))
	}
	if err := f.Sync(); err != nil {
		return explainWrite(fmt.Errorf("overwrite in archive file: %w", err))
	}
	return os.Chtimes(path, time.Time{}, info.ModTime())
}

func (d *folder) Delete(_ context.Context, name string) error {
	path, err := d.join(name)
	if err != nil {
		return err
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("delete archive file: %w", err)
	}
	return d.sync()
}

func (d *folder) Settle(ctx context.Context) error {
	blobs, err := d.List(ctx)
	if err != nil {
		return err
	}
	var failed []error
	for _, b := range blobs {
		if b.State == Abandoned {
			failed = append(failed, d.recover(ctx, b.Name))
		}
	}
	return explainWrite(errors.Join(failed...))
}

// recover seals the file of a dead process after its last whole record.
func (d *folder) recover(ctx context.Context, name string) error {
	path, err := d.join(name)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path+openSuffix, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // somebody else was faster
	}
	if err != nil {
		return fmt.Errorf("recover archive file: %w", err)
	}
	if !tryLock(f) || !same(f, path+openSuffix) {
		return f.Close()
	}
	size, err := wholeLength(ctx, f)
	if err != nil {
		_ = f.Close()
		return err
	}
	return (&folderFile{File: f, folder: d, path: path}).Seal(size)
}

// wholeLength is the length of the leading part that holds whole records only.
func wholeLength(ctx context.Context, r io.Reader) (int64, error) {
	var whole int64
	err := Scan(ctx, r, func(rec *WARCRecord) error {
		length, alone, err := rec.Finish()
		if err == nil && alone {
			whole = rec.Offset + length
		}
		return err
	})
	if err != nil && !(errors.Is(err, errDamaged)) {
		return 0, fmt.Errorf("recover archive file: %w", err)
	}
	return whole, nil
}
