package archive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// TestDeathAtEveryByte cuts a file at every byte of its last exchange, as a
// process does that dies while writing, and opens the archive again.
func TestDeathAtEveryByte(t *testing.T) {
	source := t.TempDir()
	a := open(t, Options{Blobs: folderAt(t, source)})
	first, last := write(t, a, page("first"))[0], write(t, a, page(noise(7, 400)))[0]
	if err := a.Rotate(t.Context()); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(files(t, source)[0])
	if err != nil {
		t.Fatal(err)
	}
	_, lastAt, _, _ := last.Ref.split()
	for size := 0; size <= len(whole); size++ {
		if size > 0 && size < int(lastAt)-1 {
			size = min(size+40, int(lastAt)-1) // every byte counts in the last one only
		}
		dir := t.TempDir()
		name := filepath.Join(dir, first.Ref.File())
		if err := os.WriteFile(name+openSuffix, whole[:size], 0o600); err != nil {
			t.Fatal(err)
		}
		blobs := folderAt(t, dir)
		found, err := leftovers(t.Context(), blobs)
		if err != nil || len(found) != 1 {
			t.Fatalf("leftovers: %v, %v", found, err)
		}
		b, err := Open(t.Context(), Options{Blobs: blobs})
		if err != nil {
			t.Fatal(err)
		}
		if err := b.Verify(t.Context(), first.Ref); (err == nil) != (size >= int(lastAt)) {
			t.Fatalf("cut at %d: the first exchange: %v", size, err)
		}
		if err := b.Verify(t.Context(), last.Ref); (err == nil) != (size == len(whole)) {
			t.Fatalf("cut at %d: the last exchange: %v", size, err)
		}
		if size%32 == 0 {
			anew := write(t, b, page("after"))[0]
			if err := b.Verify(t.Context(), anew.Ref); err != nil {
				t.Fatalf("cut at %d: %v", size, err)
			}
		}
		if err := b.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		blocks(t, dir) // fails unless every record of every file is whole
		if left, _ := filepath.Glob(filepath.Join(dir, "*"+openSuffix)); len(left) > 0 {
			t.Fatalf("left over: %v", left)
		}
	}
}

// TestKilledProcess kills a real process that writes as fast as it can; what it
// had acknowledged must be there.
func TestKilledProcess(t *testing.T) {
	if dir := os.Getenv("ARCHIVE_TEST_WRITE_TO"); dir != "" {
		writeForever(t, dir)
		return
	}
	for round := range 5 {
		dir := t.TempDir()
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestKilledProcess$")
		cmd.Env = append(os.Environ(), "ARCHIVE_TEST_WRITE_TO="+dir)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		refs := acknowledged(out, 20+37*round, func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait()
		a := open(t, Options{Blobs: folderAt(t, dir)})
		for _, ref := range refs {
			if err := a.Verify(t.Context(), ref); err != nil {
				t.Errorf("round %d: an acknowledged exchange is lost: %v", round, err)
			}
		}
		if len(refs) < 20 {
			t.Errorf("round %d: only %d exchanges", round, len(refs))
		}
		blocks(t, dir)
	}
}

// acknowledged reads refs, and kills the writer after n of them.
func acknowledged(out io.Reader, n int, kill func()) []Ref {
	var refs []Ref
	for {
		var line string
		if _, err := fmt.Fscanln(out, &line); err != nil {
			return refs
		}
		if ref, err := ParseRef(line); err == nil {
			refs = append(refs, ref)
		}
		if len(refs) == n {
			kill()
		}
	}
}

func writeForever(t *testing.T, dir string) {
	a := open(t, Options{Blobs: folderAt(t, dir), MaxFile: 100 << 10})
	for w := range 4 {
		go func() {
			for i := 0; ; i++ {
				entries, err := a.Write(context.Background(), page(noise(uint64(w<<20+i), 3000)))
				if err != nil {
					return
				}
				fmt.Println(entries[0].Ref)
			}
		}()
	}
	select {}
}

func TestLivingFilesAreLeftAlone(t *testing.T) {
	dir := t.TempDir()
	a := open(t, Options{Blobs: folderAt(t, dir)})
	first := write(t, a, page("one"))[0]
	b := open(t, Options{Blobs: folderAt(t, dir)}) // settles
	if found, err := leftovers(t.Context(), b.blobs); err != nil || len(found) > 0 {
		t.Errorf("leftovers: %v, %v", found, err)
	}
	second := write(t, a, page("two"))[0]
	if first.Ref.File() != second.Ref.File() {
		t.Error("the file of a living process was sealed by another")
	}
	if err := b.Verify(t.Context(), second.Ref); err != nil {
		t.Error(err)
	}
}

// TestComingAndGoing has many archives open, write and close in one folder, each
// looking for abandoned files while others create theirs.
func TestComingAndGoing(t *testing.T) {
	dir := t.TempDir()
	var mu sync.Mutex
	var refs []Ref
	var wg sync.WaitGroup
	for w := range 6 {
		wg.Go(func() {
			for i := range 10 {
				a, err := Open(t.Context(), Options{Blobs: folderAt(t, dir)})
				if err != nil {
					t.Error(err)
					return
				}
				entries, err := a.Write(t.Context(), page(fmt.Sprint(w, i)))
				if err := errors.Join(err, a.Close(t.Context())); err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				refs = append(refs, entries[0].Ref)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	a := open(t, Options{Blobs: folderAt(t, dir)})
	for _, ref := range refs {
		if err := a.Verify(t.Context(), ref); err != nil {
			t.Error(err)
		}
	}
	if len(refs) != 60 || len(files(t, dir)) != 60 {
		t.Errorf("%d exchanges in %d files, want 60 in 60", len(refs), len(files(t, dir)))
	}
}

// smallDisk takes so many bytes and no more.
type smallDisk struct {
	Blobs
	free    int
	syncErr error
}

type smallFile struct {
	AppendFile
	disk *smallDisk
}

func (d *smallDisk) Create(ctx context.Context, name string) (AppendFile, error) {
	f, err := d.Blobs.Create(ctx, name)
	if err != nil {
		return nil, err
	}
	return &smallFile{f, d}, nil
}

func (f *smallFile) Write(p []byte) (int, error) {
	n, err := f.AppendFile.Write(p[:min(len(p), f.disk.free)])
	f.disk.free -= n
	if err == nil && n < len(p) {
		err = &os.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}
	}
	return n, err
}

func (f *smallFile) Sync() error {
	if err := f.disk.syncErr; err != nil {
		return err
	}
	return f.AppendFile.Sync()
}

func TestDiskFull(t *testing.T) {
	for free := 0; free < 2500; free += 61 {
		dir := t.TempDir()
		disk := &smallDisk{Blobs: folderAt(t, dir), free: free}
		a := open(t, Options{Blobs: disk})
		var kept []Entry
		var full error
		for i := 0; full == nil; i++ {
			entries, err := a.Write(t.Context(), page(noise(uint64(i), 100)))
			kept, full = append(kept, entries...), err
		}
		wantFault(t, full, "disk_full")
		_, err := a.Write(t.Context(), page("still full"))
		wantFault(t, err, "disk_full")

		disk.free = 1 << 20
		kept = append(kept, write(t, a, page("space is back"))...)
		for _, e := range kept {
			if err := a.Verify(t.Context(), e.Ref); err != nil {
				t.Errorf("with %d bytes: %v", free, err)
			}
		}
		if got := strings.Count(strings.Join(blocks(t, dir), ""), "{WARC-Type response}"); got != len(kept) {
			t.Errorf("with %d bytes: %d responses in the files, %d referenced", free, got, len(kept))
		}
	}
}

func TestFailedSyncIsNeverTrusted(t *testing.T) {
	dir := t.TempDir()
	disk := &smallDisk{Blobs: folderAt(t, dir), free: 1 << 20}
	a := open(t, Options{Blobs: disk})
	before := write(t, a, page("before"))[0]
	disk.syncErr = errors.New("input/output error")
	if _, err := a.Write(t.Context(), page("lost")); !errors.Is(err, disk.syncErr) {
		t.Errorf("got %v", err)
	}
	disk.syncErr = nil
	after := write(t, a, page("after"))[0]
	if before.Ref.File() == after.Ref.File() {
		t.Error("the file whose sync failed was appended to")
	}
	for i, e := range []Entry{before, after} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if err := a.Verify(t.Context(), e.Ref); err != nil {
				t.Error(err)
			}
		})
	}
	if strings.Contains(strings.Join(blocks(t, dir), ""), "lost") {
		t.Error("what was never acknowledged is in the archive")
	}
}

// leftovers are the files that a dead process left unsealed.
func leftovers(ctx context.Context, blobs Blobs) ([]Blob, error) {
	all, err := blobs.List(ctx)
	return slices.DeleteFunc(all, func(b Blob) bool { return b.State != Abandoned }), err
}
