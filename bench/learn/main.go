// Learn measures how long it takes to learn a list page, how much applying what was
// learned costs beside parsing the page at all, and how both grow with the page. It
// says whether three requirements hold: a page of 250 KB is learned in under 150
// milliseconds, applying takes less than 1.2 times as long as html.Parse, and neither
// grows faster than n log n.
//
// The pages are made for it: events as cards, products as cards, meetings as a table,
// of 62 KB to 2 MB; list pages of the corpus beside the checkout are added when it is
// there. Learning begins with bytes and ends with a blueprint, so it has the parsing
// in it; applying begins with the parsed page. Times are those of the processors: the
// least of a few tries, in turns with parsing, small pages several times over in each.
// "go test -bench . -cpuprofile cpu ./learn" shows where they go.
//
//	go run ./learn [--quick] [--json FILE]
package main

import (
	"context"
	"io"
	"os"

	"github.com/curlew-data/curlew/bench/measure"
)

func main() {
	measure.Program("learn", func(ctx context.Context) error {
		return run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	})
}

// sizes say how much is measured.
type sizes struct {
	kilobytes []int // of the made pages
	real      int   // pages that others wrote
	tries     int   // of each
}

var (
	fullSizes  = sizes{kilobytes: []int{62, 125, 250, 500, 1000, 2000}, real: 8, tries: 3}
	quickSizes = sizes{kilobytes: []int{62, 125}, tries: 1}
)

// run is the whole benchmark.
func run(ctx context.Context, args []string, out, progress io.Writer) error {
	var o measure.Options
	flags := o.Flags("learn")
	if err := flags.Parse(args); err != nil {
		return err
	}
	s := fullSizes
	if o.Quick {
		s = quickSizes
	}
	t, err := collect(ctx, s, measure.Progress{Writer: progress})
	if err != nil {
		return err
	}
	return o.Tell(t, out)
}
