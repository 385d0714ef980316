// Onboard measures how long it takes from the address of a page to the verdict on it: the
// page is fetched, read by every reader, tested, and deployed or offered for choice. It
// says whether two requirements hold: the median page takes under two seconds, and at most
// three times as long as fetching and extracting it alone, as "curlew extract" does.
//
// The pages are the first of four sets of the corpus beside the checkout, by their names,
// each served by a site of its own on loopback that has nothing else. Requests do not wait
// for the pace that real sites are asked at. Both contenders alternate, the faster of a
// few tries of each counts, and what counts is the ratio within a run.
//
//	go run ./onboard [--quick] [--json FILE]
package main

import (
	"context"
	"io"
	"os"

	"github.com/curlew-data/curlew/bench/measure"
)

func main() {
	measure.Program("onboard", func(ctx context.Context) error {
		return run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	})
}

// sizes say how much is measured.
type sizes struct {
	pages int // of each set
	tries int // of each contender
}

var (
	fullSizes  = sizes{pages: 15, tries: 3}
	quickSizes = sizes{pages: 1, tries: 1}
)

// run is the whole benchmark.
func run(ctx context.Context, args []string, out, progress io.Writer) error {
	var o measure.Options
	flags := o.Flags("onboard")
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
