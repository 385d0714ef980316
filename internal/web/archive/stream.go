package archive

import (
	"bufio"
	"context"
	"errors"
	"io"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
)

// stream gives the bytes of a file that may be compressed in one or in many
// gzip members, and knows where in the file it stands.
type stream struct {
	ctx     context.Context
	counted *counter
	raw     *bufio.Reader // the file
	gz      *gzip.Reader  // nil when the file is not compressed
	in      *bufio.Reader // the present member, or raw
	member  int64         // where the present member begins
	used    int64         // bytes taken from the present member
	aligned bool          // the record at hand is the first thing in its member
}

type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

func newStream(ctx context.Context, r io.Reader) (*stream, error) {
	s := &stream{ctx: ctx, counted: &counter{r: r}}
	s.raw = bufio.NewReaderSize(s.counted, 32<<10)
	magic, err := s.raw.Peek(2)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if len(magic) < 2 || magic[0] != 0x1f || magic[1] != 0x8b {
		s.in = s.raw
		return s, nil
	}
	s.gz = new(gzip.Reader)
	s.in = bufio.NewReaderSize(nil, 32<<10)
	return s, s.openMember()
}

func (s *stream) compressed() bool { return s.gz != nil }

// position is the number of bytes of the file that were taken so far.
func (s *stream) position() int64 { return s.counted.n - int64(s.raw.Buffered()) }

// start is the offset of what is read next: its own, or that of its member.
func (s *stream) start() int64 {
	if s.compressed() {
		return s.member
	}
	return s.position()
}

func (s *stream) openMember() error {
	s.member, s.used = s.position(), 0
	if err := s.gz.Reset(s.raw); err != nil {
		return s.explain(err)
	}
	s.gz.Multistream(false)
	s.in.Reset(s.gz)
	return nil
}

// advance goes on to the next member; io.EOF when the file is at its end.
func (s *stream) advance() error {
	if !s.compressed() {
		return io.EOF
	}
	if _, err := s.raw.Peek(1); err != nil {
		return err
	}
	return s.openMember()
}

// explain makes a fault of what gzip says; errors of the reader stay.
func (s *stream) explain(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return damaged(s.member, "it ends within a gzip member")
	}
	if errors.Is(err, gzip.ErrHeader) || errors.Is(err, gzip.ErrChecksum) || errors.As(err, new(flate.CorruptInputError)) {
		return damaged(s.member, "the gzip member there cannot be unpacked").Because(err)
	}
	return err
}

// Read crosses from member to member and ends only where the file ends.
func (s *stream) Read(p []byte) (int, error) {
	for {
		if err := s.ctx.Err(); err != nil {
			return 0, err
		}
		n, err := s.in.Read(p)
		s.used += int64(n)
		if n > 0 || len(p) == 0 {
			return n, nil
		}
		if err == nil {
			continue
		}
		if err := s.endOfMember(err); err != nil {
			return 0, err
		}
	}
}

// ReadByte is Read for one byte.
func (s *stream) ReadByte() (byte, error) {
	for {
		c, err := s.in.ReadByte()
		if err == nil {
			s.used++
			return c, nil
		}
		if err := s.endOfMember(err); err != nil {
			return 0, err
		}
	}
}

// endOfMember goes on after a clean end and explains any other.
func (s *stream) endOfMember(err error) error {
	if errors.Is(err, io.EOF) {
		return s.advance()
	}
	return s.explain(err)
}

// nextRecord goes to the first byte of a record, over line ends and members.
func (s *stream) nextRecord() error {
	for range maxGap {
		if err := s.ctx.Err(); err != nil {
			return err
		}
		c, err := s.ReadByte()
		if err != nil {
			return err
		}
		if c != '\r' && c != '\n' {
			s.aligned = s.used == 1
			return s.unread()
		}
	}
	return damaged(s.start(), "there are more than %d line ends between two records", maxGap)
}

// gap takes the line ends after a block, as far as they are in the same member,
// and says whether the member, or the file, ends there.
func (s *stream) gap() (atEnd bool, err error) {
	for i := range maxGap {
		c, err := s.in.ReadByte()
		if errors.Is(err, io.EOF) {
			return true, nil
		}
		if err != nil {
			return false, s.explain(err)
		}
		s.used++
		if c == '\r' || c == '\n' {
			continue
		}
		if i == 0 {
			return false, damaged(s.start(), "a record is longer than its Content-Length says")
		}
		return false, s.unread()
	}
	return false, damaged(s.start(), "there are more than %d line ends between two records", maxGap)
}

func (s *stream) unread() error {
	s.used--
	return s.in.UnreadByte()
}
