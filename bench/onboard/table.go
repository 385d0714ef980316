package main

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"github.com/curlew-data/curlew/bench/measure"
)

// The requirements.
const (
	mostMillis = 2000.0 // of the median page
	mostRatio  = 3.0    // times extracting it
)

// table is what was found out.
type table struct {
	Figures []figure `json:"figures"`
}

func (t *table) median(of func(figure) float64) float64 { return measure.MedianOf(t.Figures, of) }

func (t *table) millis() float64 { return t.median(func(f figure) float64 { return f.Onboard }) }
func (t *table) ratio() float64  { return t.median(figure.ratio) }

// Missed says whether a requirement does not hold.
func (t *table) Missed() bool { return t.millis() >= mostMillis || t.ratio() > mostRatio }

// Write prints the medians and the verdicts.
func (t *table) Write(out io.Writer) {
	w := tabwriter.NewWriter(out, 0, 0, 3, ' ', 0)
	fmt.Fprintln(w, "median page\tms\twanted\tverdict")
	fmt.Fprintf(w, "fetch and extract\t%.0f\t\t\n", t.median(func(f figure) float64 { return f.Extract }))
	fmt.Fprintf(w, "address to verdict\t%.0f\t< %.0f\t%s\n", t.millis(), mostMillis, measure.Verdict(t.millis() < mostMillis))
	fmt.Fprintf(w, "ratio\t%.2f ×\t≤ %.1f ×\t%s\n", t.ratio(), mostRatio, measure.Verdict(t.ratio() <= mostRatio))
	_ = w.Flush()
	fmt.Fprintf(out, "%d pages; the slowest took %.0f ms.\n", len(t.Figures), slices.MaxFunc(t.Figures, func(a, b figure) int {
		return int(a.Onboard - b.Onboard)
	}).Onboard)
}
