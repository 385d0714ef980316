package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strconv"
	"text/tabwriter"
)

// The requirements.
const (
	leastRatio = 1.5 // times Colly
	mostMemory = 200 // megabytes
	leastAgain = 10  // times the first crawl
)

// The verdicts on a requirement.
const (
	ok     = "ok"
	missed = "MISSED"
)

// result is what one round brought.
type result struct{ first, again, colly cost }

type results []result

// of is the median of a figure over the rounds.
func (all results) of(figure func(result) float64) float64 {
	values := make([]float64, len(all))
	for i, r := range all {
		values[i] = figure(r)
	}
	return median(values)
}

// table makes the rows. A ratio is the median of the rounds' ratios: what slows
// the machine down for a while slows both.
func (all results) table(s sizes) *table {
	n := float64(s.pages)
	curlew := all.of(func(r result) float64 { return n / r.first.seconds() })
	colly := all.of(func(r result) float64 { return n / r.colly.seconds() })
	again := all.of(func(r result) float64 { return n / r.again.seconds() })
	speed := all.of(func(r result) float64 { return r.colly.seconds() / r.first.seconds() })
	faster := all.of(func(r result) float64 { return r.first.seconds() / r.again.seconds() })
	memory := all.of(func(r result) float64 { return r.first.memory })
	return &table{Rounds: len(all), Rows: []row{
		{Measure: fmt.Sprintf("crawl %d pages of %d KB, %d at a time", s.pages, s.bytes/1000, s.atOnce), Unit: "pages/s",
			Curlew: curlew, Colly: colly, Ratio: speed, Wanted: fmt.Sprintf("≥ %.1f ×", leastRatio), Verdict: verdict(speed >= leastRatio)},
		{Measure: "memory", Unit: "MB", Curlew: memory, Colly: all.of(func(r result) float64 { return r.colly.memory }),
			Wanted: fmt.Sprintf("< %d", mostMemory), Verdict: verdict(memory < mostMemory)},
		{Measure: "crawl again, nothing changed", Unit: "pages/s", Curlew: again, Ratio: faster,
			Wanted: fmt.Sprintf("≥ %d × the first", leastAgain), Verdict: verdict(faster >= leastAgain)},
		{Measure: "memory, crawl again", Unit: "MB", Curlew: all.of(func(r result) float64 { return r.again.memory })},
	}}
}

func verdict(holds bool) string {
	if holds {
		return ok
	}
	return missed
}

// row is one line of the table.
type row struct {
	Measure string  `json:"measure"`
	Unit    string  `json:"unit"`
	Curlew  float64 `json:"curlew"`
	Colly   float64 `json:"colly,omitempty"`
	Ratio   float64 `json:"ratio,omitempty"`
	Wanted  string  `json:"wanted,omitempty"`
	Verdict string  `json:"verdict,omitempty"` // of a requirement; empty where there is none
}

// table is what a run found out.
type table struct {
	Rows   []row `json:"rows"`
	Rounds int   `json:"rounds"`
}

func (t *table) missed() bool {
	return slices.ContainsFunc(t.Rows, func(r row) bool { return r.Verdict == missed })
}

func (t *table) write(out io.Writer) {
	w := tabwriter.NewWriter(out, 0, 0, 3, ' ', 0)
	fmt.Fprintln(w, "measure\tunit\tcurlew\tcolly\tratio\twanted\tverdict")
	for _, r := range t.Rows {
		ratio := ""
		if r.Ratio > 0 {
			ratio = fmt.Sprintf("%.2f ×", r.Ratio)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", r.Measure, r.Unit, number(r.Curlew), number(r.Colly), ratio, r.Wanted, r.Verdict)
	}
	_ = w.Flush()
	fmt.Fprintf(out, "Medians of %d alternating rounds; %d CPUs, shared with the site; whole processes, with fsync.\n", t.Rounds, runtime.NumCPU())
}

func (t *table) save(file string) error {
	text, err := json.MarshalIndent(t, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(text, '\n'), 0o644)
}

func number(value float64) string {
	if value == 0 {
		return ""
	}
	return strconv.FormatFloat(value, 'f', 0, 64)
}

func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle]
	}
	return (sorted[middle-1] + sorted[middle]) / 2
}
