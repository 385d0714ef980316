package archive

import (
	"net/url"
	"strconv"
	"strings"
	"time"
)

// arcVersion is the version of an ARC file: 0 until its first record told.
type arcVersion int

// fields is how many fields follow the URL in a record's line: in version 1
// address, date, type and length; version 2 has five more before the length.
func (v arcVersion) fields() int {
	if v == 2 {
		return 9
	}
	return 4
}

// arcHeader reads the line before an ARC record into the WARC fields of the
// same meaning. The URL is what is left when the other fields are taken from
// the right: it may hold spaces.
func (s *stream) arcHeader(rec *WARCRecord, line string, arc *arcVersion) error {
	first := *arc == 0
	if first != strings.HasPrefix(line, "filedesc:") {
		return damaged(rec.Offset, "neither a WARC nor an ARC record begins with %.40q", line)
	}
	if first {
		*arc = 1
	}
	words := strings.Split(line, " ")
	n := arc.fields()
	if first {
		n = 4 // the line of the first record is that of version 1 in both
	}
	if len(words) < n+1 {
		return damaged(rec.Offset, "the line of an ARC record has too few fields")
	}
	uri, rest := strings.Join(words[:len(words)-n], " "), words[len(words)-n:]
	at, err := time.Parse("20060102150405", rest[1])
	if err != nil {
		return damaged(rec.Offset, "%.40q is not the date of an ARC record", rest[1])
	}
	rec.Bytes, err = strconv.ParseInt(rest[n-1], 10, 64)
	if err != nil || rec.Bytes < 0 {
		return damaged(rec.Offset, "%.40q is not the length of an ARC record", rest[n-1])
	}
	if first {
		*arc = s.arcVersion()
	}
	rec.Version = "ARC/" + strconv.Itoa(int(*arc))
	kind, contentType := arcKind(first, uri, rest[2])
	rec.Header = Header{
		{"WARC-Type", kind},
		{"WARC-Target-URI", uri},
		{"WARC-Date", at.Format(time.RFC3339)},
		{"WARC-IP-Address", rest[0]},
		{"Content-Type", contentType},
		{"Content-Length", rest[n-1]},
	}
	return nil
}

// arcVersion looks ahead at the block of the first record: "1 0 Somebody".
func (s *stream) arcVersion() arcVersion {
	if ahead, _ := s.in.Peek(1); len(ahead) == 1 && ahead[0] == '2' {
		return 2
	}
	return 1
}

func arcKind(first bool, uri, mime string) (kind, contentType string) {
	if first {
		return "warcinfo", mime
	}
	if u, _, ok := strings.Cut(uri, ":"); ok && (u == "http" || u == "https") {
		return "response", "application/http;msgtype=response"
	}
	if u, err := url.Parse(uri); err == nil && u.Scheme == "dns" {
		return "response", "text/dns"
	}
	return "resource", mime
}
