package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// bench is one run of the benchmark.
type bench struct {
	sizes    sizes
	compress bool
	progress io.Writer
	folder   string // of this run; holds the programs and their data
	site     *site
}

func (b *bench) say(format string, values ...any) {
	fmt.Fprintf(b.progress, "… "+format+"\n", values...)
}

// measure runs all rounds.
func (b *bench) measure(ctx context.Context) (*table, error) {
	folder, err := os.MkdirTemp("", "curlew-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	b.folder = folder
	b.say("building Curlew and Colly")
	if err := b.build(ctx); err != nil {
		return nil, err
	}
	if b.site, err = startSite(ctx, b.sizes, b.compress); err != nil {
		return nil, err
	}
	defer b.site.end()
	var all results
	for round := range b.sizes.rounds {
		r, err := b.round(ctx, round)
		if err != nil {
			return nil, err
		}
		b.say("round %d of %d: Curlew %.2f s, again %.2f s, Colly %.2f s", round+1, b.sizes.rounds,
			r.first.seconds(), r.again.seconds(), r.colly.seconds())
		all = append(all, r)
	}
	return all.table(b.sizes), nil
}

// build compiles both contenders as their users do.
func (b *bench) build(ctx context.Context) error {
	root, err := findRoot()
	if err != nil {
		return err
	}
	for _, p := range []struct{ folder, source, program string }{
		{root, "./cmd/curlew", "curlew"}, {filepath.Join(root, "bench", "colly"), ".", "colly"},
	} {
		command := exec.CommandContext(ctx, "go", "build", "-o", filepath.Join(b.folder, p.program), p.source)
		command.Dir = p.folder
		command.Env = append(os.Environ(), "CGO_ENABLED=0")
		if said, err := command.CombinedOutput(); err != nil {
			return fmt.Errorf("build %s: %w\n%s", p.program, err, said)
		}
	}
	return nil
}

// findRoot looks for the repository in this folder and those above.
func findRoot() (string, error) {
	folder, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(folder, "cmd", "curlew")); err == nil {
			return folder, nil
		}
		if folder == filepath.Dir(folder) {
			return "", fmt.Errorf("cmd/curlew is not to be found: run this inside the repository")
		}
		folder = filepath.Dir(folder)
	}
}

// round lets Curlew crawl twice and Colly once.
func (b *bench) round(ctx context.Context, number int) (r result, err error) {
	data := filepath.Join(b.folder, "data"+strconv.Itoa(number))
	defer os.RemoveAll(data)
	if r.first, err = b.curlew(ctx, data, counts{Whole: b.sizes.pages}); err != nil {
		return r, err
	}
	if r.again, err = b.curlew(ctx, data, counts{NotModified: b.sizes.pages}); err != nil {
		return r, err
	}
	r.colly, err = b.measured(ctx, "Colly", counts{Whole: b.sizes.pages}, nil, "colly", b.site.url, strconv.Itoa(b.sizes.atOnce))
	return r, err
}

func (b *bench) curlew(ctx context.Context, data string, want counts) (cost, error) {
	return b.measured(ctx, "Curlew", want, []string{"CURLEW_EGRESS_ALLOW=127.0.0.0/8", "CURLEW_EGRESS_PORTS=" + b.site.port},
		"curlew", "crawl", b.site.url, "--max-pages", strconv.Itoa(b.sizes.pages), "--delay", "0s",
		"--concurrency", strconv.Itoa(b.sizes.atOnce), "--data", data)
}

// cost is what a process took.
type cost struct {
	time   time.Duration
	memory float64 // at most, in megabytes
}

func (c cost) seconds() float64 { return c.time.Seconds() }

// measured runs a program and checks with the site that it did the work. The
// disk is quiet when it begins, so that nobody pays for another's writes.
func (b *bench) measured(ctx context.Context, name string, want counts, environment []string, program string, args ...string) (cost, error) {
	if err := exec.CommandContext(ctx, "sync").Run(); err != nil {
		return cost{}, err
	}
	if _, err := b.site.counted(ctx); err != nil {
		return cost{}, err
	}
	var said bytes.Buffer
	command := exec.CommandContext(ctx, filepath.Join(b.folder, program), args...)
	command.Env = append(withoutOwn(os.Environ()), environment...)
	command.Stdout, command.Stderr = &said, &said
	began := time.Now()
	err := command.Run()
	took := time.Since(began)
	if err != nil {
		return cost{}, fmt.Errorf("%s: %w\n%s", name, err, said.String())
	}
	got, err := b.site.counted(ctx)
	if err != nil {
		return cost{}, err
	}
	if got.Whole < want.Whole || got.NotModified != want.NotModified { // Colly sometimes asks twice
		return cost{}, fmt.Errorf("%s asked for %+v and not for %+v\n%s", name, got, want, said.String())
	}
	return cost{took, peak(command.ProcessState)}, nil
}

// withoutOwn leaves out settings that would change what is measured.
func withoutOwn(environment []string) []string {
	var kept []string
	for _, e := range environment {
		if !strings.HasPrefix(e, "CURLEW_") {
			kept = append(kept, e)
		}
	}
	return kept
}
