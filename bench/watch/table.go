package main

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"strconv"
	"text/tabwriter"

	"github.com/curlew-data/curlew/bench/measure"
)

// requirement is what a figure must be.
type requirement struct {
	name   string
	engine string // "" means both
	most   float64
	least  float64
}

// A ratio of memory of 1.2 leaves room for what the runtime does beside us.
var requirements = []requirement{
	{name: "tick, 1 % due", most: 1000},
	{name: "tick, memory beside a table of a tenth", most: 1.2},
	{name: "publish, time of the processors", engine: "sqlite", most: 250},
	{name: "deliveries", engine: "postgres", least: 1000},
}

// table is what was found out.
type table struct {
	Figures []figure `json:"figures"`
}

// verdict is what was wanted of a figure, how it compares as a ratio (1 or more is as
// good as wanted), and whether that holds; all empty where nothing is wanted.
func (f figure) verdict() (wanted, ratio, verdict string) {
	i := slices.IndexFunc(requirements, func(r requirement) bool { return r.name == f.Name && (r.engine == "" || r.engine == f.Engine) })
	if i < 0 {
		return "", "", ""
	}
	r := requirements[i]
	times, wanted := r.most/f.Value, "< "+number(r.most)
	if r.least > 0 {
		times, wanted = f.Value/r.least, "≥ "+number(r.least)
	}
	return wanted, fmt.Sprintf("%.2f ×", times), measure.Verdict(times >= 1)
}

// Missed says whether a requirement does not hold.
func (t *table) Missed() bool {
	return slices.ContainsFunc(t.Figures, func(f figure) bool {
		_, _, verdict := f.verdict()
		return verdict == measure.Missed
	})
}

// Write prints the table for people.
func (t *table) Write(out io.Writer) {
	w := tabwriter.NewWriter(out, 0, 0, 3, ' ', 0)
	fmt.Fprintln(w, "measure\tengine\tunit\tmeasured\twanted\tas wanted\tverdict")
	for _, f := range t.Figures {
		wanted, ratio, verdict := f.verdict()
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", f.Name, f.Engine, f.Unit, number(f.Value), wanted, ratio, verdict)
	}
	_ = w.Flush()
	fmt.Fprintf(out, "The least of a few tries; %d CPUs. 100,000 watches; 1,000 entities, 10 changed; 10,000 changes for 3 endpoints.\n",
		runtime.NumCPU())
}

func number(value float64) string {
	if value >= 100 {
		return measure.Thousands(int(value + 0.5))
	}
	return strconv.FormatFloat(value, 'f', 2, 64)
}
