package archive

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// aged fills a folder with four sealed files, one and two and three and four
// days old, and a current one. It returns their names, oldest first.
func aged(t *testing.T) (blobs Blobs, names []string, size int64) {
	dir := t.TempDir()
	blobs = folderAt(t, dir)
	a := open(t, Options{Blobs: blobs})
	for days := 4; days >= 0; days-- {
		name := write(t, a, page(noise(uint64(days), 1000)))[0].Ref.File()
		names = append(names, name)
		if days == 0 {
			break
		}
		if err := a.Rotate(t.Context()); err != nil {
			t.Fatal(err)
		}
		at := noon.Add(-time.Duration(days) * 24 * time.Hour)
		if err := os.Chtimes(filepath.Join(dir, name), at, at); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		size = max(size, info.Size())
	}
	return blobs, names, size
}

func TestPrune(t *testing.T) {
	const day = 24 * time.Hour
	for name, c := range map[string]struct {
		keep  func(size int64) Retention
		inUse []int // by position, oldest first
		want  []int
	}{
		"no bounds":            {func(int64) Retention { return Retention{} }, nil, nil},
		"age":                  {func(int64) Retention { return Retention{MaxAge: 2*day + time.Hour} }, nil, []int{0, 1}},
		"age, one in use":      {func(int64) Retention { return Retention{MaxAge: 2*day + time.Hour} }, []int{0}, []int{1}},
		"bytes":                {func(n int64) Retention { return Retention{MaxBytes: 3*n + n/2} }, nil, []int{0, 1}},
		"bytes, one in use":    {func(n int64) Retention { return Retention{MaxBytes: 3*n + n/2} }, []int{1}, []int{0, 2}},
		"never the current":    {func(int64) Retention { return Retention{MaxAge: time.Nanosecond, MaxBytes: 1} }, nil, []int{0, 1, 2, 3}},
		"everything is in use": {func(int64) Retention { return Retention{MaxBytes: 1} }, []int{0, 1, 2, 3, 4}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			blobs, names, size := aged(t)
			deleted, err := Prune(t.Context(), blobs, c.keep(size), noon, func(_ context.Context, file string) (bool, error) {
				return slices.Contains(c.inUse, slices.Index(names, file)), nil
			})
			if err != nil {
				t.Fatal(err)
			}
			var got []int
			for _, b := range deleted {
				got = append(got, slices.Index(names, b.Name))
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("deleted %v, want %v", got, c.want)
			}
			left, err := blobs.List(t.Context())
			if err != nil || len(left) != len(names)-len(c.want) {
				t.Errorf("%d files left, %v", len(left), err)
			}
		})
	}
}

func TestPruneStopsWhenUseIsUnknown(t *testing.T) {
	blobs, names, _ := aged(t)
	down := errors.New("database is down")
	deleted, err := Prune(t.Context(), blobs, Retention{MaxBytes: 1}, noon, func(_ context.Context, file string) (bool, error) {
		if file == names[1] {
			return false, down
		}
		return false, nil
	})
	if !errors.Is(err, down) || len(deleted) != 1 || deleted[0].Name != names[0] {
		t.Errorf("%v, %v", deleted, err)
	}
}

func TestFoldersHoldOtherThingsToo(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"notes.txt", "x.warc.gz", "20260314120000-h-1-0123abcd.warc.gz.bak"} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o600); err != nil {
				t.Fatal(err)
			}
		})
	}
	blobs := folderAt(t, "file://"+dir)
	if all, err := blobs.List(t.Context()); err != nil || len(all) > 0 {
		t.Errorf("%v, %v", all, err)
	}
	wantFault(t, blobs.Delete(t.Context(), "../notes.txt"), "bad_ref")
	_, err := blobs.Range(t.Context(), "notes.txt", 0, 1)
	wantFault(t, err, "bad_ref")
	_, err = blobs.Create(t.Context(), "/etc/x")
	wantFault(t, err, "bad_ref")
}

func TestPlacesThatAreNone(t *testing.T) {
	for _, place := range []string{"", "ftp://host/x", "file://host/path", "s3://bucket", "s3://bucket/%zz", "s3://"} {
		t.Run(place, func(t *testing.T) {
			_, err := OpenBlobs(place, BlobOptions{})
			wantFault(t, err, "bad_archive")
		})
	}
}
