package archive

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// benchPages are pages of about 250 KB that compress as HTML does, to a sixth.
func benchPages(n int) []Exchange {
	words := strings.Fields(noise(42, 6000))
	pages := make([]Exchange, n)
	for i := range pages {
		var b strings.Builder
		for j := 0; b.Len() < 250_000; j++ {
			fmt.Fprintf(&b, `<li class="event-card"><a href="/events/%d-%d"><h3>%s %s</h3></a><time>%d</time><p>%s</p></li>`+"\n",
				i, j, words[(i*7+j*13)%len(words)], words[(i+j*31)%len(words)], j*7919%100000, words[(i*3+j*j)%len(words)])
		}
		pages[i] = page(b.String())
	}
	return pages
}

// BenchmarkWrite is 16 writers of 250 KB pages, every one waiting for the disk.
func BenchmarkWrite(b *testing.B) {
	pages := benchPages(32)
	for _, writers := range []int{1, 16} {
		b.Run(fmt.Sprintf("writers=%d", writers), func(b *testing.B) {
			a := open(b, Options{Blobs: folderAt(b, b.TempDir())})
			b.SetBytes(int64(len(pages[0].Body)))
			b.ReportAllocs()
			var next atomic.Int64
			var wg sync.WaitGroup
			b.ResetTimer()
			for range writers {
				wg.Go(func() {
					for n := next.Add(1); n <= int64(b.N); n = next.Add(1) {
						if _, err := a.Write(b.Context(), pages[n%int64(len(pages))]); err != nil {
							b.Error(err)
							return
						}
					}
				})
			}
			wg.Wait()
			b.StopTimer()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "pages/s")
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			b.ReportMetric(float64(m.Sys>>20), "MiB-of-process")
		})
	}
}

func BenchmarkRead(b *testing.B) {
	a := open(b, Options{Blobs: folderAt(b, b.TempDir())})
	entries := write(b, a, benchPages(32)...)
	b.SetBytes(entries[0].Length)
	for i := 0; b.Loop(); i++ {
		if _, err := a.Read(b.Context(), entries[i%len(entries)].Ref); err != nil {
			b.Fatal(err)
		}
	}
}
