package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/curlew-data/curlew/bench/measure"
)

// bench is one run of the benchmark.
type bench struct {
	measure.Progress
	sizes    sizes
	compress bool
	folder   string // of this run; holds the programs and their data
	site     *measure.Site
}

// measure runs all rounds.
func (b *bench) measure(ctx context.Context) (*measure.Table, error) {
	folder, err := os.MkdirTemp("", "curlew-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	b.folder = folder
	b.Say("building Curlew and Colly")
	if err := measure.Build(ctx, folder); err != nil {
		return nil, err
	}
	if b.site, err = startSite(ctx, b.sizes, b.compress); err != nil {
		return nil, err
	}
	defer b.site.End()
	var all results
	for round := range b.sizes.rounds {
		r, err := b.round(ctx, round)
		if err != nil {
			return nil, err
		}
		b.Say("round %d of %d: Curlew %.2f s, again %.2f s, Colly %.2f s", round+1, b.sizes.rounds,
			r.first.Seconds(), r.again.Seconds(), r.colly.Seconds())
		all = append(all, r)
	}
	return all.table(b.sizes), nil
}

// round lets Curlew crawl twice and Colly once.
func (b *bench) round(ctx context.Context, number int) (r result, err error) {
	data := filepath.Join(b.folder, "data"+strconv.Itoa(number))
	defer os.RemoveAll(data)
	if r.first, err = b.curlew(ctx, data, measure.Counts{Whole: b.sizes.pages}); err != nil {
		return r, err
	}
	if r.again, err = b.curlew(ctx, data, measure.Counts{NotModified: b.sizes.pages}); err != nil {
		return r, err
	}
	r.colly, err = b.measured(ctx, measure.Counts{Whole: b.sizes.pages}, measure.Process{Name: "Colly", Program: "colly",
		Args: []string{"crawl", b.site.URL, strconv.Itoa(b.sizes.atOnce)}})
	return r, err
}

func (b *bench) curlew(ctx context.Context, data string, want measure.Counts) (measure.Cost, error) {
	return b.measured(ctx, want, measure.Process{Name: "Curlew", Program: "curlew",
		Args: []string{"crawl", b.site.URL, "--max-pages", strconv.Itoa(b.sizes.pages), "--delay", "0s",
			"--concurrency", strconv.Itoa(b.sizes.atOnce), "--data", data},
		Env: []string{"CURLEW_EGRESS_ALLOW=127.0.0.0/8", "CURLEW_EGRESS_PORTS=" + b.site.Port}})
}

// measured runs a program and checks with the site that it did the work.
func (b *bench) measured(ctx context.Context, want measure.Counts, p measure.Process) (measure.Cost, error) {
	if _, err := b.site.Counted(ctx); err != nil {
		return measure.Cost{}, err
	}
	p.Program = filepath.Join(b.folder, p.Program)
	cost, err := measure.Run(ctx, p)
	if err != nil {
		return measure.Cost{}, err
	}
	got, err := b.site.Counted(ctx)
	if err != nil {
		return measure.Cost{}, err
	}
	if got.Whole < want.Whole || got.NotModified != want.NotModified { // Colly sometimes asks twice
		return measure.Cost{}, fmt.Errorf("%s asked for %+v and not for %+v", p.Name, got, want)
	}
	return cost, nil
}
