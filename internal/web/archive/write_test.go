package archive

import (
	"context"
	"fmt"
	"sync"
	"testing"
)

func TestManyWritersInTwoArchivesOnOneFolder(t *testing.T) {
	dir := t.TempDir()
	seen := newIndex()
	archives := []*Archive{
		open(t, Options{Blobs: folderAt(t, dir), MaxFile: 64 << 10, Known: seen.known}),
		open(t, Options{Blobs: folderAt(t, dir), MaxFile: 64 << 10, Known: seen.known}),
	}
	const writers, each = 8, 25
	var wg sync.WaitGroup
	var mu sync.Mutex
	bodies := map[Ref]string{}
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				body := noise(uint64(w*i%50), 2000)
				entries, err := archives[w%2].Write(t.Context(), page(body), page(body+"!"))
				if err != nil {
					t.Error(err)
					return
				}
				seen.add(entries...)
				mu.Lock()
				bodies[entries[0].Ref], bodies[entries[1].Ref] = body, body+"!"
				mu.Unlock()
				if _, err := archives[(w+1)%2].Read(t.Context(), entries[0].Ref); err != nil {
					t.Errorf("read at once by the other: %v", err)
				}
			}
		})
	}
	wg.Wait()
	if len(bodies) != writers*each*2 {
		t.Errorf("%d places for %d exchanges", len(bodies), writers*each*2)
	}
	for ref, body := range bodies {
		x, err := archives[0].Read(t.Context(), ref)
		if err != nil || string(x.Body) != body {
			t.Fatalf("%s: %v", ref, err)
		}
	}
}

func TestWritersShareASync(t *testing.T) {
	slow := &countingBlobs{Blobs: folderAt(t, t.TempDir()), entered: make(chan struct{}, 99), leave: make(chan struct{})}
	a := open(t, Options{Blobs: slow})
	var wg sync.WaitGroup
	for i := range 11 {
		wg.Go(func() {
			if _, err := a.Write(t.Context(), page(fmt.Sprint(i))); err != nil {
				t.Error(err)
			}
		})
	}
	<-slow.entered // the first batch is in its sync; let all others gather
	for gathered := 0; gathered < 10; {
		a.mu.Lock()
		gathered = 0
		if a.gathering != nil {
			gathered = len(a.gathering.parts)
		}
		if len(slow.sizes()) == 1 && gathered == 11-slow.sizes()[0] {
			gathered = 10
		}
		a.mu.Unlock()
	}
	close(slow.leave)
	wg.Wait()
	if n := len(slow.sizes()); n != 2 {
		t.Errorf("%d syncs for 11 writers, want 2", n)
	}
}

// countingBlobs counts syncs and lets a test hold them up.
type countingBlobs struct {
	Blobs
	entered chan struct{}
	leave   chan struct{}
	mu      sync.Mutex
	synced  []int // writes before each sync, without the warcinfo
	writes  int
}

func (c *countingBlobs) sizes() []int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]int{}, c.synced...)
}

func (c *countingBlobs) Create(ctx context.Context, name string) (AppendFile, error) {
	f, err := c.Blobs.Create(ctx, name)
	c.writes = -1
	return &countingFile{f, c}, err
}

type countingFile struct {
	AppendFile
	*countingBlobs
}

func (f *countingFile) Write(p []byte) (int, error) {
	f.mu.Lock()
	f.writes++
	f.mu.Unlock()
	return f.AppendFile.Write(p)
}

func (f *countingFile) Sync() error {
	f.mu.Lock()
	f.synced = append(f.synced, f.writes)
	f.writes = 0
	f.mu.Unlock()
	f.entered <- struct{}{}
	<-f.leave
	return f.AppendFile.Sync()
}
