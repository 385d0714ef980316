package archive

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/nlnwa/gowarc"
)

// TestAnotherReaderAgrees has every record of our files read, validated and
// compared with its digests by a reader that is not ours.
func TestAnotherReaderAgrees(t *testing.T) {
	seen := newIndex()
	dir := t.TempDir()
	a := open(t, Options{Blobs: folderAt(t, dir), Known: seen.known, MaxFile: 8 << 10})
	for i := range 12 {
		cut := page(noise(uint64(i%7), 1500))
		if i%2 == 0 {
			cut.Truncated = TruncatedByTime
		}
		cut.Header.Set("Content-Encoding", "gzip")
		seen.add(write(t, a, cut, page(""))...)
	}
	if err := a.Rotate(t.Context()); err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for _, path := range files(t, dir) {
		readWithOracle(t, path, counts)
	}
	if counts["response"] != 19 || counts["revisit"] != 5 || counts["request"] != 24 || counts["warcinfo"] != len(files(t, dir)) {
		t.Errorf("records: %v in %d files", counts, len(files(t, dir)))
	}
}

func readWithOracle(t *testing.T, path string, counts map[string]int) {
	t.Helper()
	r, err := gowarc.NewWarcFileReader(path, 0, gowarc.WithStrictValidation(), gowarc.WithBlockErrorPolicy(gowarc.ErrFail))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for {
		rec, offset, validation, err := r.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("%s at %d: %v", path, offset, err)
		}
		counts[strings.ToLower(rec.Type().String())]++
		if err := rec.ValidateDigest(validation); err != nil || !validation.Valid() {
			t.Errorf("%s at %d: %v %v", path, offset, err, validation)
		}
		if v := rec.Version().String(); !strings.Contains(v, "1.1") {
			t.Errorf("version %q", v)
		}
		if rec.Type() == gowarc.Response {
			block := rec.Block().(gowarc.HttpResponseBlock)
			if block.HttpStatusCode() != 200 || block.PayloadDigest() == "" {
				t.Errorf("%s at %d: status %d", path, offset, block.HttpStatusCode())
			}
		}
		if err := rec.Close(); err != nil {
			t.Errorf("%s at %d: %v", path, offset, err)
		}
	}
}

// TestTheOracleCanFail makes sure that the reader above does look at digests.
func TestTheOracleCanFail(t *testing.T) {
	x := page("hello")
	r := responseRecord("<urn:uuid:6f1a1c0e-0000-4000-8000-000000000000>", x, digestOf([]byte("something else")), nil)
	file := member(t, r)
	var rec gowarc.WarcRecord
	reader, err := gowarc.NewWarcFileReaderFromStream(strings.NewReader(file), 0, gowarc.WithStrictValidation())
	if err == nil {
		var validation *gowarc.Validation
		if rec, _, validation, err = reader.Next(); err == nil {
			err = rec.ValidateDigest(validation)
			if err == nil && !validation.Valid() {
				err = validation
			}
		}
	}
	if err == nil {
		t.Error("the other reader accepts a wrong digest")
	}
}
