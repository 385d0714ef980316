package archive

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// Blobs keeps archive files. Names are those of archive files, never paths.
// All methods may be called at once, also from several processes.
type Blobs interface {
	// Create starts a file that only this process appends to. It fails with
	// fs.ErrExist when the name is taken.
	Create(ctx context.Context, name string) (AppendFile, error)
	// Range reads a part of a file, also of one that is being written. A file
	// that is not there is a fault with the code archive_missing.
	Range(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error)
	// Replace overwrites a part of a sealed file. The file keeps its age where the store can tell it otherwise than by
	// its last writing.
	Replace(ctx context.Context, name string, offset int64, with []byte) error
	// List tells all files in the order of their names.
	List(ctx context.Context) ([]Blob, error)
	// Delete removes a file. It is no error if it is gone already.
	Delete(ctx context.Context, name string) error
	// Settle finishes what was left half-done: it seals the files of dead
	// processes after their last whole record and brings sealed files to where
	// they belong. It may be called at any time and does nothing twice.
	Settle(ctx context.Context) error
}

// AppendFile is a file being appended to. Its methods are called one at a time.
type AppendFile interface {
	io.Writer
	// Sync returns when all that was written will survive a loss of power.
	Sync() error
	// Seal cuts the file to size, ends it and lets go of it: nothing is ever
	// appended again. A file of size 0 vanishes. When Seal fails, the file is
	// left for Settle.
	Seal(size int64) error
}

// FileState says how far a file has come.
type FileState string

const (
	Current   FileState = "current"   // a process appends to it, or it is not yet where it belongs
	Abandoned FileState = "abandoned" // its process died: Settle will seal it
	Sealed    FileState = "sealed"
)

// Blob is one archive file.
type Blob struct {
	Name     string
	Bytes    int64
	Modified time.Time
	State    FileState
}

// BlobOptions is what a store needs beyond its URL. A folder needs nothing.
type BlobOptions struct {
	Transport http.RoundTripper // for S3: the only way to the network
	Spool     string            // for S3: the folder of files that are not uploaded yet
	AccessKey string            // for S3; without keys, requests are not signed
	SecretKey string
}

// OpenBlobs opens the store that a URL names: a plain path or "file:///path" is
// a folder, which is made if need be; "s3://bucket/prefix" is a bucket on Amazon
// S3, or on the server named by "?endpoint=https://host:port"; "region" may be
// given too.
func OpenBlobs(location string, o BlobOptions) (Blobs, error) {
	if !strings.Contains(location, "://") {
		return openFolder(location)
	}
	u, err := url.Parse(location)
	if err != nil {
		return nil, curlew.Permanent("bad_archive", "the archive's URL cannot be read").Because(err)
	}
	switch u.Scheme {
	case "file":
		if u.Host != "" {
			return nil, curlew.Permanent("bad_archive", "a folder is named by three slashes: file:///path")
		}
		return openFolder(u.Path)
	case "s3":
		return openS3(u, o)
	}
	return nil, curlew.Permanent("bad_archive", "invalid archive location %q: use a folder or s3://bucket/prefix", u.Scheme+"://")
}

// explainWrite makes a fault of what can be expected when bytes are written.
func explainWrite(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return curlew.Temporary("disk_full",
			"the disk of the archive is full: free some space, Curlew resumes automatically").Because(err)
	case errors.Is(err, syscall.EROFS), errors.Is(err, syscall.EACCES):
		return curlew.Permanent("archive_read_only",
			"the archive cannot be written: check the owner and the mode of its folder").Because(err)
	}
	return err
}

func missing(name string) *curlew.Fault {
	return curlew.Permanent(ErrMissing, "the archive file %s is not there", name)
}
