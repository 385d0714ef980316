package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"

	"github.com/curlew-data/curlew/bench/measure"
)

// bench is one run of the benchmark.
type bench struct {
	measure.Progress
	sizes  sizes
	folder string // of this run; holds the programs, the pages and what was made of them
}

// measure runs all rounds.
func (b *bench) measure(ctx context.Context) (*measure.Table, error) {
	corpus, err := measure.Corpus(ctx)
	if err != nil {
		return nil, err
	}
	pages, err := measure.RealPages(corpus, b.sizes.kinds, measure.Describes)
	if err != nil {
		return nil, err
	}
	if b.folder, err = os.MkdirTemp("", "curlew-bench-"); err != nil {
		return nil, err
	}
	defer os.RemoveAll(b.folder)
	m, err := layOut(b.folder, pages, b.sizes.pages)
	if err != nil {
		return nil, err
	}
	b.Say("%d real pages, repeated to %s files with %d MB", len(pages), measure.Thousands(b.sizes.pages), m.bytes/1e6)
	b.Say("building Curlew and Colly")
	if err := measure.Build(ctx, b.folder); err != nil {
		return nil, err
	}
	found, err := b.check(ctx, m)
	if err != nil {
		return nil, err
	}
	var all results
	for round := range b.sizes.rounds {
		r, err := b.round(ctx, m, pages, found.records)
		if err != nil {
			return nil, err
		}
		b.Say("round %d of %d: Curlew %.2f s (CPU %.2f s), Colly %.2f s (CPU %.2f s); tree %.2f s, bare parsing %.2f s", round+1, b.sizes.rounds,
			r.curlew.Seconds(), r.curlew.CPU.Seconds(), r.colly.Seconds(), r.colly.CPU.Seconds(), r.whole.Seconds(), r.bare.Seconds())
		all = append(all, r)
	}
	return all.table(b.sizes, found), nil
}

// harvest is what Curlew finds on the pages.
type harvest struct{ pages, records int }

// check asks Curlew page by page, before anything is measured, whether it finds
// what is there.
func (b *bench) check(ctx context.Context, m material) (found harvest, err error) {
	file := filepath.Join(b.folder, "pages.jsonl")
	if _, err = b.run(ctx, "Curlew", file, "curlew", "extract", "--tier", "structured", "--manifest", m.manifest, "--by-page"); err != nil {
		return found, err
	}
	schemas := map[string]int{}
	err = eachLine(file, func(line []byte) error {
		var page struct {
			Schema  string
			Records []json.RawMessage
		}
		if err := json.Unmarshal(line, &page); err != nil {
			return err
		}
		if len(page.Records) > 0 {
			found.pages++
			schemas[page.Schema]++
		}
		found.records += len(page.Records)
		return nil
	})
	if err != nil {
		return found, err
	}
	b.Say("Curlew finds records on %d of %d pages: %v", found.pages, b.sizes.pages, schemas)
	if found.pages*100 < b.sizes.pages*leastPages {
		return found, fmt.Errorf("Curlew finds records on %d of %d pages: on %d %% or more there are some", found.pages, b.sizes.pages,
			leastPages)
	}
	return found, nil
}

// round lets the contenders run one after the other.
func (b *bench) round(ctx context.Context, m material, pages [][]byte, records int) (r result, err error) {
	ours, theirs := filepath.Join(b.folder, "curlew.jsonl"), filepath.Join(b.folder, "colly.jsonl")
	if r.curlew, err = b.run(ctx, "Curlew", ours, "curlew", "extract", "--tier", "structured", "--manifest", m.manifest, "--format",
		"jsonl"); err != nil {
		return r, err
	}
	if r.colly, err = b.run(ctx, "Colly", theirs, "colly", "extract", m.list, strconv.Itoa(runtime.NumCPU())); err != nil {
		return r, err
	}
	got, err := countLines(ours)
	if err == nil && got != records {
		err = fmt.Errorf("Curlew printed %d records and found %d when it was asked page by page", got, records)
	}
	if err != nil {
		return r, err
	}
	if r.objects, err = countLines(theirs); err == nil && r.objects < b.sizes.pages {
		err = fmt.Errorf("Colly printed %d objects of %d pages: each page has one or more", r.objects, b.sizes.pages)
	}
	if err != nil {
		return r, err
	}
	r.bare, r.whole = compareTrees(pages)
	return r, nil
}

// run runs a contender that prints to a file.
func (b *bench) run(ctx context.Context, name, file, program string, args ...string) (cost measure.Cost, err error) {
	out, err := os.Create(file)
	if err != nil {
		return cost, err
	}
	defer out.Close()
	return measure.Run(ctx, measure.Process{Name: name, Program: filepath.Join(b.folder, program), Args: args, Out: out})
}

func countLines(file string) (n int, err error) {
	err = eachLine(file, func([]byte) error { n++; return nil })
	return n, err
}

func eachLine(file string, do func(line []byte) error) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	for line := range bytes.Lines(text) {
		if err := do(line); err != nil {
			return fmt.Errorf("%s: %w", filepath.Base(file), err)
		}
	}
	return nil
}
