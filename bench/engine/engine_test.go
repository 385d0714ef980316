package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/bench/measure"
)

// TestMain lets the test binary be its own worker process.
func TestMain(m *testing.M) {
	if os.Getenv(workerVariable) != "" {
		main()
	}
	os.Exit(m.Run())
}

func TestQuickRun(t *testing.T) {
	wanted := []string{"insert 300, 100 at a time", "insert 10, one by one", "work 300, 2 processes × 20 at once",
		"memory, 2 processes × 20 at once", "work 100 on an empty table", "work 100 beside 2,000 finished",
		"growth (at most 1.5)", "the same behind 200 of a full limit"}
	t.Run("sqlite", func(t *testing.T) {
		out := quickRun(t, "--sqlite-only")
		expectRows(t, out, wanted, 2)
	})
	t.Run("postgres", func(t *testing.T) {
		server := os.Getenv("CURLEW_TEST_POSTGRES")
		if server == "" {
			t.Skip("CURLEW_TEST_POSTGRES is not set")
		}
		out := quickRun(t, "--postgres", server)
		expectRows(t, out, wanted, 3)
		expectRows(t, out, wanted[:3], 5) // with River, the ratio and a verdict
	})
}

func quickRun(t *testing.T, args ...string) string {
	t.Helper()
	var out, progress bytes.Buffer
	if err := run(t.Context(), append([]string{"--quick"}, args...), &out, &progress); err != nil {
		t.Fatalf("%v\n%s", err, progress.String())
	}
	return out.String()
}

// expectRows looks for rows by their measure, with at least so many cells (unit
// and values) behind it.
func expectRows(t *testing.T, table string, names []string, cells int) {
	t.Helper()
	for _, name := range names {
		found := false
		for line := range strings.Lines(table) {
			rest, ok := strings.CutPrefix(line, name)
			found = found || ok && len(strings.Fields(rest)) >= cells
		}
		if !found {
			t.Errorf("no row %q with %d cells in\n%s", name, cells, table)
		}
	}
}

func TestVerdict(t *testing.T) {
	for _, c := range []struct {
		name          string
		curlew, river []float64
		want          string
	}{
		{"faster in the median of the rounds", []float64{10, 30, 11}, []float64{9, 40, 10}, measure.OK},
		{"slower", []float64{9, 9, 90}, []float64{10, 10, 10}, measure.Missed},
		{"without River", []float64{9}, nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := besideRiver("m", "jobs/s", series{postgresColumn: c.curlew, riverColumn: c.river})
			if r.Verdict != c.want {
				t.Errorf("verdict %q, want %q", r.Verdict, c.want)
			}
		})
	}
}
