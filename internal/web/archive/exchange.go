package archive

import (
	"bytes"
	"cmp"
	"maps"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// Exchange is one request and the response to it. Body is the decoded body.
type Exchange struct {
	URL           string
	At            time.Time // when the response arrived; kept to the microsecond
	Method        string    // "" means GET
	RequestHeader http.Header
	Status        int
	Proto         string // as net/http spells it: "HTTP/1.1", "HTTP/2.0"
	Header        http.Header
	Body          []byte
	Truncated     Truncation
	RemoteIP      string
}

// Truncation says why a body is not all that the server had. The values are
// those of WARC-Truncated.
type Truncation string

const (
	Complete              Truncation = ""
	TruncatedByLength     Truncation = "length"
	TruncatedByTime       Truncation = "time"
	TruncatedByDisconnect Truncation = "disconnect"
	TruncatedUnspecified  Truncation = "unspecified"
)

// Entry is what is worth indexing about one written exchange.
type Entry struct {
	Ref         Ref
	URL         string
	At          time.Time
	Status      int
	ContentType string
	Digest      string // of the payload: "sha256:" and 64 hexadecimal digits
	Length      int64  // of the payload in bytes
	RevisitOf   Ref    // where the payload is kept; "" when it is kept here
}

const (
	origPrefix = "X-Archive-Orig-"
	httpLine   = "HTTP/1.1"
)

// renamed headers describe the bytes on the wire, not the stored body.
var renamed = []string{"Content-Encoding", "Content-Length", "Transfer-Encoding"}

// secret request headers never reach an archive.
var secret = []string{"Authorization", "Cookie", "Proxy-Authorization"}

// normal returns the exchange in the form in which it is kept, or a fault when
// it cannot be kept.
func (x Exchange) normal(now time.Time) (Exchange, *url.URL, error) {
	target, err := url.Parse(x.URL)
	if err != nil || target.Host == "" || strings.ContainsFunc(x.URL, unfit) {
		return x, nil, curlew.Permanent("bad_exchange", "%.200q cannot be archived: it is not an absolute URL", x.URL)
	}
	if x.Status < 100 || x.Status > 999 {
		return x, nil, curlew.Permanent("bad_exchange", "a response with the status %d cannot be archived", x.Status)
	}
	if len(x.Body) > maxBlock/2 {
		return x, nil, curlew.Permanent("bad_exchange", "a body of %d bytes is too long for the archive", len(x.Body))
	}
	if target.User != nil {
		target.User = nil
		x.URL = target.String()
	}
	x.Method = cmp.Or(x.Method, http.MethodGet)
	if !token(x.Method) {
		return x, nil, curlew.Permanent("bad_exchange", "%.40q is not an HTTP method", x.Method)
	}
	if x.At.IsZero() {
		x.At = now
	}
	x.At = x.At.UTC().Truncate(time.Microsecond)
	if _, err := netip.ParseAddr(x.RemoteIP); err != nil {
		x.RemoteIP = ""
	}
	switch x.Truncated {
	case Complete, TruncatedByLength, TruncatedByTime, TruncatedByDisconnect:
	default:
		x.Truncated = TruncatedUnspecified
	}
	return x, target, nil
}

// unfit finds what must not stand in WARC-Target-URI.
func unfit(r rune) bool { return r <= ' ' || r == 0x7f }

// protocols are the spellings of net/http and those of WARC-Protocol.
var protocols = [][2]string{{"HTTP/1.1", "http/1.1"}, {"HTTP/1.0", "http/1.0"}, {"HTTP/2.0", "h2"}, {"HTTP/3.0", "h3"}}

func protocolField(proto string) string {
	for _, p := range protocols {
		if p[0] == proto {
			return p[1]
		}
	}
	return ""
}

func protocolFromField(field string) string {
	for _, p := range protocols {
		if p[1] == field {
			return p[0]
		}
	}
	return ""
}

// requestHead is the block of the request record.
func (x Exchange) requestHead(target *url.URL) []byte {
	var b bytes.Buffer
	b.WriteString(x.Method + " " + target.RequestURI() + " " + httpLine + "\r\n")
	b.WriteString("Host: " + target.Host + "\r\n")
	writeHeader(&b, x.RequestHeader, func(name string) string {
		if name == "Host" || slices.Contains(secret, name) {
			return ""
		}
		return name
	})
	b.WriteString("\r\n")
	return b.Bytes()
}

// responseHead is what stands before the body in the block of the response.
func (x Exchange) responseHead() []byte {
	var b bytes.Buffer
	b.WriteString(httpLine + " " + strconv.Itoa(x.Status) + " " + http.StatusText(x.Status) + "\r\n")
	writeHeader(&b, x.Header, func(name string) string {
		if slices.Contains(renamed, name) || strings.HasPrefix(name, origPrefix) {
			return origPrefix + name
		}
		return name
	})
	b.WriteString("Content-Length: " + strconv.Itoa(len(x.Body)) + "\r\n\r\n")
	return b.Bytes()
}

// writeHeader writes the fields in the order of their names. What would break
// the message is made harmless: the archive keeps pages, not attacks on readers.
func writeHeader(b *bytes.Buffer, header http.Header, rename func(canonical string) string) {
	names := slices.Sorted(maps.Keys(header))
	for _, name := range names {
		stored := rename(http.CanonicalHeaderKey(name))
		if stored == "" || !token(stored) {
			continue
		}
		for _, value := range header[name] {
			b.WriteString(stored + ": " + oneLine(value) + "\r\n")
		}
	}
}

var lineEnds = strings.NewReplacer("\r", " ", "\n", " ", "\x00", " ")

// oneLine is value without what would end the line.
func oneLine(value string) string { return strings.TrimSpace(lineEnds.Replace(value)) }

// token says whether text is a token of RFC 9110.
func token(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool {
		return r <= ' ' || r >= 0x7f || strings.ContainsRune(`"(),/:;<=>?@[\]{}`, r)
	})
}

// splitHead parts the block of an HTTP record into its first line, its header
// and the body. Lines may end in LF alone.
func splitHead(block []byte) (first string, header http.Header, body []byte, ok bool) {
	end := headEnd(block)
	if end < 0 {
		return "", nil, nil, false
	}
	header = http.Header{}
	for i, line := range strings.Split(strings.TrimRight(string(block[:end]), "\r\n"), "\n") {
		line = strings.TrimSuffix(line, "\r")
		if i == 0 {
			first = line
			continue
		}
		if name, value, found := strings.Cut(line, ":"); found {
			header.Add(name, strings.TrimSpace(value))
		}
	}
	return first, header, block[end:], true
}

// headEnd finds where the empty line after an HTTP header ends, or -1.
func headEnd(block []byte) int {
	crlf, lf := bytes.Index(block, []byte("\r\n\r\n")), bytes.Index(block, []byte("\n\n"))
	switch {
	case crlf >= 0 && (lf < 0 || crlf < lf):
		return crlf + 4
	case lf >= 0:
		return lf + 2
	}
	return -1
}

// original undoes the renaming of responseHead.
func original(stored http.Header) http.Header {
	header := http.Header{}
	for name, values := range stored {
		if was, renamed := strings.CutPrefix(name, origPrefix); renamed {
			header[was] = values
		} else if name != "Content-Length" {
			header[name] = values
		}
	}
	return header
}
