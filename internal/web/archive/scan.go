package archive

import (
	"context"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
)

const (
	// maxHead bounds the header of one record; the longest seen in public
	// crawls is a few kilobytes.
	maxHead = 64 << 10
	// maxGap bounds the line ends between two records.
	maxGap = 4 << 10
	// maxBlock bounds a block that is held in memory as a whole.
	maxBlock = 256 << 20
)

// Header holds the named fields of a record, in their order.
type Header []HeaderField

// HeaderField is one named field of a record.
type HeaderField struct{ Name, Value string }

// Get returns the first value of the field; names are case-insensitive.
func (h Header) Get(name string) string {
	for _, f := range h {
		if strings.EqualFold(f.Name, name) {
			return f.Value
		}
	}
	return ""
}

// WARCRecord is one record of a WARC or ARC file while it is being scanned.
type WARCRecord struct {
	Version string // "WARC/1.1", "ARC/1"
	Header  Header // of an ARC record: its fields under their WARC names
	Offset  int64  // in the file; of its gzip member where there is one
	Bytes   int64  // the length of the block
	Body    io.Reader

	end   func() error
	ended bool
	whole bool
	size  int64
}

// Type is the kind of the record: "response", "request", "revisit", …
func (r *WARCRecord) Type() string { return strings.ToLower(r.Header.Get("WARC-Type")) }

// TargetURI is what the record is about, without the brackets that some
// versions of wget put around it.
func (r *WARCRecord) TargetURI() string {
	uri := r.Header.Get("WARC-Target-URI")
	if strings.HasPrefix(uri, "<") && strings.HasSuffix(uri, ">") {
		return uri[1 : len(uri)-1]
	}
	return uri
}

// Finish reads what is left of the record and tells how many bytes it takes in
// the file and whether it can be read there alone. A record in the middle of a
// gzip member cannot, and has no length of its own: 0.
func (r *WARCRecord) Finish() (length int64, alone bool, err error) {
	if err := r.end(); err != nil {
		return 0, false, err
	}
	return r.size, r.whole, nil
}

// Scan calls each for the records of a file in their order. It reads WARC 0.17
// to 1.1 and ARC 1 and 2; plain, compressed per record, or compressed as a
// whole. Memory is bounded whatever the file holds, and ctx bounds the time.
//
// A damaged file is a fault with the code archive_damaged, after the records
// before the damage were given. Digests are checked only where each asks for it
// with Record.Check; an error of each ends the scan and is returned as it is.
func Scan(ctx context.Context, r io.Reader, each func(*WARCRecord) error) error {
	s, err := newStream(ctx, r)
	if err != nil {
		return err
	}
	var arc arcVersion
	for {
		if err := s.nextRecord(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		rec, err := s.header(&arc)
		if err != nil {
			return err
		}
		s.frame(rec)
		if err := each(rec); err != nil {
			return err
		}
		if err := rec.end(); err != nil {
			return err
		}
	}
}

func damaged(offset int64, format string, args ...any) *curlew.Fault {
	f := curlew.Permanent(errDamaged, format, args...)
	f.Sentence = "the archive is damaged at byte " + strconv.FormatInt(offset, 10) + ": " + f.Sentence
	return f
}

// frame gives the record its body and its end.
func (s *stream) frame(rec *WARCRecord) {
	left := rec.Bytes
	member := s.member
	atStart := rec.Offset == s.member && s.aligned
	rec.Body = readerFunc(func(p []byte) (int, error) {
		if left == 0 {
			return 0, io.EOF
		}
		n, err := s.Read(p[:min(int64(len(p)), left)])
		left -= int64(n)
		if errors.Is(err, io.EOF) && left > 0 {
			return n, damaged(rec.Offset, "the record should go on for %d more bytes", left)
		}
		if errors.Is(err, io.EOF) {
			err = nil
		}
		return n, err
	})
	body := rec.Body // the caller may wrap the exported one
	rec.end = func() error {
		if rec.ended {
			return nil
		}
		if _, err := io.Copy(io.Discard, body); err != nil {
			return err
		}
		atEnd, err := s.gap()
		if err != nil {
			return err
		}
		rec.ended = true
		if rec.whole = !s.compressed() || atStart && atEnd && member == s.member; rec.whole {
			rec.size = s.position() - rec.Offset
		}
		return nil
	}
}

// header reads the lines before the block.
func (s *stream) header(arc *arcVersion) (*WARCRecord, error) {
	rec := &WARCRecord{Offset: s.start()}
	lines := &lineReader{stream: s, at: rec.Offset, left: maxHead}
	first, err := lines.next()
	if err != nil {
		return nil, err
	}
	if !strings.HasPrefix(first, "WARC/") {
		return rec, s.arcHeader(rec, first, arc)
	}
	switch first {
	case "WARC/1.1", "WARC/1.0", "WARC/0.18", "WARC/0.17":
		rec.Version = first
	default:
		return nil, damaged(rec.Offset, "%.40q is not a version of WARC that can be read", first)
	}
	if rec.Header, err = lines.fields(); err != nil {
		return nil, err
	}
	rec.Bytes, err = strconv.ParseInt(rec.Header.Get("Content-Length"), 10, 64)
	if err != nil || rec.Bytes < 0 {
		return nil, damaged(rec.Offset, "the record has no valid Content-Length")
	}
	if rec.Type() == "" {
		return nil, damaged(rec.Offset, "the record has no WARC-Type")
	}
	return rec, nil
}

// lineReader reads lines up to a bound.
type lineReader struct {
	*stream
	at   int64
	left int
}

func (l *lineReader) next() (string, error) {
	var line []byte
	for {
		c, err := l.ReadByte()
		if errors.Is(err, io.EOF) {
			return "", damaged(l.at, "it ends within the header of a record")
		}
		if err != nil {
			return "", err
		}
		if l.left--; l.left < 0 {
			return "", damaged(l.at, "the header of a record is longer than %d bytes", maxHead)
		}
		if c == '\n' {
			return strings.TrimSuffix(string(line), "\r"), nil
		}
		line = append(line, c)
	}
}

// fields reads "name: value" up to an empty line; a line that begins with white
// space continues the one before it.
func (l *lineReader) fields() (Header, error) {
	var h Header
	for {
		line, err := l.next()
		if err != nil || line == "" {
			return h, err
		}
		if (line[0] == ' ' || line[0] == '\t') && len(h) > 0 {
			last := &h[len(h)-1]
			last.Value = strings.TrimSpace(last.Value + " " + strings.TrimSpace(line))
			continue
		}
		name, value, ok := strings.Cut(line, ":")
		if !ok || !token(name) {
			return nil, damaged(l.at, "%.60q is not a field of a record", line)
		}
		h = append(h, HeaderField{Name: name, Value: strings.TrimSpace(value)})
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
