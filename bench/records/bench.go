package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/curlew-data/curlew/bench/measure"
)

// bench is one run of the benchmark.
type bench struct {
	measure.Progress
	sizes       sizes
	folder      string        // of this run; holds the programs and their data
	told, shown *measure.Site // pages with structured data, and without
}

// measure runs all rounds.
func (b *bench) measure(ctx context.Context) (*table, error) {
	corpus, err := measure.Corpus(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := measure.RealPages(corpus, 1, measure.Describes); err != nil {
		return nil, err
	}
	if b.told, err = startSite(ctx, corpus, b.sizes, true); err != nil {
		return nil, err
	}
	defer b.told.End()
	if b.shown, err = startSite(ctx, corpus, b.sizes, false); err != nil {
		return nil, err
	}
	defer b.shown.End()
	if b.folder, err = os.MkdirTemp("", "curlew-bench-"); err != nil {
		return nil, err
	}
	defer os.RemoveAll(b.folder)
	b.Say("building Curlew and Colly")
	if err := measure.Build(ctx, b.folder); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(b.folder, "watch.json"), []byte(watched), 0o644); err != nil {
		return nil, err
	}
	t := &table{Pages: b.sizes.pages, Rounds: b.sizes.rounds, costs: map[string][]cost{}}
	for round := range b.sizes.rounds {
		for _, c := range contenders {
			cost, err := b.run(ctx, c)
			if err != nil {
				return nil, err
			}
			t.costs[c.name] = append(t.costs[c.name], cost)
			b.Say("round %d of %d: %s: %.1f s, CPU %.1f s, %.0f MB, %d records", round+1, b.sizes.rounds, c.name, cost.Seconds(),
				cost.CPU.Seconds(), cost.Memory, cost.records)
		}
	}
	t.fill()
	return t, nil
}

// cost is what a contender took, and how many records it gave.
type cost struct {
	measure.Cost
	records int
}

// run lets a contender crawl its site, and checks that it did the work.
func (b *bench) run(ctx context.Context, c contender) (cost, error) {
	s := b.told
	if c.shown {
		s = b.shown
	}
	data := filepath.Join(b.folder, "data")
	defer os.RemoveAll(data)
	env := []string{"CURLEW_EGRESS_ALLOW=127.0.0.0/8", "CURLEW_EGRESS_PORTS=" + s.Port, "CURLEW_FETCH_BROWSER=off"}
	if _, err := s.Counted(ctx); err != nil {
		return cost{}, err
	}
	var out lineCount
	took, err := measure.Run(ctx, measure.Process{Name: c.name, Program: filepath.Join(b.folder, c.program), Args: b.fill(c.args, s, data),
		Env: env, Out: &out})
	if err != nil {
		return cost{}, err
	}
	if got, err := s.Counted(ctx); err != nil || got.Whole < b.sizes.pages {
		return cost{}, fmt.Errorf("%s asked for %d of %d pages, %w", c.name, got.Whole, b.sizes.pages, err)
	}
	if !c.records {
		out = 0
	}
	return cost{took, int(out)}, nil
}

// fill puts what is known of this run in the place of names.
func (b *bench) fill(args []string, s *measure.Site, data string) []string {
	known := map[string]string{"URL": s.URL + strings.TrimPrefix(place, "/"), "AT-ONCE": strconv.Itoa(b.sizes.atOnce), "MOST": strconv.Itoa(b.sizes.pages + 10), "DATA": data,
		"BLUEPRINT": filepath.Join(b.folder, "watch.json")}
	filled := make([]string, len(args))
	for i, arg := range args {
		filled[i] = arg
		if value, ok := known[arg]; ok {
			filled[i] = value
		}
	}
	return filled
}

// lineCount counts the lines that are written to it.
type lineCount int

func (c *lineCount) Write(text []byte) (int, error) {
	*c += lineCount(bytes.Count(text, []byte("\n")))
	return len(text), nil
}
