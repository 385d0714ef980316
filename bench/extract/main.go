// Extract measures how fast Curlew turns real pages with JSON-LD into records,
// beside Colly (https://go-colly.org) in the same run, and says whether three
// requirements hold: structured extraction to JSON lines is at least twice as fast
// as Colly's loop over the script elements, in under 150 MB of memory, and reading
// all of a page's tree runs at 0.7 times the speed of parsing alone or better.
//
// Curlew finds entities, maps them to a schema, normalises every value and checks
// it against what the page shows; Colly decodes JSON and prints it. The pages are
// those of the corpus beside the checkout that describe events, products,
// articles, jobs, recipes or organizations, repeated until there are 2,000. Times
// are those of whole processes, from start to exit. Numbers of different runs do
// not compare: the contenders alternate, and what counts is the ratio within a run.
//
//	go run ./extract [--quick] [--json FILE]
package main

import (
	"context"
	"io"
	"os"

	"github.com/curlew-data/curlew/bench/measure"
)

func main() {
	measure.Program("extract", func(ctx context.Context) error {
		return run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	})
}

// sizes say how much is measured.
type sizes struct {
	pages  int // files
	kinds  int // different pages at most; 0 means all
	rounds int // of each contender; their median counts
}

// The issue asks for 2,000 pages.
var (
	fullSizes  = sizes{pages: 2000, rounds: 5}
	quickSizes = sizes{pages: 30, kinds: 10, rounds: 1}
)

// run is the whole benchmark.
func run(ctx context.Context, args []string, out, progress io.Writer) error {
	var o measure.Options
	flags := o.Flags("extract")
	if err := flags.Parse(args); err != nil {
		return err
	}
	b := &bench{sizes: fullSizes, Progress: measure.Progress{Writer: progress}}
	if o.Quick {
		b.sizes = quickSizes
	}
	t, err := b.measure(ctx)
	if err != nil {
		return err
	}
	return o.Tell(t, out)
}
