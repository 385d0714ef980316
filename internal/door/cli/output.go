package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

func writeJSON(w io.Writer, value any) {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(value) // nobody is left to tell
}

// table prints rows under headings, aligned.
func table(w io.Writer, headings []string, rows [][]string) {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintln(t, strings.ToUpper(strings.Join(headings, "\t")))
	for _, row := range rows {
		for i := range row {
			row[i] = printable(row[i])
		}
		fmt.Fprintln(t, strings.Join(row, "\t"))
	}
	_ = t.Flush()
}

// printable keeps text that comes from elsewhere from steering the terminal or
// breaking the table.
func printable(text string) string { return curlew.Printable(text) }

// moment prints a time as people read it, and nothing for none.
func moment(t *time.Time) string {
	if t == nil || t.IsZero() {
		return "–"
	}
	return t.Local().Format("2006-01-02 15:04:05")
}

// brief rounds a duration to what matters.
func brief(d time.Duration) string { return curlew.Duration(d).Brief() }
