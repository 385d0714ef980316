package main

import (
	"bytes"
	"fmt"
	"runtime"
	"time"

	"github.com/curlew-data/curlew/bench/measure"
	"github.com/curlew-data/curlew/internal/read/dom"
	"golang.org/x/net/html"
)

// The requirements.
const (
	leastRatio = 2.0 // times Colly
	mostMemory = 150 // megabytes
	leastTree  = 0.7 // times bare parsing
	leastPages = 80  // per cent, on which Curlew must find records
)

// result is what one round brought.
type result struct {
	curlew, colly measure.Cost
	objects       int // that Colly printed
	bare, whole   time.Duration
}

type results []result

// of is the median of a figure over the rounds.
func (all results) of(figure func(result) float64) float64 { return measure.MedianOf(all, figure) }

// table makes the rows.
func (all results) table(s sizes, found harvest) *measure.Table {
	n := float64(s.pages)
	speed := all.of(func(r result) float64 { return r.colly.Seconds() / r.curlew.Seconds() })
	memory := all.of(func(r result) float64 { return r.curlew.Memory })
	tree := all.of(func(r result) float64 { return r.bare.Seconds() / r.whole.Seconds() })
	return &measure.Table{Rounds: len(all), Rows: []measure.Row{
		{Measure: fmt.Sprintf("structured extraction of %s pages", measure.Thousands(s.pages)), Unit: "pages/s",
			Curlew: all.of(func(r result) float64 { return n / r.curlew.Seconds() }),
			Colly:  all.of(func(r result) float64 { return n / r.colly.Seconds() }),
			Ratio:  speed, Wanted: fmt.Sprintf("≥ %.1f ×", leastRatio), Verdict: measure.Verdict(speed >= leastRatio)},
		{Measure: "the same, by CPU time", Unit: "pages/s",
			Curlew: all.of(func(r result) float64 { return n / r.curlew.CPU.Seconds() }),
			Colly:  all.of(func(r result) float64 { return n / r.colly.CPU.Seconds() }),
			Ratio:  all.of(func(r result) float64 { return r.colly.CPU.Seconds() / r.curlew.CPU.Seconds() })},
		{Measure: "memory", Unit: "MB", Curlew: memory, Colly: all.of(func(r result) float64 { return r.colly.Memory }),
			Wanted: fmt.Sprintf("< %d", mostMemory), Verdict: measure.Verdict(memory < mostMemory)},
		{Measure: "pages with records", Unit: "pages", Curlew: float64(found.pages)},
		{Measure: "records, objects", Unit: "lines", Curlew: float64(found.records),
			Colly: all.of(func(r result) float64 { return float64(r.objects) })},
		{Measure: "full DOM path", Unit: "ms", Curlew: all.of(func(r result) float64 { return float64(r.whole.Milliseconds()) }), Ratio: tree,
			Wanted: fmt.Sprintf("≥ %.1f × html.Parse", leastTree), Verdict: measure.Verdict(tree >= leastTree)},
	}, Note: fmt.Sprintf("Medians of %d alternating rounds; %d CPUs; whole processes. The DOM path: all pages once, in this process.",
		len(all), runtime.NumCPU())}
}

// compareTrees takes the time of bare parsing and of reading all of a page, page by
// page in turns, so that a busy machine slows down both. Of three tries each, the
// fastest counts.
func compareTrees(pages [][]byte) (bare, whole time.Duration) {
	for _, body := range pages {
		bare += fastest(func() { _, _ = html.Parse(bytes.NewReader(body)) }) // it fails on no input from memory
		whole += fastest(func() { readTree(body) })
	}
	return bare, whole
}

func fastest(do func()) time.Duration {
	least := time.Duration(1<<63 - 1)
	for range 3 {
		began := time.Now()
		do()
		least = min(least, time.Since(began))
	}
	return least
}

// readTree reads all that a page has for readers of HTML.
func readTree(body []byte) {
	d := dom.New(body, "https://example.org/")
	d.Tree()
	d.Text()
	d.Blocks()
	d.Links()
	d.Scripts()
	d.Fingerprint()
}
