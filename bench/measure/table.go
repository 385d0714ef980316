package measure

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"text/tabwriter"
)

// Row is one line of a table that compares Curlew with Colly.
type Row struct {
	Measure string  `json:"measure"`
	Unit    string  `json:"unit"`
	Curlew  float64 `json:"curlew"`
	Colly   float64 `json:"colly,omitempty"`
	Ratio   float64 `json:"ratio,omitempty"`
	Wanted  string  `json:"wanted,omitempty"`
	Verdict string  `json:"verdict,omitempty"` // of a requirement; empty where there is none
}

// Table is what a comparison of whole processes with Colly found out.
type Table struct {
	Rows   []Row  `json:"rows"`
	Rounds int    `json:"rounds"`
	Note   string `json:"-"` // below the table
}

// Missed says whether a requirement does not hold.
func (t *Table) Missed() bool {
	return slices.ContainsFunc(t.Rows, func(r Row) bool { return r.Verdict == Missed })
}

// Write prints the table for people.
func (t *Table) Write(out io.Writer) {
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
	fmt.Fprintln(out, t.Note)
}

func number(value float64) string {
	if value == 0 {
		return ""
	}
	return strconv.FormatFloat(value, 'f', 0, 64)
}
