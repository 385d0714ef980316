package archive

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// What is erased can be read no more, all else stays in its place, and the file keeps its age.
func TestErase(t *testing.T) {
	dir := t.TempDir()
	blobs, err := OpenBlobs(dir, BlobOptions{})
	if err != nil {
		t.Fatal(err)
	}
	a := open(t, Options{Blobs: blobs})
	sizes := []int{0, 10, 1000, 70_000, 300_000, 3_000_000}
	var refs []Ref
	for i, n := range sizes {
		refs = append(refs, write(t, a, page(noise(uint64(i), n)))[0].Ref)
	}
	if err := a.Rotate(t.Context()); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, refs[0].File())
	before := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	if err := os.Chtimes(name, before, before); err != nil {
		t.Fatal(err)
	}
	for i, ref := range refs {
		erased, err := a.Erase(t.Context(), ref)
		if err != nil || len(erased) != 1 {
			t.Fatalf("a page of %d bytes: %v (%v)", sizes[i], erased, err)
		}
		for j, other := range refs {
			x, err := a.Read(t.Context(), other)
			if (err != nil) != (j <= i) || err == nil && len(x.Body) != sizes[j] {
				t.Errorf("after the page of %d bytes was erased, that of %d has %d (%v)", sizes[i], sizes[j], len(x.Body), err)
			}
		}
	}
	if info, err := os.Stat(name); err != nil || !info.ModTime().Equal(before) {
		t.Errorf("the file is of %v (%v)", info.ModTime(), err)
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	kinds := map[string]int{}
	err = Scan(t.Context(), f, func(r *WARCRecord) error { kinds[r.Type()]++; return nil })
	if err != nil || kinds["metadata"] != len(sizes) || kinds["response"] != 0 {
		t.Errorf("the file has %v (%v)", kinds, err)
	}
}
