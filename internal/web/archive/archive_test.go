package archive

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var noon = time.Date(2026, 3, 14, 12, 0, 0, 123456000, time.UTC)

// index is what the store would be: the entries by digest.
type index struct {
	mu      sync.Mutex
	entries map[string]Entry
}

func newIndex() *index { return &index{entries: map[string]Entry{}} }

func (i *index) add(entries ...Entry) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, e := range entries {
		if e.RevisitOf == "" {
			i.entries[e.Digest] = e
		}
	}
}

func (i *index) known(_ context.Context, digest string) (Entry, bool, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	e, ok := i.entries[digest]
	return e, ok, nil
}

func folderAt(t testing.TB, path string) Blobs {
	t.Helper()
	b, err := OpenBlobs(path, BlobOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// open opens an archive that is closed with the test.
func open(t testing.TB, o Options) *Archive {
	t.Helper()
	o.Software, o.Host = "curlew-test/1 (+https://example.org)", "Test Host"
	a, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Close(context.Background()); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return a
}

func write(t testing.TB, a *Archive, x ...Exchange) []Entry {
	t.Helper()
	entries, err := a.Write(t.Context(), x...)
	if err != nil {
		t.Fatal(err)
	}
	return entries
}

func wantFault(t testing.TB, err error, code curlew.Code) {
	t.Helper()
	if !errors.Is(err, code) {
		t.Errorf("got %v, want a fault with the code %q", err, code)
	}
}

func page(body string) Exchange {
	return Exchange{
		URL: "https://example.org/a?b=c", At: noon, Method: "GET",
		RequestHeader: http.Header{"User-Agent": {"curlew"}, "Accept": {"text/html", "*/*;q=0.1"}},
		Status:        200, Proto: "HTTP/2.0", RemoteIP: "2001:db8::1",
		Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}, "Set-Cookie": {"a=1", "b=2"}},
		Body:   []byte(body),
	}
}

func TestExchangesComeBackAsTheyWere(t *testing.T) {
	encoded := page("<p>decoded</p>")
	encoded.Header = http.Header{"Content-Encoding": {"br"}, "Transfer-Encoding": {"chunked"}, "Content-Length": {"7"},
		"X-Archive-Orig-Content-Encoding": {"from the site"}, "Link": {"caf\xe9"}}
	cut := page("half a pa")
	cut.Truncated, cut.Proto, cut.RemoteIP = TruncatedByLength, "HTTP/1.1", "192.0.2.7"
	redirect := page("")
	redirect.Status, redirect.Header = 301, http.Header{"Location": {"/b"}}
	binary := page(strings.Repeat("\r\n\r\n\x00\x1f\x8bWARC/1.1\r\n", 999))
	odd := page("x")
	odd.Status, odd.Method = 799, "POST"
	all := []Exchange{page("<p>plain</p>"), encoded, cut, redirect, binary, odd}

	a := open(t, Options{Blobs: folderAt(t, t.TempDir())})
	entries := write(t, a, all...)
	for i, want := range all {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			got, err := a.Read(t.Context(), entries[i].Ref)
			if err != nil {
				t.Errorf("exchange %d: %v", i, err)
				return
			}
			if len(want.Body) == 0 {
				want.Body = got.Body[:0]
			}
			if diff := cmp.Diff(want, *got); diff != "" {
				t.Errorf("exchange %d (-written +read):\n%s", i, diff)
			}
		})
	}
	e := entries[0]
	if e.Digest != digestOf([]byte("<p>plain</p>")) || e.Length != 12 || e.Status != 200 ||
		e.ContentType != "text/html; charset=utf-8" || e.URL != all[0].URL || !e.At.Equal(noon) || e.RevisitOf != "" {
		t.Errorf("entry: %+v", e)
	}
}

func TestSecretsAndLineBreaksStayOut(t *testing.T) {
	x := page("x")
	x.URL = "https://user:hunter2@example.org/"
	x.RequestHeader = http.Header{"Authorization": {"Bearer hunter2"}, "Cookie": {"s=hunter2"}, "Bad name": {"hunter2"},
		"proxy-authorization": {"hunter2"}, "X-Ok": {"a\r\nInjected: hunter3"}}
	dir := t.TempDir()
	a := open(t, Options{Blobs: folderAt(t, dir)})
	e := write(t, a, x)[0]
	got, err := a.Read(t.Context(), e.Ref)
	if err != nil {
		t.Fatal(err)
	}
	if want := (http.Header{"X-Ok": {"a  Injected: hunter3"}}); !cmp.Equal(got.RequestHeader, want) {
		t.Errorf("request header %v, want %v", got.RequestHeader, want)
	}
	if got.URL != "https://example.org/" {
		t.Errorf("URL %q", got.URL)
	}
	for _, text := range blocks(t, dir) {
		if strings.Contains(text, "hunter2") {
			t.Errorf("a secret was archived:\n%s", text)
		}
	}
}

// blocks returns the records of all files of a folder, header and block.
func blocks(t testing.TB, dir string) []string {
	t.Helper()
	var all []string
	for _, path := range files(t, dir) {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		err = Scan(t.Context(), f, func(rec *WARCRecord) error {
			var b bytes.Buffer
			rec.Body = &tee{rec.Body, &b}
			if err := rec.Check(); err != nil {
				return err
			}
			all = append(all, fmt.Sprintln(rec.Header)+b.String())
			return nil
		})
		_ = f.Close()
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
	}
	return all
}

type tee struct {
	r interface{ Read([]byte) (int, error) }
	b *bytes.Buffer
}

func (t *tee) Read(p []byte) (int, error) {
	n, err := t.r.Read(p)
	t.b.Write(p[:n])
	return n, err
}

func files(t testing.TB, dir string) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestWhatCannotBeArchivedIsRefused(t *testing.T) {
	a := open(t, Options{Blobs: folderAt(t, t.TempDir())})
	for name, spoil := range map[string]func(*Exchange){
		"relative URL":    func(x *Exchange) { x.URL = "/a" },
		"line in the URL": func(x *Exchange) { x.URL = "https://example.org/\r\nWARC-Type: response" },
		"space in URL":    func(x *Exchange) { x.URL = "https://example.org/a b" },
		"no status":       func(x *Exchange) { x.Status = 0 },
		"bad method":      func(x *Exchange) { x.Method = "GET /x HTTP/1.1\r\n" },
	} {
		t.Run(name, func(t *testing.T) {
			x := page("x")
			spoil(&x)
			if _, err := a.Write(t.Context(), x); err == nil {
				t.Error("archived")
			} else {
				wantFault(t, err, "bad_exchange")
			}
		})
	}
}

func TestRepeatedPayloadBecomesARevisit(t *testing.T) {
	seen := newIndex()
	dir := t.TempDir()
	a := open(t, Options{Blobs: folderAt(t, dir), Known: seen.known})
	body := strings.Repeat("the same text ", 999)
	first := write(t, a, page(body))[0]
	seen.add(first)

	again := page(body)
	again.URL, again.At = "https://example.org/copy", noon.Add(time.Hour)
	e := write(t, a, again)[0]
	if e.RevisitOf != first.Ref || e.Digest != first.Digest || e.Length != int64(len(body)) {
		t.Fatalf("entry of the revisit: %+v", e)
	}
	got, err := a.Read(t.Context(), e.Ref)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(again, *got); diff != "" {
		t.Errorf("revisit (-written +read):\n%s", diff)
	}
	var revisit string
	for _, text := range blocks(t, dir) {
		if strings.Contains(text, "WARC-Type revisit") {
			revisit = text
		}
	}
	for i, want := range []string{profileIdentical, "WARC-Refers-To-Target-URI https://example.org/a?b=c",
		"WARC-Refers-To-Date 2026-03-14T12:00:00.123456Z", first.Digest} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if !strings.Contains(revisit, want) {
				t.Errorf("the revisit lacks %q:\n%s", want, revisit)
			}
		})
	}
	if strings.Contains(revisit, "the same text") {
		t.Error("the revisit repeats the payload")
	}
}

func TestRevisitOfAPayloadThatIsGone(t *testing.T) {
	seen := newIndex()
	blobs := folderAt(t, t.TempDir())
	a := open(t, Options{Blobs: blobs, Known: seen.known})
	first := write(t, a, page("precious"))[0]
	seen.add(first)
	if err := a.Rotate(t.Context()); err != nil {
		t.Fatal(err)
	}
	revisit := write(t, a, page("precious"))[0]
	if err := blobs.Delete(t.Context(), first.Ref.File()); err != nil {
		t.Fatal(err)
	}
	wantFault(t, a.Verify(t.Context(), revisit.Ref), "archive_missing")

	anew := write(t, a, page("precious"))[0]
	if anew.RevisitOf != "" {
		t.Fatal("a revisit was made of a payload that is gone")
	}
	seen.add(anew)
	if err := a.Verify(t.Context(), revisit.Ref); err != nil {
		t.Errorf("the old revisit does not find the new copy: %v", err)
	}
}

func TestFilesRotate(t *testing.T) {
	dir := t.TempDir()
	a := open(t, Options{Blobs: folderAt(t, dir), MaxFile: 4 << 10})
	var refs []Ref
	for i := range 20 {
		refs = append(refs, write(t, a, page(noise(uint64(i), 900)))[0].Ref)
	}
	if err := a.Rotate(t.Context()); err != nil {
		t.Fatal(err)
	}
	all := files(t, dir)
	if len(all) < 5 {
		t.Errorf("only %d files", len(all))
	}
	for _, path := range all {
		if info, err := os.Stat(path); err != nil || info.Size() > 4<<10 {
			t.Errorf("%s: %v, %v", path, info, err)
		}
		if !fileName.MatchString(filepath.Base(path)) {
			t.Errorf("unexpected name %s", path)
		}
	}
	for _, ref := range refs {
		if err := a.Verify(t.Context(), ref); err != nil {
			t.Error(err)
		}
	}
}

// noise is text that does not compress well.
func noise(seed uint64, n int) string {
	r := rand.New(rand.NewPCG(seed, 1))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(32 + r.IntN(95))
	}
	return string(b)
}

func TestCancelledAndClosed(t *testing.T) {
	a := open(t, Options{Blobs: folderAt(t, t.TempDir())})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	a.turn <- struct{}{} // somebody else writes
	if _, err := a.Write(ctx, page("x")); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	<-a.turn
	e := write(t, a, page("y"))[0]
	if err := a.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	_, err := a.Write(t.Context(), page("z"))
	wantFault(t, err, "archive_closed")
	if err := a.Verify(t.Context(), e.Ref); err != nil {
		t.Errorf("after close: %v", err)
	}
}

func TestRefsAreChecked(t *testing.T) {
	good := "20260314120000-test-host-1-0123abcd.warc.gz:0:10"
	if ref, err := ParseRef(good); err != nil || ref.File() != "20260314120000-test-host-1-0123abcd.warc.gz" {
		t.Errorf("%q, %v", ref.File(), err)
	}
	for _, bad := range []string{"", "x", "../etc/passwd:0:1", good + ":1", "/" + good,
		strings.Replace(good, ":0:", ":-1:", 1), strings.Replace(good, ":0:", ":00:", 1),
		strings.Replace(good, ":10", ":0", 1), strings.Replace(good, ":0:", ":9223372036854775807:", 1),
		strings.Replace(good, "test", "te/../st", 1), strings.Replace(good, "test", "te\nst", 1)} {
		_, err := ParseRef(bad)
		wantFault(t, err, "bad_ref")
	}
	a := open(t, Options{Blobs: folderAt(t, t.TempDir())})
	_, err := a.Read(t.Context(), "../../secret:0:1")
	wantFault(t, err, "bad_ref")
	_, err = a.Read(t.Context(), Ref(good))
	wantFault(t, err, "archive_missing")
}

func TestDamageIsNoticed(t *testing.T) {
	dir := t.TempDir()
	a := open(t, Options{Blobs: folderAt(t, dir)})
	entries := write(t, a, page(noise(1, 300)), page(noise(2, 300)))
	if err := a.Rotate(t.Context()); err != nil {
		t.Fatal(err)
	}
	path := files(t, dir)[0]
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	file, offset, length, _ := entries[0].Ref.split()
	for i := offset; i < offset+length; i += 5 {
		// Bytes 4 to 9 of a gzip header (time, flags, system) mean nothing.
		spoilt := bytes.Clone(whole)
		spoilt[i] ^= 0x20
		if err := os.WriteFile(path, spoilt, 0o600); err != nil {
			t.Fatal(err)
		}
		x, err := a.Read(t.Context(), entries[0].Ref)
		if err == nil && string(x.Body) != noise(1, 300) {
			t.Fatalf("a flipped bit at %d went unnoticed", i)
		}
		if err := a.Verify(t.Context(), entries[1].Ref); err != nil {
			t.Fatalf("damage at %d spread: %v", i, err)
		}
	}
	for i, ref := range []Ref{makeRef(file, offset+1, length-1), makeRef(file, offset, length-1), makeRef(file, 0, offset)} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if _, err := a.Read(t.Context(), ref); err == nil {
				t.Errorf("%s was read", ref)
			}
		})
	}
}
