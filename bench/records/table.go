package main

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"text/tabwriter"

	"github.com/curlew-data/curlew/bench/measure"
)

// mostMemory is what a crawl may use, in megabytes.
const mostMemory = 200

// row is what a contender came to.
type row struct {
	Name    string  `json:"name"`
	Speed   float64 `json:"pages_per_second"`
	CPU     float64 `json:"cpu_ms_per_page"`
	Memory  float64 `json:"memory_mb"`
	Records float64 `json:"records"`
	Faster  float64 `json:"faster,omitempty"`  // than Colly, by the clock
	Cheaper float64 `json:"cheaper,omitempty"` // than Colly, by processor time
	Wanted  string  `json:"wanted,omitempty"`
	Verdict string  `json:"verdict,omitempty"`
}

// table is what the benchmark found out.
type table struct {
	Pages  int   `json:"pages"`
	Rounds int   `json:"rounds"`
	Rows   []row `json:"rows"`
	costs  map[string][]cost
}

// fill makes the rows. A ratio is taken within each round.
func (t *table) fill() {
	n := float64(t.Pages)
	for _, c := range contenders {
		all, others := t.costs[c.name], t.costs[c.beside]
		r := row{Name: c.name, Speed: measure.MedianOf(all, func(c cost) float64 { return n / c.Seconds() }),
			CPU:     measure.MedianOf(all, func(c cost) float64 { return 1000 * c.CPU.Seconds() / n }),
			Memory:  measure.MedianOf(all, func(c cost) float64 { return c.Memory }),
			Records: measure.MedianOf(all, func(c cost) float64 { return float64(c.records) })}
		var faster, cheaper []float64
		for i := range others {
			faster = append(faster, others[i].Seconds()/all[i].Seconds())
			cheaper = append(cheaper, others[i].CPU.Seconds()/all[i].CPU.Seconds())
		}
		r.Faster, r.Cheaper = measure.Median(faster), measure.Median(cheaper)
		if c.wanted > 0 {
			r.Wanted = fmt.Sprintf("≥ %.1f ×, < %d MB", c.wanted, mostMemory)
			r.Verdict = measure.Verdict(r.Faster >= c.wanted && r.Memory < mostMemory)
		}
		t.Rows = append(t.Rows, r)
	}
}

// Missed says whether a goal does not hold.
func (t *table) Missed() bool {
	return slices.ContainsFunc(t.Rows, func(r row) bool { return r.Verdict == measure.Missed })
}

// Write prints the table for people.
func (t *table) Write(out io.Writer) {
	w := tabwriter.NewWriter(out, 0, 0, 3, ' ', 0)
	fmt.Fprintln(w, "crawl\tpages/s\tCPU ms/page\tMB\trecords\t× Colly\tby CPU\twanted\tverdict")
	for _, r := range t.Rows {
		fmt.Fprintf(w, "%s\t%.0f\t%.1f\t%.0f\t%.0f\t%s\t%s\t%s\t%s\n", r.Name, r.Speed, r.CPU, r.Memory, r.Records,
			times(r.Faster), times(r.Cheaper), r.Wanted, r.Verdict)
	}
	_ = w.Flush()
	fmt.Fprintf(out, "%s pages; medians of %d alternating rounds; %d CPUs, shared with the site; whole processes, with fsync.\n",
		measure.Thousands(t.Pages), t.Rounds, runtime.NumCPU())
}

func times(ratio float64) string {
	if ratio == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f ×", ratio)
}
