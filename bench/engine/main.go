// Engine measures Curlew's job queue on both engines, on Postgres beside River
// (https://riverqueue.com) in the same run, and says whether two requirements
// hold: at least as fast as River, and no slower with a million finished jobs in
// the table.
//
// It measures no-op jobs, so nothing but the queue; it makes no claim about what
// Curlew's real jobs cost. Numbers of different runs do not compare: the rounds
// of all contenders alternate, and what counts is the ratio within a run.
//
//	go run ./engine [--quick] [--json FILE] [--postgres URL] [--sqlite-only]
package main

import (
	"context"
	"io"
	"os"

	"github.com/curlew-data/curlew/bench/measure"
)

func main() {
	measure.Program("engine", func(ctx context.Context) error {
		if len(os.Args) > 1 && os.Args[1] == workCommand {
			return workHere(ctx, os.Args[2:], os.Stdin, os.Stdout)
		}
		return run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	})
}

// run is the whole benchmark.
func run(ctx context.Context, args []string, out, progress io.Writer) error {
	var o measure.Options
	flags := o.Flags("engine")
	postgres := flags.String("postgres", "", "a Postgres on which databases may be created; without it, one is started")
	only := flags.String("only", "", "measure one part only: throughput, growth, blocked or rerun")
	sqliteOnly := flags.Bool("sqlite-only", false, "leave Postgres and River out")
	if err := flags.Parse(args); err != nil {
		return err
	}
	place, err := prepare(ctx, *postgres, *sqliteOnly)
	if err != nil {
		return err
	}
	defer place.clear()
	b := &bench{sizes: fullSizes, place: place, Progress: measure.Progress{Writer: progress}}
	if o.Quick {
		b.sizes = quickSizes
	}
	t, err := b.measure(ctx, *only)
	if err != nil {
		return err
	}
	return o.Tell(t, out)
}
