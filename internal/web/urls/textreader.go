package urls

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"regexp"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
)

// declared finds the encoding that an XML declaration claims.
var declared = regexp.MustCompile(`^[\s]*<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._:-]{1,40})["']`)

// decode turns a body into UTF-8, whatever it claims to be. A byte order mark
// says the truth; a declaration only does where the bytes do not contradict it.
func (s *Sitemap) decode(body io.Reader) (*textReader, error) {
	in := bufio.NewReaderSize(body, 64<<10)
	head, err := in.Peek(4096)
	if len(head) == 0 && err != nil {
		return nil, err
	}
	label := s.encodingOf(head)
	for _, mark := range []string{"\xef\xbb\xbf", "\xff\xfe", "\xfe\xff"} {
		if bytes.HasPrefix(head, []byte(mark)) {
			_, _ = in.Discard(len(mark))
		}
	}
	if label == "utf-8" {
		return &textReader{in: in, number: 1}, nil
	}
	converted, err := charset.NewReaderLabel(label, in)
	if err != nil {
		return nil, err
	}
	return &textReader{in: bufio.NewReaderSize(converted, 64<<10), number: 1}, nil
}

// encodingOf decides on an encoding from the first bytes.
func (s *Sitemap) encodingOf(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("<\x00")):
		return "utf-16le"
	case bytes.HasPrefix(head, []byte("\xfe\xff")), bytes.HasPrefix(head, []byte("\x00<")):
		return "utf-16be"
	case bytes.HasPrefix(head, []byte("\xef\xbb\xbf")):
		return "utf-8"
	}
	claim := declared.FindSubmatch(head)
	if claim == nil {
		return "utf-8"
	}
	encoding, name := charset.Lookup(string(claim[1]))
	switch {
	case encoding == nil:
		s.warn(1, "the encoding %q is unknown: read as UTF-8", claim[1])
		return "utf-8"
	case name == "utf-8":
		return name
	case name == "utf-16le" || name == "utf-16be" || name == "replacement":
		s.warn(1, "the encoding %q is wrong: read as UTF-8", claim[1])
		return "utf-8"
	case hasMultibyte(head):
		s.warn(1, "the encoding %q is wrong: this is UTF-8", claim[1])
		return "utf-8"
	}
	return name
}

// hasMultibyte tells that the text is UTF-8 and not merely ASCII. What other
// encodings write is hardly ever valid as UTF-8.
func hasMultibyte(head []byte) bool {
	for cut := 0; cut < utf8.UTFMax && len(head) > 0 && !utf8.Valid(head); cut++ {
		head = head[:len(head)-1] // the last character may be cut in two
	}
	return utf8.Valid(head) && utf8.RuneCount(head) < len(head)
}

// maxToken bounds one tag, text or comment, so that a single one cannot take up
// the memory of the whole file. The longest in real feeds are whole articles.
const maxToken = 4 << 20

var errTokenTooLong = errors.New("a single element is longer than 4 MiB")

// textReader gives clean text to the XML decoder, which stops at the first bad
// byte: what is not valid UTF-8 is read as Latin-1, and control characters are
// read as blanks.
type textReader struct {
	in      *bufio.Reader
	pending []byte
	buffer  [utf8.UTFMax]byte
	spent   int // bytes since the last token
	number  int // of the current line
}

// ReadByte is what the XML decoder calls: it reads no further than it must.
func (t *textReader) ReadByte() (byte, error) {
	if len(t.pending) > 0 {
		b := t.pending[0]
		t.pending = t.pending[1:]
		return b, nil
	}
	if t.spent++; t.spent > maxToken {
		return 0, errTokenTooLong
	}
	b, err := t.in.ReadByte()
	if err != nil || b >= ' ' && b < utf8.RuneSelf {
		return b, err
	}
	if b < ' ' {
		if b == '\n' {
			t.number++
		} else if b != '\t' && b != '\r' {
			b = ' '
		}
		return b, nil
	}
	return t.multibyte(b)
}

func (t *textReader) multibyte(b byte) (byte, error) {
	_ = t.in.UnreadByte()
	r, size, err := t.in.ReadRune()
	switch {
	case err != nil:
		return 0, err
	case r == utf8.RuneError && size == 1:
		r = rune(b)
	case r == 0xFFFE || r == 0xFFFF: // no characters of XML
		r = utf8.RuneError
	}
	t.pending = t.buffer[:utf8.EncodeRune(t.buffer[:], r)]
	return t.ReadByte()
}

// Read makes it a reader; the XML decoder demands one.
func (t *textReader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	b, err := t.ReadByte()
	if err != nil {
		return 0, err
	}
	p[0] = b
	return 1, nil
}

// skipBlank gives the first character that is not white space, and leaves it.
func (t *textReader) skipBlank() (byte, error) {
	for {
		b, err := t.ReadByte()
		if err != nil {
			return 0, err
		}
		if b > ' ' {
			t.pending = append([]byte{b}, t.pending...)
			return b, nil
		}
	}
}

// line reads up to the end of a line, and gives its number. Of an endless line
// only the beginning is kept.
func (t *textReader) line() (string, int, error) {
	var b []byte
	number := t.number
	for {
		c, err := t.ReadByte()
		if err != nil || c == '\n' || c == '\r' {
			t.spent = 0
			return string(b), number, err
		}
		if len(b) <= maxRawURL {
			b = append(b, c)
		}
	}
}
