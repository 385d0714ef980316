package archive

import (
	"bytes"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"net/http/httputil"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
)

// Check reads the body and compares it with the digests that the record names.
// A digest of an unknown algorithm is not checked; a wrong one is a fault with
// the code digest_mismatch.
//
// The payload of an HTTP record is what follows its header. Where that is
// chunked, tools disagree on whether the digest is of the chunks or of what they
// carry: either is right.
func (r *WARCRecord) Check() error {
	block := claim(r.Header.Get("WARC-Block-Digest"))
	payload := claim(r.Header.Get("WARC-Payload-Digest"))
	if r.Type() == "revisit" {
		payload = nil // of a body that is not here
	}
	body := io.TeeReader(r.Body, block)
	var err error
	if strings.HasPrefix(strings.ToLower(r.Header.Get("Content-Type")), "application/http") {
		err = hashHTTP(body, payload)
	} else {
		_, err = io.Copy(payload, body)
	}
	if err != nil {
		return err
	}
	if !block.holds() {
		return mismatch(r, "block")
	}
	if !payload.holds() {
		return mismatch(r, "payload")
	}
	return nil
}

func mismatch(r *WARCRecord, what string) *curlew.Fault {
	return curlew.Permanent("digest_mismatch",
		"the %s of the %s record at byte %d is not what its digest says", what, r.Type(), r.Offset)
}

// hashHTTP hashes what follows the header of an HTTP message.
func hashHTTP(body io.Reader, payload *claimed) error {
	head := make([]byte, 0, 4<<10)
	end := -1
	for end < 0 && len(head) < maxHead {
		n, err := body.Read(head[len(head):cap(head)])
		head = head[:len(head)+n]
		if end = headEnd(head); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return err
		}
		if len(head) == cap(head) {
			head = append(make([]byte, 0, 2*cap(head)), head...)
		}
	}
	if end < 0 {
		end = len(head) // no empty line: then there is no payload
	}
	rest := io.TeeReader(io.MultiReader(bytes.NewReader(head[end:]), body), payload)
	if bytes.Contains(bytes.ToLower(head[:end]), []byte("transfer-encoding: chunked")) {
		// A copy that fails found no chunks; the raw digest still counts.
		_, _ = io.Copy(payload.second(), httputil.NewChunkedReader(rest))
	}
	_, err := io.Copy(io.Discard, rest)
	return err
}

// claimed is a digest that a record claims, and the hash of what was seen. It
// holds two hashes where the payload may be seen in two ways. A nil one takes
// everything and holds.
type claimed struct {
	want []byte
	make func() hash.Hash
	seen hash.Hash
	also hash.Hash
}

func (c *claimed) Write(p []byte) (int, error) {
	if c == nil {
		return len(p), nil
	}
	return c.seen.Write(p)
}

func (c *claimed) second() io.Writer {
	if c == nil {
		return io.Discard
	}
	c.also = c.make()
	return c.also
}

func (c *claimed) holds() bool {
	return c == nil || bytes.Equal(c.seen.Sum(nil), c.want) ||
		c.also != nil && bytes.Equal(c.also.Sum(nil), c.want)
}

// claim reads a labelled digest: hexadecimal, base32 or either base64, as
// different tools write it. It returns nil for none and for unknown algorithms.
func claim(field string) *claimed {
	label, value, ok := strings.Cut(field, ":")
	if !ok {
		return nil
	}
	c := &claimed{}
	switch strings.ToLower(strings.ReplaceAll(label, "-", "")) {
	case "md5":
		c.make = md5.New
	case "sha1":
		c.make = sha1.New
	case "sha256":
		c.make = sha256.New
	case "sha512":
		c.make = sha512.New
	default:
		return nil
	}
	c.seen = c.make()
	c.want = decodeDigest(strings.TrimSpace(value), c.seen.Size())
	return c
}

// decodeDigest tells the encodings apart by their length.
func decodeDigest(value string, size int) []byte {
	bare := strings.TrimRight(value, "=")
	switch len(bare) {
	case hex.EncodedLen(size):
		if raw, err := hex.DecodeString(bare); err == nil {
			return raw
		}
	case base32.StdEncoding.WithPadding(base32.NoPadding).EncodedLen(size):
		raw, _ := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(strings.ToUpper(bare))
		return raw
	case base64.RawStdEncoding.EncodedLen(size):
		raw, _ := base64.RawStdEncoding.DecodeString(strings.NewReplacer("-", "+", "_", "/").Replace(bare))
		return raw
	}
	return nil
}
