package egress

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/curlew-data/curlew/internal/ops/guard"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
)

// encoder is what every compressing writer can do.
type encoder interface {
	io.WriteCloser
	Flush() error
}

// encoders make what the named encoding is on the wire; "raw" is deflate
// without its zlib wrapping.
var encoders = map[string]func(io.Writer) encoder{
	"gzip":    func(w io.Writer) encoder { return gzip.NewWriter(w) },
	"br":      func(w io.Writer) encoder { return brotli.NewWriterLevel(w, 2) },
	"deflate": func(w io.Writer) encoder { return zlib.NewWriter(w) },
	"raw":     func(w io.Writer) encoder { f, _ := flate.NewWriter(w, 6); return f },
	"zstd":    func(w io.Writer) encoder { z, _ := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1)); return z },
}

// encode applies encodings in order, as a Content-Encoding header lists them.
func encode(t testing.TB, body []byte, list ...string) []byte {
	t.Helper()
	for _, name := range list {
		var out bytes.Buffer
		w := encoders[name](&out)
		if _, err := w.Write(body); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		body = out.Bytes()
	}
	return body
}

func label(list ...string) string {
	return strings.ReplaceAll(strings.Join(list, ", "), "raw", "deflate")
}

// fetchBody serves bytes under a Content-Encoding and fetches them.
func fetchBody(t testing.TB, body []byte, encoding string) *Response {
	t.Helper()
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", encoding)
		w.Write(body)
	})
	return get(t, trusting(t, s.URL), s.URL)
}

func TestEncodingsAreUndone(t *testing.T) {
	page := []byte(strings.Repeat("<p>The curlew calls.</p>", 1000))
	for _, list := range [][]string{
		{"gzip"}, {"br"}, {"zstd"}, {"deflate"}, {"raw"},
		{"gzip", "br"}, {"br", "gzip"}, {"gzip", "gzip"}, {"zstd", "deflate"}, {"raw", "zstd"},
	} {
		t.Run(strings.Join(list, " in "), func(t *testing.T) {
			sent := encode(t, page, list...)
			r := fetchBody(t, sent, label(list...))
			if !bytes.Equal(r.Body, page) || !r.Complete || r.Encoding != label(list...) || r.WireBytes != int64(len(sent)) {
				t.Errorf("%d bytes, complete %v (%s), encoding %q, %d on the wire", len(r.Body), r.Complete, r.Why, r.Encoding, r.WireBytes)
			}
		})
	}
}

func TestSpellingsOfEncodings(t *testing.T) {
	page := []byte("hello")
	for spelling, want := range map[string]string{"X-GZip": "gzip", " GZIP , identity": "gzip", ",gzip,": "gzip"} {
		t.Run(spelling, func(t *testing.T) {
			if r := fetchBody(t, encode(t, page, "gzip"), spelling); !bytes.Equal(r.Body, page) || r.Encoding != want || !r.Complete {
				t.Errorf("%q: %q, encoding %q, %s", spelling, r.Body, r.Encoding, r.Why)
			}
		})
	}
	for _, spelling := range []string{"compress", "utf-8", "gzip, gzip, gzip", "gzip, aws-chunked"} {
		t.Run(spelling, func(t *testing.T) {
			if r := fetchBody(t, page, spelling); !bytes.Equal(r.Body, page) || r.Encoding != "" || r.Why != UnknownEncoding {
				t.Errorf("%q: %q, encoding %q, %s", spelling, r.Body, r.Encoding, r.Why)
			}
		})
	}
}

func TestTheBudgetIsExact(t *testing.T) {
	page := make([]byte, 100_000)
	for i := range page {
		page[i] = byte(rand.IntN(256)) // does not compress: the wire is longer than the body
	}
	for i, list := range [][]string{nil, {"gzip"}, {"br"}, {"zstd"}, {"deflate"}, {"gzip", "br"}} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Encoding", label(list...))
				w.Write(encode(t, page, list...))
			})
			c := trusting(t, s.URL)
			for budget, complete := range map[int64]bool{99_999: false, 100_000: true, 100_001: true} {
				t.Run(fmt.Sprint(budget), func(t *testing.T) {
					r, err := c.Do(t.Context(), Request{URL: s.URL, Budget: Budget{Body: budget}})
					if err != nil || r.Complete != complete || int64(len(r.Body)) != min(budget, 100_000) {
						t.Errorf("%v in %d: %v, %+v", list, budget, err, r)
					}
				})
			}
		})
	}
}

// bomb is 1 GiB of zeros. Once an encoder has settled, equal input makes equal
// output, so one MiB is encoded and then repeated.
func bomb(t testing.TB, name string) []byte {
	t.Helper()
	var out bytes.Buffer
	w := encoders[name](&out)
	zeros := make([]byte, 1<<20)
	before := 0
	for range 4 {
		before = out.Len()
		w.Write(zeros)
		w.Flush()
	}
	again := bytes.Clone(out.Bytes()[before:])
	for range 1020 {
		out.Write(again)
	}
	return out.Bytes()
}

func TestBombsStopAtTheBudget(t *testing.T) {
	bombs := map[string][]byte{}
	for name := range encoders {
		bombs[label(name)+map[bool]string{true: " (raw)"}[name == "raw"]] = bomb(t, name)
	}
	bombs["gzip, br"] = encode(t, bomb(t, "gzip"), "br")
	bombs["br, gzip"] = encode(t, bomb(t, "br"), "gzip")
	for name, sent := range bombs {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			r := fetchBody(t, sent, strings.TrimSuffix(name, " (raw)"))
			runtime.ReadMemStats(&after)
			if len(r.Body) != 10<<20 || r.Complete || r.Why != OverBudget {
				t.Errorf("%d bytes, complete %v, %q", len(r.Body), r.Complete, r.Why)
			}
			if r.WireBytes > 11<<20 {
				t.Errorf("%d bytes read", r.WireBytes)
			}
			// All that was ever allocated, hence more than was held at once.
			if n := after.TotalAlloc - before.TotalAlloc; n > 64<<20 {
				t.Errorf("%d MiB allocated", n>>20)
			} else {
				t.Logf("%d bytes on offer, %d read, %d MiB allocated", len(sent), r.WireBytes, n>>20)
			}
		})
	}
}

// A stream can be endless and decode to nothing; then the wire is what counts.
func TestStreamsOfNothingStop(t *testing.T) {
	nothing := map[string][]byte{
		"gzip": encode(t, nil, "gzip"),
		"zstd": append([]byte{0x50, 0x2a, 0x4d, 0x18, 0, 0x10, 0, 0}, make([]byte, 4096)...), // a skippable frame
	}
	for encoding, unit := range nothing {
		t.Run(encoding, func(t *testing.T) {
			many := bytes.Repeat(unit, 1+(64<<10)/len(unit))
			s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Encoding", encoding)
				for range 1000 {
					if _, err := w.Write(many); err != nil {
						return
					}
				}
			})
			r, err := trusting(t, s.URL).Do(t.Context(), Request{URL: s.URL, Budget: Budget{Body: 1 << 20}})
			if err != nil || len(r.Body) != 0 || r.Why != OverBudget || r.WireBytes > 2<<20 {
				t.Errorf("got %+v, %v", r, err)
			}
		})
	}
}

// The same one layer down: little on the wire, much between the decoders.
func TestStreamsOfNothingStopBetweenDecoders(t *testing.T) {
	sent := encode(t, bytes.Repeat(encode(t, nil, "gzip"), 1<<17), "br")
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip, br")
		w.Write(sent)
	})
	r, err := trusting(t, s.URL).Do(t.Context(), Request{URL: s.URL, Budget: Budget{Body: 1 << 20}})
	if err != nil || len(r.Body) != 0 || r.Why != OverBudget || r.WireBytes > 64<<10 {
		t.Errorf("got %+v, %v", r, err)
	}
}

func TestDamagedBodiesAreNotComplete(t *testing.T) {
	page := []byte(strings.Repeat("<p>The curlew calls.</p>", 1000))
	zipped := encode(t, page, "gzip")
	badCRC := bytes.Clone(zipped)
	badCRC[len(badCRC)-8] ^= 1
	half := func(name string) string { e := encode(t, page, name); return string(e[:len(e)/2]) }
	for name, c := range map[string]struct {
		header, body string
		why          Shortfall
		least        int // bytes that must have come through
	}{
		"bad CRC":              {"Content-Encoding: gzip\r\nContent-Length: " + strconv.Itoa(len(badCRC)), string(badCRC), BadEncoding, len(page)},
		"gzip that is none":    {"Content-Encoding: gzip\r\nContent-Length: 9", "<p>hi</p>", BadEncoding, 0},
		"br that is none":      {"Content-Encoding: br\r\nContent-Length: 9", "<p>hi</p>", BadEncoding, 0},
		"zstd that is none":    {"Content-Encoding: zstd\r\nContent-Length: 9", "<p>hi</p>", BadEncoding, 0},
		"deflate that is none": {"Content-Encoding: deflate\r\nContent-Length: 9", "<p>hi</p>", BadEncoding, 0},
		"half a gzip":          {"Content-Encoding: gzip", half("gzip"), BadEncoding, 1},
		"half a br":            {"Content-Encoding: br", half("br"), BadEncoding, 0},
		"half a zstd":          {"Content-Encoding: zstd", half("zstd"), BadEncoding, 0},
		"half a deflate":       {"Content-Encoding: deflate", half("deflate"), BadEncoding, 1},
		"half a raw deflate":   {"Content-Encoding: deflate", half("raw"), BadEncoding, 1},
		"short body":           {"Content-Length: 100", "only this", CutShort, 9},
		"nothing of a body":    {"Content-Length: 100", "", CutShort, 0},
		"short gzip":           {"Content-Encoding: gzip\r\nContent-Length: 100000", string(zipped[:len(zipped)/2]), CutShort, 1},
		"gzip, then silence":   {"Content-Encoding: gzip\r\nContent-Length: 100000", string(zipped), CutShort, len(page)},
		"chunks without end":   {"Transfer-Encoding: chunked", "5\r\nhello\r\n", CutShort, 5},
		"half a chunk":         {"Transfer-Encoding: chunked", "ff\r\nhello", CutShort, 5},
		"chunk of no size":     {"Transfer-Encoding: chunked", "5\r\nhello\r\nxyz\r\n", CutShort, 5},
		"chunk of wrong size":  {"Transfer-Encoding: chunked", "3\r\nhello\r\n0\r\n\r\n", CutShort, 3},
		"chunk beyond numbers": {"Transfer-Encoding: chunked", "ffffffffffffffffff\r\nhello\r\n", CutShort, 0},
	} {
		t.Run(name, func(t *testing.T) {
			url := raw(t, say("HTTP/1.1 200 OK\r\n"+c.header+"\r\n\r\n"+c.body))
			r := get(t, trusting(t, url), url)
			if r.Complete || r.Why != c.why || len(r.Body) < c.least {
				t.Errorf("complete %v, why %q, %d bytes; want %q and %d", r.Complete, r.Why, len(r.Body), c.why, c.least)
			}
		})
	}
}

func FuzzBody(f *testing.F) {
	for name := range encoders {
		f.Add(encode(f, []byte("The curlew calls."), name), label(name))
	}
	f.Add(encode(f, []byte("The curlew calls."), "gzip", "br"), "gzip, br")
	f.Fuzz(func(t *testing.T, body []byte, encoding string) {
		answer := &http.Response{
			Header: http.Header{"Content-Encoding": {encoding}},
			Body:   io.NopCloser(bytes.NewReader(body)),
		}
		if c := read(t.Context(), answer, 1<<16); len(c.bytes) > 1<<16 {
			t.Errorf("%d bytes", len(c.bytes))
		}
	})
}

// breaking is a body that makes its reader panic.
type breaking struct{}

func (breaking) Read([]byte) (int, error) { panic("a broken table") }

func (breaking) Close() error { return nil }

func TestABodyThatBreaksItsReaderIsDamaged(t *testing.T) {
	before := guard.Panics()[guard.Body]
	c := read(t.Context(), &http.Response{Body: breaking{}}, 1<<16)
	if c.why != BadEncoding {
		t.Errorf("got %q", c.why)
	}
	if n := guard.Panics()[guard.Body] - before; n != 1 {
		t.Errorf("counted %d panics", n)
	}
}
