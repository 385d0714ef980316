package archive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// bucket keeps sealed files on a server that speaks S3. Files begin and grow in
// a spool folder on this machine, where every sync is a sync of the disk, and
// move to the bucket when they are sealed.
type bucket struct {
	spool  *folder
	client *minio.Core
	name   string
	prefix string // "" or ends in a slash
}

// uploadTries is how often a request is tried before the file waits in the
// spool for the next Settle.
const uploadTries = 3

func openS3(u *url.URL, o BlobOptions) (*bucket, error) {
	if o.Transport == nil || o.Spool == "" {
		return nil, curlew.Permanent("bad_archive", "an archive on S3 needs a transport and a spool folder")
	}
	if u.Host == "" || u.User != nil {
		return nil, curlew.Permanent("bad_archive", "an archive on S3 is named s3://bucket/prefix, and keys do not belong there")
	}
	endpoint, secure, err := s3Endpoint(u.Query().Get("endpoint"))
	if err != nil {
		return nil, err
	}
	region := u.Query().Get("region")
	if region == "" {
		region = "us-east-1" // given, so that no request asks for it
	}
	options := &minio.Options{Secure: secure, Transport: o.Transport, Region: region, MaxRetries: uploadTries}
	if o.AccessKey != "" {
		options.Creds = credentials.NewStaticV4(o.AccessKey, o.SecretKey, "")
	}
	client, err := minio.NewCore(endpoint, options)
	if err != nil {
		return nil, curlew.Permanent("bad_archive", "the archive on S3 cannot be used").Because(err)
	}
	spool, err := openFolder(o.Spool)
	if err != nil {
		return nil, err
	}
	prefix := strings.Trim(u.Path, "/")
	if prefix != "" {
		prefix += "/"
	}
	return &bucket{spool: spool, client: client, name: u.Host, prefix: prefix}, nil
}

// s3Endpoint reads "https://host:port" or "host:port"; "" is Amazon.
func s3Endpoint(text string) (host string, secure bool, err error) {
	if text == "" {
		return "s3.amazonaws.com", true, nil
	}
	scheme, rest, ok := strings.Cut(text, "://")
	if !ok {
		scheme, rest = "https", text
	}
	if scheme != "https" && scheme != "http" || rest == "" || strings.ContainsAny(rest, "/?#@") {
		return "", false, curlew.Permanent("bad_archive", "%q is not an S3 endpoint: write https://host:port", text)
	}
	return rest, scheme == "https", nil
}

func (b *bucket) Create(ctx context.Context, name string) (AppendFile, error) {
	return b.spool.Create(ctx, name)
}

func (b *bucket) Range(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error) {
	r, err := b.spool.Range(ctx, name, offset, length)
	if !errors.Is(err, ErrMissing) {
		return r, err
	}
	var o minio.GetObjectOptions
	if err := o.SetRange(offset, offset+length-1); err != nil {
		return nil, fmt.Errorf("read archive: %w", err)
	}
	body, _, _, err := b.client.GetObject(ctx, b.name, b.prefix+name, o)
	if err != nil {
		return nil, b.explain(err, name)
	}
	return body, nil
}

// explain makes a fault of what the server says. A file that is not there may
// still be in the spool of another machine, so this is worth another try.
func (b *bucket) explain(err error, name string) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	switch answer := minio.ToErrorResponse(err); {
	case answer.Code == "NoSuchKey", answer.StatusCode == http.StatusRequestedRangeNotSatisfiable:
		return curlew.Temporary(ErrMissing, "the archive file %s is not on S3, or not yet", name).Because(err)
	case answer.Code == "NoSuchBucket", answer.StatusCode == http.StatusForbidden:
		return curlew.Permanent("archive_refused", "S3 refuses the archive's bucket: check its name and the keys").
			Because(fmt.Errorf("bucket %s: %w", b.name, err))
	}
	return curlew.Temporary("archive_unavailable",
		"the S3 server of the archive does not answer as it should: Curlew retries automatically").Because(err)
}

// List tells the files of the bucket and those of this machine's spool, which
// are not yet where they belong.
func (b *bucket) List(ctx context.Context) ([]Blob, error) {
	all, err := b.spool.List(ctx)
	if err != nil {
		return nil, err
	}
	for i := range all {
		if all[i].State == Sealed {
			all[i].State = Current
		}
	}
	spooled := len(all)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for o := range b.client.ListObjectsIter(ctx, b.name, minio.ListObjectsOptions{Prefix: b.prefix, Recursive: true}) {
		if o.Err != nil {
			return nil, b.explain(o.Err, "")
		}
		name := strings.TrimPrefix(o.Key, b.prefix)
		if !fileName.MatchString(name) ||
			slices.ContainsFunc(all[:spooled], func(s Blob) bool { return s.Name == name }) {
			continue
		}
		all = append(all, Blob{Name: name, Bytes: o.Size, Modified: o.LastModified, State: Sealed})
	}
	slices.SortFunc(all, func(x, y Blob) int { return strings.Compare(x.Name, y.Name) })
	return all, nil
}

func (b *bucket) Delete(ctx context.Context, name string) error {
	if err := b.spool.Delete(ctx, name); err != nil {
		return err
	}
	err := b.client.RemoveObject(ctx, b.name, b.prefix+name, minio.RemoveObjectOptions{})
	if err != nil {
		return b.explain(err, name)
	}
	return nil
}

// Settle seals what dead processes of this machine left and uploads all that is
// sealed.
func (b *bucket) Settle(ctx context.Context) error {
	failed := []error{b.spool.Settle(ctx)}
	spooled, err := b.spool.List(ctx)
	if err != nil {
		return err
	}
	for _, s := range spooled {
		if s.State != Sealed {
			continue
		}
		if err := b.upload(ctx, s.Name); err != nil {
			// The next file would meet the same server.
			return errors.Join(append(failed, err)...)
		}
	}
	return errors.Join(failed...)
}

// upload brings one file to the bucket and, once the server has all of it,
// removes it here. The lock keeps two processes from doing so at once.
func (b *bucket) upload(ctx context.Context, name string) error {
	path, err := b.spool.join(name)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("upload archive file: %w", err)
	}
	defer f.Close()
	if haveLocks && !tryLock(f) || !same(f, path) {
		return nil
	}
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("upload archive file: %w", err)
	}
	if err := b.put(ctx, name, f, info.Size()); err != nil {
		return err
	}
	return b.spool.Delete(ctx, name)
}

// put keeps a whole object: one request, so that there is either all of it or what was there before;
// its MD5 lets the server refuse what arrives damaged.
func (b *bucket) put(ctx context.Context, name string, from io.Reader, size int64) error {
	_, err := b.client.Client.PutObject(ctx, b.name, b.prefix+name, from, size, minio.PutObjectOptions{
		ContentType: "application/warc", DisableMultipart: true, SendContentMd5: true})
	if err != nil {
		return b.explain(err, name)
	}
	stored, err := b.client.StatObject(ctx, b.name, b.prefix+name, minio.StatObjectOptions{})
	if err != nil {
		return b.explain(err, name)
	}
	if stored.Size != size {
		return curlew.Temporary("archive_unavailable", "S3 kept %d of the %d bytes of %s", stored.Size, size, name)
	}
	return nil
}

// Replace writes the whole object anew: S3 has no other way.
func (b *bucket) Replace(ctx context.Context, name string, offset int64, with []byte) error {
	if !fileName.MatchString(name) {
		return curlew.Permanent("bad_ref", "%.100q is not the name of an archive file", name)
	}
	body, info, _, err := b.client.GetObject(ctx, b.name, b.prefix+name, minio.GetObjectOptions{})
	if err != nil {
		return b.explain(err, name)
	}
	defer body.Close()
	if offset+int64(len(with)) > info.Size {
		return curlew.Permanent("bad_ref", "%s has %d bytes; offset %d is out of range", name, info.Size, offset)
	}
	copied, err := os.CreateTemp(b.spool.path, "replace-*")
	if err != nil {
		return explainWrite(err)
	}
	defer os.Remove(copied.Name())
	defer copied.Close()
	if _, err := io.Copy(copied, body); err != nil {
		return b.explain(err, name)
	}
	if _, err := copied.WriteAt(with, offset); err != nil {
		return explainWrite(err)
	}
	if _, err := copied.Seek(0, io.SeekStart); err != nil {
		return explainWrite(err)
	}
	return b.put(ctx, name, copied, info.Size)
}
