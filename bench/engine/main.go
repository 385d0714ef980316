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
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// errMissed: everything was measured, but a requirement does not hold.
var errMissed = errors.New("a requirement is missed")

func main() {
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	if len(os.Args) > 1 && os.Args[1] == workCommand {
		exit(workHere(ctx, os.Args[2:], os.Stdin, os.Stdout))
	}
	exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "engine:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// run is the whole benchmark.
func run(ctx context.Context, args []string, out, progress io.Writer) error {
	flags := flag.NewFlagSet("engine", flag.ContinueOnError)
	quick := flags.Bool("quick", false, "small sizes, to see that it works; the numbers mean nothing")
	file := flags.String("json", "", "also write the results to this file")
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
	b := &bench{sizes: fullSizes, place: place, progress: progress}
	if *quick {
		b.sizes = quickSizes
	}
	t, err := b.measure(ctx, *only)
	if err != nil {
		return err
	}
	t.write(out)
	if *file != "" {
		if err := t.save(*file); err != nil {
			return err
		}
	}
	if t.missed() && !*quick {
		return errMissed
	}
	return nil
}
