package database

import (
	"context"
	"regexp"
	"slices"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// Step is a migration that is to be applied, or was.
type Step struct {
	Name  string
	Rows  int64 // of the tables that it goes over, row by row
	Ended bool
	Took  time.Duration
}

// RowsPerSecond is what a migration is taken to manage on a small machine. It is an estimate: how long one
// really took is said when it has ended.
const RowsPerSecond = 100_000

// Estimate says for people how long migrations will take.
func Estimate(steps []Step) string {
	var rows int64
	for _, s := range steps {
		rows += s.Rows
	}
	if rows < 2*RowsPerSecond {
		return "a few seconds"
	}
	return "about " + curlew.Duration(time.Duration(rows/RowsPerSecond)*time.Second).Brief()
}

// goesOver finds the tables whose rows a statement reads or changes. What only adds a table or an empty
// column costs nothing.
var goesOver = regexp.MustCompile(`(?i)\b(?:UPDATE|INDEX\s+\w+\s+ON|FROM|JOIN)\s+(\w+)`)

// rowsOf counts the rows that a migration goes over.
func rowsOf(ctx context.Context, q Queryer, postgres bool, m migration) (total int64, err error) {
	query := `SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = ?`
	if postgres {
		query = `SELECT count(*) FROM pg_tables WHERE schemaname = current_schema() AND tablename = ?`
	}
	var tables []string
	for _, statement := range statements(m.text) {
		for _, found := range goesOver.FindAllStringSubmatch(statement, -1) {
			tables = append(tables, found[1])
		}
	}
	slices.Sort(tables)
	for _, table := range slices.Compact(tables) {
		var there, rows int64
		if err := q.QueryRow(ctx, query, table).Scan(&there); err != nil {
			return 0, err
		}
		if there == 0 {
			continue // this migration or one before it makes the table
		}
		if err := q.QueryRow(ctx, `SELECT count(*) FROM `+table).Scan(&rows); err != nil {
			return 0, err
		}
		total += rows
	}
	return total, nil
}
