// Crawl measures a whole crawl of Curlew beside Colly (https://go-colly.org) in
// the same run: 2,000 pages of 250 KB on loopback, without pacing, 16 at a time.
// It says whether three requirements hold: fetching, archiving and keeping the
// URL log is at least 1.5 times as fast as Colly's fetching and parsing, in under
// 200 MB of memory, and a second crawl in which nothing changed is at least 10
// times as fast as the first.
//
// Times are those of whole processes, from start to exit, with fsync. The site
// runs in a process of its own on the same machine. Numbers of different runs do
// not compare: the contenders alternate, and what counts is the ratio within a
// run.
//
//	go run ./crawl [--quick] [--json FILE] [--gzip]
package main

import (
	"context"
	"io"
	"os"

	"github.com/curlew-data/curlew/bench/measure"
)

func main() {
	measure.Program("crawl", func(ctx context.Context) error {
		if len(os.Args) > 1 && os.Args[1] == measure.SiteCommand {
			return serveSite(ctx, os.Args[2:], os.Stdin, os.Stdout)
		}
		return run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	})
}

// sizes say how much is measured.
type sizes struct {
	pages, bytes int // of the site
	atOnce       int
	rounds       int // of each contender; their median counts
}

// The issue asks for 2,000 pages of 250 KB, 16 at a time.
var (
	fullSizes  = sizes{pages: 2000, bytes: 250_000, atOnce: 16, rounds: 3}
	quickSizes = sizes{pages: 60, bytes: 20_000, atOnce: 4, rounds: 1}
)

// run is the whole benchmark.
func run(ctx context.Context, args []string, out, progress io.Writer) error {
	var o measure.Options
	flags := o.Flags("crawl")
	compress := flags.Bool("gzip", false, "let the site compress its pages")
	if err := flags.Parse(args); err != nil {
		return err
	}
	b := &bench{sizes: fullSizes, compress: *compress, Progress: measure.Progress{Writer: progress}}
	if o.Quick {
		b.sizes = quickSizes
	}
	t, err := b.measure(ctx)
	if err != nil {
		return err
	}
	return o.Tell(t, out)
}
