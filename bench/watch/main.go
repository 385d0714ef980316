// Watch measures what watching costs, on both engines, and says whether the requirements
// hold: with 100,000 watches of which one in a hundred is due, a look for due ones takes
// under a second and no more memory than in a table of a tenth; a page of 1,000
// entities of which ten have changed is published in under 250 milliseconds on SQLite;
// 10,000 changes reach three endpoints at 1,000 deliveries a second or more on Postgres.
//
// The figures are taken by tests of internal/work/runs, so that they can be profiled and have
// every part of the engine; this makes a table of them. Of several tries the least
// counts. Publishing is judged by the time of the processors: from the archived page
// to the committed changes it waits for nothing but the disk.
//
//	go run ./watch [--quick] [--json FILE] [--postgres URL]
package main

import (
	"context"
	"io"
	"os"

	"github.com/curlew-data/curlew/bench/measure"
)

func main() {
	measure.Program("watch", func(ctx context.Context) error {
		return run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	})
}

// run is the whole benchmark.
func run(ctx context.Context, args []string, out, progress io.Writer) error {
	var o measure.Options
	flags := o.Flags("watch")
	postgres := flags.String("postgres", "", "a Postgres on which databases may be created; without it, one is started")
	if err := flags.Parse(args); err != nil {
		return err
	}
	t, err := collect(ctx, *postgres, o.Quick, measure.Progress{Writer: progress})
	if err != nil {
		return err
	}
	return o.Tell(t, out)
}
