package archive

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

const (
	ErrMissing curlew.Code = "archive_missing"
	errDamaged curlew.Code = "archive_damaged"
)

// Read returns an exchange as it was written, with its digests checked. The
// payload of a revisit comes from where the record says that it is kept or,
// should that be gone, from where Known says.
func (a *Archive) Read(ctx context.Context, ref Ref) (*Exchange, error) {
	k, err := a.load(ctx, ref)
	if err != nil {
		return nil, err
	}
	if !k.revisit {
		return &k.Exchange, nil
	}
	body, err := a.payload(ctx, k.payloadAt, k.digest)
	if errors.Is(err, ErrMissing) && a.known != nil {
		e, ok, knownErr := a.known(ctx, k.digest)
		if knownErr != nil {
			return nil, knownErr
		}
		if ok && e.RevisitOf == "" && e.Ref != k.payloadAt {
			body, err = a.payload(ctx, e.Ref, k.digest)
		}
	}
	if err != nil {
		return nil, err
	}
	k.Body = body
	return &k.Exchange, nil
}

// Verify checks that ref exists and that all its digests are right, those of a
// revisited payload too.
func (a *Archive) Verify(ctx context.Context, ref Ref) error {
	_, err := a.Read(ctx, ref)
	return err
}

// payload reads the body that a revisit needs.
func (a *Archive) payload(ctx context.Context, ref Ref, digest string) ([]byte, error) {
	k, err := a.load(ctx, ref)
	if err != nil {
		return nil, err
	}
	if k.revisit || k.digest != digest {
		return nil, wrongPlace(ref)
	}
	return k.Body, nil
}

func wrongPlace(ref Ref) *curlew.Fault {
	return curlew.Permanent(errDamaged, "the archived page at %s is not the one referenced", ref)
}

// stored is an exchange as it stands in the archive.
type stored struct {
	Exchange
	digest    string
	revisit   bool
	payloadAt Ref
}

// load reads and checks the records at ref.
func (a *Archive) load(ctx context.Context, ref Ref) (*stored, error) {
	data, err := a.bytes(ctx, ref)
	if err != nil {
		return nil, err
	}
	k := &stored{}
	count := 0
	err = Scan(ctx, bytes.NewReader(data), func(rec *WARCRecord) error {
		count++
		return k.take(rec, count)
	})
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", ref, err)
	}
	if count != 2 {
		return nil, wrongPlace(ref)
	}
	return k, nil
}

func (a *Archive) bytes(ctx context.Context, ref Ref) ([]byte, error) {
	file, offset, length, err := ref.split()
	if err != nil {
		return nil, err
	}
	if length > maxBlock {
		return nil, wrongPlace(ref)
	}
	r, err := a.blobs.Range(ctx, file, offset, length)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var data bytes.Buffer
	if _, err := io.Copy(&data, io.LimitReader(r, length)); err != nil {
		return nil, fmt.Errorf("read archive: %w", err)
	}
	if int64(data.Len()) != length {
		return nil, curlew.Permanent(ErrMissing, "the archive file %s ends before %s", file, ref)
	}
	return data.Bytes(), nil
}

// take reads the response first and then the request.
func (k *stored) take(rec *WARCRecord, count int) error {
	if rec.Bytes > maxBlock {
		return damaged(rec.Offset, "the record is longer than any that Curlew writes")
	}
	var block bytes.Buffer
	rec.Body = io.TeeReader(rec.Body, &block)
	if err := rec.Check(); err != nil {
		return err
	}
	first, header, body, ok := splitHead(block.Bytes())
	words := strings.SplitN(first, " ", 3)
	if !ok || len(words) < 2 {
		return damaged(rec.Offset, "the record holds no HTTP message")
	}
	switch kind := rec.Type(); {
	case count == 1 && (kind == "response" || kind == "revisit"):
		return k.takeResponse(rec, words[1], header, body)
	case count == 2 && kind == "request" && rec.TargetURI() == k.URL:
		k.Method, k.RequestHeader = words[0], header
		header.Del("Host")
		return nil
	}
	return damaged(rec.Offset, "the record is not one that was referenced")
}

func (k *stored) takeResponse(rec *WARCRecord, status string, header http.Header, body []byte) error {
	var err error
	if k.At, err = time.Parse(time.RFC3339Nano, rec.Header.Get("WARC-Date")); err != nil {
		return damaged(rec.Offset, "the record has no valid date")
	}
	if k.Status, err = strconv.Atoi(status); err != nil {
		return damaged(rec.Offset, "the record has no valid status")
	}
	k.URL = rec.TargetURI()
	k.Header = original(header)
	k.Body = bytes.Clone(body)
	k.RemoteIP = rec.Header.Get("WARC-IP-Address")
	k.Truncated = Truncation(rec.Header.Get("WARC-Truncated"))
	k.Proto = protocolFromField(rec.Header.Get("WARC-Protocol"))
	k.digest = rec.Header.Get("WARC-Payload-Digest")
	k.revisit = rec.Type() == "revisit"
	k.payloadAt = Ref(rec.Header.Get(fieldPayloadAt))
	return nil
}
