package demo

import (
	"bufio"
	"compress/gzip"
	"compress/zlib"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/testkit/eventually"
)

// blunt is a client that follows nothing, unpacks nothing and keeps nothing.
func blunt() *http.Client {
	return &http.Client{
		Transport:     &http.Transport{DisableCompression: true, DisableKeepAlives: true, MaxResponseHeaderBytes: 1 << 20},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

func rudeAt(t *testing.T) string {
	t.Helper()
	s, err := started(t, Options{Clock: func() time.Time { return time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC) }}).Site("rude")
	must(t, err)
	return s.Base
}

// Every behaviour that ends by itself, against a real socket.
func TestRudeAnswers(t *testing.T) {
	base := rudeAt(t)
	cases := []struct {
		path   string
		status int
		header string // "Name: value" that the answer must have
		body   string // text that the body must have
	}{
		{"/429/seconds", 429, "Retry-After: 120", ""},
		{"/429/date", 429, "Retry-After: Mon, 02 Mar 2026 12:02:00 GMT", ""},
		{"/429/negative", 429, "Retry-After: -5", ""},
		{"/503", 503, "", "Unavailable"},
		{"/503/soon", 503, "Retry-After: 1", ""},
		{"/304", 304, `Etag: "unasked"`, ""},
		{"/empty", 200, "Content-Length: 0", ""},
		{"/same-etag", 200, `Etag: "always-the-same"`, "Version"},
		{"/flapping", 200, "", "Spring fair"},
		{"/redirect/loop", 302, "Location: /redirect/loop", ""},
		{"/redirect/file", 302, "Location: file:///etc/passwd", ""},
		{"/redirect/metadata", 302, "Location: http://169.254.169.254/latest/meta-data/", ""},
		{"/headers/cookies", 200, "", "cookie"},
		{"/headers/png", 200, "Content-Type: image/png", "<h1>"},
		{"/headers/charset", 200, "Content-Type: text/html; charset=utf-8", "Caf\xe9"},
		{"/markup/nested", 200, "", strings.Repeat("<div>", 513)},
		{"/markup/open", 200, "", strings.Repeat("<b>", 40_000)},
		{"/markup/attributes", 200, "", strings.Repeat(" a", 200_000)},
		{"/markup/laughs.xml", 200, "", "&lol8;&lol8;"},
		{"/wall/login", 200, "", `type="password"`},
		{"/wall/challenge", 403, "Cf-Mitigated: challenge", "Just a moment"},
		{"/wall/captcha", 200, "", "Enable JavaScript and cookies"},
		{"/wall/javascript", 200, "", "enable JavaScript"},
	}
	for _, c := range cases {
		t.Run(c.path, func(t *testing.T) {
			answer, err := blunt().Get(base + c.path)
			if err != nil {
				t.Error(err)
				return
			}
			body, err := io.ReadAll(answer.Body)
			answer.Body.Close()
			name, value, _ := strings.Cut(c.header, ": ")
			if err != nil || answer.StatusCode != c.status || answer.Header.Get(name) != value || !strings.Contains(string(body), c.body) {
				t.Errorf("%s answers %d, %s: %q, %d bytes, %v", c.path, answer.StatusCode, name, answer.Header.Get(name), len(body), err)
			}
		})
	}
}

func TestRudeListNamesEveryBehaviour(t *testing.T) {
	body := get(t, New(Options{}), "rude", "/").Body.String()
	for _, behaviour := range rudenesses() {
		if !strings.Contains(body, `"`+behaviour.Path+`"`) {
			t.Errorf("%s is not listed", behaviour.Path)
		}
	}
}

func TestRudeFlapsAndKeepsItsTag(t *testing.T) {
	w := New(Options{})
	first, second := get(t, w, "rude", "/flapping"), get(t, w, "rude", "/flapping")
	if first.Body.String() == second.Body.String() {
		t.Error("two visits saw the same layout")
	}
	one, two := get(t, w, "rude", "/same-etag"), get(t, w, "rude", "/same-etag")
	if one.Body.String() == two.Body.String() || one.Header().Get("ETag") != two.Header().Get("ETag") {
		t.Error("want another body under the same tag")
	}
}

func TestRudeBodiesAreBroken(t *testing.T) {
	base := rudeAt(t)
	for _, path := range []string{"/body/short", "/body/chunks", "/body/garbage", "/headers/giant"} {
		t.Run(path, func(t *testing.T) {
			answer, err := blunt().Get(base + path)
			if err == nil {
				_, err = io.Copy(io.Discard, answer.Body)
				answer.Body.Close()
			}
			if err == nil {
				t.Errorf("%s could be read to its end", path)
			}
		})
	}
	answer, err := http.Get(base + "/body/bad-crc")
	must(t, err)
	defer answer.Body.Close()
	if _, err := io.ReadAll(answer.Body); !errors.Is(err, gzip.ErrChecksum) {
		t.Errorf("a wrong checksum gave %v", err)
	}
}

func TestBombsAreSmallOnTheWireAndHugeInside(t *testing.T) {
	base := rudeAt(t)
	unpack := map[string]func(io.Reader) (io.Reader, error){
		"/bomb/gzip":    func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
		"/bomb/deflate": func(r io.Reader) (io.Reader, error) { return zlib.NewReader(r) },
	}
	for path, open := range unpack {
		t.Run(path, func(t *testing.T) {
			answer, err := blunt().Get(base + path)
			must(t, err)
			packed := &countingReader{from: answer.Body}
			inside, err := open(packed)
			must(t, err)
			const enough = 16 << 20
			size, err := io.Copy(io.Discard, io.LimitReader(inside, enough))
			if err != nil || size != enough || packed.bytes > enough/500 {
				t.Errorf("%s unpacked %d bytes from %d, %v", path, size, packed.bytes, err)
			}
			answer.Body.Close()
		})
	}
}

type countingReader struct {
	from  io.Reader
	bytes int
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	c.bytes += n
	return n, err
}

func TestBombsNeedLittleMemory(t *testing.T) {
	bombParts() // made once, before the count
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, send := range []func(http.ResponseWriter, *http.Request){gzipBomb, deflateBomb, plainBomb} {
		send(discard{http.Header{}}, new(http.Request).WithContext(t.Context()))
	}
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 1<<20 {
		t.Errorf("three bombs took %d bytes of memory", used)
	}
}

// discard is an answer that nobody reads.
type discard struct{ header http.Header }

func (d discard) Header() http.Header         { return d.header }
func (d discard) Write(p []byte) (int, error) { return len(p), nil }
func (d discard) WriteHeader(int)             {}

// A client that leaves frees its slot at once; so does a closing server.
func TestSlowAnswersEndWithTheirClient(t *testing.T) {
	base := rudeAt(t)
	for _, path := range []string{"/body/slow", "/body/silent", "/bomb/plain", "/headers/giant"} {
		t.Run(path, func(t *testing.T) {
			connection, err := net.Dial("tcp", strings.TrimPrefix(base, "http://"))
			must(t, err)
			_, err = io.WriteString(connection, "GET "+path+" HTTP/1.1\r\nHost: rude\r\n\r\n")
			must(t, err)
			if path != "/body/silent" {
				_, err = bufio.NewReader(connection).ReadByte()
				must(t, err)
			}
			must(t, connection.Close())
		})
	}
	waitForQuiet(t)
}

func TestSlowAnswersEndWithTheServer(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	w := New(Options{})
	must(t, w.Start(ctx, Addresses{}))
	s, err := w.Site("rude")
	must(t, err)
	for _, path := range []string{"/body/slow", "/body/silent", "/bomb/plain", "/headers/giant"} {
		t.Run(path, func(t *testing.T) {
			connection, err := net.Dial("tcp", strings.TrimPrefix(s.Base, "http://"))
			must(t, err)
			defer connection.Close()
			_, err = io.WriteString(connection, "GET "+path+" HTTP/1.1\r\nHost: rude\r\n\r\n")
			must(t, err)
		})
	}
	cancel()
	w.Wait()
	waitForQuiet(t)
}

// waitForQuiet waits until no goroutine answers for a site any more.
func waitForQuiet(t *testing.T) {
	t.Helper()
	eventually.True(t, "nobody answers any more", func() bool {
		stacks := make([]byte, 1<<20)
		stacks = stacks[:runtime.Stack(stacks, true)]
		return !strings.Contains(string(stacks), "demo.(*Web).routes") && !strings.Contains(string(stacks), "demo.scene.send")
	})
}
