package main

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/curlew-data/curlew/bench/measure"
)

// What is wanted: milliseconds of the server for a page, bytes of a first load.
const (
	mostMillis = 50
	mostLoad   = 150_000
)

// table is what was found out.
type table struct {
	Rows      []row    `json:"rows"`
	FirstLoad int      `json:"first_load_bytes"`
	Unseen    []string `json:"unseen,omitempty"` // screens that no page of this data leads to
}

// page says whether a row is a page of the console, of which something is wanted.
func (r row) page() bool { return !strings.HasPrefix(r.Screen, "API ") && r.Screen != "/metrics" }

func (r row) verdict() string {
	if !r.page() {
		return ""
	}
	return measure.Verdict(r.P95 < mostMillis)
}

// Missed says whether a requirement does not hold.
func (t *table) Missed() bool {
	return t.FirstLoad >= mostLoad || slices.ContainsFunc(t.Rows, func(r row) bool { return r.verdict() == measure.Missed })
}

// Write prints the table for people.
func (t *table) Write(out io.Writer) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "rows\tp50 ms\tp95 ms\tmax ms\twhole ms\tbytes\tverdict\t  \taddress")
	worst := row{}
	for _, r := range t.Rows {
		fmt.Fprintf(w, "%d\t%.1f\t%.1f\t%.1f\t%.1f\t%s\t%s\t  \t%s\n", r.Rows, r.P50, r.P95, r.Max, r.Whole, measure.Thousands(r.Bytes),
			r.verdict(), shorten(r.At))
		if r.page() && r.P95 > worst.P95 {
			worst = r
		}
	}
	_ = w.Flush()
	fmt.Fprintf(out, "Slowest page: %s, %.1f ms (wanted < %d ms at the 95th percentile): %s\n", shorten(worst.At), worst.P95, mostMillis,
		measure.Verdict(worst.P95 < mostMillis))
	if len(t.Unseen) > 0 {
		fmt.Fprintf(out, "Not measured, because nothing of this data leads there: %s\n", strings.Join(t.Unseen, ", "))
	}
	fmt.Fprintf(out, "First load, compressed: %s bytes (wanted < %s): %s\n", measure.Thousands(t.FirstLoad), measure.Thousands(mostLoad),
		measure.Verdict(t.FirstLoad < mostLoad))
	fmt.Fprintf(out, "Times are the server's own; \"whole\" is until the last byte has come. %d CPUs, SQLite.\n", runtime.NumCPU())
}

func shorten(at string) string {
	const most = 96
	if len(at) > most {
		return at[:most-1] + "…"
	}
	return at
}
