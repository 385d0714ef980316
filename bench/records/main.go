// Records measures how fast a crawl gives records, beside Colly (https://go-colly.org)
// in the same run, on real pages. It says whether the goals hold: records of
// structured data at least twice as fast as Colly prints the JSON of them, a first
// check of a watch (archive, store, differences) as fast as that, and pages without
// structured data, of which Colly prints the rows as they stand, at half of its speed;
// all in under 200 MB.
//
// The pages are those of the corpus beside the checkout, repeated under addresses of
// their own until there are 2,000, on loopback, without pacing, 16 at a time. Times
// are those of whole processes, from start to exit. Numbers of different runs do not
// compare: the contenders take turns, and what counts is the ratio within a run.
//
//	go run ./records [--quick] [--json FILE] [--pages N] [--rounds N]
package main

import (
	"context"
	"io"
	"os"

	"github.com/curlew-data/curlew/bench/measure"
)

func main() {
	measure.Program("records", func(ctx context.Context) error {
		if len(os.Args) > 1 && os.Args[1] == measure.SiteCommand {
			return serveSite(ctx, os.Args[2:], os.Stdin, os.Stdout)
		}
		return run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	})
}

// sizes say how much is measured.
type sizes struct {
	pages  int  // of each site
	kinds  int  // different pages at most
	first  bool // take the first pages that will do, and not some from all over the corpus
	atOnce int
	rounds int // of each contender; their median counts
}

// The issue asks for 2,000 pages, 16 at a time.
var (
	fullSizes  = sizes{pages: 2000, kinds: 300, atOnce: 16, rounds: 3}
	quickSizes = sizes{pages: 12, kinds: 6, first: true, atOnce: 4, rounds: 1}
)

// run is the whole benchmark.
func run(ctx context.Context, args []string, out, progress io.Writer) error {
	var o measure.Options
	flags := o.Flags("records")
	pages := flags.Int("pages", 0, "how many pages each site has")
	rounds := flags.Int("rounds", 0, "how often each contender runs")
	if err := flags.Parse(args); err != nil {
		return err
	}
	b := &bench{sizes: fullSizes, Progress: measure.Progress{Writer: progress}}
	if o.Quick {
		b.sizes = quickSizes
	}
	if *pages > 0 {
		b.sizes.pages = *pages
	}
	if *rounds > 0 {
		b.sizes.rounds = *rounds
	}
	t, err := b.measure(ctx)
	if err != nil {
		return err
	}
	return o.Tell(t, out)
}
