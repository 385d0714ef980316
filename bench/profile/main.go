// Profile measures where the time of reading a page goes: processor time per stage
// and per kind of page, as a table, and as a flame graph of all of it. The pages are
// those of the corpus beside the checkout, each read once by all readers, as
// "curlew extract --schema auto" does. A sum of a column is what a page of the kind
// costs; nothing here is a requirement.
//
//	go run ./profile [--pages N] [--document FILE] [--svg FILE] [--pprof FILE]
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/pprof"
	"time"

	"github.com/curlew-data/curlew/bench/measure"
	"github.com/curlew-data/curlew/internal/extract"
)

func main() {
	measure.Program("profile", func(ctx context.Context) error {
		return run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	})
}

func run(ctx context.Context, args []string, out, progress io.Writer) error {
	flags := flag.NewFlagSet("profile", flag.ContinueOnError)
	most := flags.Int("pages", 300, "how many pages of each sort are read at most")
	document := flags.String("document", "", "write the table into this document")
	svg := flags.String("svg", "", "write the flame graph into this file")
	keep := flags.String("pprof", "", "keep the profile in this file, for go tool pprof")
	if err := flags.Parse(args); err != nil {
		return err
	}
	corpus, err := measure.Corpus(ctx)
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "curlew-profile-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	file := *keep
	if file == "" {
		file = filepath.Join(folder, "cpu.pprof")
	}
	pages, err := profiled(ctx, corpus, *most, file, measure.Progress{Writer: progress})
	if err != nil {
		return err
	}
	traces, err := exec.CommandContext(ctx, "go", "tool", "pprof", "-traces", file).Output()
	if err != nil {
		return fmt.Errorf("go tool pprof: %w", err)
	}
	samples := parse(string(traces))
	var table bytes.Buffer
	write(&table, samples, pages)
	_, _ = out.Write(table.Bytes())
	if *svg != "" {
		if err := os.WriteFile(*svg, flame(samples), 0o644); err != nil {
			return err
		}
	}
	if *document != "" {
		return intoDocument(*document, table.Bytes())
	}
	return nil
}

// profiled reads the pages while a profile is taken, and counts them by kind.
func profiled(ctx context.Context, corpus string, most int, file string, p measure.Progress) (map[string]int, error) {
	var all [][]byte
	for _, wanted := range []func([]byte) bool{measure.Describes, measure.Unstructured} {
		found, err := measure.RealPages(corpus, 0, wanted)
		if err != nil {
			return nil, err
		}
		all = append(all, measure.Spread(found, most)...)
	}
	p.Say("reading %d pages", len(all))
	out, err := os.Create(file)
	if err != nil {
		return nil, err
	}
	defer out.Close()
	kinds := make([]string, len(all))
	for i, body := range all { // once, to know what they are
		kinds[i] = read(ctx, body)
	}
	if err := pprof.StartCPUProfile(out); err != nil {
		return nil, err
	}
	defer pprof.StopCPUProfile()
	pages := map[string]int{}
	for i, body := range all {
		pages[kinds[i]]++
		pprof.Do(ctx, pprof.Labels("kind", kinds[i]), func(context.Context) { read(ctx, body) })
	}
	return pages, nil
}

// read reads a page and says what it was taken for, and by which tier.
func read(ctx context.Context, body []byte) string {
	e := extract.Extract(ctx, extract.Material{Body: body, URL: "https://site.example/a/b", ContentType: "text/html",
		Now: time.Date(2026, 11, 17, 9, 0, 0, 0, time.UTC)}, extract.ExtractOptions{})
	if len(e.Readings) == 0 {
		return "nothing"
	}
	return fmt.Sprintf("%s, %s", e.Schema, e.Tier)
}

// The marks around the table in a document.
const (
	tableBegins = "<!-- profile: written by make profile -->\n"
	tableEnds   = "<!-- end of profile -->\n"
)

// intoDocument puts the table in the place of the one before.
func intoDocument(file string, table []byte) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	before, rest, ok := bytes.Cut(text, []byte(tableBegins))
	_, after, ended := bytes.Cut(rest, []byte(tableEnds))
	if !ok || !ended {
		return fmt.Errorf("%s has no place for the table", file)
	}
	return os.WriteFile(file, fmt.Appendf(nil, "%s%s```\n%s```\n%s%s", before, tableBegins, table, tableEnds, after), 0o644)
}
