package main

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/curlew-data/curlew/bench/measure"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/learn/induce"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/read/dom"
	"golang.org/x/net/html"
)

// figure is what one page brought.
type figure struct {
	Kind    string  `json:"kind"`
	KB      int     `json:"kb"`
	Records int     `json:"records"`
	Parse   float64 `json:"parse_ms"`
	Learn   float64 `json:"learn_ms"`
	Apply   float64 `json:"apply_ms"`
	Real    bool    `json:"real,omitempty"` // a page that others wrote
}

// collect measures all pages.
func collect(ctx context.Context, s sizes, p measure.Progress) (*table, error) {
	t := &table{}
	add := func(f figure, schema curlew.SchemaName, body []byte) error {
		if err := f.race(schema, body, s.tries); err != nil {
			return err
		}
		p.Say("%s, %d KB: %d records, learn %.0f ms", f.Kind, f.KB, f.Records, f.Learn)
		t.Figures = append(t.Figures, f)
		return ctx.Err()
	}
	for _, k := range listKinds {
		for _, kb := range s.kilobytes {
			if err := add(figure{Kind: k.name, KB: kb}, k.schema, k.page(kb*1000)); err != nil {
				return nil, fmt.Errorf("%s of %d KB: %w", k.name, kb, err)
			}
		}
	}
	for i, body := range realLists(ctx, s.real) {
		f := figure{Kind: fmt.Sprintf("page%02d", i+1), KB: len(body) / 1000, Real: true}
		if err := add(f, curlew.SchemaItem, body); ctx.Err() != nil {
			return nil, err
		} else if err != nil {
			p.Say("%s, %d KB: %s", f.Kind, f.KB, err) // not every page is a list that can be learned
		}
	}
	return t, nil
}

// realLists are some large list pages of the corpus beside the checkout; none where
// there is no corpus.
func realLists(ctx context.Context, most int) [][]byte {
	folder := os.Getenv("CORPUS")
	if root, err := measure.Root(); err == nil && folder == "" {
		said, err := exec.CommandContext(ctx, filepath.Join(root, "..", "shared", "corpus", "unpack")).Output()
		if err != nil {
			return nil
		}
		folder = strings.TrimSpace(string(said))
	}
	paths, _ := filepath.Glob(filepath.Join(folder, "next-eval", "dev", "*.html"))
	var all [][]byte
	for _, path := range paths {
		if body, err := os.ReadFile(path); err == nil && len(body) >= 100_000 && len(all) < most {
			all = append(all, body)
		}
	}
	return all
}

// atOnce is how much is read between two looks at the clock, in bytes. Small pages are
// read several times over: a single one would end before the first collecting of
// garbage, for which the large ones pay, and growth would seem worse than it is.
const atOnce = 1_000_000

// race takes parsing, learning and applying in turns, so that a busy machine slows
// all of them down, and keeps the fastest of each.
func (f *figure) race(schema curlew.SchemaName, body []byte, tries int) error {
	f.Parse, f.Learn, f.Apply = math.Inf(1), math.Inf(1), math.Inf(1)
	times := max(1, atOnce/len(body))
	for range tries {
		clock(&f.Parse, times, func(int) { _, _ = html.Parse(bytes.NewReader(body)) }) // it fails on no input from memory
		var learned *blueprint.Blueprint
		var err error
		clock(&f.Learn, times, func(int) { learned, err = learn(schema, body) })
		if err != nil {
			return err
		}
		compiled, err := blueprint.Compile(learned)
		if err != nil {
			return err
		}
		docs := make([]*dom.Document, times)
		for i := range docs {
			docs[i] = dom.New(body, "https://example.org/list")
			docs[i].Tree()
		}
		clock(&f.Apply, times, func(i int) { f.Records = apply(compiled, docs[i]) })
	}
	return nil
}

// learn begins with bytes and ends with a blueprint.
func learn(schema curlew.SchemaName, body []byte) (*blueprint.Blueprint, error) {
	doc := dom.New(body, "https://example.org/list")
	drafts := induce.ReadPage(context.Background(), doc, today, schema.Kind(), induce.DayRange{})
	learned, _, err := induce.Learn(context.Background(), schema.Kind(), []induce.Read{{Document: doc, Now: today, Drafts: drafts}})
	return learned, err
}

// apply begins with a page that is parsed, as all stages share it, and ends with drafts.
func apply(c *blueprint.Compiled, doc *dom.Document) int {
	return len(c.Apply(blueprint.PageInput{Document: doc, Now: today}).Drafts)
}

// clock keeps the least time that something kept the processors busy, in
// milliseconds: on a machine with other work, the clock on the wall measures that.
func clock(least *float64, times int, do func(i int)) {
	runtime.GC() // what others left behind is not to be paid for here
	began := busy()
	for i := range times {
		do(i)
	}
	*least = min(*least, float64((busy()-began).Microseconds())/1000/float64(times))
}

func busy() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
