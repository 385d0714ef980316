// Console measures how long the pages of the console take in an installation that was
// busy for a year (on SQLite: 100,000 entities, a million changes), and says whether
// the requirements hold: every page under 50 milliseconds of the server's time, and
// under 150 KB for a first load, compressed.
//
// It fills a store, starts the real program on it, signs in, and walks: the screens are
// those that the console itself names, and the addresses of each are links and filters
// found on its pages, with the first part of each listing and one far back. The listings
// of the API and the metrics are measured the same way.
//
// The time is what the server says in Server-Timing, from the first byte read to the
// page being made. A page counts by the 95th percentile of its tries.
//
//	go run ./console [--quick] [--json FILE] [--data FOLDER] [--part N]
package main

import (
	"context"
	"io"
	"os"

	"github.com/curlew-data/curlew/bench/measure"
)

func main() {
	measure.Program("console", func(ctx context.Context) error {
		return run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	})
}

// run is the whole benchmark.
func run(ctx context.Context, args []string, out, progress io.Writer) error {
	var o measure.Options
	s := settings{tries: 20, part: 1}
	flags := o.Flags("console")
	flags.StringVar(&s.data, "data", "", "fill this folder and keep it; a folder that is filled already is used as it is")
	flags.IntVar(&s.part, "part", s.part, "fill one of so many parts of the year's rows")
	flags.IntVar(&s.tries, "tries", s.tries, "how often each address is asked for")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if o.Quick {
		s.part, s.tries = 200, 3
	}
	t, err := collect(ctx, s, measure.Progress{Writer: progress})
	if err != nil {
		return err
	}
	return o.Tell(t, out)
}
