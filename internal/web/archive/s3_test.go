package archive

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/base64"
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// fakeS3 is the little of S3 that we use, in memory: a real server cannot run
// in these tests.
type fakeS3 struct {
	mu       sync.Mutex
	objects  map[string][]byte
	requests int
	down     bool
	pageSize int
}

func (s *fakeS3) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests++
	path, _ := strings.CutPrefix(r.URL.Path, "/pages")
	key := strings.TrimPrefix(path, "/")
	switch {
	case s.down:
		w.WriteHeader(http.StatusServiceUnavailable)
	case !strings.HasPrefix(r.URL.Path, "/pages"):
		refuse(w, http.StatusNotFound, "NoSuchBucket")
	case r.Header.Get("Authorization") == "":
		refuse(w, http.StatusForbidden, "AccessDenied")
	case key == "" && r.Method == http.MethodGet:
		s.list(w, r)
	case r.Method == http.MethodPut:
		s.put(w, r, key)
	case r.Method == http.MethodDelete:
		delete(s.objects, key)
		w.WriteHeader(http.StatusNoContent)
	default:
		data, ok := s.objects[key]
		if !ok {
			refuse(w, http.StatusNotFound, "NoSuchKey")
			return
		}
		w.Header().Set("ETag", `"x"`)
		http.ServeContent(w, r, "", noon, bytes.NewReader(data))
	}
}

func refuse(w http.ResponseWriter, status int, code string) {
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(status)
	fmt.Fprintf(w, "<Error><Code>%s</Code><Message>no</Message></Error>", code)
}

func (s *fakeS3) put(w http.ResponseWriter, r *http.Request, key string) {
	data, err := io.ReadAll(r.Body)
	sum := md5.Sum(data)
	if err != nil || r.Header.Get("Content-MD5") != base64.StdEncoding.EncodeToString(sum[:]) {
		refuse(w, http.StatusBadRequest, "BadDigest")
		return
	}
	s.objects[key] = data
	w.Header().Set("ETag", `"x"`)
}

type listing struct {
	XMLName               xml.Name `xml:"ListBucketResult"`
	IsTruncated           bool
	NextContinuationToken string `xml:",omitempty"`
	Contents              []listed
}

type listed struct {
	Key          string
	Size         int
	LastModified string
}

func (s *fakeS3) list(w http.ResponseWriter, r *http.Request) {
	var keys []string
	for key := range s.objects {
		if strings.HasPrefix(key, r.URL.Query().Get("prefix")) && key > r.URL.Query().Get("continuation-token") {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	var l listing
	for _, key := range keys[:min(len(keys), s.pageSize)] {
		l.Contents = append(l.Contents, listed{key, len(s.objects[key]), noon.Format(time.RFC3339)})
		l.IsTruncated, l.NextContinuationToken = len(keys) > s.pageSize, key
	}
	_ = xml.NewEncoder(w).Encode(l)
}

// keys are the objects of the bucket.
func (s *fakeS3) keys() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []string
	for key := range s.objects {
		all = append(all, key)
	}
	slices.Sort(all)
	return all
}

func (s *fakeS3) setDown(down bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.down = down
}

// s3 starts a server and returns what opens its bucket with a spool folder.
func s3(t *testing.T) (*fakeS3, func(spool string) Blobs) {
	t.Helper()
	fake := &fakeS3{objects: map[string][]byte{}, pageSize: 2}
	server := httptest.NewTLSServer(fake)
	t.Cleanup(server.Close)
	return fake, func(spool string) Blobs {
		b, err := OpenBlobs("s3://pages/some/prefix?region=eu-west-1&endpoint="+url.QueryEscape(server.URL), BlobOptions{
			Transport: server.Client().Transport, Spool: spool, AccessKey: "key", SecretKey: "secret"})
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
}

func TestArchiveOnS3(t *testing.T) {
	fake, at := s3(t)
	spool := t.TempDir()
	seen := newIndex()
	blobs := at(spool)
	a := open(t, Options{Blobs: blobs, Known: seen.known})
	first := write(t, a, page("first"))[0]
	seen.add(first)
	if err := a.Verify(t.Context(), first.Ref); err != nil {
		t.Errorf("read from the spool: %v", err)
	}
	if len(fake.keys()) > 0 {
		t.Errorf("uploaded before it was sealed: %v", fake.keys())
	}
	other := open(t, Options{Blobs: at(t.TempDir())}) // another machine
	wantFault(t, other.Verify(t.Context(), first.Ref), "archive_missing")

	if err := a.Rotate(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := fake.keys(); len(got) != 1 || got[0] != "some/prefix/"+first.Ref.File() {
		t.Errorf("objects: %v", got)
	}
	if left := files(t, spool); len(left) > 0 {
		t.Errorf("left in the spool: %v", left)
	}
	again := write(t, a, page("first"), page("second"))
	if again[0].RevisitOf != first.Ref {
		t.Error("no revisit of what is on S3")
	}
	for i, ref := range []Ref{first.Ref, again[0].Ref, again[1].Ref} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if err := a.Verify(t.Context(), ref); err != nil {
				t.Error(err)
			}
		})
	}
	if err := other.Verify(t.Context(), first.Ref); err != nil {
		t.Errorf("another machine: %v", err)
	}
	all, err := blobs.List(t.Context())
	if err != nil || len(all) != 2 || all[0].State == all[1].State {
		t.Errorf("%+v, %v", all, err)
	}
}

func TestS3Down(t *testing.T) {
	fake, at := s3(t)
	spool := t.TempDir()
	fake.setDown(true)
	a := open(t, Options{Blobs: at(spool), MaxFile: 3000})
	var refs []Ref
	for i := range 4 {
		refs = append(refs, write(t, a, page(noise(uint64(i), 2000)))[0].Ref)
	}
	wantFault(t, a.Settle(t.Context()), "archive_unavailable")
	for _, ref := range refs {
		if err := a.Verify(t.Context(), ref); err != nil {
			t.Errorf("while S3 is down: %v", err)
		}
	}
	fake.setDown(false)
	if err := a.Rotate(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := len(fake.keys()); n != 4 {
		t.Errorf("%d objects, want 4", n)
	}
	for _, ref := range refs {
		if err := a.Verify(t.Context(), ref); err != nil {
			t.Error(err)
		}
	}
}

func TestDeadProcessLeavesItsFileToS3(t *testing.T) {
	fake, at := s3(t)
	source := t.TempDir()
	a := open(t, Options{Blobs: folderAt(t, source)})
	e := write(t, a, page("survivor"))[0]
	data, err := os.ReadFile(files(t, source)[0])
	if err != nil {
		t.Fatal(err)
	}
	spool := t.TempDir()
	if err := os.WriteFile(spool+"/"+e.Ref.File()+openSuffix, append(data, "half a rec"...), 0o600); err != nil {
		t.Fatal(err)
	}
	b := open(t, Options{Blobs: at(spool)})
	if len(fake.keys()) != 1 || len(files(t, spool)) != 0 {
		t.Errorf("objects %v, spool %v", fake.keys(), files(t, spool))
	}
	if err := b.Verify(t.Context(), e.Ref); err != nil {
		t.Error(err)
	}
}

func TestPruneOnS3(t *testing.T) {
	fake, at := s3(t)
	blobs := at(t.TempDir())
	a := open(t, Options{Blobs: blobs})
	var names []string
	for i := range 5 {
		names = append(names, write(t, a, page(noise(uint64(i), 500)))[0].Ref.File())
		if i < 4 {
			if err := a.Rotate(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	deleted, err := Prune(t.Context(), blobs, Retention{MaxAge: time.Hour}, noon.Add(2*time.Hour),
		func(_ context.Context, file string) (bool, error) { return file == names[2], nil })
	if err != nil || len(deleted) != 3 {
		t.Errorf("deleted %v, %v", deleted, err)
	}
	if got := fake.keys(); len(got) != 1 || got[0] != "some/prefix/"+names[2] {
		t.Errorf("objects: %v", got)
	}
}

func TestS3Refuses(t *testing.T) {
	server := httptest.NewTLSServer(&fakeS3{})
	defer server.Close()
	for _, bucket := range []string{"pages", "nosuchbucket"} {
		t.Run(bucket, func(t *testing.T) {
			blobs, err := OpenBlobs("s3://"+bucket+"?endpoint="+server.URL, BlobOptions{Transport: server.Client().Transport, Spool: t.TempDir()})
			if err != nil {
				t.Fatal(err)
			}
			_, err = blobs.List(t.Context())
			wantFault(t, err, "archive_refused")
			_, err = blobs.Range(t.Context(), "20260314120000-h-1-0123abcd.warc.gz", 0, 1)
			wantFault(t, err, "archive_refused")
		})
	}
	for _, location := range []string{"s3://key:secret@pages", "s3://pages?endpoint=ftp://x", "s3://pages?endpoint=http://x/path"} {
		t.Run(location, func(t *testing.T) {
			_, err := OpenBlobs(location, BlobOptions{Transport: server.Client().Transport, Spool: t.TempDir()})
			wantFault(t, err, "bad_archive")
		})
	}
}

func TestEraseOnS3(t *testing.T) {
	_, at := s3(t)
	a := open(t, Options{Blobs: at(t.TempDir())})
	entries := write(t, a, page(noise(1, 90_000)), page(noise(2, 500)))
	erased, err := a.Erase(t.Context(), entries[0].Ref)
	if err != nil || len(erased) != 1 {
		t.Fatalf("erased %v (%v)", erased, err)
	}
	if _, err := a.Read(t.Context(), entries[0].Ref); err == nil {
		t.Error("what was erased can be read")
	}
	if x, err := a.Read(t.Context(), entries[1].Ref); err != nil || len(x.Body) != 500 {
		t.Errorf("the other has %d bytes (%v)", len(x.Body), err)
	}
}
