// Drift measures whether a tool that watches pages tells what happened and nothing else. Pages
// change for known reasons (something new, gone, dearer, renamed, postponed) and for none (tokens,
// counters, banners, another order, half a page, a challenge, a redesign); every tool sees the same
// answers in the same order, and what it tells is compared with what happened.
//
// The pages are the sample web, whose truth is exact; real pages of the corpus, changed by program;
// and real pages of the corpus as they were at two times, with the truth that others wrote for both.
// The tools are Curlew, from its onboarding to its changes; a line diff of the visible text; an index
// diff of the extracted array; and a keyed diff of what fixed selectors extract. docs/drift.md has the
// figures, and how to measure another tool by files.
//
//	go run ./drift [--quick] [--seed N] [--group NAME] [--cases N] [--visits N] [--json FILE]
//	          [--only CASE] [--verbose] [--mistakes FILE] [--svg FILE] [--document FILE --commit ID]
//	go run ./drift --export FOLDER [--quick] [--seed N]     write every page and truth.jsonl
//	go run ./drift --score FILE --export FOLDER             score what another tool told, events.jsonl
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/curlew-data/curlew/bench/measure"
)

func main() {
	measure.Program("drift", func(ctx context.Context) error {
		return run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	})
}

// sizes say how much is measured.
type sizes struct {
	seeds  int // worlds of the sample web
	days   int // visits of each of its sites
	pages  int // real pages that are changed by program
	visits int // of each of them
	pairs  int // real pages at two times
}

var (
	fullSizes  = sizes{seeds: 2, days: 150, pages: 40, visits: 440, pairs: 150}
	quickSizes = sizes{seeds: 1, days: 20, pages: 4, visits: 24, pairs: 4}
)

// options are what the program was told.
type options struct {
	measure.Options
	seed          uint64
	group, only   string
	folder        string
	cases, visits int
	mistakes      string
	score         string
	svg, document string
	commit        string
	verbose       bool
}

// run is the whole benchmark.
func run(ctx context.Context, args []string, out, progress io.Writer) error {
	var o options
	flags := o.Flags("drift")
	flags.Uint64Var(&o.seed, "seed", 1, "of everything that is chosen by chance")
	flags.StringVar(&o.group, "group", "", "only these pages: sample, mutated or pairs")
	flags.StringVar(&o.only, "only", "", "only the page of this name")
	flags.StringVar(&o.mistakes, "mistakes", "", "also write every false and every missed change of Curlew to this file")
	flags.IntVar(&o.cases, "cases", 0, "at most so many pages of each group")
	flags.IntVar(&o.visits, "visits", 0, "of each page, instead of the usual number")
	flags.StringVar(&o.folder, "export", "", "write the pages and their truth to this folder, or read the truth from it")
	flags.StringVar(&o.score, "score", "", "score what this file says another tool told")
	flags.StringVar(&o.document, "document", "", "also put the figures into this document")
	flags.StringVar(&o.commit, "commit", "unknown", "that is measured, for the document")
	flags.StringVar(&o.svg, "svg", "", "also draw the result into this file")
	flags.BoolVar(&o.verbose, "verbose", false, "tell what each visit of Curlew came to; best with --only")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if o.score != "" {
		return scoreFile(o, out)
	}
	p := measure.Progress{Writer: progress}
	all, err := casesOf(ctx, o, p)
	if err != nil {
		return err
	}
	if o.folder != "" {
		return export(all, o.folder, p)
	}
	var tell io.Writer
	if o.verbose {
		tell = progress
	}
	t := measureAll(ctx, all, p, tell)
	if o.mistakes != "" {
		if err := writeLines(o.mistakes, t.mistakes); err != nil {
			return err
		}
	}
	if err := o.publish(t); err != nil {
		return err
	}
	return o.Tell(t, out)
}

// publish puts the figures where people look for them.
func (o options) publish(t *table) error {
	if o.svg != "" {
		if err := os.WriteFile(o.svg, t.draw(), 0o644); err != nil {
			return err
		}
	}
	if o.document == "" {
		return nil
	}
	text, err := os.ReadFile(o.document)
	if err != nil {
		return err
	}
	when := fmt.Sprintf("seed %d, %s, commit %s", o.seed, time.Now().UTC().Format(time.DateOnly), o.commit)
	if text, err = t.document(text, when); err != nil {
		return err
	}
	return os.WriteFile(o.document, text, 0o644)
}
