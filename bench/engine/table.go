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

// column is a contender's place in the table.
type column string

const (
	sqliteColumn   column = "curlew sqlite"
	postgresColumn column = "curlew postgres"
	riverColumn    column = "river postgres"
)

// row is one line of the table.
type row struct {
	Measure string             `json:"measure"`
	Unit    string             `json:"unit"`
	Values  map[column]float64 `json:"values"`
	Ratio   float64            `json:"ratio_to_river,omitempty"` // more than 1 is better than River
	Verdict string             `json:"verdict,omitempty"`        // of a requirement; empty where there is none
}

// informative is a row without a requirement.
func informative(name, unit string, s series) row {
	return row{Measure: name, Unit: unit, Values: s.medians()}
}

// besideRiver is a row of rates in which Curlew must not be slower than River.
func besideRiver(name, unit string, s series) row {
	r := informative(name, unit, s)
	if len(s[riverColumn]) == 0 {
		return r
	}
	r.Ratio = s.ratio(postgresColumn, riverColumn)
	r.Verdict = measure.Verdict(r.Ratio >= 1)
	return r
}

// table is what a run found out.
type table struct {
	Rows  []row    `json:"rows"`
	Notes []string `json:"notes"`
}

func (t *table) add(rows ...row) { t.Rows = append(t.Rows, rows...) }

func (t *table) note(text string) { t.Notes = append(t.Notes, text) }

// Missed says whether a requirement does not hold.
func (t *table) Missed() bool {
	return slices.ContainsFunc(t.Rows, func(r row) bool { return r.Verdict == measure.Missed })
}

// Write prints the table for people.
func (t *table) Write(out io.Writer) {
	w := tabwriter.NewWriter(out, 0, 0, 3, ' ', 0)
	fmt.Fprintf(w, "measure\tunit\t%s\t%s\t%s\tto river\tverdict\n", sqliteColumn, postgresColumn, riverColumn)
	for _, r := range t.Rows {
		fmt.Fprintf(w, "%s\t%s", r.Measure, r.Unit)
		for _, c := range []column{sqliteColumn, postgresColumn, riverColumn} {
			fmt.Fprint(w, "\t"+number(r.Values, c))
		}
		ratio := ""
		if r.Ratio > 0 {
			ratio = fmt.Sprintf("%.2f ×", r.Ratio)
		}
		fmt.Fprintf(w, "\t%s\t%s\n", ratio, r.Verdict)
	}
	_ = w.Flush()
	for _, n := range append(t.Notes, fmt.Sprintf("Medians of alternating rounds; %d CPUs; River v0.47.0 with riverpgxv5.",
		runtime.NumCPU())) {
		fmt.Fprintln(out, n)
	}
}

func number(values map[column]float64, c column) string {
	value, known := values[c]
	switch {
	case !known:
		return ""
	case value >= 100:
		return measure.Thousands(int(value + 0.5))
	}
	return strconv.FormatFloat(value, 'f', 2, 64)
}
