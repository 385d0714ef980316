package main

import (
	"fmt"
	"runtime"

	"github.com/curlew-data/curlew/bench/measure"
)

// The requirements.
const (
	leastRatio = 1.5 // times Colly
	mostMemory = 200 // megabytes
	leastAgain = 10  // times the first crawl
)

// result is what one round brought.
type result struct{ first, again, colly measure.Cost }

type results []result

// of is the median of a figure over the rounds.
func (all results) of(figure func(result) float64) float64 { return measure.MedianOf(all, figure) }

// table makes the rows.
func (all results) table(s sizes) *measure.Table {
	n := float64(s.pages)
	curlew := all.of(func(r result) float64 { return n / r.first.Seconds() })
	colly := all.of(func(r result) float64 { return n / r.colly.Seconds() })
	again := all.of(func(r result) float64 { return n / r.again.Seconds() })
	speed := all.of(func(r result) float64 { return r.colly.Seconds() / r.first.Seconds() })
	faster := all.of(func(r result) float64 { return r.first.Seconds() / r.again.Seconds() })
	memory := all.of(func(r result) float64 { return r.first.Memory })
	return &measure.Table{Rounds: len(all), Rows: []measure.Row{
		{Measure: fmt.Sprintf("crawl %d pages of %d KB, %d at a time", s.pages, s.bytes/1000, s.atOnce), Unit: "pages/s",
			Curlew: curlew, Colly: colly, Ratio: speed, Wanted: fmt.Sprintf("≥ %.1f ×", leastRatio), Verdict: measure.Verdict(speed >= leastRatio)},
		{Measure: "memory", Unit: "MB", Curlew: memory, Colly: all.of(func(r result) float64 { return r.colly.Memory }),
			Wanted: fmt.Sprintf("< %d", mostMemory), Verdict: measure.Verdict(memory < mostMemory)},
		{Measure: "crawl again, nothing changed", Unit: "pages/s", Curlew: again, Ratio: faster,
			Wanted: fmt.Sprintf("≥ %d × the first", leastAgain), Verdict: measure.Verdict(faster >= leastAgain)},
		{Measure: "memory, crawl again", Unit: "MB", Curlew: all.of(func(r result) float64 { return r.again.Memory })},
	}, Note: fmt.Sprintf("Medians of %d alternating rounds; %d CPUs, shared with the site; whole processes, with fsync.", len(all),
		runtime.NumCPU())}
}
